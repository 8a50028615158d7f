/** Unique values that records exchange while their space is copied: the work of a step does not grow with the changes. */
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { moveOn, type Worked } from "../../../src/edge/shards/moves/move.ts";
import { countedD1 } from "../../../src/edge/storage/database/database.ts";
import { SPACE_TABLES } from "../../../src/edge/storage/shards/tables.ts";
import { MOVE } from "../../../src/limits.ts";
import { batching } from "../support/bindings/batching.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { makeRich, rowsOf, run, shardDb } from "../support/moves.ts";
import { databases, deployed } from "../support/rows.ts";

cleanBetweenTests();

const LIMITS = { ...MOVE };
afterEach(() => void Object.assign(MOVE, LIMITS));

const SIGNS = "/data/collections/signs";
const COUNT = 12;
/** Queries of a run that makes one step, with those by which it takes the move and finds out how far it is. */
const STEP_MAX_QUERIES = 60;
/** All rounds of removals, and the move after them. */
const ROUNDS = Array.from({ length: MOVE.clearRoundsMax }, (_, at) => at + 1);
const REFUSED = { state: "leaving", reason: expect.stringContaining("UNIQUE") as string };

/** Copies a space up to its media. Then the first record gives its unique value away, and gets another one last. */
async function makeExchanged() {
  const { client } = await makeRich(2);
  const { id } = client.space;
  await client.model("signs", [{ name: "slug", type: "string", unique: true }]);
  const paths: string[] = [];
  for (let n = 0; n < COUNT; n++)
    paths.push(`${SIGNS}/${await client.create("signs", { slug: `sign-${n}` })}`);
  await shardDb(1).run(sql`INSERT INTO space_moves (space_id, move, state, other, started_at)
    VALUES (${id}, 1, 'leaving', 2, 1)`);
  const media = SPACE_TABLES.findIndex(({ name }) => name === "media");
  Object.assign(MOVE, { queriesPerRun: 60 });
  for (let runs = 0, at = -1; runs < 100 && at < media; runs++) {
    await moveOn(deployed, 1, id, run());
    at = ((await standOf(id)) as Stand | undefined)?.at ?? -1;
  }
  // The copy has come so far, and no further: the changes below are made under it.
  expect((await standOf(id)).at).toBeGreaterThanOrEqual(media);
  const put = async (n: number, slug: string): Promise<void> =>
    expect((await client.call("PUT", paths[n] ?? "", { slug })).status).toBe(200);
  await put(0, "between");
  await put(1, "sign-0");
  for (let n = 2; n < COUNT; n++) await put(n, `other-${n}`);
  await put(0, "sign-1");
  return { client, id, put };
}

/** Returns the second database. `then` is called in each round, after the first batch that removes changed rows. */
function inRounds(id: string, then: (round: number) => Promise<void>): D1Database {
  const d1 = databases[2] as D1Database;
  let last = 0;
  return batching(d1, async <T>(statements: D1PreparedStatement[]) => {
    const results = await d1.batch<T>(statements);
    const { round } = await standOf(id);
    if ((round ?? 0) > last) {
      last = round ?? 0;
      await then(last);
    }
    return results;
  });
}

interface Stepped {
  /** The most queries of a run. */
  queries: number;
  /** The most changes that were removed from the copy at once. */
  cleared: number;
  /** The runs that removed some. */
  clearing: number;
}

interface Stand {
  /** The table of the walk; null when it is through. */
  at: number | null;
  cleared: number | null;
  /** The round of removals. */
  round: number | null;
  /** The units of the last slice. */
  units: number | null;
}

const standOf = (id: string): Promise<Stand> =>
  shardDb(2).get<Stand>(sql`SELECT progress ->> '$.walk.table' AS at, progress ->> '$.cleared' AS cleared,
    progress ->> '$.clearing.rounds' AS round,
    (SELECT sum(json_array_length(p.value, '$.units')) FROM json_each(progress, '$.pending') p) AS units
    FROM space_moves WHERE space_id = ${id}`);

const moveOf = (id: string): Promise<{ state: string; reason: string | null }> =>
  shardDb(1).get(sql`SELECT state, reason FROM space_moves WHERE space_id = ${id}`);

const changesOf = async (id: string): Promise<number> =>
  (await shardDb(1).get<{ n: number }>(sql`SELECT count(*) AS n FROM move_touches WHERE space_id = ${id}`)).n;

/** Goes on with a move by runs of a step or two each, and ends it with a longer one when all is copied. */
async function stepToEnd(id: string): Promise<Stepped> {
  Object.assign(MOVE, { queriesPerRun: 14 });
  const most: Stepped = { queries: 0, cleared: 0, clearing: 0 };
  let before = 0;
  for (let runs = 0; runs < 600 && (await changesOf(id)) > 0; runs++) {
    const count = { queries: 0 };
    const [DB, DB_1, DB_2] = databases.map((d1) => countedD1(d1, count));
    expect(await moveOn({ ...deployed, DB, DB_1, DB_2 } as typeof deployed, 1, id, run())).toBe("more");
    most.queries = Math.max(most.queries, count.queries);
    const { cleared, units } = await standOf(id);
    if ((cleared ?? 0) <= before) continue;
    before = cleared ?? 0;
    most.clearing += 1;
    most.cleared = Math.max(most.cleared, units ?? 0);
  }
  expect(await changesOf(id)).toBe(0);
  // A slow machine makes no last slice in the time of the rules.
  Object.assign(MOVE, LIMITS, { closedMaxMs: 600_000, switchMaxMs: 500_000 });
  const worked = await moveOn(deployed, 1, id, run());
  expect({ worked, row: await moveOf(id) }).toEqual({ worked: "over", row: { state: "left", reason: null } });
  return most;
}

