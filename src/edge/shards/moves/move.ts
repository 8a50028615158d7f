/**
 * Moves a space from one database to another, while it is read and written (RULES 12.6, 12.7). Read it from `moveOn` down.
 *
 * The sweep drives moves, every minute, and the request that orders one begins at once, beside its answer. Both have the
 * space's queue object do the work, in calls of bounded length: each call is an invocation of its own, with its own
 * thousand queries, and one object works on a space at a time. The object keeps nothing of a move: how far it is stands on
 * the two databases, so that whatever is evicted or killed, the next minute goes on, and a restore of a database has no
 * third state that it contradicts.
 */
import { MOVE } from "../../../limits.ts";
import { countedD1, database, type Database, type QueryCount } from "../../storage/database/database.ts";
import { isGuardFailure } from "../../storage/database/guard.ts";
import { OF_SYSTEM } from "../../storage/events/actor.ts";
import { armTriggers, EDITION } from "../../storage/shards/move-triggers.ts";
import {
  dropCopy,
  keepWork,
  noteEdition,
  noteReason,
  readMove,
  startArriving,
  stay,
  takeWork,
  type MoveRow,
} from "../../storage/shards/move-state.ts";
import { isModelChanging, readTombstone } from "../../storage/shards/switch.ts";
import { countTouches } from "../../storage/shards/touches.ts";
import { readPrimary } from "../../storage/database/read-database.ts";
import { readSpaceById } from "../../storage/spaces/spaces.ts";
import { directoryD1, shardD1, type DatabaseBindings } from "../bindings.ts";
import { settle } from "../settle.ts";
import { countSides } from "./compare.ts";
import { beginning, Copy, type Progress, type Sides } from "./copy.ts";
import { failCopy, takeLastSlice } from "./last-slice.ts";
import { Rests } from "../rests.ts";
import { sweepLeft } from "./sweep-left.ts";

export interface Driving {
  /** The time of the run's end, in milliseconds. */
  until: number;
  clock: () => number;
  log: (event: Record<string, unknown>) => void;
}

export const driving = (ms: number, log: Driving["log"]): Driving => ({
  until: Date.now() + ms,
  clock: Date.now,
  log,
});

const TOOK_TOO_LONG = "The last slice took too long. It is tried again in some seconds.";

/** The state of a run. */
interface Spent extends QueryCount {
  /** The time until which no other run may work on the move. */
  heldUntil: number;
}

/** The outcome of a run. `more`: another one goes on at once. `wait`: it cannot go on now. */
export type Worked = "more" | "wait" | "over";

/** Works on the move of a space until it is over, cannot go on, or the time or the queries of the run are used up. */
export async function moveOn(
  env: DatabaseBindings,
  from: number,
  spaceId: string,
  run: Driving,
): Promise<Worked> {
  const count: Spent = { queries: 0, heldUntil: 0 };
  const open = (shard: number): Database => database(countedD1(shardD1(env, shard), count));
  const source = open(from);
  const row = await takeWork(source, spaceId, run.clock(), MOVE.workMs);
  if (!row) return "wait";
  const sides: Sides = {
    ...{ spaceId, move: row.move, from, to: row.other, source },
    target: open(row.other),
    directory: database(countedD1(directoryD1(env), count)),
  };
  try {
    return await drive(env, { ...sides, reason: row.reason }, run, count);
  } catch (error) {
    // Another one that works on the same copy has gone on with it.
    if (isGuardFailure(error)) return "wait";
    run.log({ event: "move-failed", spaceId, from, to: row.other, reason: String(error) });
    await noteReason(source, sides, String(error).slice(0, 300));
    return "wait";
  } finally {
    await keepWork(source, sides, count.heldUntil).catch(() => undefined);
  }
}

/**
 * Makes steps until the move is over, cannot go on, or the run is used up.
 * @param sides with the reason for which an earlier run did not go on; null for none
 */
