/** Copies the parts of a memory that are not zero, so that they can be restored. */

export interface Stretch {
  /** The address of the first byte. */
  at: number;
  bytes: Uint8Array;
}

/** The largest stretch. A stretch that is all zero is left out. */
const STRETCH_BYTES = 16_384;

/** Copies the parts of `memory` from `from` up to `end` that are not zero, in stretches of at most STRETCH_BYTES. */
export function writtenIn(memory: Uint8Array, from: number, end: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (let at = from; at < end; at += STRETCH_BYTES) {
    const bytes = memory.subarray(at, Math.min(at + STRETCH_BYTES, end));
    if (!isZero(bytes)) stretches.push({ at, bytes: bytes.slice() });
  }
  return stretches;
}

/** Returns whether all bytes are 0. A loop, because a callback for each of millions of bytes would be slow. */
function isZero(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== 0) return false;
  return true;
}
