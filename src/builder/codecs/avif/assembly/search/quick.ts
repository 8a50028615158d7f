/**
 * Codes squares without trials. The sizes and modes of blocks are guessed from residues, where the picture itself stands
 * for what is not reconstructed yet. Each block is then transformed, quantised and coded once.
 */
import { putSymbol } from "../coder/range-coder";
import { chromaHasLevels, putKeptChroma } from "../block/chroma";
import { chromaShift, skipCdf, txDepthCdf, txDepthCount } from "../block/context";
import { markCoded } from "../block/decoded";
import { ANGLE, MODE, putModes, SKIPPED } from "../block/info";
import { lumaHasLevels, putKeptLuma, settleLuma } from "../block/luma";
import {
  codedHeight,
  codedWidth,
  planeCount,
  reconstructedAt,
  reconstructedRow,
  sourceAt,
  sourceRow,
} from "../block/planes";
import { acStep, lambda } from "../block/quantiser";
import { noteInfo } from "./block";
import { searchChroma } from "./chroma";
import { putIndexChange } from "./delta";
import { least, pickedAngle, pickedMode, pickMode, RATE_WEIGHT } from "./modes";
import { partitionCost, putPartition } from "./partition-symbol";

const NONE: i32 = 0;
const SPLIT: i32 = 3;
/** Smallest and largest squares, log2. */
const SMALLEST: i32 = 3;
const LARGEST: i32 = 5;

const ALL_MODES: i32 = -1;

/** A square is not divided where its residue is at most so many times that of its quarters. */
const BIAS: f32 = 1.06;
/** Nor where its residue is less than this part of a step per sample. */
const PLAIN: f32 = 0.1;

/** A square of 32: whether each square in it is divided, by size and place in units of 8 x 8, and its mode and angle. */
const partitions = memory.data(3 * 16);
const modes = memory.data(3 * 16);
const angles = memory.data(3 * 16);
const info = memory.data(16, 16);

@inline
function placeOf(x: i32, y: i32, log2: i32): usize {
  return <usize>((log2 - SMALLEST) * 16 + (((y & 31) >> 3) << 2) + ((x & 31) >> 3));
}

/** Codes the square of 32 at (x, y). */
export function codeQuickly(x: i32, y: i32): void {
  if (x >= codedWidth || y >= codedHeight) return;
  const right = min(1 << LARGEST, codedWidth - x);
  const down = min(1 << LARGEST, codedHeight - y);
  showPicture(x, y, right, down);
  guess(x, y, LARGEST);
  markCoded(x, y, right, down, false);
  putGuessed(x, y, LARGEST);
}

/** Puts luma of the picture where it will be reconstructed. */
function showPicture(x: i32, y: i32, width: i32, height: i32): void {
  let from = sourceAt(0, x, y);
  let to = reconstructedAt(0, x, y);
  for (let row = 0; row < height; row++, from += sourceRow(), to += reconstructedRow()) {
    for (let column: usize = 0; column < <usize>width; column += 8) {
      store<u64>(to + column, load<u64>(from + column));
    }
  }
}

/** Guesses how to code a square. @returns what it costs, roughly */
function guess(x: i32, y: i32, log2: i32): f32 {
  if (x >= codedWidth || y >= codedHeight) return 0;
  const size = 1 << log2;
  const half = size >> 1;
  const weight = <f32>(Math.sqrt(lambda) * RATE_WEIGHT);
  const at = placeOf(x, y, log2);
  let whole: f32 = Infinity;
  if (x + size <= codedWidth && y + size <= codedHeight) {
    pickMode(x, y, log2, log2, ALL_MODES);
    store<u8>(modes + at, pickedMode);
    store<i8>(angles + at, pickedAngle);
    store<u8>(partitions + at, NONE);
    whole = least + weight * <f32>partitionCost(x, y, log2, NONE);
    if (log2 == SMALLEST || least < <f32>(acStep(0) << (2 * log2 - 3)) * PLAIN) return whole;
  }
  let cost = weight * <f32>partitionCost(x, y, log2, SPLIT);
  for (let i = 0; i < 4; i++) {
    const column = x + (i & 1) * half;
    const row = y + (i >> 1) * half;
    cost += guess(column, row, log2 - 1);
    markCoded(column, row, half, half, true);
  }
  if (whole <= cost * BIAS) return whole;
  store<u8>(partitions + at, SPLIT);
  return cost;
}

/** Codes a square as it was guessed. */
function putGuessed(x: i32, y: i32, log2: i32): void {
  if (x >= codedWidth || y >= codedHeight) return;
  const partition = <i32>load<u8>(partitions + placeOf(x, y, log2));
  putPartition(x, y, log2, partition);
  if (partition == NONE) return codeBlock(x, y, log2);
  const half = 1 << (log2 - 1);
  for (let i = 0; i < 4; i++) putGuessed(x + (i & 1) * half, y + (i >> 1) * half, log2 - 1);
}

function codeBlock(x: i32, y: i32, log2: i32): void {
  const at = placeOf(x, y, log2);
  v128.store(info, i64x2.splat(0));
  store<u8>(info, load<u8>(modes + at), MODE);
  store<i8>(info, load<i8>(angles + at), ANGLE);
  settleLuma(info, x, y, log2, log2);
  let hasLevels = lumaHasLevels;
  if (planeCount > 1) {
    searchChroma(info, x, y, log2 - chromaShift, log2 - chromaShift);
    hasLevels = hasLevels || chromaHasLevels;
  }
  store<u8>(info, hasLevels ? 0 : 1, SKIPPED);
  putSymbol(skipCdf(x, y), hasLevels ? 0 : 1, 2);
  putIndexChange();
  putModes(info, x, y, planeCount > 1);
  putSymbol(txDepthCdf(x, y, log2, log2), 0, txDepthCount(log2, log2));
  if (hasLevels) {
    putKeptLuma(info, x, y, log2, log2);
    if (planeCount > 1) putKeptChroma(x, y, log2 - chromaShift, log2 - chromaShift);
  }
  noteInfo(info, x, y, log2, log2);
}
