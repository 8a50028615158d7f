/** Reads the vector of intra block copy (AV1 specification sections 5.11.26, 5.11.31 and 7.10.2). */
import { miCols, miRows } from "../headers/frame";
import { sbSize, subX, subY } from "../headers/sequence";
import { cdfs, readSymbol2, readSymbol4 } from "../symbols/decoder";
import { readSymbol16 } from "../symbols/wide";
import { heightLog2, widthLog2 } from "../tables/block-sizes";
import { MV_BIT, MV_CLASS, MV_CLASS0_BIT, MV_JOINT, MV_SIGN } from "../tables/cdf-layout";
import { fillArea, fillWords, infoStride, kinds, motions } from "./info";
import { blockColumn, blockRow, hasChroma, high, sbRow, size, wide } from "./position";
import { tileBottom, tileLeft, tileRight, tileTop } from "./tile";

const MOST_CANDIDATES: i32 = 8;
const NEAR_BONUS: i32 = 640;
const BORDER: i32 = 128;
/** Luma samples and blocks of 64 before a block that cannot be copied from yet. */
const DELAY_SAMPLES: i32 = 256;
const DELAY_BLOCKS: i32 = 4;
const MOST_VECTOR: i32 = 1 << 14;

/** The vector in samples of luma. */
export let motionRow: i32 = 0;
export let motionColumn: i32 = 0;

/** Candidates: vectors in eighths of samples (row and column, i16), and their weights (i32). */
const candidates = memory.data(9 * 4, 16);
const weights = memory.data(9 * 4, 16);
let found: i32 = 0;

@inline
function pack(row: i32, column: i32): u32 {
  return ((<u32>row) & 0xffff) | ((<u32>column) << 16);
}

@inline
function isInTile(row: i32, column: i32): boolean {
  return column >= tileLeft && column < tileRight && row >= tileTop && row < tileBottom;
}

/** Returns the entry of a place in the tables of info.ts. */
@inline
function entryOf(row: i32, column: i32): isize {
  return <isize>(row - blockRow + sbRow) * infoStride + column;
}

/** Returns the kind of a block: 0 for none yet, else twice its size plus 1, plus 64 for intra block copy. */
@inline
function kindOf(row: i32, column: i32): i32 {
  return load<u8>(kinds + entryOf(row, column));
}

@inline
function sizeOf(kind: i32): i32 {
  return (kind & 63) >> 1;
}

/** Notes the block for those that come later. */
export function keepMotion(isInter: boolean): void {
  const entry = <usize>sbRow * infoStride + blockColumn;
  fillArea(kinds + entry, <u8>(2 * size + 1 + (isInter ? 64 : 0)), wide, high);
  if (isInter) fillWords(motions + (entry << 2), pack(motionRow << 3, motionColumn << 3), wide, high);
}

/** Implements the add reference motion vector process. */
function addCandidate(row: i32, column: i32, weight: i32): void {
  const entry = entryOf(row, column);
  if (load<u8>(kinds + entry) < 64) return;
  const vector = load<u32>(motions + (entry << 2));
  for (let i = 0; i < found; i++) {
    if (load<u32>(candidates + ((<usize>i) << 2)) != vector) continue;
    const at = weights + ((<usize>i) << 2);
    store<i32>(at, load<i32>(at) + weight);
    return;
  }
  if (found == MOST_CANDIDATES) return;
  store<u32>(candidates + ((<usize>found) << 2), vector);
  store<i32>(weights + ((<usize>found) << 2), weight);
  found++;
}

/** Implements the scan row process. */
function scanRow(away: i32): void {
  const end = min(min(wide, miCols - blockColumn), 16);
  let row = blockRow - away;
  let column = blockColumn;
  if (away > 1) {
    row += blockRow & 1;
    column += 1 - (blockColumn & 1);
  }
  for (let i = 0; i < end;) {
    if (!isInTile(row, column + i)) break;
    let length = min(wide, 1 << widthLog2(sizeOf(kindOf(row, column + i))));
    if (away > 1) length = max(2, length);
    if (wide >= 16) length = max(4, length);
    addCandidate(row, column + i, length * 2);
    i += length;
  }
}

/** Implements the scan col process. */
function scanColumn(away: i32): void {
  const end = min(min(high, miRows - blockRow), 16);
  let row = blockRow;
  let column = blockColumn - away;
  if (away > 1) {
    row += 1 - (blockRow & 1);
    column += blockColumn & 1;
  }
  for (let i = 0; i < end;) {
    if (!isInTile(row + i, column)) break;
    let length = min(high, 1 << heightLog2(sizeOf(kindOf(row + i, column))));
    if (away > 1) length = max(2, length);
    if (high >= 16) length = max(4, length);
    addCandidate(row + i, column, length * 2);
    i += length;
  }
}

/** Implements the scan point process. */
function scanPoint(row: i32, column: i32): void {
  if (isInTile(row, column) && kindOf(row, column) != 0) addCandidate(row, column, 4);
}

