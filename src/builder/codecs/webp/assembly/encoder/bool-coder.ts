/**
 * The boolean entropy encoder (RFC 6386, 7.3), writing into a buffer that the caller empties now and then. A
 * carry may reach back into what the caller has taken: it is then told.
 */

/** Width of the interval, 128 to 255 between calls. */
let range: u32 = 255;
/** Its lower end: 8 + `shifted` bits, and above them a carry. */
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

/** Where the next bytes go, once those before were taken. */
export function setOutput(address: usize): void {
  begin = address;
  write = address;
  hasCarry = false;
}

export function outputPosition(): usize {
  return write;
}

/** Whether one is to be added to the bytes before the output, as to one number. */
export function carriesOver(): boolean {
  return hasCarry;
}

/** Codes `bit`, which is 0 with a likelihood of `probability` / 256. */
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

/** Moves the upper byte of `bottom` out. */
function flushByte(): void {
  const byte = bottom >> shifted;
  bottom &= (1 << shifted) - 1;
  shifted -= 8;
  if (byte > 255) addCarry();
  store<u8>(write++, <u8>byte);
}

/** Adds one to what was written; it happens but once to any byte. */
function addCarry(): void {
  let at = write;
  while (at > begin) {
    const byte = load<u8>(--at);
    store<u8>(at, byte + 1);
    if (byte != 255) return;
  }
  hasCarry = true;
}

/** Codes the low `count` bits of a value, the highest first, each as likely 0 as 1 (RFC 6386, 8: L(n)). */
export function putLiteral(value: u32, count: i32): void {
  for (let bit = count - 1; bit >= 0; bit--) putBit(((value >> bit) & 1) != 0, 128);
}

/** Writes enough of the interval's lower end to decide every bit. */
export function finishCoder(): void {
  for (let i = 0; i < 2; i++) {
    bottom <<= 8;
    shifted += 8;
    flushByte();
  }
}
