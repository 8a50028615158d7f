/** Brings a master from R2 to a room of the builder. */
import { decodesPassesInParallel } from "../../../image/formats/png/memory.ts";
import type { MasterFacts } from "../../../image/model/facts.ts";
import { type BuildPlan, decoderOf, type PlaceholderPlan } from "../../../image/plan/build-plan.ts";
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
  /** Cancels bodies that are still open: one that nobody reads holds a connection (RULES 10.4). */
  end(): void;
}

type Ordered = Pick<BuildOrder, "facts" | "sourceBytes"> & { plan?: BuildPlan | PlaceholderPlan };

/**
 * The functions by which a room of the builder reads the master at `key`, until `signal` aborts. It opens it once it has
 * room, in pieces or, when it is an older one, as a stream. It reads ranges where the plan reads parts of the file again.
 * The bytes of a key never change.
 */
export function callsFor(
  bucket: R2Bucket,
  key: string,
  { plan, facts, sourceBytes }: Ordered,
  signal: AbortSignal,
  clock?: BuildClock,
): MasterCalls {
  const ended = new AbortController();
  const over = AbortSignal.any([signal, ended.signal]);
  let unreadable: string | null = null;
  let isOpened = false;
  const openStream = async (): Promise<ReadableStream<Uint8Array> | null> => {
    const master = await openObject(bucket, key);
    if (!master) return null;
    const { readable, writable } = new IdentityTransformStream();
    const piped = master.pipeTo(writable, { signal: over });
    // A builder that needs no more cancels the rest. One that misses bytes says so in its answer.
    piped.catch(() => undefined);
    clock?.masterIsRead(piped);
    return readable;
  };
  const openInPieces = async (): Promise<MasterPieces | null> => {
    let pieces: Promise<MasterPieces | null> = Promise.resolve(null);
    const read = new Promise<void>((resolve) => {
      pieces = openPieces({ bucket, key, sizeBytes: sourceBytes }, over, resolve);
    });
    clock?.masterIsRead(read);
    return pieces;
  };
  const open: OpenMaster = async (as) => {
    signal.throwIfAborted();
    isOpened = true;
    try {
      return await (as === "pieces" ? openInPieces() : openStream());
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
    readRange: isReadInRanges(plan, facts) ? readRange : undefined,
    get isOpened() {
      return isOpened;
    },
    get unreadable() {
      return unreadable;
    },
    end: () => ended.abort(),
  };
}

/** Whether a decoder reads parts of the file a second time, beside the stream. */
function isReadInRanges(plan: BuildPlan | PlaceholderPlan | undefined, facts: MasterFacts): boolean {
  // An order of an older edge, which the builder plans in the same way.
  if (!plan) return facts.format === "png" && decodesPassesInParallel(facts);
  const decoder = decoderOf(plan);
  return decoder?.name === "png" && decoder.sideBySide !== null;
}

/** Rejects when `signal` aborts: the builder may not notice that nobody listens any more. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(new Error(String(signal.reason)));
    if (signal.aborted) fail();
    signal.addEventListener("abort", fail, { once: true });
  });
}

/** Whether a room answers at all, and soon: its isolate may compute in one piece. */
export async function answers(room: { ping(): Promise<{ ok: true }> }): Promise<boolean> {
  try {
    return (await inTime(room.ping(), QUEUE.roomAnswerMs)).ok;
  } catch {
    return false;
  }
}
