/** Whether a memory holds zeros alone. Compared in blocks, as a callback per word takes seconds for 80 MB. */
const ZEROS = new Uint8Array(1_048_576);

/** @param from the first byte that is looked at */
export function isZero({ buffer }: { buffer: ArrayBufferLike }, from = 0): boolean {
  for (let at = from; at < buffer.byteLength; at += ZEROS.length) {
    const block = new Uint8Array(buffer, at, Math.min(ZEROS.length, buffer.byteLength - at));
    if (Buffer.compare(block, ZEROS.subarray(0, block.length)) !== 0) return false;
  }
  return true;
}
