/** Encodes rows with 8 bits per sample: filters and deflates them, and makes IDAT chunks. */
import { allocate } from "../../../pixels/assembly/shared/arena";
import { updateCrc } from "./crc";
import { deflate, layOutDeflater, setDeflaterInput, startDeflating } from "./deflate";
import { out, OUTPUT_SLACK, writeTo } from "./deflate-bits";
import { BLOCK_BYTES } from "./deflate-block";
import { setRowDistance } from "./deflate-chains";
import { expectMatches } from "./deflate-steps";
import { estimateBits, layOutEstimates } from "./filter-cost";
import { chooseFilter, filterRow } from "./filter";
import { heldRows, hold, layOutHeldPixels, pack, restore } from "./held-pixels";
import { chooseReduction, reducedDepth, samples } from "./reduction";

/** Zero bytes before a row that is filtered. */
const MARGIN: usize = 16;
/** Bytes of length and type before the data of a chunk, and of the CRC after them (PNG specification, clause 5.3). */
const BEFORE_DATA: usize = 8;
const AFTER_DATA: usize = 4;
const IDAT_TYPE: u32 = 0x54414449;

/** Filters suit samples of 8 bits, not several per byte. */
const FILTERED_DEPTH: i32 = 8;
/** Ways to filter rows: one of the filters 0 to 4 for all, or for each row the one with the least sum. */
const WAYS: i32 = 6;
const LEAST_SUM_WAY: i32 = 5;
/** The bits of each way so far (f32), of which a share is kept from one batch to the next. */
const wayBits = memory.data(4 * WAYS);
const KEPT_SHARE: f32 = 0.75;
/**
 * Rows that take fewer bits per byte than these are made of matches: another way must take so much less, because its
 * bytes have no matches among those before.
 */
const MATCHED_BITS: f32 = 2;
/**
 * Bytes that are made of matches take less than estimated when they are not filtered: their matches reach back to the
 * batches before, which the estimate does not see.
 */
const UNFILTERED_SHARE: f32 = 0.8;
const WORTH_SHARE: f32 = 0.03;
const WORTH_BITS: f32 = 1_000;
/** Rows of a batch by which ways are compared when its bytes are not made of matches. */
const SAMPLE_ROWS: i32 = 24;
const QUICK_SAMPLE_ROWS: i32 = 8;
let sampleRows = SAMPLE_ROWS;
let wasMatched = true;
let currentWay = 0;
/** Batches that are filtered in the current way before all ways are tried again: more and more while it is the best. */
const MOST_UNTRIED_MATCHED: i32 = 4;
const MOST_UNTRIED: i32 = 15;
let untried = 0;
let untriedLeft = 0;

let rowBytes: usize = 0;
/** Bytes per pixel, which is the distance of the filters. */
let pixelBytes: usize = 0;
let width: usize = 0;
let isReduced = false;
let source: usize = 0;
let filtered: usize = 0;
/** The last row of the batch before, and the rows of the batch, each with its margin before it. */
let rows: usize = 0;
/** The chunk. Its data may be longer than those of an IDAT, by up to one block of deflate. */
let chunk: usize = 0;
let dataBytes: usize = 0;
/** The four bytes after the data of the next IDAT, which its CRC overwrites. */
let after: u32 = 0;

/**
 * Allocates the memory of an encoder.
 * @param idatDataBytes data bytes of each IDAT except the last
 * @param mostHeldRows rows that may be held: the picture's, or 0 when it is not to be reduced
 * @param isQuick whether to deflate in less time, with a few more bytes
 * @returns false when the memory is at its end
 */
export function configureEncoder(
  columns: i32,
  channels: i32,
  batchRows: i32,
  idatDataBytes: i32,
  mostHeldRows: i32,
  isQuick: boolean,
): boolean {
  width = columns;
  pixelBytes = channels;
  rowBytes = <usize>(columns * channels);
  dataBytes = idatDataBytes;
  const batch = <u64>batchRows * <u64>rowBytes;
  source = allocate(batch);
  filtered = allocate(batch + <u64>batchRows);
  rows = allocate((<u64>batchRows + 1) * (<u64>rowBytes + <u64>MARGIN) + <u64>MARGIN) + MARGIN;
  chunk = allocate(BEFORE_DATA + <u64>dataBytes + BLOCK_BYTES + OUTPUT_SLACK);
  if (!source || !filtered || rows == MARGIN || !chunk || !layOutEstimates() || !layOutDeflater(isQuick))
    return false;
  if (mostHeldRows > 0 && !layOutHeldPixels(columns, channels, mostHeldRows)) return false;
  setRowDistance(rowBytes + 1);
  if (isQuick) sampleRows = QUICK_SAMPLE_ROWS;
  startDeflating(chunk + BEFORE_DATA);
  return true;
}

/** Where the caller writes rows before `holdRows` and `filterRows`. */
export function sourceAddress(): usize {
  return source;
}

/** Holds the next `count` rows. @returns how many were held: fewer than `count` when there are too many colours */
export function holdRows(count: i32): i32 {
  return hold(source, count);
}

export function rowsHeld(): i32 {
  return heldRows;
}

