/** Bits of a deflate stream, the first one of a byte its lowest (RFC 1951, section 3.1.1). */

/** Bytes that may be written past the last one. */
export const OUTPUT_SLACK: u64 = 8;

let hold: u64 = 0;
let held: u64 = 0;
/** Where the next whole byte goes. */
export let out: usize = 0;

/** Goes on at `address`, with the bits that no byte has yet. */
export function writeTo(address: usize): void {
  out = address;
}

/** Appends the low `count` bits of `bits`, whose others are zero. At most 56: with the seven held less than a word. */
@inline
export function put(bits: u64, count: u64): void {
  hold |= bits << held;
  held += count;
  store<u64>(out, hold);
  out += <usize>(held >> 3);
  hold >>= held & ~7;
  held &= 7;
}

/** Bits since the last whole byte. */
export function heldBits(): i64 {
  return <i64>held;
}

/** Fills the last byte with zeros. */
export function align(): void {
  put(0, (8 - held) & 7);
}

/** Appends bytes; the stream is at the start of one. */
export function putBytes(from: usize, length: usize): void {
  memory.copy(out, from, length);
  out += length;
}
