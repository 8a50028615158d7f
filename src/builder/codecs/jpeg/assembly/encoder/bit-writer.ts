/** The second pass: tokens as Huffman codes (ITU T.81 F.1.2), with a zero byte after each 0xff (B.1.1.5). */
import { BYTE, DC_ALONE, DC_NARROW, DC_WIDE, NARROW, NARROW_RUNS, NARROW_VALUES, WORD, ZEROS } from "./tokens";

/** A Huffman table: of each symbol its code (u32) and length (u32). */
export const CODES_BYTES: i32 = 256 * 8;
/** What a one-byte token becomes: code and extra bits (u32) and their length (u32). */
export const READY_BYTES: i32 = 256 * 8;
/** Room for what one turn of the loop may write: three codes and values of 27 bits, all stuffed, and what was pending. */
const MOST_TOKEN_BYTES: usize = 64;

let bits: u64 = 0;
let bitCount: i32 = 0;
let read: usize = 0;
let write: usize = 0;
/** Of the block under way: the zigzag index of its last coefficient; 63 between blocks. */
let position = 63;
let blockInMcu = 0;

// @ts-ignore: decorator
@inline
function sizeOf(value: i32): i32 {
  return 32 - <i32>clz<i32>(abs<i32>(value));
}

/** Code of a symbol, then the low bits of its value (F.1.2.1.1), as one number with its length. */
function join(codes: usize, symbol: i32, value: i32, size: i32, out: usize): void {
  const entry = codes + (<usize>symbol << 3);
  const extra = (value < 0 ? value - 1 : value) & ((1 << size) - 1);
  store<u32>(out, (load<u32>(entry) << size) | extra);
  store<u32>(out, load<u32>(entry, 4) + size, 4);
}

/** Works out what each one-byte token of a pair of tables becomes. */
export function prepareTokens(dcCodes: usize, acCodes: usize, dcReady: usize, acReady: usize): void {
  for (let value = -DC_NARROW; value <= DC_NARROW; value++) {
    const size = sizeOf(value);
    join(dcCodes, size, value, size, dcReady + (<usize>(value + DC_NARROW) << 3));
  }
  join(acCodes, 0, 0, 0, acReady);
  join(acCodes, 0xf0, 0, 0, acReady + (<usize>ZEROS << 3));
  for (let run = 0; run < NARROW_RUNS; run++) {
    for (let i = 0; i < NARROW_VALUES; i++) {
      const value = i < 7 ? i - 7 : i - 6;
      const size = sizeOf(value);
      const token = NARROW + NARROW_VALUES * run + i;
      join(acCodes, (run << 4) | size, value, size, acReady + (<usize>token << 3));
    }
  }
}

/** Appends up to 32 bits. */
// @ts-ignore: decorator
@inline
function put(code: u32, length: i32): void {
  bits = (bits << <u64>length) | <u64>code;
  bitCount += length;
  if (bitCount >= 32) flushWord();
}

/** Writes the oldest 32 bits. */
function flushWord(): void {
  bitCount -= 32;
  const word = <u32>(bits >> <u64>bitCount);
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

function putValue(codes: usize, symbol: i32, value: i32, size: i32): void {
  const entry = codes + (<usize>symbol << 3);
  put(load<u32>(entry), load<u32>(entry, 4));
  if (size) put((value < 0 ? value - 1 : value) & ((1 << size) - 1), size);
}

/** Starts over at the beginning of the tokens. */
export function rewind(tokens: usize): void {
  read = tokens;
}

/** How far the tokens have been coded. */
export function readPosition(): usize {
  return read;
}

/**
 * Codes tokens up to `end`, or until `limit` bytes are nearly reached.
 * @param blocksPerMcu blocks of luma that come before those of chroma, plus those
 * @param lumaBlocks how many of them are luma
 * @param codes, ready DC and AC of luma, then of chroma, one after another
 * @returns bytes written to `out`
 */
export function emitTokens(
  end: usize,
  blocksPerMcu: i32,
  lumaBlocks: i32,
  codes: usize,
  ready: usize,
  out: usize,
  limit: usize,
): usize {
  write = out;
  const stop = out + limit - MOST_TOKEN_BYTES;
  while (read < end && write < stop) {
    const chroma = blockInMcu >= lumaBlocks ? 2 : 0;
    const dcCodes = codes + <usize>(chroma * CODES_BYTES);
    const acCodes = dcCodes + <usize>CODES_BYTES;
    const dcReady = ready + <usize>(chroma * READY_BYTES);
    const acReady = dcReady + <usize>READY_BYTES;
    if (position == 63) startBlock(dcCodes, dcReady, acReady);
    let k = position;
    while (k < 63 && write < stop) {
      const token = <i32>load<u8>(read++);
      if (token < BYTE) {
        const entry = acReady + (<usize>token << 3);
        put(load<u32>(entry), load<u32>(entry, 4));
        k = token == 0 ? 63 : k + (token - NARROW) / NARROW_VALUES + 1;
      } else if (token == ZEROS) {
        const entry = acReady + (<usize>token << 3);
        put(load<u32>(entry), load<u32>(entry, 4));
        k += 16;
      } else {
        const isWord = token >= WORD;
        const run = token - (isWord ? WORD : BYTE);
        const value = isWord ? <i32>load<i16>(read) : <i32>load<i8>(read);
        read += isWord ? 2 : 1;
        const size = sizeOf(value);
        putValue(acCodes, (run << 4) | size, value, size);
        k += run + 1;
      }
    }
    position = k;
    if (k == 63) blockInMcu = blockInMcu + 1 == blocksPerMcu ? 0 : blockInMcu + 1;
  }
  return write - out;
}

/** Codes the DC difference, and the end of a block that has nothing else. */
function startBlock(dcCodes: usize, dcReady: usize, acReady: usize): void {
  const token = <i32>load<u8>(read++);
  const alone = token >= DC_ALONE;
  const own = alone ? token - DC_ALONE : token;
  if (own == DC_WIDE) {
    const value = <i32>load<i16>(read);
    read += 2;
    const size = sizeOf(value);
    putValue(dcCodes, size, value, size);
  } else {
    const entry = dcReady + (<usize>own << 3);
    put(load<u32>(entry), load<u32>(entry, 4));
  }
  if (alone) put(load<u32>(acReady), load<u32>(acReady, 4));
  position = alone ? 63 : 0;
}

/** Fills the last byte with ones (F.1.2.3). @returns bytes written to `out` */
export function flushBits(out: usize): usize {
  write = out;
  while (bitCount % 8 != 0) {
    bits = (bits << 1) | 1;
    bitCount++;
  }
  for (; bitCount > 0; bitCount -= 8) writeByte(<u32>(bits >> <u64>(bitCount - 8)) & 255);
  return write - out;
}
