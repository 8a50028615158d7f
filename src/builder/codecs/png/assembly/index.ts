/**
 * The inner loops of a PNG decoder and encoder: CRC, row filters, inflate and deflate, expansion to 8 bits, Adam7. The
 * caller reads and writes the other chunks. An instance serves one picture, decoded or encoded.
 */
import { allocate, highWater } from "../../../pixels/assembly/shared/arena";
import { prepareCrc, updateCrc } from "./crc";
import { expandKeyed, expandPalette, expandSamples, scatter } from "./expand";
import { inputAddress } from "./inflate/inflate-bits";
import { chooseInflater, inflatedAddress, layOutInflaters, readInflated } from "./inflate/inflate";
import { unfilterRow } from "./filters/unfilter";

export {
  addFiltered,
  chunkAddress,
  configureEncoder,
  deflateFiltered,
  filteredAddress,
  filterRows,
  holdRows,
  idatBytes,
  makeChunk,
  reduceRows,
  rowsHeld,
  sourceAddress,
  takeHeldRows,
  takeIdat,
} from "./encoder";
export { addInput, endInput, inputAddress } from "./inflate/inflate-bits";
export {
  chooseInflater,
  forkInflater,
  inflate,
  inflatedAddress,
  isInflated,
  readInflated,
  takeCodesRead,
} from "./inflate/inflate";

export { alphaEntries, alphasAddress, entriesAddress, reducedBits, reducedColourType } from "./reduction";
export { heldColours } from "./held-pixels";

/** Bytes that the vector loops may touch past the end of a row. */
const SLACK: u64 = 32;
const PALETTE_BYTES: u64 = 1024;
const KEY_BYTES: u64 = 16;

let width = 0;
let depth = 0;
let colourType = 0;
/** Samples per pixel, as coded and as handed out. */
let samples = 0;
let channels = 0;
/** Bytes of a coded pixel, at least 1, which is the distance of the filters. */
let pixelBytes: usize = 0;

let scratch: usize = 0;
let rows: usize = 0;
let expanded: usize = 0;
/** The row above the next one, for each pass that is decoded in parallel, or for the only one. */
let priors: usize = 0;
let priorBytes: usize = 0;
let palette: usize = 0;
let key: usize = 0;
let hasKey = false;
let picture: usize = 0;

/** The current pass: pixels per row, bytes per coded row, the row above, and where its pixels are in the picture. */
let passWidth = 0;
let passBytes: usize = 0;
let prior: usize = 0;
let passRow = 0;
let left = 0;
let top = 0;
let stepX = 1;
let stepY = 1;

function samplesOf(type: i32): i32 {
  return type == 2 ? 3 : type == 4 ? 2 : type == 6 ? 4 : 1;
}

/**
 * Fills the CRC tables and allocates `bytes` of scratch for chunk data. @returns false when the memory is at its end
 */
export function prepare(bytes: i32): boolean {
  prepareCrc();
  scratch = allocate(bytes);
  return scratch ? true : false;
}

/** Returns where the caller writes chunk data before `crc`. */
export function scratchAddress(): usize {
  return scratch;
}

/** Continues a CRC over the first `length` bytes of scratch. */
export function crc(before: u32, length: i32): u32 {
  return updateCrc(before, scratch, length);
}

/** Continues a CRC over `length` bytes at `inputAddress`. */
export function inputCrc(before: u32, length: i32): u32 {
  return updateCrc(before, inputAddress(), length);
}

/** Returns the bytes of memory in use. */
export function used(): usize {
  return highWater();
}

/**
 * Allocates the memory of a decoder. The caller writes the palette and the key before the first row.
 * @param channelsOut samples per pixel that are handed out: those of the colour type, and alpha for tRNS
 * @param keyed whether there is tRNS with colour type 0 or 2
 * @param batchRows most rows per call of `decode`
 * @param pictureRows rows of the picture that are assembled from passes at a time; 0 when it is not interlaced
 * @param parallelPasses number of passes that are decoded in parallel, each by its own inflater; 1 if one after the
 *   other
 * @returns false when the memory is at its end
 */
