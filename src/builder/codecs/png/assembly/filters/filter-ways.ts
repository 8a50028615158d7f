/**
 * Chooses how the rows of a batch are filtered: all by one filter, or each by the one with the least sum. Each way is
 * judged as if the rows before the batch had been filtered in the same way, because deflate finds matches there.
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { expectMatches } from "../deflate/deflate-steps";
import { WINDOW_BYTES } from "../deflate/deflate-window";
import { estimateBits, layOutEstimates } from "./filter-cost";
import { chooseFilter, filterRow } from "./filter";

/** Zero bytes before a row that is filtered. */
const MARGIN: usize = 16;
/** Ways to filter rows: one of the filters 0 to 4 for all, or for each row the one with the least sum. */
const WAYS: i32 = 6;
const LEAST_SUM_WAY: i32 = 5;
/** The bits of each way so far (f32), of which a share is kept from one batch to the next. */
const wayBits = memory.data(4 * WAYS);
const KEPT_SHARE: f32 = 0.25;
/**
 * Rows that take fewer bits per byte than these are made of matches: another way must take so much less, because its
 * bytes have no matches among those before.
 */
const MATCHED_BITS: f32 = 2;
const WORTH_SHARE: f32 = 0.03;
const WORTH_BITS: f32 = 1_000;
/** Rows of a batch by which ways are compared when its bytes are not made of matches. */
const SAMPLE_ROWS: i32 = 24;
const QUICK_SAMPLE_ROWS: i32 = 8;
let sampleRows = SAMPLE_ROWS;
let wasMatched = true;
let currentWay = 0;
/**
 * Batches that are filtered in the current way before all ways are tried again: twice as many each time that it is still
 * the best. Most of them, for bytes that are made of matches when there is time, and for all others.
 */
const MOST_UNTRIED_MATCHED: i32 = 1;
const MOST_UNTRIED: i32 = 15;
let mostUntriedMatched = MOST_UNTRIED_MATCHED;
let untried = 0;
let untriedLeft = 0;

let rowBytes: usize = 0;
/** Bytes per pixel, which is the distance of the filters. */
let pixelBytes: usize = 0;
/** Rows before the batch: as many as fill the window of deflate. One more precedes them, above the first. */
const MOST_ROWS_BEFORE: i32 = 512;
let mostRowsBefore: i32 = 0;
let rowsBefore: i32 = 0;
/** The row above the first, the rows before the batch, and those of the batch, each with its margin before it. */
let rows: usize = 0;
let roomBytes: usize = 0;
/** The filtered rows before the batch, and where those of the batch begin. */
let filteredBefore: usize = 0;
export let filtered: usize = 0;

/** @returns rows of so many bytes that fill the window */
function rowsOfWindow(bytes: usize): i32 {
  return min(MOST_ROWS_BEFORE, <i32>(<usize>WINDOW_BYTES / (bytes + 1)));
}

/** Allocates batches of at most `batchRows` rows. @returns false when the memory is at its end */
export function layOutWays(bytes: usize, pixel: usize, batchRows: i32, isQuick: boolean): boolean {
  if (isQuick) {
    sampleRows = QUICK_SAMPLE_ROWS;
    mostUntriedMatched = MOST_UNTRIED;
  }
  rowBytes = bytes;
  pixelBytes = pixel;
  mostRowsBefore = rowsOfWindow(bytes);
  const most = <u64>(mostRowsBefore + batchRows);
  roomBytes = <usize>((most + 1) * (<u64>bytes + <u64>MARGIN) + <u64>MARGIN);
  rows = allocate(roomBytes) + MARGIN;
  filteredBefore = allocate(most * (<u64>bytes + 1));
  filtered = filteredBefore + <usize>mostRowsBefore * (bytes + 1);
  return rows != MARGIN && filteredBefore && layOutEstimates() ? true : false;
}

/** Sets the bytes of the rows and of their pixels anew, before the first row. */
export function setRowForm(bytes: usize, pixel: usize): void {
  rowBytes = bytes;
  pixelBytes = pixel;
  rowsBefore = 0;
  // Their margins are elsewhere, and zero as the row above the first.
  memory.fill(rows - MARGIN, 0, roomBytes);
  memory.fill(wayBits, 0, 4 * WAYS);
}

