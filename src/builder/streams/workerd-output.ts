/** The variant on its way out: its memory is given back as it is taken, not when V8 next collects. */

import { ABANDONED_MS, type Sending } from "./portable-output.ts";

/** A write leaves some kilobytes of garbage, so small pieces are gathered to blocks of this size. */
const BLOCK_BYTES = 262_144;

/**
 * Returns the pieces, of `byteLength` together, as one stream. They are given away: each is detached once it has been
 * copied. For the runtime only, whose `write` is done when the reader has taken the bytes.
 */
export function sendPieces(
  pieces: Uint8Array<ArrayBuffer>[],
  byteLength: number,
  { ended, abandonedMs = ABANDONED_MS }: Sending,
): ReadableStream<Uint8Array> {
  const { readable, writable } = new FixedLengthStream(byteLength);
  // A reader that wants no more has cancelled; one that misses bytes is told by the stream's length.
  write(pieces, byteLength, watched(writable.getWriter(), abandonedMs))
    .catch(() => undefined)
    .finally(ended);
  return readable;
}

interface Writer {
  write(block: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** Gives the stream up when nobody takes what was written. */
function watched(writer: WritableStreamDefaultWriter<Uint8Array>, abandonedMs: number): Writer {
  const over = async (work: Promise<void>): Promise<void> => {
    const timer = setTimeout(() => {
      writer.abort(new Error(`nobody took the variant for ${abandonedMs} ms`)).catch(() => undefined);
    }, abandonedMs);
    try {
      await work;
    } finally {
      clearTimeout(timer);
    }
  };
  return { write: (block) => over(writer.write(block)), close: () => over(writer.close()) };
}

async function write(
  pieces: readonly Uint8Array<ArrayBuffer>[],
  byteLength: number,
  writer: Writer,
): Promise<void> {
  const block = new Uint8Array(Math.min(BLOCK_BYTES, byteLength));
  let filled = 0;
  try {
    for (const piece of pieces) {
      for (let at = 0; at < piece.length;) {
        const part = piece.subarray(at, at + block.length - filled);
        block.set(part, filled);
        at += part.length;
        filled += part.length;
        if (filled < block.length) continue;
        await writer.write(block);
        filled = 0;
      }
      free(piece);
    }
    if (filled > 0) await writer.write(block.subarray(0, filled));
    await writer.close();
  } finally {
    free(block);
    pieces.forEach(free);
  }
}

/** Moves the bytes to a buffer that has no room for them. */
function free({ buffer }: Uint8Array<ArrayBuffer>): void {
  if (!buffer.detached) buffer.transfer(0);
}
