/** Orders the move of a space, and says how far it is (RULES 12.6). */
import { ApiError } from "../../../errors.ts";
import { database, type Database } from "../../storage/database/database.ts";
import { dropCopy, readMove, startLeaving, stay, type MoveRow } from "../../storage/shards/move-state.ts";
import type { By } from "../../storage/events/actor.ts";
import { placeMove } from "../../storage/shards/places.ts";
import { directoryD1, shardD1, type DatabaseBindings } from "../bindings.ts";
import type { Progress } from "./copy.ts";

const open = (env: DatabaseBindings, shard: number): Database => database(shardD1(env, shard));

const conflict = (message: string): ApiError => new ApiError("CONFLICT", message);

/**
 * Orders a move, or withdraws the one that goes on if the space is to stay where it is.
 * @throws ApiError CONFLICT when the space stands there already, or is on its way to another database
 */
export async function orderMove(
  env: DatabaseBindings,
  { spaceId, from, to }: { spaceId: string; from: number; to: number },
  by: By,
): Promise<void> {
  const source = open(env, from);
  const row = await readMove(source, spaceId);
  const isMoving = row?.state === "leaving";
  if (from === to) {
    if (!isMoving) throw conflict(`The space stands on database ${to} already.`);
    if (await stay(source, row, "The move was withdrawn.", by)) await dropCopy(open(env, row.other), row);
    return;
  }
  if (isMoving) {
    if (row.other === to) return;
    throw conflict(
      `The space is on its way to database ${row.other}. Wait until it is there, or send {"shard": ${from}} first, ` +
        "which withdraws that move.",
    );
  }
  const there = await readMove(open(env, to), spaceId);
  const known = await placeMove(database(directoryD1(env)), spaceId);
  const move = Math.max(known, row?.move ?? 0, there?.move ?? 0) + 1;
  const started = await startLeaving(source, { spaceId, move, other: to, startedAt: by.now }, by.origin);
  if (!started) throw conflict("The space was moved, or removed, at the same time. Read it again.");
}

export interface MoveView {
  /** The database on which the space stands. */
  shard: number;
  state: "none" | "copying" | "switching" | "done" | "stayed";
  /** The number of the move; 0 for none. */
  move: number;
  from: number | null;
  to: number | null;
  rows: { copied: number; total: number };
  /** Changes that are still to be copied are not counted. */
  progress: number;
  startedAt: number | null;
  endedAt: number | null;
  /** Why it waits, or was given up. */
  reason: string | null;
}

const copiedIn = ({ source }: Partial<Progress>): number =>
  Object.values(source ?? {}).reduce((sum, [rows]) => sum + rows, 0);

function viewOf(row: MoveRow, shard: number, copy: Partial<Progress>): MoveView {
  const isHere = row.state === "here";
  const copied = copiedIn(copy);
  const total = Math.max(copy.total ?? 0, copied);
  const isClosed = row.closedUntil > Date.now();
  const state = isHere ? "done" : row.state === "stayed" ? "stayed" : isClosed ? "switching" : "copying";
  return {
    shard,
    state,
    move: row.move,
    from: isHere ? row.other : shard,
    to: isHere ? shard : row.other,
    rows: { copied, total },
    progress: isHere ? 1 : total === 0 ? 0 : Math.min(0.99, copied / total),
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    reason: row.reason,
  };
}

/** Returns the last move of a space that stands on `shard`, or the one that goes on. */
export async function readMoveView(env: DatabaseBindings, spaceId: string, shard: number): Promise<MoveView> {
  const row = await readMove(open(env, shard), spaceId);
  if (!row) {
    const nothing = { move: 0, from: null, to: null, startedAt: null, endedAt: null, reason: null };
    return { shard, state: "none", ...nothing, rows: { copied: 0, total: 0 }, progress: 0 };
  }
  if (row.state !== "leaving") return viewOf(row, shard, JSON.parse(row.progress) as Partial<Progress>);
  const there = await readMove(open(env, row.other), spaceId);
  const copy = there?.state === "arriving" && there.move === row.move ? there.progress : "{}";
  return viewOf(row, shard, JSON.parse(copy) as Partial<Progress>);
}
