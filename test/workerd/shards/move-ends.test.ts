/** Moves that end without a switch, or find that another run has made it (RULES 12.6, 12.7). */
import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { advance } from "../../../src/edge/shards/moves/advance.ts";
import { settleAll } from "../../../src/edge/shards/settle.ts";
import { moveOn, type Driving } from "../../../src/edge/shards/moves/move.ts";
import { MOVE } from "../../../src/limits.ts";
import type { Client } from "../support/api.ts";
import { meanwhile } from "../support/bindings/meanwhile.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { ageLeftRows, freeWork, makeRich, move, rowsOf, run, shardDb } from "../support/moves.ts";
import { bindings, databases, deployed } from "../support/rows.ts";

cleanBetweenTests();

const stateOn = async (shard: number): Promise<unknown> =>
  (await shardDb(shard).get<{ state: string } | undefined>(sql`SELECT state FROM space_moves`))?.state;

const rowsIn = (dump: Record<string, string[]>): number =>
  Object.values(dump).reduce((sum, rows) => sum + rows.length, 0);

/** Orders a move of a new space, and copies a part of its rows. */
async function makeCopied() {
  const rich = await makeRich(2);
  const { id } = rich.client.space;
  await shardDb(1).run(sql`INSERT INTO space_moves (space_id, move, state, other, started_at)
    VALUES (${id}, 1, 'leaving', 2, 1)`);
  const { queriesPerRun } = MOVE;
  Object.assign(MOVE, { queriesPerRun: 120 });
  try {
    expect(await moveOn(deployed, 1, id, run())).toBe("more");
  } finally {
    Object.assign(MOVE, { queriesPerRun });
  }
  expect(rowsIn(await rowsOf(2, id))).toBeGreaterThan(0);
  return { ...rich, id };
}

/** Returns whether a statement writes a slice of the copy. */
const isCopied = (query: string): boolean =>
  query.includes("UPDATE space_moves SET step = step + 1, progress");

const remove = async (client: Client): Promise<void> =>
  expect((await client.call("DELETE", "", { confirm: client.space.name })).status).toBe(200);

describe("a space that is removed while it is copied", () => {
  it("ends its move, and the copy is deleted without the bytes, which its own database deletes", async () => {
    const { client, id, media } = await makeCopied();
    await remove(client);
    expect(await moveOn(deployed, 1, id, run())).toBe("over");
    expect(await shardDb(1).get(sql`SELECT state, reason FROM space_moves`)).toEqual({
      state: "stayed",
      reason: "The space was removed.",
    });
    // A copy that is dropped waits for nobody.
    expect(await stateOn(2)).toBe("left");
    for (let tries = 0; tries < 20 && (await advance(deployed, 2, id, run())) !== "over"; tries++);
    expect(rowsIn(await rowsOf(2, id))).toBe(0);
    for (const { masterKey } of media) expect(await bindings.BUCKET.head(masterKey)).not.toBeNull();
  });

  it("makes no switch, though the run that copies it has not seen the removal", async () => {
    const { client, id } = await makeCopied();
    const removed = meanwhile(databases[2] as D1Database, isCopied, () => remove(client));
    expect(await moveOn({ ...deployed, DB_2: removed }, 1, id, run())).not.toBe("over");
    expect([await stateOn(1), await stateOn(2)]).toEqual(["leaving", "arriving"]);
    await freeWork();
    expect(await moveOn(deployed, 1, id, run())).toBe("over");
    expect([await stateOn(1), await stateOn(2)]).toEqual(["stayed", "left"]);
    for (let tries = 0; tries < 20 && (await advance(deployed, 2, id, run())) !== "over"; tries++);
    expect(rowsIn(await rowsOf(2, id))).toBe(0);
  });
});

