/** Reads the bits of headers (AV1 specification section 4.10). Bits beyond the end are zeros, and noted. */
let next: usize = 0;
let limit: usize = 0;
/** Bits of the byte at `next` that have been read. */
let taken: i32 = 0;

/** Whether bits beyond the end were read. */
export let hasOverrun = false;

export function openBits(from: usize, end: usize): void {
  next = from;
  limit = end;
  taken = 0;
  hasOverrun = false;
}

export function readBit(): i32 {
  if (next >= limit) {
    hasOverrun = true;
    return 0;
  }
  const bit = ((<i32>load<u8>(next)) >> (7 - taken)) & 1;
  taken++;
  if (taken == 8) {
    taken = 0;
    next++;
  }
  return bit;
}

export function readFlag(): boolean {
  return readBit() != 0;
}

/** Reads f(count), with `count` up to 32. */
export function readBits(count: i32): i32 {
  let value = 0;
  for (let i = 0; i < count; i++) value = (value << 1) | readBit();
  return value;
}

/** Reads su(count). */
export function readSigned(count: i32): i32 {
  const value = readBits(count);
  return value & (1 << (count - 1)) ? value - (1 << count) : value;
}

/** Reads ns(range): a value below `range`. */
export function readBelow(range: i32): i32 {
  let width = 0;
  for (let x = range; x != 0; x >>= 1) width++;
  const few = (1 << width) - range;
  const value = readBits(width - 1);
  if (value < few) return value;
  return (value << 1) - few + readBit();
}

/** Skips a uvlc(). */
export function skipVariable(): void {
  let zeros = 0;
  while (!hasOverrun && !readFlag()) zeros++;
  if (zeros < 32) readBits(zeros);
}

/** Skips to the next byte, and returns its address. */
export function alignToByte(): usize {
  if (taken > 0) {
    taken = 0;
    next++;
  }
  return next;
}
