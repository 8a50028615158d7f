/** Parts of the master that are read a second time, beside its stream. */
import type { ReadRange } from "../../image/protocol/build.ts";
import type { ByobReader } from "../../image/bytes/byob-reader.ts";
import { inTime, LateError } from "../../in-time.ts";
import { SourceLost } from "./source-lost.ts";

/** Reads bytes `from` up to `end` of the master again. A piece keeps its content until the next one is asked for. */
export type ReadAgain = (from: number, end: number) => AsyncIterable<Uint8Array>;

export interface Patience {
  stallMs: number;
  /** Ends what is being read. */
  signal: AbortSignal;
}

/**
 * Reads through buffers of `pieceBytes`, one for each part that is being read: their bytes are let go of with them. Its
 * iterators throw SourceLost when the master is gone, does not come, or stalls.
 */
export function readAgainBy(readRange: ReadRange, pieceBytes: number, patience: Patience): ReadAgain {
  return async function* (from, end) {
    let buffer = new ArrayBuffer(pieceBytes);
    try {
      for (let at = from; at < end; at += pieceBytes) {
        const view = new Uint8Array(buffer, 0, Math.min(pieceBytes, end - at));
        const piece = await patiently(readWhole(readRange, at, view), patience).catch((cause: unknown) => {
          if (cause instanceof SourceLost) throw cause;
          throw new SourceLost("a part of the master did not come", { cause });
        });
        buffer = piece.buffer;
        yield piece;
      }
    } finally {
      // Given back now, not when V8 next collects.
      if (!buffer.detached) buffer.transfer(0);
    }
  };
}

/** Fills `view`, which is given away. */
async function readWhole(
  readRange: ReadRange,
  offset: number,
  view: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const { length } = view;
  const part = await readRange(offset, length);
  if (!part) throw new SourceLost("the master was removed while it was read");
  const reader: ByobReader = part.getReader({ mode: "byob" });
  try {
    const { value } = await reader.read(view, { min: length });
    if (value?.length === length) return value;
    throw new SourceLost(`of ${length} bytes of the master at ${offset} ${value?.length ?? 0} came`);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** @throws SourceLost when `work` takes too long, or the signal aborts; and what `work` throws */
export function patiently<T>(
  work: Promise<T>,
  { stallMs, signal }: Partial<Patience> & { stallMs: number },
): Promise<T> {
  return inTime(work, stallMs, signal).catch((cause: unknown) => {
    if (cause instanceof LateError) {
      throw new SourceLost(`a part of the master stalled for ${stallMs} ms`, { cause });
    }
    if (signal?.aborted) throw new SourceLost("the master is not read any more", { cause });
    throw cause;
  });
}
