/** Records found by words after changes of the records and of the searchable fields (RULES 3.15). */
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { database } from "../../../src/edge/storage/database/database.ts";
import { startRebuild, rebuildSlice } from "../../../src/edge/storage/search/search-rebuilds.ts";
import { Client, type Reply } from "../support/api.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";

const db = database(bindings.DB);
let client: Client;

const search = (words: string, model = "posts"): Promise<Reply<{ id: string }[]>> =>
  client.call("GET", `/data/collections/${model}?search=${encodeURIComponent(words)}`);

beforeAll(async () => {
  client = await Client.make();
  await client.model("posts", [
    { name: "title", type: "string", searchable: true },
    { name: "body", type: "text", searchable: true },
  ]);
});

describe("after a change", () => {
  it("finds the present records: written, trashed, restored", async () => {
    const id = await client.create("posts", { title: "zebra" });
    const found = async (words: string) => (await search(words)).data.map((one) => one.id);
    expect(await found("zebra")).toEqual([id]);
    await client.call("PUT", `/data/collections/posts/${id}`, { title: "giraffe" });
    expect([await found("zebra"), await found("giraffe")]).toEqual([[], [id]]);
    await client.call("DELETE", `/data/collections/posts/${id}`);
    expect(await found("giraffe")).toEqual([]);
    await client.call("POST", `/trash/${id}/restore`);
    expect(await found("giraffe")).toEqual([id]);
    await client.call("DELETE", `/data/collections/posts/${id}`);
    await client.call("DELETE", `/trash/${id}`);
    expect(await found("giraffe")).toEqual([]);
  });

  it("accepts a text as large as a record, and finds its first words", async () => {
    const body = `elephant ${"слово ".repeat(90_000)}`;
    const id = await client.create("posts", { title: "long", body });
    expect((await search("elephant слово")).data.map((one) => one.id)).toEqual([id]);
  });
});

describe("a change of the searchable fields", () => {
  const change = (fields: object[]) => client.call("PUT", "/models/collections/notes", { fields });

  it("finds existing records by the new fields", async () => {
    const text = { name: "text", type: "text" };
    const title = { name: "title", type: "string", searchable: true };
    await client.model("notes", [text, title]);
    await client.create("notes", { text: "harbour", title: "one" });
    const trashed = await client.create("notes", { text: "harbour", title: "two" });
    await client.call("DELETE", `/data/collections/notes/${trashed}`);
    const found = async (words: string) => (await search(words, "notes")).data.length;
    expect(await found("harbour")).toBe(0);
    expect((await change([{ ...text, searchable: true }, title])).status).toBe(200);
    expect(await found("harbour one")).toBe(1);
    await client.call("POST", `/trash/${trashed}/restore`);
    expect(await found("harbour")).toBe(2);
    expect(
      (
        await change([
          { ...text, searchable: true },
          { ...title, searchable: false },
        ])
      ).status,
    ).toBe(200);
    expect([await found("one"), await found("harbour")]).toEqual([0, 2]);
  });

  it("is carried out in slices beside writes, and begins again after another change", async () => {
    await client.model("slices", [{ name: "a", type: "string", searchable: true }]);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await client.create("slices", { a: `word${n}` }));
    const { id } = await db.get<{ id: number }>(
      sql`SELECT id FROM models WHERE space_id = ${client.space.id} AND name = 'slices'`,
    );
    const spoil = () => db.run(sql`UPDATE records SET folded = '{}' WHERE model_id = ${id}`);
    const found = async () => (await search("word", "slices")).data.map((one) => one.id).sort();
    await spoil();
    await db.run(startRebuild(id));
    expect(await found()).toEqual([]);
    expect(await rebuildSlice(db, 2, id)).toBe("more");
    expect(await found()).toEqual(ids.slice(0, 2));
    await client.call("PUT", `/data/collections/slices/${ids[4]}`, { a: "word of its own" });
    expect(await found()).toEqual([ids[0], ids[1], ids[4]]);
    await spoil();
    await db.run(startRebuild(id));
    await runSweep(Date.now());
    expect(await found()).toEqual(ids);
    expect(await rebuildSlice(db, 2, id)).toBe("none");
  });
});
