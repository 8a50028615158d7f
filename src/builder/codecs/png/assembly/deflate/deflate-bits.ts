/** Writes the bits of a deflate stream, into bytes from the lowest bit on (RFC 1951, section 3.1.1). */

/** Bytes that may be written past the last one. */
export const OUTPUT_SLACK: u64 = 8;

let hold: u64 = 0;
let held: u64 = 0;
/** Where the next whole byte is written. */
export let out: usize = 0;

/** Writes at `address` from now on. Bits that do not fill a byte yet are kept. */
export function writeTo(address: usize): void {
  out = address;
}

/** Appends the low `count` bits of `bits`; its other bits are zero. At most 56: with up to 7 held bits, they fit 64. */
@inline
export function put(bits: u64, count: u64): void {
  hold |= bits << held;
  held += count;
  store<u64>(out, hold);
  out += <usize>(held >> 3);
  hold >>= held & ~7;
  held &= 7;
}

/** Returns the number of bits since the last whole byte. */
export function heldBits(): i64 {
  return <i64>held;
}

/** Fills the last byte with zeros. */
export function align(): void {
  put(0, (8 - held) & 7);
}

/** Appends whole bytes. The stream must be at a byte boundary. */
export function putBytes(from: usize, length: usize): void {
  memory.copy(out, from, length);
  out += length;
}
