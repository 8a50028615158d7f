/** Brings a master from R2 to a room of the builder. */
import { type BuildPlan, type PlaceholderPlan, rangeBytesOf } from "../../../image/plan/build-plan.ts";
import type { BuildOrder, MasterPieces, OpenMaster, ReadRange } from "../../../image/protocol/build.ts";
import { inTime } from "../../../in-time.ts";
import { QUEUE } from "../../../limits.ts";
import type { BuildClock } from "./build-clock.ts";
import { openObject } from "../../storage/media/objects.ts";
import { CutShort, openPieces } from "./master-pieces.ts";

export interface MasterCalls {
  open: OpenMaster;
  readRange: ReadRange | undefined;
  /** Whether the builder has asked for the master: it has room for the build. */
  readonly isOpened: boolean;
  /** Why the storage did not return the master; null while it did. */
  readonly unreadable: string | null;
  /** Cancels bodies that are still open: a body that no build reads holds a connection (RULES 10.4). */
  end(): void;
}

type Ordered = Pick<BuildOrder, "sourceBytes"> & { plan: BuildPlan | PlaceholderPlan };

/**
 * Returns the functions by which a room of the builder reads the master at `key`, until `signal` aborts. The room opens
 * it, in pieces, once it has place. It reads ranges where the plan reads parts of the file again. The bytes of a key
 * never change.
 */
export function callsFor(
  bucket: R2Bucket,
  key: string,
  { plan, sourceBytes }: Ordered,
  signal: AbortSignal,
  clock?: BuildClock,
): MasterCalls {
  const ended = new AbortController();
  const over = AbortSignal.any([signal, ended.signal]);
  let unreadable: string | null = null;
  let isOpened = false;
  const openInPieces = async (): Promise<MasterPieces | null> => {
    let pieces: Promise<MasterPieces | null> = Promise.resolve(null);
    const read = new Promise<void>((resolve) => {
      pieces = openPieces({ bucket, key, sizeBytes: sourceBytes }, over, resolve);
    });
    clock?.masterIsRead(read);
    return pieces;
  };
  const open: OpenMaster = async () => {
    signal.throwIfAborted();
    isOpened = true;
    try {
      return await openInPieces();
    } catch (error) {
      if (!(error instanceof CutShort)) unreadable = String(error);
      throw error;
    }
  };
  const readRange: ReadRange = async (offset, length) => {
    signal.throwIfAborted();
    return openObject(bucket, key, { offset, length });
  };
  return {
    open,
    readRange: rangeBytesOf(plan) === null ? undefined : readRange,
    get isOpened() {
      return isOpened;
    },
    get unreadable() {
      return unreadable;
    },
    end: () => ended.abort(),
  };
}

/** Rejects when `signal` aborts: the builder may not notice that the queue has stopped listening. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(new Error(String(signal.reason)));
    if (signal.aborted) fail();
    signal.addEventListener("abort", fail, { once: true });
  });
}

/** Returns whether a room answers at all, and soon: its isolate may compute in one piece. */
export async function answers(room: { ping(): Promise<{ ok: true }> }): Promise<boolean> {
  try {
    return (await inTime(room.ping(), QUEUE.roomAnswerMs)).ok;
  } catch {
    return false;
  }
}
