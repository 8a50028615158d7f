/** The work of one call on the move of a space: it copies rows, or removes the rows that the space has left behind. */
import { MOVE } from "../../../limits.ts";
import { countedD1, database } from "../../storage/database/database.ts";
import { readMove } from "../../storage/shards/move-state.ts";
import { shardD1, type DatabaseBindings } from "../bindings.ts";
import { moveOn, type Driving, type Worked } from "./move.ts";
import { sweepLeft } from "./sweep-left.ts";

/** Works on what the database `shard` has to do with the moves of a space. */
export async function advance(
  env: DatabaseBindings,
  shard: number,
  spaceId: string,
  run: Driving,
): Promise<Worked> {
  const count = { queries: 0 };
  const db = database(countedD1(shardD1(env, shard), count));
  const row = await readMove(db, spaceId);
  if (row?.state === "leaving") return moveOn(env, shard, spaceId, run);
  if (row?.state !== "left" || row.sweptAt !== null) return "over";
  return (await sweepLeft(db, row, shard === 0, run, count)) ? "over" : "more";
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Calls for work on several spaces until it is over, until `until`, or while none can go on. One that cannot go on, such as a
 * move that waits for rows of an earlier stay, lets the others go first. One whose call fails is left out.
 * @returns how many are over
 */
export async function workThrough(
  spaceIds: readonly string[],
  call: (spaceId: string) => Promise<Worked | "failed">,
  { until, clock }: Pick<Driving, "until" | "clock">,
  wait: (ms: number) => Promise<void> = pause,
): Promise<number> {
  let over = 0;
  let open = [...spaceIds];
  for (let waits = 0; open.length > 0 && clock() < until && waits < MOVE.waitsMax;) {
    const waiting: string[] = [];
    for (const spaceId of open) {
      let worked: Worked | "failed" = "more";
      while (worked === "more" && clock() < until) {
        worked = await call(spaceId);
        if (worked !== "wait") waits = 0;
      }
      if (worked === "over") over += 1;
      else if (worked !== "failed") waiting.push(spaceId);
    }
    open = waiting;
    if (open.length === 0 || clock() >= until) break;
    waits += 1;
    await wait(MOVE.pauseMs);
  }
  return over;
}
