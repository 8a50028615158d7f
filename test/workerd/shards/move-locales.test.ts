/** Records with locales whose space moves: their contents, the columns that triggers make of them, and their words. */
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { moveOn } from "../../../src/edge/shards/moves/move.ts";
import { fillSides } from "../../../src/edge/storage/records/fill-columns.ts";
import { MOVE } from "../../../src/limits.ts";
import type { Client } from "../support/api.ts";
import { meanwhile } from "../support/bindings/meanwhile.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { copyUntil, makeRich, move, order, rowsOf, run, shardDb } from "../support/moves.ts";
import { databases, deployed } from "../support/rows.ts";

cleanBetweenTests();

const LIMITS = { ...MOVE };
afterEach(() => void Object.assign(MOVE, LIMITS));

const SIGNS = "/data/collections/signs";
const TEXT = { en: "sign", de: "Schild", fr: "panneau", it: "cartello" };
const viewOf = async (client: Client) => (await client.call("GET", "/move")).data;

/** Makes a space whose signs have a text in each of four locales. */
async function makeSigns(): Promise<Client> {
  const { client } = await makeRich(2);
  const locales = Object.keys(TEXT).map((code) => ({ code }));
  expect((await client.call("PATCH", "/settings", { locales })).status).toBe(200);
  await client.model("signs", [
    { name: "text", type: "string", localized: true, searchable: true },
    { name: "n", type: "number" },
  ]);
  return client;
}

async function create(client: Client): Promise<string> {
  const made = await client.call("POST", `${SIGNS}?locale=all`, { text: TEXT });
  expect(made.status, JSON.stringify(made.error)).toBe(201);
  return String(made.data["id"]);
}

/** Goes on with an ordered move to its end. */
async function end(client: Client): Promise<void> {
  // A slow machine makes no last slice in the time of the rules.
  Object.assign(MOVE, { closedMaxMs: 600_000, switchMaxMs: 500_000 });
  for (let tries = 0; tries < 400 && (await viewOf(client))["state"] === "copying"; tries++)
    await moveOn(deployed, 1, client.space.id, run());
  const view = await viewOf(client);
  expect(view, String(view["reason"])).toMatchObject({ state: "done", shard: 2 });
}

const heldOf = (id: string): Promise<unknown> =>
  shardDb(2)
    .get<{ held: string | null }>(sql`SELECT held FROM records WHERE id = ${id} AND model_id > 0`)
    .then(({ held }) => held);

/** Returns how often the new database has changed the rows of a record while `work` went on. */
async function changesOfRecord(id: string, work: () => Promise<void>): Promise<number> {
  const db = shardDb(2);
  await db.run(sql`CREATE TABLE written_again (id)`);
  await db.run(sql`CREATE TRIGGER note_written_again AFTER UPDATE ON records BEGIN
    INSERT INTO written_again VALUES (NEW.id); END`);
  try {
    await work();
    return (await db.all(sql`SELECT 1 FROM written_again WHERE id = ${id}`)).length;
  } finally {
    await db.run(sql`DROP TRIGGER note_written_again`);
    await db.run(sql`DROP TABLE written_again`);
  }
}

describe("a space with locales that is written while it is copied", () => {
  it("keeps the texts of all locales, of records that change, that go, and that swap unique values", async () => {
    const { client } = await makeRich(2);
    const { id } = client.space;
    await client.model("signs", [
      { name: "slug", type: "string", unique: true },
      { name: "text", type: "string", localized: true, searchable: true },
    ]);
    const made: string[] = [];
    for (const slug of ["one", "two", "three"]) {
      made.push(await client.create("signs", { slug, text: `sign ${slug}` }));
      for (const text of ["Schild", `Zeichen ${slug}`])
        expect((await client.call("PUT", `${SIGNS}/${made.at(-1)}?locale=de`, { text })).status).toBe(200);
    }
    await order(client);
    await copyUntil(client, "media");
    const [one, two, three] = made.map((each) => `${SIGNS}/${each}`);
    const put = async (path = "", slug = ""): Promise<void> =>
      expect((await client.call("PUT", path, { slug })).status).toBe(200);
    await put(one, "between");
    await put(two, "one");
    await put(one, "two");
    expect((await client.call("DELETE", three ?? "")).status).toBe(200);
    expect((await client.call("DELETE", `/trash/${made[2]}`)).status).toBe(200);
    const before = await rowsOf(1, id);
    await end(client);
    expect(await rowsOf(2, id)).toEqual(before);
    const found = await client.call<{ id: string }[]>("GET", `${SIGNS}?locale=de&search=zeichen`);
    expect(found.data.map((each) => each.id).sort()).toEqual(made.slice(0, 2).sort());
  });
});

