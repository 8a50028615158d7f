/**
 * The state of the blocks above and to the left, on which the symbols of a block depend (AV1 specification section
 * 8.3.2).
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { cdfs } from "../coder/cdfs";
import { noteColours, restoreColours, saveColours } from "../palette/neighbours";
import { isDrawing } from "../palette/tools";
import { copyVectors } from "./copy";
import {
  DC_SIGN,
  KEY_Y_MODE,
  PARTITION_16,
  PARTITION_32,
  PARTITION_64,
  PARTITION_8,
  SKIP,
  TX_DEPTH_16,
  TX_DEPTH_32,
  TX_DEPTH_64,
  TX_DEPTH_8,
  TXB_SKIP,
} from "../tables/cdf-layout";

/** Bytes of the record of 4 luma samples of an edge. */
const RECORD_BYTES: usize = 16;
/**
 * Fields of a record: luma mode, skip, log2 of the side of the block and of its transform, three planes each, and how
 * many colours the palettes of luma and chroma have.
 */
const MODE: usize = 0;
const SKIPPED: usize = 1;
const BLOCK_SIDE: usize = 2;
const TX_SIDE: usize = 3;
const LEVELS: usize = 4;
const DC: usize = 7;
const PALETTES: usize = 10;
/** Where there is no block: as wide as can be, with the smallest transform. */
const NOTHING: u32 = 15 << 16;

let aboveRecords: usize = 0;
let recordsWide = 0;
const leftRecords = memory.data(16 * 16, 16);
/** Whether chroma has half the samples, as a shift. */
export let chromaShift: i32 = 1;

export function layOutContexts(width: i32, shift: i32): boolean {
  recordsWide = (width + 3) >> 2;
  chromaShift = shift;
  // Squares at the right edge may reach past it.
  aboveRecords = allocate(<u64>(recordsWide + 16) * RECORD_BYTES);
  return aboveRecords != 0;
}

function clear(at: usize, count: i32): void {
  for (let i = 0; i < count; i++, at += RECORD_BYTES) v128.store(at, i32x4(NOTHING, 0, 0, 0));
}

export function clearAbove(): void {
  clear(aboveRecords, recordsWide + 16);
}

export function clearLeft(): void {
  clear(leftRecords, 16);
}

/** Returns the record above luma column x, and the one to the left of row y of the superblock. */
@inline
function aboveAt(x: i32): usize {
  return aboveRecords + <usize>(x >> 2) * RECORD_BYTES;
}

@inline
function leftAt(y: i32): usize {
  return leftRecords + <usize>((y & 63) >> 2) * RECORD_BYTES;
}

/** Copies the records of a block to `to`, or back. */
export function saveContexts(to: usize, x: i32, y: i32, width: i32, height: i32): void {
  copyVectors(to, aboveAt(x), (<usize>width) << 2);
  copyVectors(to + ((<usize>width) << 2), leftAt(y), (<usize>height) << 2);
  if (isDrawing) saveColours(to + ((<usize>(width + height)) << 2), x, y, width, height);
}

export function restoreContexts(from: usize, x: i32, y: i32, width: i32, height: i32): void {
  copyVectors(aboveAt(x), from, (<usize>width) << 2);
  copyVectors(leftAt(y), from + ((<usize>width) << 2), (<usize>height) << 2);
  if (isDrawing) restoreColours(from + ((<usize>(width + height)) << 2), x, y, width, height);
}

/** Intra_Mode_Context. */
const MODE_CONTEXTS = memory.data<u8>([0, 1, 2, 3, 4, 4, 4, 4, 3, 0, 1, 2, 0]);

export function modeCdf(x: i32, y: i32): usize {
  const a = <i32>load<u8>(MODE_CONTEXTS + load<u8>(aboveAt(x), MODE));
  const b = <i32>load<u8>(MODE_CONTEXTS + load<u8>(leftAt(y), MODE));
  return cdfs + KEY_Y_MODE + <usize>(a * 5 + b) * 26;
}

export function skipCdf(x: i32, y: i32): usize {
  return cdfs + SKIP + <usize>(load<u8>(aboveAt(x), SKIPPED) + load<u8>(leftAt(y), SKIPPED)) * 4;
}

/** Returns the distribution of the partition of a square. @param log2 of its side, 3 to 6 */
export function partitionCdf(x: i32, y: i32, log2: i32): usize {
  const isAbove = i32(<i32>load<u8>(aboveAt(x), BLOCK_SIDE) < log2);
  const isLeft = i32(<i32>load<u8>(leftAt(y), BLOCK_SIDE) < log2);
  const context = isLeft * 2 + isAbove;
  if (log2 == 3) return cdfs + PARTITION_8 + <usize>context * 8;
  const table = log2 == 4 ? PARTITION_16 : log2 == 5 ? PARTITION_32 : PARTITION_64;
  return cdfs + table + <usize>context * 20;
}

/** Returns the number of symbols of tx_depth, and sets their distribution. A block of 4 x 4 has no choice. */
@inline
export function txDepthCount(wide: i32, high: i32): i32 {
  const larger = max(wide, high);
  return larger == 2 ? 1 : larger == 3 ? 2 : 3;
}

