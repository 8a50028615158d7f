/** A space moves from one database to another with everything of it (RULES 12.6, 12.7). */
import { sql, type SQL } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { SHARDS } from "../../../src/limits.ts";
import { SPACE_TABLES } from "../../../src/edge/storage/shards/tables.ts";
import { legQueries } from "../../../src/edge/storage/shards/walk-rows.ts";
import { toQuery } from "../../../src/edge/storage/database/database.ts";
import { call, type Client, type Reply } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { expectFull, makeRich, move, rowsOf, shardDb, totalsOf } from "../support/moves.ts";
import { databases } from "../support/rows.ts";

cleanBetweenTests();

describe("a move", () => {
  it.each([2, 0])("brings every row of the space unchanged to database %i, and counts it", async (to) => {
    const { client } = await makeRich();
    const { id } = client.space;
    const before = await rowsOf(1, id);
    const totals = await totalsOf(1, id);
    expectFull(before);
    await move(client, to);
    expect(await rowsOf(to, id)).toEqual(before);
    expect(await totalsOf(to, id)).toEqual(totals);
    const listed = await call<{ id: string; shard: number }[]>("GET", "/api/v1/spaces");
    expect(listed.data.map((space) => [space.id, space.shard])).toEqual([[id, to]]);
  });

  it("marks those models on the other database in which older records came after newer ones", async () => {
    const { client } = await makeRich();
    await client.model("later", [{ name: "n", type: "number" }]);
    await client.model("earlier", [{ name: "n", type: "number" }]);
    for (const model of ["later", "earlier"]) for (let n = 0; n < 4; n++) await client.create(model, { n });
    const ids = (names: readonly string[]): SQL =>
      sql`SELECT id FROM models WHERE space_id = ${client.space.id} AND name IN ${[...names]}`;
    await shardDb(1).run(
      sql`UPDATE records SET created_at = 1 WHERE seq = (SELECT max(seq) FROM records WHERE model_id IN (${ids(["earlier"])}))`,
    );
    const marked = async (shard: number): Promise<unknown[]> =>
      shardDb(shard).all(sql`SELECT m.name FROM disordered_models d JOIN models m ON m.id = d.model_id
        WHERE d.model_id IN (${ids(["later", "earlier"])})`);
    expect(await marked(1)).toEqual([{ name: "earlier" }]);
    await move(client, 2);
    expect(await marked(2)).toEqual([{ name: "earlier" }]);
  });

  it("leaves other spaces as they are, on both databases", async () => {
    const [{ client }, beside] = [await makeRich(), await makeRich(3)];
    const there = await call<{ id: string }>("POST", "/api/v1/spaces", { name: "there", shard: 2 });
    const stays = await rowsOf(1, beside.client.space.id);
    const known = await rowsOf(2, there.data.id);
    await move(client, 2);
    expect(await rowsOf(1, beside.client.space.id)).toEqual(stays);
    expect(await rowsOf(2, there.data.id)).toEqual(known);
    expect((await beside.client.call("GET", "/data/collections/posts")).status).toBe(200);
  });

  it("walks through each table by an index, also in a database with many other rows", async () => {
    const { client } = await makeRich();
    for (const table of SPACE_TABLES) {
      if (table.by === "object") continue;
      for (const leg of await legQueries(shardDb(1), table, client.space.id, ["", ""])) {
        const { sql: text, params } = toQuery(sql`EXPLAIN QUERY PLAN ${leg}`);
        const { results } = await (databases[1] as D1Database)
          .prepare(text)
          .bind(...params)
          .all<{ detail: string }>();
        const plan = results.map(({ detail }) => detail).join("; ");
        expect(plan, table.name).not.toMatch(/^SCAN|; SCAN/);
        if (
          ["records", "record_versions", "record_values", "media", "masters", "variants"].includes(table.name)
        )
          expect(plan, table.name).not.toContain("TEMP B-TREE");
      }
    }
  });
});

describe("row numbers after a move (RULES 12.2)", () => {
  it("are given once in the deployment, whichever way spaces went", async () => {
    await shardDb(0).run(sql`UPDATE sqlite_sequence SET seq = 0 WHERE name NOT GLOB 'd1_*'`);
    const clients = [await makeRich(2), await makeRich(2)];
    await call("POST", "/api/v1/spaces", { name: "home", shard: 0 });
    await move((clients[0] as { client: Client }).client, 0);
    const model = { typeModel: "collections", name: "notes", fields: [{ name: "t", type: "string" }] };
    expect((await call("POST", "/api/v1/home/models", model)).status).toBe(201);
    for (let n = 0; n < 3; n++) {
      await call("POST", "/api/v1/home/data/collections/notes", { t: "home" });
      for (const { client } of clients) await client.create("posts", { title: `new ${n}`, slug: `new-${n}` });
    }
    await move((clients[1] as { client: Client }).client, 0);
    for (const { client } of clients) await client.create("posts", { title: "last", slug: "last" });
    const seqs = await shardDb(0).all<{ seq: number; space: string }>(
      sql`SELECT seq, space_id AS space FROM records WHERE seq > 0 ORDER BY seq`,
    );
    expect(new Set(seqs.map(({ seq }) => seq)).size).toBe(seqs.length);
    const block = SHARDS.rowNumbersPerBlock;
    const ownOfZero = seqs.map(({ seq }) => Math.floor(seq / block)).filter((at) => at !== 1);
    // The rows that were made on database 0 after the first move have a block above all others.
    expect(Math.min(...ownOfZero)).toBeGreaterThanOrEqual(SHARDS.databasesMax);
    const blocks = await shardDb(0).all<{ shard: number }>(sql`SELECT shard FROM number_blocks`);
    expect(blocks).toEqual([{ shard: 0 }]);
  });
});

describe("what a caller has in hand", () => {
  it("goes on after the move: cursors of all lists, first answers of keyed requests, uploads", async () => {
    const { client, key } = await makeRich(8);
    const lists = [
      "/data/collections/posts?sort=title",
      "/data/collections/posts?sort=-createdAt&status=draft",
      "/data/collections/posts?search=title&status=draft",
      "/media",
      "/trash",
      "/keys",
      "/models",
    ].map((path) => `${path}${path.includes("?") ? "&" : "?"}limit=1`);
    const pages = async (from: (string | null)[]): Promise<Reply<{ id: string }[]>[]> =>
      Promise.all(
        lists.map((path, at) =>
          client.call<{ id: string }[]>("GET", from[at] ? `${path}&cursor=${from[at]}` : path),
        ),
      );
    const first = await pages(lists.map(() => null));
    for (const [at, path] of lists.entries()) expect(first[at]?.status, path).toBe(200);
    const cursors = first.map(({ meta }) => meta.nextCursor);
    const before = await pages(cursors);
    await move(client, 2);
    const after = await pages(cursors);
    for (const [at, path] of lists.entries()) {
      expect(after[at]?.status, path).toBe(200);
      expect(after[at]?.data, path).toEqual(before[at]?.data);
    }
    const again = (name: string, by: object) =>
      client.call<{ slug: string }>(
        "POST",
        "/data/collections/posts",
        { title: name, slug: name },
        { ...by, headers: { "Idempotency-Key": name === "once" ? "by-key" : "by-root" } },
      );
    for (const [name, by] of [
      ["once", { key }],
      ["root", {}],
    ] as const) {
      const replayed = await again(name, by);
      expect([replayed.status, replayed.headers.get("Idempotent-Replayed")]).toEqual([201, "true"]);
    }
  });
});
