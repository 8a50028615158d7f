/** The sweep of several databases, and its part of moves, within the queries of their invocations (RULES 10.11, 12.6). */
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { sweepMoves } from "../../../src/edge/shards/moves/sweep.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { armTriggers } from "../../../src/edge/storage/shards/move-triggers.ts";
import { orderMove } from "../../../src/edge/shards/moves/order.ts";
import { OF_SYSTEM } from "../../../src/edge/storage/events/actor.ts";
import { sweepAll } from "../../../src/edge/sweep-all.ts";
import { MOVE } from "../../../src/limits.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { makeRich, shardDb } from "../support/moves.ts";
import { databases, deployed, newId } from "../support/rows.ts";
import { inOneInvocation } from "../support/bindings/deployed-d1.ts";

cleanBetweenTests();

const CONTEXT = { waitUntil: () => undefined, exports: {} };
/** Returns a time at which a database compares its moves with the directory's. */
const turnOf = (shard: number): number =>
  Math.floor(Date.now() / 600_000) * 600_000 + (shard % MOVE.comparedEveryMinutes) * 60_000;

const tools = (now: number) => ({
  ...{ until: now + 1000, clock: () => now, count: { queries: 0 }, log: () => undefined },
  advance: () => Promise.resolve("over" as const),
});

const rowsOf = async (shard: number, from: string): Promise<number> =>
  (await databases[shard]?.prepare(`SELECT count(*) AS n FROM ${from}`).first<number>("n")) ?? NaN;

