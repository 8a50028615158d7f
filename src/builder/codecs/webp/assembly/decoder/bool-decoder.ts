/**
 * The boolean entropy decoder (RFC 6386, 7.3). It reads one partition while the state of the others is stored.
 * Arithmetic and the handling of the end are libwebp's (src/utils/bit_reader_utils.h): one zero byte may be read past
 * a partition.
 */

/** Bits loaded at a time, and the most bits that are read at once. */
const WINDOW_BITS: i32 = 56;
const WINDOW_BYTES: usize = 7;

/** Bits that are loaded and not used yet. The lowest `unused` - 8 of them are below those of the interval. */
let value: u64 = 0;
/** Width of the interval minus 1; 127 to 254 between calls. */
let range: u32 = 254;
let unused: i32 = -8;
let at: usize = 0;
let end: usize = 0;
/** Whether more bits were read than the partition has. */
export let isExhausted = false;

const STATE_BYTES: usize = 32;
const MOST_PARTITIONS: i32 = 9;
const states = memory.data(9 * 32);

/**
 * Sets up partition `index`, with the bytes from `from` to `to`. One without bytes is exhausted before the first
 * boolean.
 */
export function openPartition(index: i32, from: usize, to: usize): void {
  assert(index < MOST_PARTITIONS);
  value = 0;
  range = 254;
  unused = -8;
  at = from;
  end = to;
  isExhausted = false;
  refill();
  leavePartition(index);
}

/** Makes a partition the current one. It continues where `leavePartition` left it. */
export function enterPartition(index: i32): void {
  const state = states + <usize>index * STATE_BYTES;
  value = load<u64>(state);
  range = load<u32>(state, 8);
  unused = load<i32>(state, 12);
  at = load<u32>(state, 16);
  end = load<u32>(state, 20);
  isExhausted = load<u8>(state, 24) != 0;
}

/** Stores the state of the current partition. @returns how many of its bytes were loaded since `enterPartition` */
export function leavePartition(index: i32): u32 {
  const state = states + <usize>index * STATE_BYTES;
  const taken = <u32>at - load<u32>(state, 16);
  store<u64>(state, value);
  store<u32>(state, range, 8);
  store<i32>(state, unused, 12);
  store<u32>(state, <u32>at, 16);
  store<u32>(state, <u32>end, 20);
  store<u8>(state, u8(isExhausted), 24);
  return taken;
}

function refill(): void {
  if (at + 8 <= end) {
    value = (value << WINDOW_BITS) | (bswap<u64>(load<u64>(at)) >> 8);
    at += WINDOW_BYTES;
    unused += WINDOW_BITS;
  } else if (at < end) {
    value = (value << 8) | load<u8>(at);
    at++;
    unused += 8;
  } else if (!isExhausted) {
    value <<= 8;
    unused += 8;
    isExhausted = true;
  } else {
    // This keeps shifts in bounds. Bits that are read from here on have no meaning.
    unused = 0;
  }
}

/** Reads the next boolean, which is false with `probability` / 256. */
@inline
export function getBit(probability: u32): i32 {
  if (unused < 0) refill();
  const split = (range * probability) >> 8;
  const position = <u64>unused;
  const isSet = <u32>(value >> position) > split;
  let width: u32;
  if (isSet) {
    width = range - split;
    value -= (<u64>split + 1) << position;
  } else {
    width = split + 1;
  }
  const shift = <i32>clz<u32>(width) - 24;
  range = (width << shift) - 1;
  unused -= shift;
  return i32(isSet);
}

/**
 * Returns `number` or its negative, by a boolean that is as likely true as false: getBit(128) in fewer steps, taken
 * from libwebp. In a partition that begins with 255, which no encoder writes, the value is outside the interval; signs
 * are libwebp's then too.
 */
@inline
export function withSign(number: i32): i32 {
  if (unused < 0) refill();
  const split = range >> 1;
  const position = <u64>unused;
  const mask = (<i32>(split - <u32>(value >> position))) >> 31;
  unused -= 1;
  range = (range + mask) | 1;
  value -= (<u64>((split + 1) & mask)) << position;
  return (number ^ mask) - mask;
}

export function getFlag(): boolean {
  return getBit(128) != 0;
}

/** Reads an unsigned number, its highest bit first. */
export function getLiteral(bits: i32): i32 {
  let number = 0;
  for (let i = 0; i < bits; i++) number = (number << 1) | getBit(128);
  return number;
}

/** Reads a number and its sign. */
export function getSigned(bits: i32): i32 {
  const number = getLiteral(bits);
  return getFlag() ? -number : number;
}

/** Reads a flag, and if it is set a number and its sign; else returns 0. */
export function getOptional(bits: i32): i32 {
  return getFlag() ? getSigned(bits) : 0;
}
