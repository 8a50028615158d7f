/** The sweep's part of moves on one database: it drives those that go on, and mends what a crash or a restore has left. */
import { DAY_MS, MINUTE_MS, MOVE } from "../../../limits.ts";
import { countedD1, database, type Database, type QueryCount } from "../../storage/database/database.ts";
import { isGuardFailure } from "../../storage/database/guard.ts";
import { forgetOldMoves } from "../../storage/shards/left-rows.ts";
import { armTriggers, disarmTriggers } from "../../storage/shards/move-triggers.ts";
import { listWork } from "../../storage/shards/move-state.ts";
import { forgetEndedTouches } from "../../storage/shards/touches.ts";
import { knownMoves, leaveNewer, placesOf, writePlaces } from "../../storage/shards/restored.ts";
import { directoryD1, shardD1, type DatabaseBindings } from "../bindings.ts";
import { settle } from "../settle.ts";
import { workThrough } from "./advance.ts";
import type { Driving, Worked } from "./move.ts";

export interface MovesSwept {
  settled: number;
  /** Spaces whose move is over, or of which no row is left on the database. */
  over: number;
  /** Spaces that another database has by a later move. */
  superseded: number;
}

export interface MovesTools extends Driving {
  /** The queries of this invocation for moves, which the databases share. */
  count: QueryCount;
  /** Works on what this database has to do with the moves of a space, in an invocation of its own. */
  advance: (spaceId: string) => Promise<Worked>;
}

/**
 * Sweeps moves. Each step may fail alone, and is left to the next minute then. Where no space moves, it is one query.
 */
export async function sweepMoves(
  env: DatabaseBindings,
  shard: number,
  tools: MovesTools,
): Promise<MovesSwept> {
  const { clock, log, count } = tools;
  const db = database(countedD1(shardD1(env, shard), count));
  const goesOn = (): boolean => count.queries < MOVE.sweepQueriesMax;
  const step = async (name: string, work: () => Promise<number>): Promise<number> => {
    try {
      return await work();
    } catch (error) {
      log({ event: "sweep-step-failed", step: name, database: shard, reason: String(error) });
      return 0;
    }
  };
  const { unsettled, spaceIds } = await listWork(db, clock() - MOVE.leftRowsMs, MOVE.movesPerRun);
  const settled = await step("settledMoves", async () => {
    let ended = 0;
    for (const row of unsettled) {
      if (!goesOn()) break;
      await settle(env, shard, row, count);
      ended += 1;
    }
    return ended;
  });
  const isTurn =
    Math.floor(clock() / MINUTE_MS) % MOVE.comparedEveryMinutes === shard % MOVE.comparedEveryMinutes;
  const mend = (): Promise<number> => mendRestored(env, shard, clock(), count);
  const superseded = isTurn && goesOn() ? await step("restoredMoves", mend) : 0;
  if (isTurn && goesOn()) await step("oldMoves", () => tidy(db, clock(), goesOn));
  const advance = async (spaceId: string): Promise<Worked | "failed"> => {
    try {
      return await tools.advance(spaceId);
    } catch (error) {
      log({ event: "sweep-step-failed", step: "moves", spaceId, database: shard, reason: String(error) });
      return "failed";
    }
  };
  const over = await workThrough(spaceIds, advance, tools);
  return { settled, over, superseded };
}

/** Forgets what moves have noted that are over, moves that no restore can reach, and drops the triggers where nothing moves. */
async function tidy(db: Database, now: number, goesOn: () => boolean): Promise<number> {
  while ((await forgetEndedTouches(db)) && goesOn());
  await forgetOldMoves(db, now - MOVE.tombstoneMs);
  try {
    return Number(await disarmTriggers(db, now - MOVE.triggersDays * DAY_MS));
  } catch (error) {
    if (!isGuardFailure(error)) throw error;
    // A migration that made a table anew has dropped its triggers. A whole set costs one read.
    await armTriggers(db);
    return 0;
  }
}

/**
 * Mends what a restore of a database to an earlier time left: the higher number of a move wins. A directory that does
 * not know a move is told, and a database that still takes a space for its own, though another one has it by a later
 * move, lets it go.
 * @returns how many spaces were let go
 */
export async function mendRestored(
  env: DatabaseBindings,
  shard: number,
  now: number,
  count: QueryCount = { queries: 0 },
): Promise<number> {
  const db = database(countedD1(shardD1(env, shard), count));
  const directory = database(countedD1(directoryD1(env), count));
  await writePlaces(directory, await knownMoves(db, shard));
  const newer = await placesOf(db, directory, shard);
  if (newer.length > 0) await armTriggers(db);
  return leaveNewer(db, newer, shard === 0, now);
}
