/** Reads the coefficients of a transform block, and dequantises them (AV1 specification sections 5.11.39 and 7.12.3). */
import { miCols, miRows } from "../headers/frame";
import { bitDepth } from "../headers/sequence";
import { aboveEntry, COEFFICIENTS, leftEntry } from "../blocks/contexts";
import { blockRow, high, sbRow, wide } from "../blocks/position";
import { planeSubX, planeSubY } from "../planes";
import { cdfs, readBool, readLiteral, readSymbol2, readSymbol4 } from "../symbols/decoder";
import { readSymbol16, readSymbol8 } from "../symbols/wide";
import {
  BASE,
  BASE_EOB,
  DC_SIGN,
  EOB_1024,
  EOB_128,
  EOB_16,
  EOB_256,
  EOB_32,
  EOB_512,
  EOB_64,
  EOB_EXTRA,
  RANGE,
  TXB_SKIP,
} from "../tables/cdf-layout";
import { highOf, wideOf } from "../tables/transform-sizes";
import { acStep, dcStep, matrixOf } from "./dequantise";
import { DIAGONAL, ENTRY_BYTES, HORIZONTAL, LEVEL_STRIDE, rowsOf, scanOf } from "./scans";
import { chromaType, DCT_DCT, IDTX, keepType, orderOf, readType } from "./types";

/** Dequantised coefficients (i32): columns of `rowsOf` values. The transform leaves zeros. */
export const coefficients = memory.data(32 * 32 * 4, 16);
/** The type of the transform, and the last row and column that have a coefficient. */
export let transformType: i32 = 0;
export let lastRow: i32 = 0;
export let lastColumn: i32 = 0;

/**
 * Levels (u8) while symbols are read: the level itself, up to 15, plus 64 times up to 3. So a sum of neighbours counts for the
 * contexts of range symbols in its lower bits, and for those of base symbols in its upper ones.
 */
const levels = memory.data(40 * 37, 16);
const COARSE: i32 = 0x40;
const FINE: i32 = 0x3f;
/** The coefficients that are not zero, last one first: place and level (u16 each). */
const found = memory.data(1024 * 4, 16);

const BASE_LEVELS: i32 = 2;
const MOST_CODED: u32 = 14;
const MOST_GOLOMB: i32 = 32;
const LEVEL_MASK: u32 = 0xfffff;
const VALUE_MASK: u32 = 0xffffff;
const MOST_CONTEXT: u32 = 63;

/** Levels of neighbouring blocks, merged: the largest, and the sum of DC signs. */
let mostAbove: i32 = 0;
let mostLeft: i32 = 0;
let signs: i32 = 0;

/** Looks at `count` entries of a context. @returns the largest level, or with DC signs over it */
@inline
function largest(at: usize, count: i32, isChroma: boolean): i32 {
  let most = 0;
  for (let i = 0; i < count; i++) {
    const entry = <i32>load<u8>(at + i);
    signs += i32(entry >= 128) - i32((entry & 64) != 0);
    most = isChroma ? most | entry : max(most, entry & 63);
  }
  return most;
}

/** Returns the context of all_zero (section 8.3.2). */
function skipContext(plane: i32, across: i32, down: i32): i32 {
  const isChroma = plane > 0;
  const blockWide = max((wide << 2) >> planeSubX(plane), 4);
  const blockHigh = max((high << 2) >> planeSubY(plane), 4);
  if (isChroma) {
    const near = i32(mostAbove != 0) + i32(mostLeft != 0) + 7;
    return blockWide * blockHigh > 1 << (across + down) ? near + 3 : near;
  }
  if (blockWide == 1 << across && blockHigh == 1 << down) return 0;
  const most = max(mostAbove, mostLeft);
  const least = min(mostAbove, mostLeft);
  if (least == 0) return most == 0 ? 1 : 2 + i32(most > 3);
  return most <= 3 ? 4 : least <= 3 ? 5 : 6;
}

/** Leaves the level and sign to later blocks. Entries beyond the frame stay 0. */
function keepContext(at: usize, value: i32, count: i32, inside: i32): void {
  for (let i = 0; i < count; i++) store<u8>(at + i, i < inside ? value : 0);
}