/** Implements the sorting process, by weight. */
function sort(start: i32, end: i32): void {
  while (end > start) {
    let last = start;
    for (let i = start + 1; i < end; i++) {
      const at = (<usize>i) << 2;
      const before = load<i32>(weights + at - 4);
      const weight = load<i32>(weights + at);
      if (before >= weight) continue;
      const vector = load<u32>(candidates + at);
      store<u32>(candidates + at, load<u32>(candidates + at - 4));
      store<u32>(candidates + at - 4, vector);
      store<i32>(weights + at, before);
      store<i32>(weights + at - 4, weight);
      last = i;
    }
    end = last;
  }
}

/** Fills `candidates` (find_mv_stack). The entries after those that are found are zero. */
function findCandidates(): void {
  found = 0;
  store<u64>(candidates, 0);
  scanRow(1);
  scanColumn(1);
  if (max(wide, high) <= 16) scanPoint(blockRow - 1, blockColumn + wide);
  const near = found;
  for (let i = 0; i < near; i++) {
    const at = weights + ((<usize>i) << 2);
    store<i32>(at, load<i32>(at) + NEAR_BONUS);
  }
  scanPoint(blockRow - 1, blockColumn - 1);
  scanRow(3);
  scanColumn(3);
  if (high > 1) scanRow(5);
  if (wide > 1) scanColumn(5);
  sort(0, near);
  sort(near, found);
  if (found < 2) store<u32>(candidates + ((<usize>found) << 2), 0);
}

/** Returns a candidate's component, clamped to what the frame allows, in whole samples. */
function clamped(vector: i32, position: i32, side: i32, total: i32): i32 {
  const reach = BORDER + side * 32;
  const limited = min(max(vector, -(position * 32) - reach), (total - side - position) * 32 + reach);
  // Both rounding and shift are exact: all vectors are whole samples, but limits may not be.
  return (limited >> 3) << 3;
}

/** Implements read_mv_component(), in eighths. */
function readComponent(component: usize): i32 {
  const isNegative = readSymbol2(cdfs + MV_SIGN + component * 4) != 0;
  const magnitudeClass = readSymbol16(cdfs + MV_CLASS + component * 32, 11);
  let whole = 0;
  if (magnitudeClass == 0) {
    whole = readSymbol2(cdfs + MV_CLASS0_BIT + component * 4);
  } else {
    for (let i = 0; i < magnitudeClass; i++) {
      whole |= readSymbol2(cdfs + MV_BIT + (component * 10 + i) * 4) << i;
    }
    whole += 1 << magnitudeClass;
  }
  const magnitude = (whole + 1) << 3;
  return isNegative ? -magnitude : magnitude;
}

/** Returns whether the vector leads to samples that are decoded (is_mv_valid). */
function isValid(row: i32, column: i32): boolean {
  if (abs(row) >= MOST_VECTOR || abs(column) >= MOST_VECTOR) return false;
  let top = blockRow * 4 + (row >> 3);
  let left = blockColumn * 4 + (column >> 3);
  const bottom = top + high * 4;
  const right = left + wide * 4;
  if (hasChroma && wide == 1 && subX) left -= 4;
  if (hasChroma && high == 1 && subY) top -= 4;
  if (top < tileTop * 4 || left < tileLeft * 4 || bottom > tileBottom * 4 || right > tileRight * 4)
    return false;
  const active = (blockRow * 4) / sbSize;
  const activeBlock = (blockColumn * 4) >> 6;
  const source = (bottom - 1) / sbSize;
  const sourceBlock = (right - 1) >> 6;
  const perRow = ((tileRight - tileLeft - 1) >> 4) + 1;
  if (source * perRow + sourceBlock >= active * perRow + activeBlock - DELAY_BLOCKS) return false;
  const gradient = 1 + DELAY_BLOCKS + i32(sbSize == 128);
  return source <= active && sourceBlock < activeBlock - DELAY_BLOCKS + gradient * (active - source);
}

/** Reads the vector. @returns false when it leads nowhere */
export function readMotion(): boolean {
  findCandidates();
  let row = 0;
  let column = 0;
  for (let i: usize = 0; i < 2 && (row | column) == 0; i++) {
    const isFound = <i32>i < found;
    row = load<i16>(candidates + i * 4);
    column = load<i16>(candidates + i * 4, 2);
    if (!isFound) continue;
    row = clamped(row, blockRow, high, miRows);
    column = clamped(column, blockColumn, wide, miCols);
  }
  if ((row | column) == 0) {
    if (blockRow - (sbSize >> 2) < tileTop) column = -(sbSize + DELAY_SAMPLES) * 8;
    else row = -sbSize * 8;
  }
  const joint = readSymbol4(cdfs + MV_JOINT, 4);
  if (joint >= 2) row += readComponent(0);
  if (joint & 1) column += readComponent(1);
  motionRow = row >> 3;
  motionColumn = column >> 3;
  return isValid(row, column);
}
