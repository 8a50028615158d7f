/** The state that all rooms of an isolate share: it is one thread, and has one of each. */
import { BUILDER } from "../limits.ts";
import { Background } from "./background.ts";
import { FairShare } from "./fair-share.ts";
import { BuildMemory } from "./memory/build-memory.ts";
import { MemoryBudget, type Reservation } from "./memory/memory-budget.ts";

let memory: BuildMemory | null = null;
let name: string | null = null;

export const background = new Background();
export const fairShare = new FairShare();
const budget = new MemoryBudget();

export const isolateMemory = (): BuildMemory => (memory ??= new BuildMemory());

/**
 * Returns a name that the log tells isolates apart by. Made when it is first asked for: a module may not draw at
 * random.
 */
export const isolateName = (): string => (name ??= crypto.randomUUID().slice(0, 8));

/**
 * Reserves room for a build of `bytes`, at once where there is some: the first to come has it. Null when there is none.
 * A reservation of another room that sends no heartbeat is taken back, after it was watched for a while more: while the
 * thread computes, no room can send any.
 */
export function reserve(bytes: number): Reservation | null | Promise<Reservation | null> {
  const reservation = budget.reserve(bytes);
  if (reservation || !budget.lookForSilence(Date.now())) return reservation;
  return watchSilence(bytes);
}

async function watchSilence(bytes: number): Promise<Reservation | null> {
  for (let looks = 0; looks < BUILDER.silenceLooks; looks++) {
    await new Promise((resolve) => setTimeout(resolve, BUILDER.beatMs));
    if (!budget.lookForSilence(Date.now())) return null;
  }
  if (budget.takeBackSilent(Date.now())) memory?.clear();
  return budget.reserve(bytes);
}