/** Reads how many coefficients there are up to the last that is not zero. */
function readCount(sizeContext: usize, plane: usize, across: i32, down: i32, isStraight: usize): i32 {
  const kind = min(across, 5) + min(down, 5) - 4;
  const place = plane * 2 + isStraight;
  let code = 0;
  if (kind == 0) code = readSymbol8(cdfs + EOB_16 + place * 16, 5);
  else if (kind == 1) code = readSymbol8(cdfs + EOB_32 + place * 16, 6);
  else if (kind == 2) code = readSymbol8(cdfs + EOB_64 + place * 16, 7);
  else if (kind == 3) code = readSymbol8(cdfs + EOB_128 + place * 16, 8);
  else if (kind == 4) code = readSymbol16(cdfs + EOB_256 + place * 32, 9);
  else if (kind == 5) code = readSymbol16(cdfs + EOB_512 + plane * 32, 10);
  else code = readSymbol16(cdfs + EOB_1024 + plane * 32, 11);
  if (code < 2) return code + 1;
  const bits = code - 1;
  let count = (1 << bits) + 1;
  const extra = cdfs + EOB_EXTRA + ((sizeContext * 2 + plane) * 9 + <usize>(code - 2)) * 4;
  if (readSymbol2(extra)) count += 1 << (bits - 1);
  return bits > 1 ? count + readLiteral(bits - 1) : count;
}

/** Reads range symbols of a level that is over the base levels. */
@inline
function readRange(cdf: usize, level: i32): i32 {
  for (let i = 0; i < 4; i++) {
    const more = readSymbol4(cdf, 4);
    level += more;
    if (more < 3) break;
  }
  return level;
}

/** Reads the levels, the last first. @returns the count of those that are not zero */
function readLevels(scan: usize, count: i32, order: i32, size: i32, tables: usize): i32 {
  const base = cdfs + BASE + tables * 42 * 8;
  // The largest transforms share these with those of 32 x 32.
  const range = cdfs + RANGE + min(tables, 6 + (tables & 1)) * 21 * 8;
  const third: usize = order == DIAGONAL ? LEVEL_STRIDE + 1 : order == HORIZONTAL ? 2 : 2 * LEVEL_STRIDE;
  const fourth: usize = order == DIAGONAL ? 2 : order == HORIZONTAL ? 3 : 3 * LEVEL_STRIDE;
  const fifth: usize = order == DIAGONAL ? 2 * LEVEL_STRIDE : order == HORIZONTAL ? 4 : 4 * LEVEL_STRIDE;
  const total = 1 << (min(wideOf(size), 5) + min(highOf(size), 5));
  const last = count - 1;
  let lastContext: usize = 3;
  if (last == 0) lastContext = 0;
  else if (last <= total >> 3) lastContext = 1;
  else if (last <= total >> 2) lastContext = 2;
  let at = scan + <usize>last * ENTRY_BYTES;
  let level = 1 + readSymbol4(cdfs + BASE_EOB + (tables * 4 + lastContext) * 8, 3);
  // The last coefficient has no neighbours with levels.
  if (level > BASE_LEVELS) level = readRange(range + load<u16>(at, 6), level);
  store<u8>(levels + load<u16>(at), level + min(level, 3) * COARSE);
  store<u32>(found, (<u32>load<u16>(at, 2)) | (level << 16));
  let next = found + 4;
  for (; at > scan;) {
    at -= ENTRY_BYTES;
    const entry = load<u64>(at);
    const place = levels + <usize>(entry & 0xffff);
    const near = <i32>load<u8>(place, 1) + <i32>load<u8>(place, LEVEL_STRIDE) + <i32>load<u8>(place + third);
    const sum = near + <i32>load<u8>(place + fourth) + <i32>load<u8>(place + fifth);
    let context = base + <usize>((entry >> 32) & 0xffff) + ((<usize>min((sum + 64) >> 7, 4)) << 3);
    if (order == DIAGONAL && at == scan) context = base;
    level = readSymbol4(context, 4);
    if (level == 0) continue;
    if (level > BASE_LEVELS) {
      const mean = min(((near & FINE) + 1) >> 1, 6);
      level = readRange(range + <usize>(entry >> 48) + ((<usize>mean) << 3), level);
    }
    store<u8>(place, level + min(level, 3) * COARSE);
    store<u32>(next, (<u32>((entry >> 16) & 0xffff)) | (level << 16));
    next += 4;
  }
  return <i32>((next - found) >> 2);
}

