/** The comparison before a switch, and the time in which writes are refused for it (RULES 12.6, 12.7). */
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { Copy, type Progress } from "../../../src/edge/shards/moves/copy.ts";
import { failCopy } from "../../../src/edge/shards/moves/last-slice.ts";
import { moveOn } from "../../../src/edge/shards/moves/move.ts";
import { MOVE } from "../../../src/limits.ts";
import type { Client } from "../support/api.ts";
import { meanwhile } from "../support/bindings/meanwhile.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { copyUntil, makeRich, move, order, rowsOf, run, shardDb } from "../support/moves.ts";
import { deployed, newId } from "../support/rows.ts";

cleanBetweenTests();

const LIMITS = { ...MOVE };
afterEach(() => void Object.assign(MOVE, LIMITS));

const POSTS = "/data/collections/posts";
const viewOf = async (client: Client) => (await client.call("GET", "/move")).data;
const onTarget = async ({ space }: Client, statement: ReturnType<typeof sql>): Promise<void> => {
  const bypass = (value: number) =>
    shardDb(2).run(sql`UPDATE space_moves SET bypass = ${value} WHERE space_id = ${space.id}`);
  await bypass(1);
  await shardDb(2).run(statement);
  await bypass(0);
};

/** Goes on with a move that cannot succeed, and looks at what is left. */
async function endsInVain(client: Client, before: Record<string, string[]>): Promise<void> {
  const { id } = client.space;
  for (let tries = 0; tries < 100 && (await viewOf(client))["state"] === "copying"; tries++)
    await moveOn(deployed, 1, id, run());
  const view = await viewOf(client);
  expect(view).toMatchObject({ state: "stayed", shard: 1 });
  expect(view["reason"]).toContain("The copy differs: api_keys");
  expect(await rowsOf(1, id)).toEqual(before);
  expect((await client.call("POST", POSTS, { title: "goes on", slug: "goes-on" })).status).toBe(201);
}

describe("a copy that is not the same", () => {
  it("because it lacks a row, which the counts tell, ends the move and changes nothing", async () => {
    const { client } = await makeRich(2);
    const { id } = client.space;
    const before = await rowsOf(1, id);
    await order(client);
    await copyUntil(client, "records");
    await onTarget(client, sql`DELETE FROM api_keys WHERE space_id = ${id}`);
    await endsInVain(client, before);
  });

  it("because a value was written otherwise, which the hashes tell, ends the move and changes nothing", async () => {
    const { client } = await makeRich(2);
    const before = await rowsOf(1, client.space.id);
    await order(client);
    const damage = sql`CREATE TRIGGER damage AFTER INSERT ON api_keys
      BEGIN UPDATE api_keys SET name = 'other' WHERE id = NEW.id; END`;
    await shardDb(2).run(damage);
    try {
      await endsInVain(client, before);
    } finally {
      await shardDb(2).run(sql`DROP TRIGGER damage`);
    }
  });
});

/** Writes the rows of a move, and opens its copy. There are no rows of the space. */
async function makeCopy(stateOfSource: "leaving" | "left"): Promise<Copy> {
  const spaceId = newId();
  const progress: Progress = {
    ...{ walk: null, drained: 0, source: {}, target: {}, pending: [], countsAbove: 2 ** 50, total: 0 },
  };
  for (const [shard, state, other] of [
    [1, stateOfSource, 2],
    [2, "arriving", 1],
  ] as const)
    await shardDb(shard).run(sql`INSERT INTO space_moves (space_id, move, state, other, started_at, step)
      VALUES (${spaceId}, 1, ${state}, ${other}, 1, 3)`);
  const [directory, source, target] = [shardDb(0), shardDb(1), shardDb(2)];
  return new Copy({ spaceId, move: 1, from: 1, to: 2, source, target, directory }, progress, 3);
}
const stateOn = (shard: number): Promise<unknown> =>
  shardDb(shard)
    .get<{ state: string }>(sql`SELECT state FROM space_moves`)
    .then(({ state }) => state);

describe("a copy that differs", () => {
  it("is dropped, and the space stays", async () => {
    const copy = await makeCopy("leaving");
    expect(await failCopy(copy, "a row", 1)).toBe(true);
    expect([await stateOn(1), await stateOn(2)]).toEqual(["stayed", "left"]);
  });

  it("is kept if another run has made the switch: it is the space by then", async () => {
    const copy = await makeCopy("left");
    expect(await failCopy(copy, "a row", 1)).toBe(false);
    expect([await stateOn(1), await stateOn(2)]).toEqual(["left", "arriving"]);
  });

  it("and was not dropped by a killed run gives way to the next move", async () => {
    const { client } = await makeRich(2);
    const { id } = client.space;
    for (const [shard, state, other] of [
      [1, "stayed", 2],
      [2, "arriving", 1],
    ] as const)
      await shardDb(shard).run(sql`INSERT INTO space_moves (space_id, move, state, other, started_at)
        VALUES (${id}, 1, ${state}, ${other}, 1)`);
    await move(client, 2);
  });
});

