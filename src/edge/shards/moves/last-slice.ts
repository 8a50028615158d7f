/** The last slice of a move, and the switch: the database that the space leaves refuses its writes meanwhile. */
import { MOVE } from "../../../limits.ts";
import { closeWrites, dropCopy, openWrites, stay } from "../../storage/shards/move-state.ts";
import { leave } from "../../storage/shards/switch.ts";
import { OF_SYSTEM } from "../../storage/events/actor.ts";
import { difference } from "./compare.ts";
import type { Copy } from "./copy.ts";

/** `left`: the space stands on the other database. `later`: the time was over, or a change of a model goes on. */
export type LastSlice = "left" | "later" | "failed";

/**
 * Copies what is left, compares both sides and makes the switch. Writes are refused from its beginning on, and taken again
 * after `MOVE.closedMaxMs` whatever becomes of it: the switch is only made while they are refused. If a statement fails,
 * they are taken again at once.
 */
export async function takeLastSlice(copy: Copy, clock: () => number = Date.now): Promise<LastSlice> {
  try {
    return await closeAndLeave(copy, clock);
  } catch (error) {
    // A source that does not answer takes writes by itself when the time is over.
    await openWrites(copy.sides.source, copy.sides).catch(() => undefined);
    throw error;
  }
}

async function closeAndLeave(copy: Copy, clock: () => number): Promise<LastSlice> {
  const { sides } = copy;
  const { source } = sides;
  const until = clock() + MOVE.switchMaxMs;
  await closeWrites(source, sides, MOVE.closedMaxMs);
  while (await copy.catchUp()) if (clock() >= until) return giveUp(copy);
  const differs = await difference(copy);
  // Writes may be taken again by now, and one of them may be all that differs.
  if (clock() >= until) return giveUp(copy);
  if (differs !== null) {
    const isOver = await failCopy(copy, differs, clock());
    return isOver ? "failed" : "later";
  }
  return (await leave(source, sides, copy.progress.drained)) ? "left" : giveUp(copy);
}

/**
 * Ends a move whose two sides differ. The space stays where it is, which is settled before the copy is dropped: another run
 * may make the switch at any time until then.
 * @returns false, with nothing ended, if another run has gone on with the copy, whose rows are other ones than were compared,
 * or has ended the move
 */
export async function failCopy(copy: Copy, differs: string, now: number): Promise<boolean> {
  const { sides } = copy;
  const { source, target } = sides;
  await openWrites(source, sides);
  if (!(await copy.isCurrent())) return false;
  const reason = `The copy differs: ${differs}. Nothing was changed. Move the space again.`;
  if (!(await stay(source, sides, reason, { origin: OF_SYSTEM, now }))) return false;
  await dropCopy(target, sides);
  return true;
}

async function giveUp({ sides }: Copy): Promise<"later"> {
  await openWrites(sides.source, sides);
  return "later";
}
