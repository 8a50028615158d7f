/**
 * A bump allocator in the imported memory, from `__heap_base` up. It never frees anything: one instance does one job,
 * and the arena is filled with zeros before the next instance starts, so all blocks start as zeros.
 */

const ALIGNMENT: u64 = 16;
const PAGE_SHIFT: u64 = 16;
/** Larger offsets could overflow where they are added as signed 32-bit numbers. */
const ADDRESS_LIMIT: u64 = 0x7fff0000;

let top: u64 = 0;

/**
 * Allocates `bytes` of zeros, aligned to 16. Sizes have 64 bits so that products of dimensions cannot overflow.
 * @returns the address, or 0 when the memory cannot grow that far
 */
export function allocate(bytes: u64): usize {
  const start = (max<u64>(top, <u64>__heap_base) + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
  if (bytes > ADDRESS_LIMIT || start + bytes > ADDRESS_LIMIT) return 0;
  const end = start + bytes;
  const pages = <i32>((end + (1 << PAGE_SHIFT) - 1) >> PAGE_SHIFT);
  const missing = pages - memory.size();
  if (missing > 0 && memory.grow(missing) < 0) return 0;
  top = end;
  return <usize>start;
}

/** Returns the address after the last allocated byte, which is the peak of the job because nothing is freed. */
export function highWater(): usize {
  return <usize>max<u64>(top, <u64>__heap_base);
}