describe("a slice", () => {
  it("takes no more records that are gone than the rows that go with them allow", async () => {
    const copy = await makeCopy("leaving");
    const { spaceId, target, source } = copy.sides;
    await target.run(sql`UPDATE space_moves SET bypass = 1`);
    for (const record of [91, 92, 93]) {
      await source.run(sql`INSERT INTO move_touches (space_id, table_name, unit)
        VALUES (${spaceId}, 'record_versions', ${JSON.stringify([record, 1])})`);
      for (const locale of [0, 1])
        await target.run(sql`INSERT INTO record_locale_versions (record, locale, version, until, data)
          VALUES (${record}, ${locale}, 1, 2, ${"x".repeat(MOVE.sliceMaxCharacters / 5)})`);
    }
    await target.run(sql`UPDATE space_moves SET bypass = 0`);
    const touched = async (): Promise<number> =>
      (await source.get<{ n: number }>(sql`SELECT count(*) AS n FROM move_touches`)).n;
    expect(await copy.catchUp()).toBe(true);
    expect(await touched()).toBe(1);
    expect(await copy.catchUp()).toBe(false);
    expect(await touched()).toBe(0);
    const left = await target.get(sql`SELECT count(*) AS n FROM record_locale_versions WHERE record > 90`);
    expect(left).toEqual({ n: 0 });
  });
});

describe("the last slice", () => {
  it("that takes too long is not tried again at once, and writes are taken meanwhile", async () => {
    const { client } = await makeRich(2);
    const { id } = client.space;
    await order(client);
    Object.assign(MOVE, { switchMaxMs: -1, againMs: 60_000 });
    const began = Date.now();
    for (let tries = 0; tries < 100 && (await viewOf(client))["reason"] === null; tries++)
      await moveOn(deployed, 1, id, run());
    expect((await viewOf(client))["reason"]).toContain("The last slice took too long");
    const row = await shardDb(1).get<{ drivenUntil: number; closedUntil: number }>(
      sql`SELECT driven_until AS drivenUntil, closed_until AS closedUntil FROM space_moves WHERE space_id = ${id}`,
    );
    expect(row.closedUntil).toBe(0);
    expect(row.drivenUntil).toBeGreaterThanOrEqual(began + 60_000);
    expect(await moveOn(deployed, 1, id, run())).toBe("wait");
    expect((await client.call("POST", POSTS, { title: "goes on", slug: "goes-on" })).status).toBe(201);
    Object.assign(MOVE, LIMITS, { switchMaxMs: 500_000, closedMaxMs: 600_000 });
    await shardDb(1).run(sql`UPDATE space_moves SET driven_until = 0`);
    let reason: unknown = null;
    const isClosed = (query: string): boolean => query.includes("SET closed_until = CAST");
    const DB_1 = meanwhile(deployed.DB_1 as D1Database, isClosed, async () => {
      reason = (await viewOf(client))["reason"];
    });
    for (let tries = 0; tries < 100 && (await viewOf(client))["state"] !== "done"; tries++)
      await moveOn({ ...deployed, DB_1 }, 1, id, run());
    // Neither the copy of that record nor the count of the rows makes up for it.
    expect(reason).toContain("The last slice took too long");
    expect(await viewOf(client)).toMatchObject({ state: "done", shard: 2, reason: null });
  });

  it("that ends too late, with sides that differ, is tried again: what was written meanwhile may differ", async () => {
    const { client } = await makeRich(2);
    const { id } = client.space;
    await order(client);
    const damage = sql`CREATE TRIGGER damage AFTER INSERT ON api_keys
      BEGIN UPDATE api_keys SET name = 'other' WHERE id = NEW.id; END`;
    await shardDb(2).run(damage);
    try {
      Object.assign(MOVE, { switchMaxMs: -1 });
      for (let tries = 0; tries < 100 && (await viewOf(client))["reason"] === null; tries++)
        await moveOn(deployed, 1, id, run());
      const view = await viewOf(client);
      expect(view["reason"]).toContain("The last slice took too long");
      expect(view["state"]).not.toBe("stayed");
    } finally {
      await shardDb(2).run(sql`DROP TRIGGER damage`);
    }
  });

  it("follows in the same run if the count has used up the time of the run", async () => {
    const { client } = await makeRich(2);
    const { id } = client.space;
    await order(client);
    Object.assign(MOVE, { switchMaxMs: -1 });
    for (let tries = 0; tries < 100 && (await viewOf(client))["reason"] === null; tries++)
      await moveOn(deployed, 1, id, run());
    Object.assign(MOVE, LIMITS, { switchMaxMs: 500_000, closedMaxMs: 600_000 });
    // All is copied: the first step of the next run counts.
    await shardDb(2).run(sql`UPDATE space_moves SET progress = json_set(progress, '$.walk', NULL)`);
    await shardDb(1).run(sql`UPDATE space_moves SET driven_until = 0`);
    let asked = 0;
    const ofOneStep = {
      ...run(),
      get until() {
        return asked++ === 0 ? Infinity : 0;
      },
    };
    expect(await moveOn(deployed, 1, id, ofOneStep)).toBe("over");
    expect(await viewOf(client)).toMatchObject({ state: "done", shard: 2 });
  });

  it("counts no rows where that took long before", async () => {
    const { client } = await makeRich(2);
    const before = await rowsOf(1, client.space.id);
    Object.assign(MOVE, { countInLastSliceMs: -1 });
    await move(client, 2);
    expect(await rowsOf(2, client.space.id)).toEqual(before);
  });

  it("refuses nothing while a model is being changed", async () => {
    const { client } = await makeRich(2);
    const { id } = client.space;
    await order(client);
    await shardDb(1)
      .run(sql`INSERT INTO model_changes (model_id, space_id, id, state, asked, version, total, started_at)
      SELECT id, space_id, 'one', 'working', '{}', 1, 1, 1 FROM models WHERE space_id = ${id} LIMIT 1`);
    for (let tries = 0; tries < 100 && (await viewOf(client))["reason"] === null; tries++)
      await moveOn(deployed, 1, id, run());
    const view = await viewOf(client);
    expect(view).toMatchObject({
      state: "copying",
      reason: expect.stringContaining("A model is being changed") as string,
    });
    expect((await client.call("POST", "/keys", { name: "goes on", role: "read" })).status).toBe(201);
  });
});
