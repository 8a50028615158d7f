/**
 * A move that is killed at every statement: the space is whole on one side, and the next run ends the move (RULES 12.7).
 *
 * A killed mover leaves nothing but the databases. So a kill after a call that reads is the same as one after the last call
 * that wrote, and a batch that fails at any statement is the same as one that was not sent, if D1 takes it back as a whole.
 * Killed is therefore after each call that writes, in each batch at one statement, and at some of the calls that read.
 */
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MOVE } from "../../../src/limits.ts";
import { moveOn, type Driving } from "../../../src/edge/shards/moves/move.ts";
import { orderMove } from "../../../src/edge/shards/moves/order.ts";
import { lookInSpace } from "../../../src/edge/shards/where.ts";
import { disarmTriggers } from "../../../src/edge/storage/shards/move-triggers.ts";
import { readSpace } from "../../../src/edge/storage/spaces/spaces.ts";
import { ofRing, rounds } from "../../support/ring.ts";
import type { Client } from "../support/api.ts";
import type { Failure, MadeCall } from "../support/bindings/failing-d1.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { ageLeftRows, dyingAt, freeWork, makeRich, rowsOf, run, shardDb } from "../support/moves.ts";
import { databases, deployed, emptyStorage } from "../support/rows.ts";
import { OF_SYSTEM } from "../../../src/edge/storage/events/actor.ts";

cleanBetweenTests();

/** A slow machine makes no last slice in the time of the rules. */
const PATIENT = { closedMaxMs: 600_000, switchMaxMs: 500_000 };
const HASTY = { closedMaxMs: MOVE.closedMaxMs, switchMaxMs: MOVE.switchMaxMs };
beforeAll(() => void Object.assign(MOVE, PATIENT));
afterAll(() => void Object.assign(MOVE, HASTY));

/** Returns the number of the database on which an isolate that knows nothing finds the space. */
const whereIs = ({ space }: Client): Promise<number | null> =>
  lookInSpace<number | null>(
    deployed,
    { name: space.name },
    { queries: 0 },
    async (shard) => ((await readSpace(shardDb(shard), space.name)) ? shard : null),
    { isFound: (shard) => shard !== null, absent: null },
  );

/** The fewest records with which no table is empty. */
const POSTS = 2;

let written = 0;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Lets the time pass for which a killed mover has writes refused. */
const endRefusal = (): Promise<unknown> =>
  Promise.all(databases.map((d1) => d1.prepare("UPDATE space_moves SET closed_until = 0").run()));

/** Writes as a caller does, who sends a refused request again. @returns the id */
async function write(client: Client, said: string): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const slug = `after-${++written}`;
    const reply = await client.call<{ id: string }>("POST", "/data/collections/posts", { title: slug, slug });
    if (reply.status === 201) return reply.data.id;
    expect([reply.status, reply.headers.get("Retry-After")]).toEqual([503, "1"]);
    await endRefusal();
    // A killed switch is made known by a request that was refused, beside its answer.
    await pause(50);
  }
  throw new Error(`writes are refused for ever after ${said}`);
}

/** Returns a run that takes no time, so that a slow machine makes the same calls as a fast one. */
function atOnce(): Driving {
  const now = Date.now();
  return { until: Infinity, clock: () => now, log: () => undefined };
}

