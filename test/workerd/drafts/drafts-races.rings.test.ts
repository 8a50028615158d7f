/**
 * Publishing beside everything else that happens to a record, many times over: the published content is whole and was a
 * version.
 */
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { database } from "../../../src/edge/storage/database/database.ts";
import type { Client, Reply } from "../support/api.ts";
import { expectConsistent } from "../support/content/content-crash.ts";
import { FIELDS, makePosts, makePublished, POSTS, publish, unpublish } from "../support/content/drafts.ts";
import { bindings } from "../support/rows.ts";
import { rounds } from "../../support/ring.ts";

const db = database(bindings.DB);
const ROUNDS = rounds(5, 24);
/** No measure of speed: hundreds of requests, on a machine that may be busy. */
const MANY_REQUESTS_MS = 600_000;

/** Starts both, the second after some turns of the event loop, so that rounds meet at different statements. */
async function together(
  round: number,
  first: () => Promise<Reply>,
  second: () => Promise<Reply>,
): Promise<[Reply, Reply]> {
  const late = async () => {
    for (let turn = 0; turn < round % 12; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
    return second();
  };
  const replies = await Promise.all([first(), late()]);
  for (const { status } of replies) expect(status).toBeLessThan(500);
  return replies;
}

const read = (client: Client, id: string, status: string) =>
  client.call("GET", `${POSTS}/${id}?status=${status}`);

/** Checks that the published content is a version of the record as that version was. */
async function expectPublishedVersion(client: Client, id: string): Promise<void> {
  const published = await read(client, id, "published");
  if (published.status === 404) return;
  const { title, n, version } = published.data;
  const kept = await client.call("GET", `${POSTS}/${id}/versions/${String(version)}`);
  expect(kept.data["record"]).toMatchObject({ title, n, version });
}

describe("publishing beside", () => {
  it(
    "a change publishes one of the two contents, whole",
    async () => {
      const client = await makePosts();
      const id = await client.create("posts", { title: "0", n: 0 });
      for (let round = 1; round <= ROUNDS; round++) {
        const [step, change] = await together(
          round,
          () => publish(client, id),
          () => client.call("PUT", `${POSTS}/${id}`, { title: String(round), n: round }),
        );
        expect([step.status, change.status]).toEqual([200, 200]);
        const { title, n, version } = (await read(client, id, "published")).data;
        expect(title).toBe(String(n));
        expect([round, round + 1]).toContain(version);
        const draft = (await read(client, id, "draft")).data;
        expect(draft["status"]).toBe(version === draft["version"] ? "published" : "changed");
      }
      await expectPublishedVersion(client, id);
      await expectConsistent();
    },
    MANY_REQUESTS_MS,
  );

  it(
    "unpublishing, restoring and deleting leaves nothing half done",
    async () => {
      const client = await makePosts();
      for (let round = 0; round < ROUNDS; round++) {
        const id = await makePublished(client, { title: "one", n: 1 });
        await client.call("PUT", `${POSTS}/${id}`, { title: "two", n: 2 });
        const others: (() => Promise<Reply>)[] = [
          () => unpublish(client, id),
          () => client.call("POST", `${POSTS}/${id}/versions/1/restore`),
          () => client.call("DELETE", `${POSTS}/${id}`),
          () => publish(client, id),
        ];
        const other = others[round % others.length];
        if (!other) throw new Error("no other");
        await together(Math.floor(round / others.length) * 2, () => publish(client, id), other);
        const isThere = (await read(client, id, "draft")).status === 200;
        if (!isThere) expect((await read(client, id, "published")).status).toBe(404);
        else await expectPublishedVersion(client, id);
      }
      await expectConsistent();
    },
    MANY_REQUESTS_MS,
  );

  it(
    "a change of the model never publishes what the model does not allow",
    async () => {
      const client = await makePosts();
      const fields = (isRequired: boolean) =>
        FIELDS.map((field) => (field.name === "n" ? { ...field, required: isRequired } : field));
      for (let round = 0; round < ROUNDS; round++) {
        const id = await client.create("posts", { title: "without n" });
        const [step, change] = await together(
          round,
          () => publish(client, id),
          () => client.call("PUT", "/models/collections/posts", { fields: fields(true) }),
        );
        expect([step.status < 300, change.status < 300].filter(Boolean)).toHaveLength(1);
        await client.call("DELETE", `${POSTS}/${id}`);
        await client.call("DELETE", `/trash/${id}`);
        await client.call("PUT", "/models/collections/posts", { fields: fields(false) });
      }
    },
    MANY_REQUESTS_MS,
  );
});

describe("drafts switched", () => {
  it(
    "on beside writes publish every record as it was written by then",
    async () => {
      const client = await makePosts();
      const model = "/models/collections/posts";
      await client.call("PUT", model, { fields: FIELDS, drafts: false });
      const id = await client.create("posts", { title: "0" });
      for (let round = 1; round <= ROUNDS; round++) {
        const [switched, change] = await together(
          round,
          () => client.call("PUT", model, { fields: FIELDS, drafts: true }),
          () => client.call("PUT", `${POSTS}/${id}`, { title: String(round) }),
        );
        expect([switched.status, change.status]).toEqual([200, 200]);
        expect([String(round - 1), String(round)]).toContain(
          (await read(client, id, "published")).data["title"],
        );
        expect((await read(client, id, "draft")).data["title"]).toBe(String(round));
        await expectPublishedVersion(client, id);
        await publish(client, id);
        expect((await client.call("PUT", model, { fields: FIELDS, drafts: false })).status).toBe(200);
      }
      await expectConsistent();
    },
    MANY_REQUESTS_MS,
  );

  it(
    "off beside a change lose no draft: either is refused, or the draft is what there is",
    async () => {
      const client = await makePosts();
      const model = "/models/collections/posts";
      const id = await makePublished(client, { title: "0" });
      for (let round = 1; round <= ROUNDS; round++) {
        const [, change] = await together(
          round,
          () => client.call("PUT", model, { fields: FIELDS, drafts: false }),
          () => client.call("PUT", `${POSTS}/${id}`, { title: String(round) }),
        );
        expect(change.status).toBe(200);
        const { drafts } = (await client.call("GET", model)).data;
        const published = (await read(client, id, "published")).data["title"];
        expect(published).toBe(drafts ? String(round - 1) : String(round));
        if (drafts) await publish(client, id);
        else await client.call("PUT", model, { fields: FIELDS, drafts: true });
      }
      const rows = await db.all(
        sql`SELECT id FROM records WHERE model_id < 0 AND space_id = ${client.space.id}`,
      );
      expect(rows).toHaveLength(1);
      await expectConsistent();
    },
    MANY_REQUESTS_MS,
  );
});
