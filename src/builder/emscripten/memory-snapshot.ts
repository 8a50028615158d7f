/** What a memory holds that is not zero, kept to be put back. */

export interface Stretch {
  /** Address of its first byte. */
  at: number;
  bytes: Uint8Array;
}

/** All zeros of a stretch of these are left out. */
const STRETCH_BYTES = 16_384;

/** Copies what is written in `memory` from `from` up to `end`, in stretches of at most STRETCH_BYTES. */
export function writtenIn(memory: Uint8Array, from: number, end: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (let at = from; at < end; at += STRETCH_BYTES) {
    const bytes = memory.subarray(at, Math.min(at + STRETCH_BYTES, end));
    if (!isZero(bytes)) stretches.push({ at, bytes: bytes.slice() });
  }
  return stretches;
}

/** By hand: megabytes are looked through, and a function called for each byte takes its time. */
function isZero(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== 0) return false;
  return true;
}
