/** Reads and dequantises the levels of one macroblock (RFC 6386, 13 and 14.1). */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { COEFFICIENT_BYTES, inverseWht } from "../shared/inverse-transform";
import { getBit, withSign } from "./bool-decoder";
import { probabilities } from "./frame-header";
import { stepsOf } from "./segments";

/** Coefficients (i16, in rows): 16 blocks of luma, 4 of Cb, 4 of Cr, and the block of luma's DCs. */
export const coefficients = memory.data(25 * 32);
const SECOND: usize = 24 * COEFFICIENT_BYTES;
const ALL_BYTES: usize = 25 * COEFFICIENT_BYTES;

/** Which blocks have coefficients, and which have more than the DC: bit i is set for block i. */
export let coded: u32 = 0;
export let detailed: u32 = 0;

/**
 * Which of the lowest blocks above have levels, per macroblock: bits 0 to 3 for luma, then 2 and 2 for chroma, then
 * the DCs.
 */
let above: usize = 0;
let left: u32 = 0;
const DC_BIT: u32 = 1 << 8;

/** Kinds of blocks (13.3), as offsets of their probabilities. */
const KIND_BYTES: usize = 8 * 3 * 11;
const LUMA_AC: usize = 0 * KIND_BYTES;
const LUMA_DC: usize = 1 * KIND_BYTES;
const CHROMA: usize = 2 * KIND_BYTES;
const LUMA: usize = 3 * KIND_BYTES;
const CONTEXT_BYTES: usize = 11;

/** The offset of the band of each coefficient (13.3), and of one more place after the last. */
const BAND_OFFSETS = memory.data<u16>([
  0, 33, 66, 99, 198, 132, 165, 198, 198, 198, 198, 198, 198, 198, 198, 231, 0,
]);
/** The byte offset of each coefficient in a block (13). */
const ZIGZAG = memory.data<u8>([0, 2, 8, 16, 10, 4, 6, 12, 18, 24, 26, 20, 14, 22, 28, 30]);

/** Probabilities of the extra bits of categories 3 to 6 (13.2), each list ended by 0. */
const EXTRA_BYTES: usize = 12;
const EXTRA = memory.data<u8>([
  173, 148, 140, 0, 0, 0, 0, 0, 0, 0, 0, 0, 176, 155, 140, 135, 0, 0, 0, 0, 0, 0, 0, 0, 180, 157, 141, 134,
  130, 0, 0, 0, 0, 0, 0, 0, 254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129, 0,
]);

/** Allocates the flags of the row above. @returns false when the memory is at its end */
export function layOutLevels(macroblocksWide: i32): boolean {
  above = allocate(2 * <u64>macroblocksWide);
  return above ? true : false;
}

/** Starts a row. Must be called before its first macroblock. */
export function startRow(): void {
  left = 0;
}

/** Notes a macroblock without levels. The flag of DCs stays as it was if the macroblock has no block of DCs. */
export function skipLevels(x: i32, inBlocks: boolean): void {
  const to = above + ((<usize>x) << 1);
  const kept = inBlocks ? DC_BIT : 0;
  store<u16>(to, <u16>(load<u16>(to) & kept));
  left &= kept;
  coded = 0;
  detailed = 0;
}

/** Sets the coefficients of a macroblock to 0. */
export function clearCoefficients(): void {
  memory.fill(coefficients, 0, ALL_BYTES);
}

/** Reads a level that is known to be at least 2. */
function readLarge(row: usize): i32 {
  if (!getBit(load<u8>(row, 3))) {
    return getBit(load<u8>(row, 4)) ? 3 + getBit(load<u8>(row, 5)) : 2;
  }
  if (!getBit(load<u8>(row, 6))) {
    if (!getBit(load<u8>(row, 7))) return 5 + getBit(159);
    const high = getBit(165);
    return 7 + 2 * high + getBit(145);
  }
  const high = getBit(load<u8>(row, 8));
  const category = 2 * high + getBit(load<u8>(row + <usize>high, 9));
  let extra = 0;
  for (let at = EXTRA + <usize>category * EXTRA_BYTES; load<u8>(at); at++) {
    extra = 2 * extra + getBit(load<u8>(at));
  }
  return 3 + (8 << category) + extra;
}