/**
 * Filters `count` rows at `source`, to `filtered`. Each is preceded by its filter type.
 * @param isChosen whether the way is chosen, or the rows are not filtered
 * @returns bytes written
 */
export function filterBatch(source: usize, count: i32, isChosen: boolean): usize {
  addRows(source, count);
  if (isChosen) chooseWay(count);
  filterAs(currentWay, 0, count);
  passRows(count);
  return <usize>count * (rowBytes + 1);
}

/**
 * Estimates what `count` rows at `source` take, which follow those that were estimated before.
 * @returns the bits of all rows since `setRowForm`, in the best way
 */
export function estimateBatch(source: usize, count: i32, isChosen: boolean): f32 {
  addRows(source, count);
  const ways = isChosen ? WAYS : 1;
  let least = f32.MAX_VALUE;
  for (let way = 0; way < ways; way++) {
    setBitsOfWay(way, bitsOfWay(way) + estimateWay(way, rowsBefore, count));
    least = min(least, bitsOfWay(way));
  }
  passRows(count);
  return least;
}

function addRows(source: usize, count: i32): void {
  const stride = rowBytes + MARGIN;
  const first = rows + <usize>(rowsBefore + 1) * stride;
  for (let r = 0; r < count; r++)
    memory.copy(first + <usize>r * stride, source + <usize>r * rowBytes, rowBytes);
}

/** Keeps the last of the rows as those before the next batch. */
function passRows(count: i32): void {
  const stride = rowBytes + MARGIN;
  const kept = min(mostRowsBefore, rowsBefore + count);
  memory.copy(rows, rows + <usize>(rowsBefore + count - kept) * stride, <usize>(kept + 1) * stride - MARGIN);
  rowsBefore = kept;
}

/** Chooses the way that would have taken the fewest bits so far, with these rows counting the most. */
function chooseWay(count: i32): void {
  if (untriedLeft > 0) {
    untriedLeft--;
    return;
  }
  const tried = wasMatched ? count : min(count, sampleRows);
  const before = wasMatched ? rowsBefore : 0;
  const share = <f32>count / <f32>tried;
  let best = 0;
  let fewest = f32.MAX_VALUE;
  for (let way = 0; way < WAYS; way++) {
    const bits = share * estimateWay(way, before, tried);
    setBitsOfWay(way, bitsOfWay(way) * KEPT_SHARE + bits);
    if (bitsOfWay(way) < bitsOfWay(best)) best = way;
    fewest = min(fewest, bits);
  }
  const isMatched = fewest < <f32>count * <f32>(rowBytes + 1) * MATCHED_BITS;
  wasMatched = isMatched;
  expectMatches(isMatched);
  const worth = isMatched ? bitsOfWay(best) * (1 + WORTH_SHARE) + WORTH_BITS : bitsOfWay(best);
  if (worth < bitsOfWay(currentWay)) {
    currentWay = best;
    untried = 0;
  } else {
    untried = min(2 * untried + 1, isMatched ? mostUntriedMatched : MOST_UNTRIED);
  }
  untriedLeft = untried;
}

@inline
function bitsOfWay(way: i32): f32 {
  return load<f32>(wayBits + ((<usize>way) << 2));
}

@inline
function setBitsOfWay(way: i32, bits: f32): void {
  store<f32>(wayBits + ((<usize>way) << 2), bits);
}

/** Estimates the bits of the first `count` rows of the batch, after the last `before` rows before it. */
function estimateWay(way: i32, before: i32, count: i32): f32 {
  filterAs(way, before, count);
  const row = rowBytes + 1;
  const first = <usize>before * row;
  return estimateBits(filtered - first, first, first + <usize>count * row, row);
}

/** Filters the last `before` rows before the batch and the first `count` of it, so that the batch's begin at `filtered`. */
function filterAs(way: i32, before: i32, count: i32): void {
  const stride = rowBytes + MARGIN;
  for (let r = -before; r < count; r++) {
    const above = rows + <usize>(rowsBefore + r) * stride;
    const row = above + stride;
    const type = way < LEAST_SUM_WAY ? way : chooseFilter(row, above, rowBytes, pixelBytes);
    filterRow(type, row, above, rowBytes, pixelBytes, filtered + <usize>r * (rowBytes + 1));
  }
}