describe("a record with locales", () => {
  it("is written once by a move, and not once more for each of its locales", async () => {
    const client = await makeSigns();
    const id = await create(client);
    expect(await changesOfRecord(id, () => move(client, 2))).toBe(0);
    expect(await heldOf(id)).toBe(",1,2,3,");
  });

  it("is written once more for a change during the move, and not for each of its locales", async () => {
    const client = await makeSigns();
    const id = await create(client);
    await order(client);
    await copyUntil(client, "media");
    const text = { ...TEXT, de: "Zeichen", fr: null, it: "segno" };
    expect((await client.call("PUT", `${SIGNS}/${id}?locale=all`, { text, n: 1 })).status).toBe(200);
    // One more for the locale that is gone.
    expect(await changesOfRecord(id, () => end(client))).toBe(2);
    expect(await heldOf(id)).toBe(",1,3,");
  });
});

describe("a locale whose columns the sweep has still to fill", () => {
  /** Makes a sign as an upgrade leaves it: the first of its locales is to be filled. */
  async function makeUnfilled(held: string) {
    const client = await makeSigns();
    const id = await create(client);
    const record = sql`(SELECT seq FROM records WHERE id = ${id})`;
    await shardDb(1).run(
      sql`UPDATE record_locales SET filled = NULL WHERE locale = 1 AND record = ${record}`,
    );
    await shardDb(1).run(sql`UPDATE records SET held = ${held} WHERE id = ${id}`);
    return { client, id, record };
  }

  it("moves, and its record has all of its locales after the sweep of the new database", async () => {
    const { client, id, record } = await makeUnfilled(",2,3,");
    await move(client, 2);
    const db = shardDb(2);
    while ((await fillSides(db, 20)) > 0);
    expect(await heldOf(id)).toBe(",1,2,3,");
    const filled = sql`SELECT 1 FROM record_locales WHERE record = ${record} AND filled IS NOT NULL`;
    expect(await db.all(filled)).toHaveLength(3);
  });

  it("stays among the locales of its record if it is copied once more", async () => {
    const { client, id, record } = await makeUnfilled(",1,2,3,");
    await order(client);
    await copyUntil(client, "media");
    await shardDb(1).run(
      sql`UPDATE record_locales SET size_bytes = size_bytes WHERE locale = 1 AND record = ${record}`,
    );
    await end(client);
    expect(await heldOf(id)).toBe(",1,2,3,");
  });
});

describe("the words of a locale", () => {
  const found = async (client: Client): Promise<unknown> =>
    (await client.call<{ id: string }[]>("GET", `${SIGNS}?locale=de&search=schild`)).data.map(({ id }) => id);

  it("are found if its record is made between the walks of both tables", async () => {
    const client = await makeSigns();
    await order(client);
    let id: string | null = null;
    const isOfLocales = (query: string): boolean => /FROM records r CROSS JOIN record_locales t/.test(query);
    const DB_1 = meanwhile(databases[1] as D1Database, isOfLocales, async () => {
      id = await create(client);
    });
    await moveOn({ ...deployed, DB_1 }, 1, client.space.id, run());
    expect(id).not.toBeNull();
    await end(client);
    expect(await found(client)).toEqual([id]);
  });

  it("are found if the record was changed once more, so that its change is behind that of the locale", async () => {
    const client = await makeSigns();
    await order(client);
    await copyUntil(client, "media");
    const id = await create(client);
    const patch = { headers: { "Content-Type": "application/merge-patch+json" } };
    expect((await client.call("PATCH", `${SIGNS}/${id}`, { n: 1 }, patch)).status).toBe(200);
    const left = await rowsOf(1, client.space.id);
    Object.assign(MOVE, { touchesPerSlice: 1, lastSliceUnits: 0 });
    await end(client);
    expect(await found(client)).toEqual([id]);
    expect(await rowsOf(2, client.space.id)).toEqual(left);
  });
});