it("a run that finds the space hidden, because another run has made the switch, keeps the copy: it is the space", async () => {
  const { client, id } = await makeCopied();
  const before = await rowsOf(1, id);
  const isFirstLook = (query: string): boolean => /^\s*select\b[^]*\bspaces\b/i.test(query);
  // Its claim on the move has run out.
  const overtaken = meanwhile(databases[1] as D1Database, isFirstLook, async () => {
    await freeWork();
    for (let tries = 0; tries < 100 && (await stateOn(1)) !== "left"; tries++)
      await moveOn(deployed, 1, id, run());
    // That one was killed before the new database took writes.
    await shardDb(1).run(sql`UPDATE space_moves SET settled_at = NULL`);
    await shardDb(2).run(sql`UPDATE space_moves SET state = 'arriving', ended_at = NULL`);
  });
  expect(await moveOn({ ...deployed, DB_1: overtaken }, 1, id, run())).toBe("over");
  expect([await stateOn(1), await stateOn(2)]).toEqual(["left", "arriving"]);
  expect(await settleAll(deployed, 1, 10)).toBe(1);
  expect(await stateOn(2)).toBe("here");
  await ageLeftRows();
  for (let tries = 0; tries < 20 && (await advance(deployed, 1, id, run())) !== "over"; tries++);
  expect(await rowsOf(2, id)).toEqual(before);
  expect((await client.call("GET", "/settings")).status).toBe(200);
});

it("a last slice that fails takes writes again at once, and the next one is not made at once", async () => {
  const { id } = await makeCopied();
  const isSwitch = (query: string): boolean => query.includes("SET state = 'left', ended_at");
  const lost = (): Promise<void> => Promise.reject(new Error("The network connection was lost."));
  const failing = meanwhile(databases[1] as D1Database, isSwitch, lost);
  const { againMs, switchMaxMs, closedMaxMs } = MOVE;
  Object.assign(MOVE, { againMs: 600_000, switchMaxMs: 600_000, closedMaxMs: 600_000 });
  vi.spyOn(console, "error").mockReturnValue(undefined);
  try {
    expect(await moveOn({ ...deployed, DB_1: failing }, 1, id, run())).toBe("wait");
  } finally {
    Object.assign(MOVE, { againMs, switchMaxMs, closedMaxMs });
  }
  const row = await shardDb(1).get<{ reason: string; closedUntil: number; drivenUntil: number }>(
    sql`SELECT reason, closed_until AS closedUntil, driven_until AS drivenUntil FROM space_moves`,
  );
  expect(row).toMatchObject({
    reason: expect.stringContaining("SET state = 'left'") as string,
    closedUntil: 0,
  });
  expect(row.drivenUntil).toBeGreaterThan(0);
});

describe("a move that is withdrawn just before a run", () => {
  const lost = (): Promise<void> => Promise.reject(new Error("The network connection was lost."));
  it.each([
    ["forgets its reason", databases[2] as D1Database],
    ["notes one", meanwhile(databases[2] as D1Database, isCopied, lost)],
  ])("%s keeps the reason of its end", async (_does, DB_2) => {
    const { client, id } = await makeCopied();
    vi.spyOn(console, "error").mockReturnValue(undefined);
    await shardDb(1).run(sql`UPDATE space_moves SET reason = 'D1 did not answer'`);
    let isWithdrawn = false;
    const isNoted = (query: string): boolean => query.includes("SET reason = ");
    const DB_1 = meanwhile(databases[1] as D1Database, isNoted, async () => {
      expect((await client.call("POST", "/move", { shard: 1 })).status).toBe(202);
      isWithdrawn = true;
    });
    expect(await moveOn({ ...deployed, DB_1, DB_2 }, 1, id, run())).toBe("wait");
    expect(isWithdrawn).toBe(true);
    const { data } = await client.call("GET", "/move");
    expect(data).toMatchObject({ state: "stayed", reason: "The move was withdrawn." });
  });
});

it("a move that is withdrawn under the run that copies leaves no copy, and the space stays", async () => {
  const { client, id } = await makeCopied();
  const before = await rowsOf(1, id);
  let looks = 0;
  const start = Date.now();
  const slow: Driving = { ...run(), until: Infinity, clock: () => start + looks++ * MOVE.workMs };
  const withdraw = async (): Promise<void> =>
    expect((await client.call("POST", "/move", { shard: 1 })).status).toBe(202);
  const withdrawn = meanwhile(databases[2] as D1Database, isCopied, withdraw);
  expect(await moveOn({ ...deployed, DB_2: withdrawn }, 1, id, slow)).not.toBe("more");
  expect([await stateOn(1), await stateOn(2)]).toEqual(["stayed", "left"]);
  expect(await rowsOf(1, id)).toEqual(before);
  for (let tries = 0; tries < 20 && (await advance(deployed, 2, id, run())) !== "over"; tries++);
  expect(rowsIn(await rowsOf(2, id))).toBe(0);
  await move(client, 2);
});
