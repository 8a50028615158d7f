/** A full database: writes of its spaces are refused, reads go on, and the others do not notice (RULES 12.5). */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { call, type Reply } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { databases } from "../support/rows.ts";

cleanBetweenTests();

const FULL = 1;
const full = databases[FULL] as D1Database;
/** The tables that the writes of these tests grow. */
const GROWN = ["records", "models", "api_keys", "doomed_objects", "uploads"];

const model = (name: string) => ({
  typeModel: "collections",
  name,
  fields: [{ name: "text", type: "text" }],
});
const at = (shard: number): string => `/api/v1/on-${shard}`;
const write = (shard: number): Promise<Reply> =>
  call("POST", `${at(shard)}/data/collections/posts`, { text: "text" });

/**
 * Makes D1 full by triggers that answer in its words: a test cannot fill it, since SQLite's limit is not for it to set.
 */
const fill = async (words: string): Promise<void> => {
  const triggers = GROWN.map(
    (table) =>
      `CREATE TRIGGER full_${table} BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, '${words}'); END`,
  );
  await full.batch(triggers.map((trigger) => full.prepare(trigger)));
};
const makeRoom = (): Promise<unknown> =>
  full.batch(GROWN.map((table) => full.prepare(`DROP TRIGGER IF EXISTS full_${table}`)));

beforeEach(async () => {
  vi.spyOn(console, "error").mockReturnValue(undefined);
  for (const shard of [0, FULL]) {
    await call("POST", "/api/v1/spaces", { name: `on-${shard}`, shard });
    expect((await call("POST", `${at(shard)}/models`, model("posts"))).status).toBe(201);
    expect((await write(shard)).status).toBe(201);
  }
});
afterEach(makeRoom);

describe.each([
  "Exceeded maximum DB size",
  "Exceeded maximum account storage",
  "database or disk is full: SQLITE_FULL",
])("a database that answers %j", (words) => {
  beforeEach(() => fill(words));

  it("refuses writes of every kind, and says what to do", async () => {
    const upload = { filename: "a.png", sizeBytes: 1000 };
    const refused = [
      await write(FULL),
      await call("POST", `${at(FULL)}/models`, model("more")),
      await call("POST", `${at(FULL)}/keys`, { name: "key", role: "read" }),
      await call("POST", `${at(FULL)}/media/uploads`, upload),
    ];
    for (const { status, error } of refused) {
      expect([status, error.code]).toEqual([507, "STORAGE_FULL"]);
      expect(error.message).toMatch(/^The database of this space is full.*Remove records/);
    }
  });

  it("answers reads, and lets its rows be deleted", async () => {
    const list = await call<{ id: string }[]>("GET", `${at(FULL)}/data/collections/posts`);
    expect(list.data).toHaveLength(1);
    const { status } = await call("DELETE", `${at(FULL)}/data/collections/posts/${list.data[0]?.id}`);
    expect(status).toBe(200);
  });

  it("holds up no other, and takes writes again when there is room", async () => {
    expect((await write(0)).status).toBe(201);
    expect((await call("POST", "/api/v1/spaces", { name: "more", shard: 0 })).status).toBe(201);
    await makeRoom();
    expect((await write(FULL)).status).toBe(201);
  });
});
