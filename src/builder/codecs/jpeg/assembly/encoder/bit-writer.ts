/** Writes Huffman codes and values as entropy-coded data, with a zero byte after each 0xff (ITU T.81 B.1.1.5). */

/** A Huffman table: a code (u32) and its length (u32) for each of 256 symbols. */
export const CODES_BYTES: i32 = 256 * 8;

let bits: u64 = 0;
let bitCount: i32 = 0;
let write: usize = 0;

/** Writes at `out` from now on. Pending bits are kept. */
export function writeTo(out: usize): void {
  write = out;
}

/** Returns where the next byte is written. */
@inline
export function writePosition(): usize {
  return write;
}

/** Returns the bits of a magnitude: the category of tables F.1 and F.2. */
@inline
export function sizeOf(value: i32): i32 {
  return 32 - <i32>clz<i32>(abs<i32>(value));
}

/** Appends up to 32 bits. */
@inline
export function put(code: u32, length: i32): void {
  bits = (bits << (<u64>length)) | (<u64>code);
  bitCount += length;
  if (bitCount >= 32) flushWord();
}

/** Appends the code of a symbol. */
@inline
export function putSymbol(codes: usize, symbol: i32): void {
  const entry = codes + ((<usize>symbol) << 3);
  put(load<u32>(entry), load<u32>(entry, 4));
}

/** Appends the code of a symbol and the low bits of the value that follows it (F.1.2.1.1): 27 bits at most. */
@inline
export function putValue(codes: usize, symbol: i32, value: i32, size: i32): void {
  const entry = codes + ((<usize>symbol) << 3);
  const extra = (value < 0 ? value - 1 : value) & ((1 << size) - 1);
  put((load<u32>(entry) << size) | extra, load<u32>(entry, 4) + size);
}

/** Writes the oldest 32 bits. */
function flushWord(): void {
  bitCount -= 32;
  const word = <u32>(bits >> (<u64>bitCount));
  const inverse = ~word;
  if (((inverse - 0x01010101) & word & 0x80808080) == 0) {
    store<u32>(write, bswap<u32>(word));
    write += 4;
    return;
  }
  for (let shift = 24; shift >= 0; shift -= 8) writeByte((word >> shift) & 255);
}

function writeByte(byte: u32): void {
  store<u8>(write++, <u8>byte);
  if (byte == 255) store<u8>(write++, 0);
}

/** Fills the last byte with ones (F.1.2.3). */
export function flushBits(): void {
  while (bitCount % 8 != 0) {
    bits = (bits << 1) | 1;
    bitCount++;
  }
  for (; bitCount > 0; bitCount -= 8) writeByte((<u32>(bits >> (<u64>(bitCount - 8)))) & 255);
}