async function drive(
  env: DatabaseBindings,
  { reason, ...sides }: Sides & Pick<MoveRow, "reason">,
  run: Driving,
  count: Spent,
): Promise<Worked> {
  const { source, target, spaceId } = sides;
  if (!(await readSpaceById(source, spaceId))) return endRemoved(sides, run);
  await armTriggers(source);
  await armTriggers(target);
  await noteEdition(source, sides, EDITION);
  const copy = await openCopy(sides, run, count);
  if (!copy) return "wait";
  // A count is known to this run alone. If the run ended then, the next one would count again, and so would all after it.
  const hasTime = (): boolean => run.clock() < run.until || copy.countMs !== null;
  const rests = new Rests(MOVE);
  // A last slice that took too long has been made up for when the next one succeeds, and the switch forgets all reasons.
  let isHeldUp = reason !== null && reason !== TOOK_TOO_LONG;
  for (let keptAt = run.clock(); hasTime() && count.queries < MOVE.queriesPerRun;) {
    const step = await takeStep(copy, run, count);
    if (step === "over") {
      const tombstone = await readTombstone(readPrimary(source), spaceId);
      if (tombstone) await settle(env, sides.from, tombstone, count);
    }
    if (step !== "on") return step;
    if (isHeldUp && copy.hasCopied) {
      await noteReason(source, sides, null);
      isHeldUp = false;
    }
    await rests.afterStep();
    if (run.clock() > keptAt + MOVE.workMs / 4) {
      keptAt = run.clock();
      if (!(await keepWork(source, sides, keptAt + MOVE.workMs))) return endRemoved(sides, run);
    }
  }
  return "more";
}

/**
 * Ends a move whose space was removed, or that was withdrawn. Such a move has no copy. If another run has made the switch
 * meanwhile, the copy is the space.
 */
async function endRemoved({ source, target, ...sides }: Sides, run: Driving): Promise<"over"> {
  await stay(source, sides, "The space was removed.", { origin: OF_SYSTEM, now: run.clock() });
  // Nothing that is over goes on, so this holds when the copy is dropped, too.
  const row = await readMove(source, sides.spaceId);
  if (row?.state !== "left") await dropCopy(target, sides);
  return "over";
}

/** Opens the copy, or begins one. Null while rows of an earlier stay, or of an earlier copy, are still on the target. */
async function openCopy(sides: Sides, run: Driving, count: QueryCount): Promise<Copy | null> {
  const { source, target, spaceId, move, from, to } = sides;
  const there = await readMove(target, spaceId);
  if (isOf(there, sides)) {
    if (there.edition === EDITION) return new Copy(sides, JSON.parse(there.progress) as Progress, there.step);
    await dropCopy(target, sides);
  }
  // The run that ended an earlier move was killed before it dropped the copy.
  if (there?.state === "arriving" && there.move < move) await dropCopy(target, there);
  const left = await readMove(target, spaceId);
  if (left?.state === "left" && left.sweptAt === null) {
    if (!(await sweepLeft(target, left, to === 0, run, count))) {
      await noteReason(source, sides, "Rows of an earlier stay are removed from the database first.");
      return null;
    }
  }
  if (left?.state === "here" || left?.state === "leaving")
    throw new Error(`Database ${to} says that the space stands there already.`);
  const begun = await beginning(sides);
  const arriving = { spaceId, move, other: from, startedAt: run.clock() };
  if (!(await startArriving(target, arriving, EDITION, JSON.stringify(begun)))) return null;
  await noteReason(source, sides, null);
  const row = await readMove(target, spaceId);
  return row && isOf(row, sides) ? new Copy(sides, begun, row.step) : null;
}

const isOf = (row: MoveRow | null, { move }: Sides): row is MoveRow =>
  row?.state === "arriving" && row.move === move;

async function takeStep(copy: Copy, run: Driving, count: Spent): Promise<Worked | "on"> {
  if (await copy.walkOn()) return "on";
  const { source, spaceId } = copy.sides;
  const left = await countTouches(source, spaceId, copy.progress.drained, MOVE.lastSliceUnits + 1);
  if (left > MOVE.lastSliceUnits) {
    await copy.catchUp();
    return "on";
  }
  // The last slice and what follows are one run, which must not end for its queries.
  if (count.queries > MOVE.queriesBeforeLastSlice) return "more";
  if (await isModelChanging(source, spaceId)) {
    await noteReason(source, copy.sides, "A model is being changed. The move waits for its end.");
    return "wait";
  }
  if (copy.countMs === null) {
    await keepWork(source, copy.sides, run.clock() + MOVE.countMs);
    const differs = await countSides(copy, run.clock);
    if (differs === null) return "on";
    return (await failCopy(copy, differs, run.clock())) ? "over" : "wait";
  }
  const came = await takeLastSlice(copy, run.clock).finally(() => {
    // Writes must not be refused again at once, whatever failed: a caller would be refused for as long as both go on.
    count.heldUntil = run.clock() + MOVE.againMs;
  });
  switch (came) {
    case "left":
    case "failed":
      return "over";
    case "later":
      await noteReason(source, copy.sides, TOOK_TOO_LONG);
      return "wait";
    default:
      return came satisfies never;
  }
}
