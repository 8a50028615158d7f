/** Whether a memory holds zeros alone. Compared in blocks, as a callback per word takes seconds for 80 MB. */
const ZEROS = new Uint8Array(1_048_576);

export function isZero(memory: WebAssembly.Memory): boolean {
  for (let at = 0; at < memory.buffer.byteLength; at += ZEROS.length) {
    const block = new Uint8Array(memory.buffer, at, Math.min(ZEROS.length, memory.buffer.byteLength - at));
    if (Buffer.compare(block, ZEROS.subarray(0, block.length)) !== 0) return false;
  }
  return true;
}