/** Kills the mover at a moment, looks at what is there, and lets another one end the move. */
async function crash(failure: Failure): Promise<void> {
  const { client, posts } = await makeRich(POSTS);
  const { id } = client.space;
  await orderMove(deployed, { spaceId: id, from: 1, to: 2 }, { origin: OF_SYSTEM, now: Date.now() });
  const before = await rowsOf(1, id);
  const { env, lost } = dyingAt(failure);
  await moveOn(env, 1, id, atOnce()).catch(() => undefined);
  const said = JSON.stringify(failure);
  expect(lost.failed, said).toBe(true);
  // Whole on the side on which it stands.
  const side = (await whereIs(client)) as number;
  expect([1, 2], said).toContain(side);
  expect(await rowsOf(side, id), said).toEqual(before);
  const read = await client.call("GET", `/data/collections/posts/${posts[0]}?status=draft`);
  expect(read.status, said).toBe(200);
  const made = await write(client, said);
  // The other one takes no writes, and whoever asks it is told.
  const other = 3 - ((await whereIs(client)) as number);
  const known = await shardDb(other).get<{ n: number } | undefined>(
    sql`SELECT count(*) AS n FROM spaces WHERE id = ${id} AND removed_at IS NULL`,
  );
  expect(known?.n, said).toBe(0);
  await freeWork();
  for (let tries = 0; tries < 50 && (await whereIs(client)) !== 2; tries++) {
    await moveOn(deployed, 1, id, run());
    await freeWork();
  }
  const after = await client.call("GET", "/move");
  expect(after.data, `${said} ${String(after.data["reason"])}`).toMatchObject({ state: "done", shard: 2 });
  const dump = await rowsOf(2, id);
  for (const [table, rows] of Object.entries(before))
    if (!["idempotency_keys"].includes(table))
      expect(dump[table], said).toEqual(expect.arrayContaining(rows));
  expect((await client.call("GET", `/data/collections/posts/${made}?status=draft`)).status, said).toBe(200);
  await forgetMoves();
}

/** Makes all as before the first move: no rows, no triggers, and numbers that begin anew where the space comes. */
async function forgetMoves(): Promise<void> {
  await ageLeftRows();
  await emptyStorage();
  for (const shard of [1, 2]) await disarmTriggers(shardDb(shard), Date.now());
  await shardDb(2).run(sql`UPDATE sqlite_sequence SET seq = 0 WHERE name NOT GLOB 'd1_*'`);
}

/** Returns the calls of a move that nothing disturbs. */
async function callsOfMove(): Promise<MadeCall[]> {
  const { client } = await makeRich(POSTS);
  const { id } = client.space;
  await orderMove(deployed, { spaceId: id, from: 1, to: 2 }, { origin: OF_SYSTEM, now: Date.now() });
  const { env, lost } = dyingAt({ call: Infinity, at: "before" });
  expect(await moveOn(env, 1, id, atOnce())).toBe("over");
  await forgetMoves();
  return lost.made;
}

/** One of so many calls that read is tried. */
const READS_STEP = 25;

/** Returns the moments at which a move is killed. */
function momentsOf(calls: readonly MadeCall[]): Failure[] {
  const first = calls.findIndex(({ writes }) => writes);
  const reads = [...calls.keys()].filter((call) => !calls[call]?.writes);
  const batches = [...calls.keys()].filter((call) => (calls[call]?.statements ?? 0) > 1);
  return [
    { call: first, at: "before" },
    ...calls.flatMap(({ writes }, call): Failure[] => (writes ? [{ call, at: "after" }] : [])),
    // Another statement in each batch, so that each place is tried.
    ...batches.map((call, index) => ({ call, at: index % (calls[call]?.statements ?? 1) })),
    ...reads.filter((_, index) => index % READS_STEP === 0).map((call): Failure => ({ call, at: "before" })),
  ];
}

/** In the first ring, one of so many moments. */
const MOMENTS_STEP = 16;
const PARTS = rounds(1, 10);

describe("a move that is killed", () => {
  let moments: Failure[] = [];
  beforeAll(async () => {
    await forgetMoves();
    const calls = await callsOfMove();
    moments = momentsOf(calls);
    // Spaces have more than forty tables, and each that has rows is written at least once.
    expect(calls.filter(({ writes }) => writes).length).toBeGreaterThan(40);
    expect(moments.length).toBeGreaterThan(100);
    console.log(`${moments.length} moments in ${calls.length} calls`);
  });

  it.each(Array.from({ length: PARTS }, (_, part) => part + 1))(
    `at any statement leaves the space whole on one side, and goes on (part %i of ${PARTS})`,
    async (part) => {
      const mine = ofRing(moments, MOMENTS_STEP).filter((_, index) => index % PARTS === part - 1);
      expect(mine.length).toBeGreaterThan(5);
      for (const failure of mine) await crash(failure);
    },
  );
});