export function configureDecoder(
  pictureWidth: i32,
  bitDepth: i32,
  type: i32,
  channelsOut: i32,
  keyed: boolean,
  batchRows: i32,
  pictureRows: i32,
  parallelPasses: i32,
): boolean {
  width = pictureWidth;
  depth = bitDepth;
  colourType = type;
  samples = samplesOf(type);
  channels = channelsOut;
  hasKey = keyed;
  pixelBytes = max(1, (samples * depth) >> 3);
  const rowBytes = (<u64>width * <u64>(samples * depth) + 7) >> 3;
  rows = allocate(<u64>batchRows * rowBytes + SLACK);
  priors = allocate(<u64>parallelPasses * (rowBytes + SLACK));
  palette = allocate(PALETTE_BYTES);
  key = allocate(KEY_BYTES);
  if (!rows || !priors || !palette || !key) return false;
  if (!layOutInflaters(parallelPasses, <u64>batchRows * (rowBytes + 1))) return false;
  priorBytes = <usize>(rowBytes + SLACK);
  if (mustExpand()) {
    expanded = allocate(<u64>batchRows * <u64>width * <u64>channels + SLACK);
    if (!expanded) return false;
  }
  if (pictureRows == 0) return true;
  picture = allocate(<u64>pictureRows * <u64>width * <u64>channels);
  return picture ? true : false;
}

/** Returns whether the coded samples differ from those that are handed out. */
function mustExpand(): boolean {
  return depth != 8 || colourType == 3 || hasKey;
}

export function paletteAddress(): usize {
  return palette;
}

export function keyAddress(): usize {
  return key;
}

export function pictureAddress(): usize {
  return picture;
}

/** Returns where the rows of the last `decode` begin. */
export function rowsAddress(): usize {
  return mustExpand() ? expanded : rows;
}

/**
 * Starts a pass (PNG specification, clause 8.2), or the only one of a picture that is not interlaced.
 * @param columns pixels per row of the pass, at least 1
 * @param x, y position of the first pixel in the picture
 * @param dx, dy distance of the pixels in the picture
 */
export function startPass(columns: i32, x: i32, y: i32, dx: i32, dy: i32): void {
  setPass(columns, x, y, dx, dy);
  prior = priors;
  memory.fill(prior, 0, passBytes);
}

/**
 * Continues with pass `index` of those that are decoded in parallel, at the first of the rows that are assembled now.
 */
export function resumePass(index: i32, columns: i32, x: i32, y: i32, dx: i32, dy: i32): void {
  setPass(columns, x, y, dx, dy);
  prior = priors + <usize>index * priorBytes;
  chooseInflater(index);
}

function setPass(columns: i32, x: i32, y: i32, dx: i32, dy: i32): void {
  passWidth = columns;
  passBytes = <usize>((<u64>columns * <u64>(samples * depth) + 7) >> 3);
  passRow = 0;
  left = x;
  top = y;
  stepX = dx;
  stepY = dy;
}

/**
 * Unfilters and expands the next `count` inflated rows. Pixels of an interlaced picture are also copied to their
 * places.
 * @returns false when a filter type is invalid
 */
export function decode(count: i32): boolean {
  let above = prior;
  let row = rows;
  let from = inflatedAddress();
  for (let r = 0; r < count; r++) {
    if (!unfilterRow(load<u8>(from), from + 1, above, row, passBytes, pixelBytes)) return false;
    if (mustExpand()) expand(row, expanded + <usize>r * <usize>(passWidth * channels));
    from += passBytes + 1;
    above = row;
    row += passBytes;
  }
  memory.copy(prior, above, passBytes);
  readInflated(<usize>count * (passBytes + 1));
  if (picture) placeRows(count);
  return true;
}

function expand(row: usize, out: usize): void {
  if (colourType == 3) expandPalette(row, passWidth, depth, palette, channels, out);
  else if (hasKey) expandKeyed(row, passWidth, depth, samples, key, out);
  else expandSamples(row, passWidth * samples, depth, out);
}

function placeRows(count: i32): void {
  const from = rowsAddress();
  for (let r = 0; r < count; r++) {
    const y = top + passRow * stepY;
    const target = picture + (<usize>y * <usize>width + <usize>left) * <usize>channels;
    scatter(from + <usize>r * <usize>(passWidth * channels), passWidth, channels, target, stepX);
    passRow++;
  }
}
