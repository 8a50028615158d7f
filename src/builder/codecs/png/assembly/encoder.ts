/** Rows of 8 bits a sample, filtered, deflated and put into IDAT chunks. */
import { allocate } from "../../../pixels/assembly/shared/arena";
import { updateCrc } from "./crc";
import { deflate, layOutDeflater, setDeflaterInput, startDeflating } from "./deflate";
import { out, OUTPUT_SLACK, writeTo } from "./deflate-bits";
import { BLOCK_BYTES } from "./deflate-block";
import { chooseFilter, filterRow } from "./filter";

/** Zeros before a row that is to be filtered. */
const MARGIN: usize = 16;
/** Length and type before the data of a chunk, CRC behind them (PNG specification, clause 5.3). */
const BEFORE_DATA: usize = 8;
const AFTER_DATA: usize = 4;
const IDAT_TYPE: u32 = 0x54414449;

let rowBytes: usize = 0;
/** Bytes of a pixel: the distance of the filters. */
let pixelBytes: usize = 0;
let source: usize = 0;
let filtered: usize = 0;
/** Two rows with their margins: the one above and the current one. */
let pair: usize = 0;
let prior: usize = 0;
/** A chunk, whose data may be longer than those of an IDAT by a block of deflate. */
let chunk: usize = 0;
let dataBytes: usize = 0;
/** The first bytes behind the data of the IDAT that is next, while its CRC is in their place. */
let after: u32 = 0;

/**
 * Lays out an encoder.
 * @param idatDataBytes data of each IDAT but the last
 * @returns false when the memory is at its end
 */
export function configureEncoder(width: i32, channels: i32, batchRows: i32, idatDataBytes: i32): boolean {
  pixelBytes = channels;
  rowBytes = <usize>(width * channels);
  dataBytes = idatDataBytes;
  const batch = <u64>batchRows * <u64>rowBytes;
  source = allocate(batch);
  filtered = allocate(batch + <u64>batchRows);
  pair = allocate(2 * (<u64>rowBytes + <u64>MARGIN));
  prior = pair + MARGIN;
  chunk = allocate(BEFORE_DATA + <u64>dataBytes + BLOCK_BYTES + OUTPUT_SLACK);
  if (!source || !filtered || !pair || !chunk || !layOutDeflater()) return false;
  startDeflating(chunk + BEFORE_DATA);
  return true;
}

/** Where rows are written before `filterRows`. */
export function sourceAddress(): usize {
  return source;
}

/** Where `filterRows` writes. */
export function filteredAddress(): usize {
  return filtered;
}

/** Filters `count` rows, each after its filter type. @returns the bytes that makes */
export function filterRows(count: i32): i32 {
  const first = pair + MARGIN;
  const second = first + rowBytes + MARGIN;
  for (let r = 0; r < count; r++) {
    const row = prior == first ? second : first;
    memory.copy(row, source + <usize>r * rowBytes, rowBytes);
    const type = chooseFilter(row, prior, rowBytes, pixelBytes);
    filterRow(type, row, prior, rowBytes, pixelBytes, filtered + <usize>r * (rowBytes + 1));
    prior = row;
  }
  return <i32>(<usize>count * (rowBytes + 1));
}

/** Has the first `bytes` at `filteredAddress` deflated next. All of those before have been. */
export function addFiltered(bytes: i32): void {
  setDeflaterInput(filtered, bytes);
}

/**
 * Deflates what was added, until an IDAT is full.
 * @param isLast no rows follow
 * @returns true when one is, which must be taken; false when all was read, and for the last what is left of the
 *   stream is in the chunk
 */
export function deflateFiltered(isLast: boolean): boolean {
  return deflate(chunk + BEFORE_DATA + dataBytes, isLast);
}

/** Data of the IDAT that is next. */
export function idatBytes(): usize {
  return min(out - chunk - BEFORE_DATA, dataBytes);
}

/** Puts a chunk around the data of the IDAT that is next. @returns its length */
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

/** Goes on with the next chunk, once the one that was made has been copied. */
export function takeIdat(): void {
  const data = chunk + BEFORE_DATA;
  const rest = data + idatBytes();
  store<u32>(rest, after);
  const length = out - rest;
  memory.copy(data, rest, length);
  writeTo(data + length);
}