export function txDepthCdf(x: i32, y: i32, wide: i32, high: i32): usize {
  const context =
    usize(<i32>load<u8>(aboveAt(x), TX_SIDE) >= wide) + usize(<i32>load<u8>(leftAt(y), TX_SIDE) >= high);
  const larger = max(wide, high);
  if (larger == 3) return cdfs + TX_DEPTH_8 + context * 4;
  return cdfs + (larger == 4 ? TX_DEPTH_16 : larger == 5 ? TX_DEPTH_32 : TX_DEPTH_64) + context * 6;
}

/** Records what later blocks need to know of a block. */
export function noteBlock(
  x: i32,
  y: i32,
  wide: i32,
  high: i32,
  mode: i32,
  skipped: i32,
  txWide: i32,
  txHigh: i32,
): void {
  let at = aboveAt(x);
  for (let i = 0; i < 1 << (wide - 2); i++, at += RECORD_BYTES) {
    store<u32>(at, mode | (skipped << 8) | (wide << 16) | (txWide << 24));
  }
  at = leftAt(y);
  for (let i = 0; i < 1 << (high - 2); i++, at += RECORD_BYTES) {
    store<u32>(at, mode | (skipped << 8) | (high << 16) | (txHigh << 24));
  }
}

/**
 * Returns how many colours the palette of the block above has, or of that to the left. @param plane 0, or 1 for chroma
 */
export function paletteCount(x: i32, y: i32, plane: i32, isAbove: boolean): i32 {
  return <i32>load<u8>((isAbove ? aboveAt(x) : leftAt(y)) + plane, PALETTES);
}

/** Records the palettes of a block. @param counts of their colours: luma in the low byte, chroma above it */
export function notePalettes(x: i32, y: i32, wide: i32, high: i32, counts: i32, colours: usize): void {
  let at = aboveAt(x);
  for (let i = 0; i < 1 << (wide - 2); i++, at += RECORD_BYTES) store<u16>(at, counts, PALETTES);
  at = leftAt(y);
  for (let i = 0; i < 1 << (high - 2); i++, at += RECORD_BYTES) store<u16>(at, counts, PALETTES);
  if (counts) noteColours(x, y, 1 << wide, 1 << high, colours);
}

/** Returns the luma samples from one record of a plane to the next, log2. */
@inline
function recordStep(plane: i32): usize {
  return plane == 0 ? RECORD_BYTES : RECORD_BYTES << chromaShift;
}

/** Records a transform block: the sum of its levels, and the category of its first one (0 none, 1 below 0, 2 above). */
export function noteLevels(plane: i32, x: i32, y: i32, wide: i32, high: i32, sum: i32, dc: i32): void {
  const step = recordStep(plane);
  let at = aboveAt(x) + plane;
  for (let i = 0; i < 1 << (wide - 2); i++, at += step) {
    store<u8>(at, sum, LEVELS);
    store<u8>(at, dc, DC);
  }
  at = leftAt(y) + plane;
  for (let i = 0; i < 1 << (high - 2); i++, at += step) {
    store<u8>(at, sum, LEVELS);
    store<u8>(at, dc, DC);
  }
}

/**
 * Returns the distribution of all_zero. Coordinates are of luma; sizes are of the transform.
 * @param isWhole whether the transform is as large as its block
 */
export function emptyCdf(plane: i32, x: i32, y: i32, wide: i32, high: i32, isWhole: boolean): usize {
  const step = recordStep(plane);
  let top = 0;
  let side = 0;
  let at = aboveAt(x) + plane;
  for (let i = 0; i < 1 << (wide - 2); i++, at += step) {
    top =
      plane == 0
        ? max(top, <i32>load<u8>(at, LEVELS))
        : top | (<i32>load<u8>(at, LEVELS)) | (<i32>load<u8>(at, DC));
  }
  at = leftAt(y) + plane;
  for (let i = 0; i < 1 << (high - 2); i++, at += step) {
    side =
      plane == 0
        ? max(side, <i32>load<u8>(at, LEVELS))
        : side | (<i32>load<u8>(at, LEVELS)) | (<i32>load<u8>(at, DC));
  }
  let context = 0;
  if (plane > 0) context = (isWhole ? 7 : 10) + i32(top != 0) + i32(side != 0);
  else if (!isWhole) {
    const larger = max(top, side);
    const smaller = min(top, side);
    if (larger == 0) context = 1;
    else if (smaller == 0) context = 2 + i32(larger > 3);
    else context = larger <= 3 ? 4 : smaller <= 3 ? 5 : 6;
  }
  return cdfs + TXB_SKIP + <usize>(((wide + high - 3) >> 1) * 13 + context) * 4;
}

/** Returns the distribution of the sign of the first coefficient. */
export function dcSignCdf(plane: i32, x: i32, y: i32, wide: i32, high: i32): usize {
  const step = recordStep(plane);
  let sum = 0;
  let at = aboveAt(x) + plane;
  for (let i = 0; i < 1 << (wide - 2); i++, at += step) sum += signOf(load<u8>(at, DC));
  at = leftAt(y) + plane;
  for (let i = 0; i < 1 << (high - 2); i++, at += step) sum += signOf(load<u8>(at, DC));
  const context = sum < 0 ? 1 : sum > 0 ? 2 : 0;
  return cdfs + DC_SIGN + <usize>((plane > 0 ? 3 : 0) + context) * 4;
}

@inline
function signOf(category: i32): i32 {
  return category == 1 ? -1 : category == 2 ? 1 : 0;
}