describe("a value that the record which had it gave away, and whose change is not copied yet", () => {
  it.each([
    ["changes", { touchesPerSlice: 3, lastSliceUnits: 0 }],
    ["characters", { sliceMaxCharacters: 400, lastSliceUnits: 0 }],
  ])("is freed by slices of few %s, each a step of its own", async (_of, few) => {
    const { client, id } = await makeExchanged();
    const before = await rowsOf(1, id);
    Object.assign(MOVE, few);
    const { queries, cleared, clearing } = await stepToEnd(id);
    expect(clearing).toBeGreaterThan(3);
    expect(cleared).toBeLessThanOrEqual(3);
    expect(queries).toBeLessThan(STEP_MAX_QUERIES);
    expect(await rowsOf(2, id)).toEqual(before);
    expect(
      (await client.call<{ slug: string }[]>("GET", `${SIGNS}?filter[slug][eq]=sign-1`)).data,
    ).toHaveLength(1);
  });
});

describe("a record that is written again while its unique value is freed", () => {
  /** Makes changes of which one is written again in some rounds, behind others: no slice of the round has it then. */
  async function makeWritten(isWritten: (round: number) => boolean) {
    const { id, put } = await makeExchanged();
    Object.assign(MOVE, LIMITS, { touchesPerSlice: 3, lastSliceUnits: 0, queriesBeforeLastSlice: 0 });
    const rounds: number[] = [];
    const DB_2 = inRounds(id, async (round) => {
      rounds.push(round);
      if (!isWritten(round)) return;
      await put(5, `again-5-${round}`);
      await put(0, `again-0-${round}`);
    });
    return { id, rounds, env: { ...deployed, DB_2 } };
  }

  it("is removed from the copy by another round, and the move names no reason", async () => {
    const { id, rounds, env } = await makeWritten((round) => round === 1);
    expect(await moveOn(env, 1, id, run())).toBe("more");
    expect(rounds).toEqual([1, 2]);
    expect(await changesOf(id)).toBe(0);
    expect(await moveOf(id)).toEqual({ state: "leaving", reason: null });
  });

  it("ends the run with a reason if no other round is left", async () => {
    const { id, rounds, env } = await makeWritten((round) => round === 1);
    Object.assign(MOVE, { clearRoundsMax: 1 });
    expect(await moveOn(env, 1, id, run())).toBe("wait");
    expect(rounds).toEqual([1]);
    expect((await moveOf(id)).reason).toContain("UNIQUE");
  });

  it("in each round ends the run after the last one, and the next run goes on", async () => {
    const { id, rounds, env } = await makeWritten(() => true);
    expect(await moveOn(env, 1, id, run())).toBe("wait");
    expect(rounds).toEqual(ROUNDS);
    expect(await moveOf(id)).toMatchObject(REFUSED);
    expect(await moveOn(deployed, 1, id, run())).toBe("more");
    expect(await changesOf(id)).toBe(0);
    expect(await moveOf(id)).toEqual({ state: "leaving", reason: null });
  });

  it("in each round ends a run though each makes but a step, and its reason stays until a step copies rows", async () => {
    const { id, rounds, env } = await makeWritten(() => true);
    Object.assign(MOVE, { queriesPerRun: 14 });
    let worked: Worked = "more";
    for (let runs = 0; runs < 200 && worked === "more"; runs++) worked = await moveOn(env, 1, id, run());
    expect(worked).toBe("wait");
    expect(rounds).toEqual(ROUNDS);
    expect(await moveOf(id)).toMatchObject(REFUSED);
    // The next run begins with the first round again, and only removes rows.
    expect(await moveOn(deployed, 1, id, run())).toBe("more");
    expect((await standOf(id)).round).toBe(1);
    expect(await moveOf(id)).toMatchObject(REFUSED);
    for (let runs = 0; runs < 200 && (await changesOf(id)) > 0; runs++)
      expect(await moveOn(deployed, 1, id, run())).toBe("more");
    expect(await moveOf(id)).toEqual({ state: "leaving", reason: null });
  });
});

describe("the reason for which a move has waited", () => {
  it("is forgotten when a step copies rows", async () => {
    const { id } = await makeExchanged();
    await shardDb(1).run(sql`UPDATE space_moves SET reason = 'D1 did not answer' WHERE space_id = ${id}`);
    Object.assign(MOVE, { queriesPerRun: 14 });
    expect(await moveOn(deployed, 1, id, run())).toBe("more");
    expect((await moveOf(id)).reason).toBeNull();
  });
});
