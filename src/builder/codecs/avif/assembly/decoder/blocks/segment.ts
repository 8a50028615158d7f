/**
 * Reads what comes before the prediction of a block: its segment, whether it has coefficients, and changes of quantiser, CDEF
 * and deblocking (AV1 specification sections 5.11.8 to 5.11.14, 5.11.56).
 */
import { cdefBits, cdefOn } from "../headers/filter-params";
import {
  deltaShift,
  hasDeltas,
  hasFeature,
  hasLevelDeltas,
  hasManyLevelDeltas,
  hasSegments,
  isLossless,
  isSegmentFirst,
  lastSegment,
  levelDeltaShift,
  SEGMENT_SKIP,
} from "../headers/quantisation";
import { planeCount, sbSize } from "../headers/sequence";
import { cdfs, readBool, readLiteral, readSymbol2, readSymbol4 } from "../symbols/decoder";
import { readSymbol8 } from "../symbols/wide";
import { DELTA_LF, DELTA_Q, SEGMENT_ID, SKIP as SKIP_CDF } from "../tables/cdf-layout";
import { aboveValue, leftValue, SKIP } from "./contexts";
import { cdefIndices, cdefStride, infoStride, segments } from "./info";
import { blockColumn, hasAbove, hasLeft, high, sbRow, wide } from "./position";
import { currentIndex, levelDelta, setCurrentIndex, setLevelDelta } from "./tile";

/** Largest value of a delta that is coded as a symbol. */
const SMALL_DELTA: i32 = 3;
const MOST_LEVEL_DELTA: i32 = 63;

export let segment: i32 = 0;
export let skip = false;
export let isBlockLossless = false;
/** Whether the next block may change quantiser and levels: the first of a superblock. */
let mayChange = false;

/** Starts a superblock. @param row in the row of superblocks, always 0 @param column in units of 4 samples */
export function startDeltas(column: i32): void {
  mayChange = hasDeltas;
  const index = cdefIndices + (column >> 4);
  store<i8>(index, -1);
  if (sbSize == 64) return;
  store<i8>(index, -1, 1);
  store<i8>(index + cdefStride, -1);
  store<i8>(index + cdefStride, -1, 1);
}

/** Implements neg_deinterleave(). */
function deinterleaved(coded: i32, reference: i32, count: i32): i32 {
  if (reference == 0) return coded;
  if (reference >= count - 1) return count - coded - 1;
  const isLow = 2 * reference < count;
  const most = isLow ? 2 * reference : 2 * (count - reference - 1);
  if (coded <= most) return coded & 1 ? reference + ((coded + 1) >> 1) : reference - (coded >> 1);
  return isLow ? coded : count - (coded + 1);
}

/** Implements read_segment_id(). */
function readSegment(): void {
  const at = segments + <usize>sbRow * infoStride + <usize>blockColumn;
  const left = hasLeft ? <i32>load<u8>(at - 1) : -1;
  const above = hasAbove ? <i32>load<u8>(at - infoStride) : -1;
  const corner = hasAbove && hasLeft ? <i32>load<u8>(at - infoStride - 1) : -1;
  let predicted = 0;
  if (above == -1) predicted = left == -1 ? 0 : left;
  else if (left == -1) predicted = above;
  else predicted = corner == above ? above : left;
  segment = predicted;
  if (skip) return;
  let context = 0;
  if (corner >= 0) {
    if (corner == above && corner == left) context = 2;
    else if (corner == above || corner == left || above == left) context = 1;
  }
  const coded = readSymbol8(cdfs + SEGMENT_ID + ((<usize>context) << 4), 8);
  segment = min(max(deinterleaved(coded, predicted, lastSegment + 1), 0), lastSegment);
}

function readSkip(): void {
  if (isSegmentFirst && hasFeature(segment, SEGMENT_SKIP)) {
    skip = true;
    return;
  }
  const context = aboveValue(SKIP, blockColumn) + leftValue(SKIP, sbRow);
  skip = readSymbol2(cdfs + SKIP_CDF + ((<usize>context) << 2)) != 0;
}

/** Implements read_cdef(). */
function readCdef(): void {
  if (skip || !cdefOn) return;
  const row = sbRow >> 4;
  const column = blockColumn >> 4;
  if (load<i8>(cdefIndices + <usize>row * cdefStride + column) != -1) return;
  const index = readLiteral(cdefBits);
  for (let y = row; y == row || y < row + (high >> 4); y++) {
    for (let x = column; x == column || x < column + (wide >> 4); x++) {
      store<i8>(cdefIndices + <usize>y * cdefStride + x, <i8>index);
    }
  }
}

/** Reads a delta with its sign, by the distribution at `cdf`. */
function readDelta(cdf: usize): i32 {
  let delta = readSymbol4(cdf, 4);
  if (delta == SMALL_DELTA) {
    const bits = readLiteral(3) + 1;
    delta = readLiteral(bits) + (1 << bits) + 1;
  }
  return delta != 0 && readBool() ? -delta : delta;
}

function readChanges(): void {
  const isWhole = wide == sbSize >> 2 && high == sbSize >> 2;
  if (!mayChange || (isWhole && skip)) return;
  const delta = readDelta(cdfs + DELTA_Q);
  if (delta) setCurrentIndex(min(max(currentIndex() + (delta << deltaShift), 1), 255));
  if (!hasLevelDeltas) return;
  const count = hasManyLevelDeltas ? (planeCount > 1 ? 4 : 2) : 1;
  for (let i = 0; i < count; i++) {
    const change = readDelta(cdfs + DELTA_LF + ((<usize>(hasManyLevelDeltas ? i + 1 : 0)) << 3));
    const value = levelDelta(i) + (change << levelDeltaShift);
    setLevelDelta(i, min(max(value, -MOST_LEVEL_DELTA), MOST_LEVEL_DELTA));
  }
}

export function readSegmentAndSkip(): void {
  segment = 0;
  skip = false;
  if (hasSegments && isSegmentFirst) readSegment();
  readSkip();
  if (hasSegments && !isSegmentFirst) readSegment();
  isBlockLossless = isLossless(segment);
  readCdef();
  readChanges();
  mayChange = false;
}
