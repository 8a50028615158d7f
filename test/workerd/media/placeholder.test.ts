/** The places where a placeholder appears, and the answers without one. */
import { describe, expect, test } from "vitest";
import { Client } from "../support/api.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { PLACEHOLDER } from "../support/builder/fake-builder.ts";
import { later } from "../support/builder/placeholders.ts";
import { queueOf, queueSql } from "../support/queue.ts";
import { bindings } from "../support/rows.ts";

cleanBetweenTests();

describe("the media object", () => {
  /** A GIF of one pixel. */
  const DOT = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
  const dot = (): Uint8Array => Uint8Array.from(atob(DOT), (character) => character.codePointAt(0) ?? 0);
  interface Item {
    id: string;
    placeholder: typeof PLACEHOLDER | null;
    updatedAt: string;
    masterVersion: number;
  }

  async function send(client: Client, method: string, path: string): Promise<Item> {
    const { exports } = await import("cloudflare:workers");
    const worker = exports as unknown as { default: Fetcher };
    const response = await worker.default.fetch(`https://api.test/api/v1/${client.space.name}${path}`, {
      method,
      headers: { Authorization: `Bearer ${bindings.ROOT_TOKEN}` },
      body: dot(),
    });
    return (await response.json<{ data: Item }>()).data;
  }

  test("has its placeholder wherever it appears, and loses it with its file", async () => {
    const client = await Client.make();
    moveClock(0);
    const queue = queueOf(client.space);
    const uploaded = await send(client, "POST", "/media");
    expect(uploaded.placeholder).toBeNull();
    const read = async (): Promise<Item> => (await client.call<Item>("GET", `/media/${uploaded.id}`)).data;
    expect(await read()).toEqual(uploaded);
    await eventually(async () =>
      expect(await queueSql(client.space, "SELECT space_id AS id FROM idle_work")).toEqual([
        { id: client.space.id },
      ]),
    );
    await client.model("posts", [{ name: "cover", type: "media" }]);
    const post = await client.create("posts", { cover: uploaded.id });
    const populated = () =>
      client.call<{ cover: Item }>("GET", `/data/collections/posts/${post}?populate=cover`);
    const before = await populated();
    expect(before.data.cover.placeholder).toBeNull();

    await later(client.space);
    await eventually(async () => expect((await read()).placeholder).toEqual(PLACEHOLDER));
    expect(await read()).toEqual({ ...uploaded, placeholder: PLACEHOLDER });
    const list = await client.call<Item[]>("GET", "/media");
    expect(list.data.map(({ placeholder }) => placeholder)).toEqual([PLACEHOLDER]);
    const after = await populated();
    expect(after.data.cover.placeholder).toEqual(PLACEHOLDER);

    // A reader's copy is out of date now; a writer's is not: the record has not changed.
    const tag = before.headers.get("ETag") ?? "";
    const again = await client.call("GET", `/data/collections/posts/${post}?populate=cover`, undefined, {
      headers: { "If-None-Match": tag },
    });
    expect(again.status).toBe(200);
    const written = await client.call(
      "PUT",
      `/data/collections/posts/${post}`,
      { cover: null },
      {
        headers: { "If-Match": tag },
      },
    );
    expect(written.status).toBe(200);

    const replaced = await send(client, "PUT", `/media/${uploaded.id}/file`);
    expect(replaced).toMatchObject({ masterVersion: 2, placeholder: null });
    await later(client.space);
    await eventually(async () => expect((await read()).placeholder).toEqual(PLACEHOLDER));
    await queue.clear();
  });
});
