/** The totals of spaces, as triggers count them: the same as a count of the rows after any change. */
import { expect, test } from "vitest";
import { readStoredBytes, readUsage } from "../../../src/edge/storage/spaces/usage.ts";
import { commitVariant } from "../../../src/edge/storage/pictures/variants.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";
import { gifOf, Uploader } from "../support/uploads.ts";
import { DAY_MS } from "../../../src/limits.ts";

cleanBetweenTests();

const db = database(bindings.DB);

async function counted(spaceId: string): Promise<object> {
  const of = async (query: string): Promise<number> =>
    (await bindings.DB.prepare(query).bind(spaceId).first<{ n: number }>())?.n ?? 0;
  const rows = (table: string, where: string): Promise<number> =>
    of(`SELECT count(*) AS n FROM ${table} WHERE space_id = ?1 AND ${where}`);
  const both = async (table: string): Promise<object> => ({
    active: await rows(table, "deleted_at IS NULL"),
    trashed: await rows(table, "deleted_at IS NOT NULL"),
  });
  return {
    records: await both("records"),
    media: await both("media"),
    masterBytes: await of("SELECT coalesce(sum(size_bytes), 0) AS n FROM masters WHERE space_id = ?1"),
    variants: await rows("variants", "true"),
    remote: {
      pictures: await rows("remotes", "true"),
      bytes: await of("SELECT coalesce(sum(size_bytes), 0) AS n FROM remotes WHERE space_id = ?1"),
    },
  };
}

const bytesOf = async (table: string): Promise<number> =>
  (await bindings.DB.prepare(`SELECT coalesce(sum(size_bytes), 0) AS n FROM ${table}`).first<{ n: number }>())
    ?.n ?? 0;

/** Checks the totals after each step of a space's life. */
async function expectTrue(client: Client, step: string): Promise<void> {
  expect(await readUsage(db, client.space.id), step).toEqual(await counted(client.space.id));
  expect(await readStoredBytes(db), step).toEqual({
    masterBytes: await bytesOf("masters"),
    variantBytes: await bytesOf("variants"),
    remoteBytes: await bytesOf("remotes"),
    databaseBytes: expect.any(Number) as number,
  });
}

async function upload(client: Uploader, bytes: number, more: object = {}): Promise<string> {
  return (await client.complete((await client.sent(gifOf(bytes), more)).id)).data.id;
}

test("triggers keep the totals of a space equal to a count, until it is removed (RULES 2.4)", async () => {
  const client = await Uploader.make();
  const other = await Uploader.make();
  await upload(other, 111);
  await expectTrue(client, "nothing");
  const first = await upload(client, 70);
  const second = await upload(client, 90);
  await upload(client, 95, { mediaId: second });
  await expectTrue(client, "media and a replacement");
  const variant = { spaceId: client.space.id, mediaId: first, version: 1 };
  await commitVariant(bindings.DB, { ...variant, file: "w1-q80-e1.webp" }, 500, Date.now());
  await commitVariant(bindings.DB, { ...variant, file: "w2-q80-e1.webp" }, 600, Date.now());
  await commitVariant(bindings.DB, { ...variant, file: "w2-q80-e1.webp" }, 650, Date.now());
  await expectTrue(client, "variants, one of them built again");
  await client.call("DELETE", `/media/${first}`);
  await expectTrue(client, "a medium in the trash");
  await client.call("POST", `/trash/${first}/restore`);
  await expectTrue(client, "and back");
  await client.model("posts", [{ name: "title", type: "string" }]);
  await client.model("home", [{ name: "title", type: "string", default: "x" }], "pages");
  const record = await client.create("posts", { title: "one" });
  await client.create("posts", { title: "two" });
  await client.call("PUT", `/data/collections/posts/${record}`, { title: "three" });
  await client.call("DELETE", `/data/collections/posts/${record}`);
  await client.call("PUT", "/data/pages/home/home", { title: "y" });
  await client.call("DELETE", "/data/pages/home/home");
  await expectTrue(client, "records, a page, and their trash");
  await client.call("DELETE", `/trash/${record}`);
  await expectTrue(client, "a record removed for good");
  await client.call("DELETE", `/media/${first}`);
  await runSweep(Date.now() + 40 * DAY_MS);
  await expectTrue(client, "after forty days");
  await client.call("DELETE", "", { confirm: client.space.name });
  await runSweep(Date.now() + 40 * DAY_MS);
  await expectTrue(client, "the end");
  const { results } = await bindings.DB.prepare("SELECT space_id AS id FROM space_totals").all();
  expect(results).toEqual([{ id: other.space.id }]);
});
