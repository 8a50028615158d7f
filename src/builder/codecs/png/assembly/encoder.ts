/** Encodes rows with 8 bits per sample: filters and deflates them, and makes IDAT chunks. */
import { allocate } from "../../../pixels/assembly/shared/arena";
import { updateCrc } from "./crc";
import { deflate, layOutDeflater, setDeflaterInput, startDeflating } from "./deflate/deflate";
import { out, OUTPUT_SLACK, writeTo } from "./deflate/deflate-bits";
import { BLOCK_BYTES } from "./deflate/deflate-block";
import { setRowDistance } from "./deflate/deflate-chains";
import { estimateBatch, filterBatch, filtered, layOutWays, setRowForm } from "./filters/filter-ways";
import { heldRows, hold, layOutHeldPixels, pack, restore } from "./held-pixels";
import { chooseReduction, PALETTE_TYPE, paletteBytes, reducedDepth, reducedType, samples } from "./reduction";

/** Bytes of length and type before the data of a chunk, and of the CRC after them (PNG specification, clause 5.3). */
const BEFORE_DATA: usize = 8;
const AFTER_DATA: usize = 4;
const IDAT_TYPE: u32 = 0x54414449;

/** Filters suit samples of 8 bits, not several per byte. */
const FILTERED_DEPTH: i32 = 8;

/** A larger picture is not weighed without its palette, which is short beside the pixels. */
const MOST_WEIGHED_BYTES: usize = 196_608;

let rowBytes: usize = 0;
let width: usize = 0;
/** Bytes per pixel of the rows as they come. */
let pixelBytes: usize = 0;
let batchRows: i32 = 0;
let isReduced = false;
let source: usize = 0;
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
  mostBatchRows: i32,
  idatDataBytes: i32,
  mostHeldRows: i32,
  isQuick: boolean,
): boolean {
  width = columns;
  pixelBytes = channels;
  batchRows = mostBatchRows;
  rowBytes = <usize>(columns * channels);
  dataBytes = idatDataBytes;
  const batch = <u64>batchRows * <u64>rowBytes;
  source = allocate(batch);
  chunk = allocate(BEFORE_DATA + <u64>dataBytes + BLOCK_BYTES + OUTPUT_SLACK);
  if (!source || !chunk || !layOutWays(rowBytes, channels, batchRows, isQuick) || !layOutDeflater(isQuick))
    return false;
  if (mostHeldRows > 0 && !layOutHeldPixels(columns, channels, mostHeldRows)) return false;
  setRowDistance(rowBytes + 1);
  startDeflating(chunk + BEFORE_DATA);
  return true;
}

/** Returns where the caller writes rows before `holdRows` and `filterRows`. */
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

/**
 * Codes the held rows, which must be all, in the smallest form that has all their colours.
 * @returns whether it is another form than that of the rows as they came
 */
export function reduceRows(): boolean {
  chooseReduction();
  const isWeighed = reducedType == PALETTE_TYPE && <usize>heldRows * rowBytes <= MOST_WEIGHED_BYTES;
  const bits = isWeighed ? estimateHeld() : f32.MAX_VALUE;
  const bytes = rowBytes;
  setForm(true, (width * reducedDepth + 7) >> 3);
  if (isWeighed && estimateHeld() + <f32>(paletteBytes() << 3) > bits) setForm(false, bytes);
  else setForm(true, rowBytes);
  return isReduced;
}

function setForm(reduced: boolean, bytes: usize): void {
  isReduced = reduced;
  rowBytes = bytes;
  setRowForm(bytes, reduced ? 1 : pixelBytes);
  setRowDistance(bytes + 1);
}

/** Estimates the bits of all held rows in the present form. */
function estimateHeld(): f32 {
  let bits: f32 = 0;
  for (let first = 0; first < heldRows; first += batchRows) {
    const count = min(batchRows, heldRows - first);
    takeHeldRows(first, count);
    bits = estimateBatch(source, count, isFiltered());
  }
  return bits;
}

/** Takes `count` held rows, from row `first` on, to be filtered. */
export function takeHeldRows(first: i32, count: i32): void {
  for (let r = 0; r < count; r++) {
    const to = source + <usize>r * rowBytes;
    if (isReduced) pack(first + r, reducedDepth, samples, to);
    else restore(first + r, to);
  }
}

/** Returns where `filterRows` writes filtered rows. */
export function filteredAddress(): usize {
  return filtered;
}

/** Filters `count` rows. Each is preceded by its filter type. @returns bytes written */
export function filterRows(count: i32): i32 {
  return <i32>filterBatch(source, count, isFiltered());
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

/** Returns the data bytes of the next IDAT. */
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
