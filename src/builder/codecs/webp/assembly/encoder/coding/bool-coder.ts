/**
 * The boolean entropy encoder (RFC 6386, 7.3). It writes into a buffer that the caller empties. A carry may reach
 * back into bytes that the caller has taken; `carriesOver` tells so.
 */

/** Width of the interval; 128 to 255 between calls. */
let range: u32 = 255;
/** Lower end of the interval: 8 + `shifted` bits, and a carry above them. */
let bottom: u32 = 0;
let shifted: i32 = 0;
let begin: usize = 0;
let write: usize = 0;
let hasCarry = false;

/** Begins a partition. */
export function startCoder(): void {
  range = 255;
  bottom = 0;
  shifted = 0;
}

/** Sets where the next bytes are written, after the caller has taken those before. */
export function setOutput(address: usize): void {
  begin = address;
  write = address;
  hasCarry = false;
}

export function outputPosition(): usize {
  return write;
}

/** Returns whether the caller must add one to the bytes before the output, read as one large number. */
export function carriesOver(): boolean {
  return hasCarry;
}

/** Codes `bit`, which is 0 with a probability of `probability` / 256. */
@inline
export function putBit(bit: boolean, probability: u32): void {
  const split = 1 + (((range - 1) * probability) >> 8);
  if (bit) {
    bottom += split;
    range -= split;
  } else {
    range = split;
  }
  const shift = clz(range) - 24;
  range <<= shift;
  bottom <<= shift;
  shifted += shift;
  if (shifted >= 8) flushByte();
}

/** Writes the upper byte of `bottom`. */
function flushByte(): void {
  const byte = bottom >> shifted;
  bottom &= (1 << shifted) - 1;
  shifted -= 8;
  if (byte > 255) addCarry();
  store<u8>(write++, <u8>byte);
}

/** Adds one to the bytes written so far. A byte overflows at most once. */
function addCarry(): void {
  let at = write;
  while (at > begin) {
    const byte = load<u8>(--at);
    store<u8>(at, byte + 1);
    if (byte != 255) return;
  }
  hasCarry = true;
}

/** Codes the low `count` bits of a value, the highest first, each with even probability (RFC 6386, 8: L(n)). */
export function putLiteral(value: u32, count: i32): void {
  for (let bit = count - 1; bit >= 0; bit--) putBit(((value >> bit) & 1) != 0, 128);
}

/** Writes enough of the interval's lower end to determine every bit, and `spareBytes` zeros, which nobody decodes. */
export function finishCoder(spareBytes: usize): void {
  for (let i = 0; i < 2; i++) {
    bottom <<= 8;
    shifted += 8;
    flushByte();
  }
  memory.fill(write, 0, spareBytes);
  write += spareBytes;
}
