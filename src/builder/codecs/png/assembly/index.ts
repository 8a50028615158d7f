/**
 * The inner loops of PNG: CRC, row filters and deflate both ways, expansion to 8 bits, Adam7. The chunk walk is the
 * caller's. One instance serves one picture, decoded or encoded.
 */
import { allocate, highWater } from "../../../pixels/assembly/shared/arena";
import { prepareCrc, updateCrc } from "./crc";
import { expandKeyed, expandPalette, expandSamples, scatter } from "./expand";
import { inputAddress } from "./inflate-bits";
import { chooseInflater, inflatedAddress, layOutInflaters, readInflated } from "./inflate";
import { unfilterRow } from "./unfilter";

export {
  addFiltered,
  chunkAddress,
  configureEncoder,
  deflateFiltered,
  filteredAddress,
  filterRows,
  idatBytes,
  makeChunk,
  sourceAddress,
  takeIdat,
} from "./encoder";
export { addInput, endInput, inputAddress } from "./inflate-bits";
export {
  chooseInflater,
  forkInflater,
  inflate,
  inflatedAddress,
  isInflated,
  readInflated,
  takeCodesRead,
} from "./inflate";

/** Bytes that the vector loops may touch past the end of a row. */
const SLACK: u64 = 32;
const PALETTE_BYTES: u64 = 1024;
const KEY_BYTES: u64 = 16;

let width = 0;
let depth = 0;
let colourType = 0;
/** Samples per pixel as coded and as handed out. */
let samples = 0;
let channels = 0;
/** Bytes of a whole coded pixel, at least 1: the distance of the filters. */
let pixelBytes: usize = 0;

let scratch: usize = 0;
let rows: usize = 0;
let expanded: usize = 0;
/** The last row of each pass that is decoded side by side with others, or of the only one there is. */
let priors: usize = 0;
let priorBytes: usize = 0;
let palette: usize = 0;
let key: usize = 0;
let hasKey = false;
let picture: usize = 0;

/** The rows of the current pass: columns, bytes as coded, the one above, and how far its picture rows are apart. */
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

/** Makes the CRC tables and `bytes` of scratch to copy chunk data to. @returns false without memory */
export function prepare(bytes: i32): boolean {
  prepareCrc();
  scratch = allocate(bytes);
  return scratch ? true : false;
}

/** Where chunk data goes before `crc`. */
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

/** Bytes of memory in use. */
export function used(): usize {
  return highWater();
}

/**
 * Lays out a decoder. The palette and the key are written by the caller before rows come.
 * @param channelsOut samples per pixel handed out: of the colour type, plus one for the alpha of tRNS
 * @param keyed true for tRNS with colour type 0 or 2
 * @param batchRows rows that one `decode` may be given
 * @param pictureRows rows that passes are put together in: the whole picture's, or some at a time; 0 when it is not
 *   interlaced
 * @param sideBySide passes that are decoded in turns, each by an inflater of its own; 1 for one after the other
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
  sideBySide: i32,
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
  priors = allocate(<u64>sideBySide * (rowBytes + SLACK));
  palette = allocate(PALETTE_BYTES);
  key = allocate(KEY_BYTES);
  if (!rows || !priors || !palette || !key) return false;
  if (!layOutInflaters(sideBySide, <u64>batchRows * (rowBytes + 1))) return false;
  priorBytes = <usize>(rowBytes + SLACK);
  if (mustExpand()) {
    expanded = allocate(<u64>batchRows * <u64>width * <u64>channels + SLACK);
    if (!expanded) return false;
  }
  if (pictureRows == 0) return true;
  picture = allocate(<u64>pictureRows * <u64>width * <u64>channels);
  return picture ? true : false;
}

/** True when the coded samples are not the ones to be handed out. */
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

/** Where the rows of the last `decode` begin. */
export function rowsAddress(): usize {
  return mustExpand() ? expanded : rows;
}

/**
 * Starts a pass (PNG specification, clause 8.2), or the only one of a picture that is not interlaced.
 * @param columns pixels of its rows, at least 1
 * @param x, y first pixel in the picture; @param dx, dy distance of its pixels
 */
export function startPass(columns: i32, x: i32, y: i32, dx: i32, dy: i32): void {
  setPass(columns, x, y, dx, dy);
  prior = priors;
  memory.fill(prior, 0, passBytes);
}

/** Goes on with pass `index` of those that are decoded side by side, from the first of the picture's rows on. */
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
 * Unfilters and expands the next `count` rows that were inflated, each after its filter type; an interlaced
 * picture's are also put in their places.
 * @returns false when a filter type does not exist
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