/** Reads an Exp-Golomb code (golomb_length_bit and golomb_data_bit). */
function readGolomb(): u32 {
  let length = 1;
  while (length < MOST_GOLOMB && !readBool()) length++;
  let value: u32 = 1;
  for (let i = 1; i < length; i++) value = (value << 1) | readBool();
  return value;
}

/** Returns the bits by which steps are shifted down, for transforms over 256 and over 1024 samples. */
@inline
function shiftOf(across: i32, down: i32): i32 {
  return i32(across + down > 8) + i32(across + down > 10);
}

/** Reads signs and the rest of large levels, and dequantises. @returns the context that the block leaves */
function readValues(amount: i32, plane: i32, size: i32, signContext: usize, matrix: usize): i32 {
  const shift = shiftOf(wideOf(size), highOf(size));
  const rows = rowsOf(size);
  const rowBits = ctz<i32>(rows);
  const dc = dcStep(plane);
  const ac = acStep(plane);
  const most = (1 << (7 + bitDepth)) - 1;
  let sum: u32 = 0;
  let category = 0;
  lastRow = 0;
  lastColumn = 0;
  for (let at = found + ((<usize>amount) << 2); at > found;) {
    at -= 4;
    const place = <i32>load<u16>(at);
    let level = <u32>load<u16>(at, 2);
    let isNegative = 0;
    if (place == 0) {
      isNegative = readSymbol2(cdfs + DC_SIGN + signContext);
      category = isNegative ? 64 : 128;
    } else isNegative = readBool();
    if (level > MOST_CODED) level = (readGolomb() + MOST_CODED) & LEVEL_MASK;
    sum += level;
    let step = place == 0 ? dc : ac;
    if (matrix) step = (step * <i32>load<u8>(matrix + place) + 16) >> 5;
    const value = <i32>(((level * <u32>step) & VALUE_MASK) >> shift);
    const at32 = coefficients + ((<usize>place) << 2);
    store<i32>(at32, isNegative ? max(-value, -most - 1) : min(value, most));
    lastRow = max(lastRow, place & (rows - 1));
    lastColumn = max(lastColumn, place >> rowBits);
  }
  return (<i32>min(sum, MOST_CONTEXT)) | category;
}

/**
 * Implements coeffs() of a transform block.
 * @param column in units of 4 samples of the plane @param row within the superblock, in the same units
 * @returns the count of coefficients up to the last
 */
export function readCoefficients(plane: i32, column: i32, row: i32, size: i32): i32 {
  const across = wideOf(size);
  const down = highOf(size);
  const columns = (1 << across) >> 2;
  const rows = (1 << down) >> 2;
  const above = aboveEntry(COEFFICIENTS + plane, column);
  const left = leftEntry(COEFFICIENTS + plane, row);
  signs = 0;
  mostAbove = largest(above, columns, plane > 0);
  mostLeft = largest(left, rows, plane > 0);
  const least = min(across, down) - 2;
  const sizeContext = <usize>((least + max(across, down) - 2 + 1) >> 1);
  const allZero = cdfs + TXB_SKIP + (sizeContext * 13 + <usize>skipContext(plane, across, down)) * 4;
  const frameRow = ((blockRow - sbRow) >> planeSubY(plane)) + row;
  const lumaRow = blockRow - sbRow + row;
  let count = 0;
  let context = 0;
  if (readSymbol2(allZero)) {
    if (plane == 0) keepType(lumaRow, column, size, DCT_DCT);
  } else {
    if (plane == 0) {
      transformType = readType(size);
      keepType(lumaRow, column, size, transformType);
    } else transformType = chromaType(size, frameRow, column);
    const order = orderOf(transformType);
    const type = <usize>i32(plane > 0);
    count = readCount(sizeContext, type, across, down, <usize>i32(order != DIAGONAL));
    const tables = sizeContext * 2 + type;
    const amount = readLevels(scanOf(size, order), count, order, size, tables);
    const sign: usize = signs < 0 ? 1 : signs > 0 ? 2 : 0;
    const matrix = transformType < IDTX ? matrixOf(plane, size) : 0;
    context = readValues(amount, plane, size, (type * 3 + sign) * 4, matrix);
    memory.fill(levels, 0, <usize>(lastRow + 1) * LEVEL_STRIDE);
  }
  keepContext(above, context, columns, (miCols >> planeSubX(plane)) - column);
  keepContext(left, context, rows, (miRows >> planeSubY(plane)) - frameRow);
  return count;
}