/**
 * Reads one block to `out`.
 * @param context how many of the two blocks above and to the left have levels
 * @returns the position after its last level; the first position when it has none
 */
function readBlock(kind: usize, context: u32, dcStep: i32, acStep: i32, first: i32, out: usize): i32 {
  const rows = probabilities + kind;
  let position = <usize>first;
  let row = rows + load<u16>(BAND_OFFSETS + (position << 1)) + <usize>context * CONTEXT_BYTES;
  while (position < 16) {
    if (!getBit(load<u8>(row))) return <i32>position;
    while (!getBit(load<u8>(row, 1))) {
      if (++position == 16) return 16;
      row = rows + load<u16>(BAND_OFFSETS + (position << 1));
    }
    const next = rows + load<u16>(BAND_OFFSETS + (position << 1), 2);
    let level: i32;
    if (!getBit(load<u8>(row, 2))) {
      level = 1;
      row = next + CONTEXT_BYTES;
    } else {
      level = readLarge(row);
      row = next + 2 * CONTEXT_BYTES;
    }
    const value = level * (position > 0 ? acStep : dcStep);
    store<i16>(out + <usize>load<u8>(ZIGZAG + position), <i16>withSign(value));
    position++;
  }
  return 16;
}

/** Reads `size` x `size` blocks from number `block` on. The flags of their neighbours begin at bit `shift`. */
function readPlane(
  kind: usize,
  block: i32,
  size: i32,
  shift: i32,
  dcStep: i32,
  acStep: i32,
  first: i32,
  column: u32,
): u32 {
  for (let y = 0; y < size; y++) {
    let before = (left >> (shift + y)) & 1;
    for (let x = 0; x < size; x++) {
      const index = block + y * size + x;
      const bit: u32 = 1 << (shift + x);
      const out = coefficients + <usize>index * COEFFICIENT_BYTES;
      const count = readBlock(kind, before + ((column >> (shift + x)) & 1), dcStep, acStep, first, out);
      before = count > first ? 1 : 0;
      column = before ? column | bit : column & ~bit;
      if (count > 1) detailed |= 1 << index;
      if (count > 1 || load<i16>(out)) coded |= 1 << index;
    }
    left = (left & ~((<u32>1) << (shift + y))) | (before << (shift + y));
  }
  return column;
}

/** Reads a macroblock from the current partition into `coefficients`, which must be all 0. */
export function readLevels(x: i32, segment: i32, inBlocks: boolean): void {
  const steps = stepsOf(segment);
  const to = above + ((<usize>x) << 1);
  let column = <u32>load<u16>(to);
  coded = 0;
  detailed = 0;
  let first = 0;
  let kind = LUMA;
  if (!inBlocks) {
    const second = coefficients + SECOND;
    const context = (column & DC_BIT ? 1 : 0) + (left & DC_BIT ? 1 : 0);
    const count = readBlock(LUMA_DC, context, load<i32>(steps, 8), load<i32>(steps, 12), 0, second);
    column = count > 0 ? column | DC_BIT : column & ~DC_BIT;
    left = count > 0 ? left | DC_BIT : left & ~DC_BIT;
    if (count > 0) inverseWht(second, coefficients);
    first = 1;
    kind = LUMA_AC;
  }
  column = readPlane(kind, 0, 4, 0, load<i32>(steps), load<i32>(steps, 4), first, column);
  column = readPlane(CHROMA, 16, 2, 4, load<i32>(steps, 16), load<i32>(steps, 20), 0, column);
  column = readPlane(CHROMA, 20, 2, 6, load<i32>(steps, 16), load<i32>(steps, 20), 0, column);
  store<u16>(to, <u16>column);
}