/** Codes the held rows, which must be all, in the smallest form that has all their colours. */
export function reduceRows(): void {
  chooseReduction();
  isReduced = true;
  pixelBytes = 1;
  rowBytes = (width * reducedDepth + 7) >> 3;
  setRowDistance(rowBytes + 1);
}

/** Takes `count` held rows, from row `first` on, to be filtered. */
export function takeHeldRows(first: i32, count: i32): void {
  for (let r = 0; r < count; r++) {
    const to = source + <usize>r * rowBytes;
    if (isReduced) pack(first + r, reducedDepth, samples, to);
    else restore(first + r, to);
  }
}

/** Where `filterRows` writes filtered rows. */
export function filteredAddress(): usize {
  return filtered;
}

/** Filters `count` rows. Each is preceded by its filter type. @returns bytes written */
export function filterRows(count: i32): i32 {
  const length = <usize>count * (rowBytes + 1);
  const stride = rowBytes + MARGIN;
  for (let r = 0; r < count; r++) {
    memory.copy(rows + <usize>(r + 1) * stride, source + <usize>r * rowBytes, rowBytes);
  }
  if (isFiltered()) chooseWay(count, length);
  filterAs(currentWay, count, filtered);
  memory.copy(rows, rows + <usize>count * stride, rowBytes);
  return <i32>length;
}

/** Chooses the way that would have taken the fewest bits so far, with these rows counting the most. */
function chooseWay(count: i32, length: usize): void {
  if (untriedLeft > 0) {
    untriedLeft--;
    return;
  }
  const tried = wasMatched ? count : min(count, sampleRows);
  const share = <f32>count / <f32>tried;
  const triedLength = <usize>tried * (rowBytes + 1);
  let best = 0;
  let fewest = f32.MAX_VALUE;
  for (let way = 0; way < WAYS; way++) {
    filterAs(way, tried, filtered);
    const estimate = share * estimateBits(filtered, triedLength);
    const bits = way == 0 && wasMatched ? estimate * UNFILTERED_SHARE : estimate;
    store<f32>(wayBits + ((<usize>way) << 2), bitsOfWay(way) * KEPT_SHARE + bits);
    if (bitsOfWay(way) < bitsOfWay(best)) best = way;
    fewest = min(fewest, bits);
  }
  const isMatched = fewest < <f32>length * MATCHED_BITS;
  wasMatched = isMatched;
  expectMatches(isMatched);
  const worth = isMatched ? bitsOfWay(best) * (1 + WORTH_SHARE) + WORTH_BITS : bitsOfWay(best);
  if (worth < bitsOfWay(currentWay)) {
    currentWay = best;
    untried = 0;
  } else {
    untried = min(untried + 1, isMatched ? MOST_UNTRIED_MATCHED : MOST_UNTRIED);
  }
  untriedLeft = untried;
}

@inline
function bitsOfWay(way: i32): f32 {
  return load<f32>(wayBits + ((<usize>way) << 2));
}

function filterAs(way: i32, count: i32, to: usize): void {
  const stride = rowBytes + MARGIN;
  for (let r = 0; r < count; r++) {
    const above = rows + <usize>r * stride;
    const row = above + stride;
    const type = way < LEAST_SUM_WAY ? way : chooseFilter(row, above, rowBytes, pixelBytes);
    filterRow(type, row, above, rowBytes, pixelBytes, to + <usize>r * (rowBytes + 1));
  }
}

@inline
function isFiltered(): boolean {
  return !isReduced || reducedDepth == FILTERED_DEPTH;
}

/** Makes the first `bytes` at `filteredAddress` the next input to deflate. All earlier input must have been taken. */
export function addFiltered(bytes: i32): void {
  setDeflaterInput(filtered, bytes);
}

/**
 * Deflates the filtered rows until an IDAT is full.
 * @param isLast whether no rows follow
 * @returns true when an IDAT is full, which the caller must take; false when all rows were read. After the last, the
 *   rest of the stream is then in the chunk.
 */
export function deflateFiltered(isLast: boolean): boolean {
  return deflate(chunk + BEFORE_DATA + dataBytes, isLast);
}

/** Data bytes of the next IDAT. */
export function idatBytes(): usize {
  return min(out - chunk - BEFORE_DATA, dataBytes);
}

/** Writes length, type and CRC around the data of the next IDAT. @returns the length of the whole chunk */
export function makeChunk(): usize {
  const length = idatBytes();
  store<u32>(chunk, bswap(<u32>length));
  store<u32>(chunk + 4, IDAT_TYPE);
  after = load<u32>(chunk + BEFORE_DATA + length);
  store<u32>(chunk + BEFORE_DATA + length, bswap(updateCrc(0, chunk + 4, <i32>length + 4)));
  return BEFORE_DATA + length + AFTER_DATA;
}

export function chunkAddress(): usize {
  return chunk;
}

/** Begins the next chunk, after the caller has copied the one that `makeChunk` made. */
export function takeIdat(): void {
  const data = chunk + BEFORE_DATA;
  const rest = data + idatBytes();
  store<u32>(rest, after);
  const length = out - rest;
  memory.copy(data, rest, length);
  writeTo(data + length);
}