describe("the sweep of several databases", () => {
  it("runs on each in an invocation of its own", async () => {
    for (const d1 of databases)
      await d1.prepare("INSERT INTO doomed_objects (key, due_at) VALUES ('u/none/none/1', 1)").run();
    const swept: string[] = [];
    const SWEEPER = new Proxy(deployed.SWEEPER as DurableObjectNamespace, {
      get(target, property) {
        if (property === "idFromName") return (name: string) => (swept.push(name), target.idFromName(name));
        const value = Reflect.get(target, property, target) as unknown;
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const { report } = await inOneInvocation(() => sweepAll({ ...deployed, SWEEPER }, CONTEXT));
    expect(swept.sort()).toEqual(databases.map((_, shard) => String(shard)));
    expect(report.failed).toEqual([]);
    expect(report.removedObjects).toBe(databases.length);
    for (const shard of databases.keys()) expect(await rowsOf(shard, "doomed_objects")).toBe(0);
  });

  it("invalidates what a sweep has changed that failed later on", async () => {
    const sweep = (): Promise<never> => Promise.reject(new Error("no answer"));
    const SWEEPER = { idFromName: String, get: () => ({ sweep }) } as unknown as DurableObjectNamespace;
    const drained: Promise<unknown>[] = [];
    const waitUntil = (work: Promise<unknown>): void => void drained.push(work);
    vi.spyOn(console, "error").mockReturnValue(undefined);
    await sweepAll({ ...deployed, SWEEPER }, { ...CONTEXT, waitUntil });
    expect(drained.length).toBe(databases.length);
    await Promise.all(drained);
  });

  it("needs few queries in the invocation that starts it", async () => {
    const count = { queries: 0 };
    const counted = databases.map((d1) => {
      const wrap = (inner: D1Database): D1Database =>
        new Proxy(inner, {
          get(target, property) {
            if (property === "withSession") return () => wrap(target.withSession() as unknown as D1Database);
            if (property === "prepare" || property === "batch") count.queries += 1;
            const value = Reflect.get(target, property, target) as unknown;
            return typeof value === "function" ? (value.bind(target) as unknown) : value;
          },
        });
      return wrap(d1);
    });
    const [DB, DB_1, DB_2] = counted as [D1Database, D1Database, D1Database];
    await sweepAll({ ...deployed, DB, DB_1, DB_2 }, CONTEXT);
    // 32 databases, of 1,000 queries.
    expect(count.queries / databases.length).toBeLessThan(1000 / 32);
  });
});

describe("the sweep's part of moves", () => {
  const LIMITS = MOVE as { sweepQueriesMax: number };
  const { sweepQueriesMax } = MOVE;
  afterEach(() => (LIMITS.sweepQueriesMax = sweepQueriesMax));

  /** Makes tombstones of which a side of their move does not know. */
  async function makeUnsettled(many: number): Promise<void> {
    for (let n = 0; n < many; n++)
      await shardDb(1).run(sql`INSERT INTO space_moves (space_id, move, state, other, started_at, ended_at)
        VALUES (${newId()}, 1, 'left', 2, 1, 1)`);
  }
  const unsettled = (): Promise<number> => rowsOf(1, "space_moves WHERE settled_at IS NULL");

  it("ends when the queries are used up that the databases share, and goes on in the next minute", async () => {
    await makeUnsettled(8);
    LIMITS.sweepQueriesMax = 20;
    const first = tools(turnOf(2));
    const { settled } = await sweepMoves(deployed, 1, first);
    expect(settled).toBeGreaterThan(0);
    expect(settled).toBeLessThan(8);
    expect(first.count.queries).toBeLessThan(20 + 10);
    expect(await unsettled()).toBe(8 - settled);
    // Another database of the same invocation makes its one query, and no more.
    const before = first.count.queries;
    await sweepMoves(deployed, 2, { ...first, clock: () => turnOf(2) });
    expect(first.count.queries - before).toBe(1);
    for (let run = 0; run < 10 && (await unsettled()) > 0; run++)
      await sweepMoves(deployed, 1, tools(turnOf(2)));
    expect(await unsettled()).toBe(0);
  });

  it("does not wait for one that cannot go on while others can", async () => {
    const calls: string[] = [];
    for (const [id, startedAt] of [
      ["waits", 1],
      ["goes", 2],
      ["fails", 3],
      ["last", 4],
    ] as const)
      await shardDb(1).run(sql`INSERT INTO space_moves (space_id, move, state, other, started_at)
        VALUES (${id}, 1, 'leaving', 2, ${startedAt})`);
    const left: Record<string, ("more" | "wait" | "over")[]> = {
      waits: ["wait", "wait", "over"],
      goes: ["more", "more", "over"],
      last: ["over"],
    };
    const { over } = await sweepMoves(deployed, 1, {
      ...tools(turnOf(2)),
      until: Infinity,
      advance: (spaceId) => {
        calls.push(spaceId);
        const next = left[spaceId]?.shift();
        return next ? Promise.resolve(next) : Promise.reject(new Error("no answer"));
      },
    });
    expect(over).toBe(3);
    expect(calls).toEqual(["waits", "goes", "goes", "goes", "fails", "last", "waits", "waits"]);
  });

  it("forgets the changes that a withdrawn move has noted, and no others", async () => {
    const withdrawn = await makeRich(1);
    const moving = await makeRich(1);
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const by = { origin: OF_SYSTEM, now: Date.now() };
    for (const { client } of [withdrawn, moving])
      await orderMove(deployed, { spaceId: client.space.id, from: 1, to: 2 }, by);
    await armTriggers(database(databases[1] as D1Database));
    for (const { client } of [withdrawn, moving])
      for (let n = 0; n < 5; n++)
        await client.call("POST", "/data/collections/posts", { title: `t${n}`, slug: `late-${n}` });
    const noted = ({ client }: typeof moving): Promise<number> =>
      rowsOf(1, `move_touches WHERE space_id = '${client.space.id}'`);
    const before = await noted(moving);
    expect(before).toBeGreaterThan(10);
    await orderMove(deployed, { spaceId: withdrawn.client.space.id, from: 1, to: 1 }, by);
    expect(await noted(withdrawn)).toBeGreaterThan(10);
    await sweepMoves(deployed, 1, tools(turnOf(1)));
    expect([await noted(withdrawn), await noted(moving)]).toEqual([0, before]);
  });
});
