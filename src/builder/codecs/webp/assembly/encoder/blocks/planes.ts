/**
 * Makes the samples of one row of macroblocks from rows of pixels. Luma needs the chroma of the pair of rows below it,
 * and chroma the means of the pair below that (colour.ts). So three pairs of rows of pixels are held, three rows of
 * means, and one more row of chroma above the macroblocks and one below.
 */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { chromaRow, chromaRowWithAlpha, chromaSums, grayLuma, lumaRow, sharpenRow } from "./colour";
import { splitRow } from "./split-row";

export let lumaRows: usize = 0;
export let cbRows: usize = 0;
export let crRows: usize = 0;
/** Rows of luma held, up to 16. */
export let rowsHeld = 0;
/** Bytes from one row to the next, a multiple of the width of a macroblock. */
export let lumaStride: usize = 0;
/** The same for chroma; 0 for a picture without colour. */
export let chromaStride: usize = 0;

/** Rows of chroma: one above the macroblocks, their eight, and one below. */
const CHROMA_ROWS: usize = 10;
/** Bytes before and after the sums. One sample of each margin is read. */
const SUMS_MARGIN: usize = 16;

let width = 0;
let channels: usize = 0;
let keepsAlpha = false;
/**
 * Three pairs of rows of pixels, each in planes of two rows: the pair whose luma is made next, the one whose chroma is,
 * and the one that is being taken.
 */
let upperPair: usize = 0;
let middlePair: usize = 0;
let lowerPair: usize = 0;
let planeBytes: usize = 0;
/** Number of rows in the lower pair; and whether there are the others. */
let rowsBelow = 0;
let hasMiddle = false;
let hasUpper = false;
/** Rows of pixels taken since the first row of these macroblocks. */
let rowsTaken = 0;
/** Means of chroma, in rows: above those of the middle pair, of it, and of the lower one. */
let cbMeans: usize = 0;
let crMeans: usize = 0;
/** Rows of chroma held, including the one above. */
let chromaHeld: usize = 1;
let cbAll: usize = 0;
let crAll: usize = 0;
let cbSums: usize = 0;
let crSums: usize = 0;
/** Whether each block of 8 x 8 luma samples has a pixel that is not fully transparent, as [row of blocks][column]. */
let visible: usize = 0;
let visibleStride: usize = 0;

/** Allocates the planes. @returns false when the memory is at its end */
export function layOutPlanes(pictureWidth: i32, channelCount: i32, macroblocksWide: i32): boolean {
  width = pictureWidth;
  channels = channelCount;
  keepsAlpha = channels == 2 || channels == 4;
  lumaStride = (<usize>macroblocksWide) << 4;
  // A vector may be read past the end.
  lumaRows = allocate(<u64>lumaStride * 16 + 16);
  if (!lumaRows) return false;
  visibleStride = lumaStride >> 3;
  if (keepsAlpha) {
    visible = allocate(<u64>visibleStride * 3);
    if (!visible) return false;
  }
  return channels < 3 || layOutColour();
}

function layOutColour(): boolean {
  chromaStride = lumaStride >> 1;
  planeBytes = 2 * lumaStride;
  const pairBytes = <u64>planeBytes * channels + 16;
  upperPair = allocate(pairBytes);
  middlePair = allocate(pairBytes);
  lowerPair = allocate(pairBytes);
  cbMeans = allocate(3 * <u64>chromaStride + 16);
  crMeans = allocate(3 * <u64>chromaStride + 16);
  const rowsBytes = <u64>chromaStride * CHROMA_ROWS + 16;
  cbAll = allocate(rowsBytes);
  crAll = allocate(rowsBytes);
  const sumsBytes = 2 * <u64>chromaStride + 2 * SUMS_MARGIN;
  cbSums = allocate(sumsBytes) + SUMS_MARGIN;
  crSums = allocate(sumsBytes) + SUMS_MARGIN;
  cbRows = cbAll + chromaStride;
  crRows = crAll + chromaStride;
  if (!upperPair || !middlePair || !lowerPair || !cbMeans || !crMeans) return false;
  return cbAll && crAll && cbSums > SUMS_MARGIN && crSums > SUMS_MARGIN ? true : false;
}

/** Drops the row of macroblocks. Keeps the rows that the next one needs. */
export function clearRows(): void {
  rowsHeld = 0;
  rowsTaken = max(0, rowsTaken - 16);
  if (keepsAlpha) {
    memory.copy(visible, visible + 2 * visibleStride, visibleStride);
    memory.fill(visible + visibleStride, 0, 2 * visibleStride);
  }
  if (!chromaStride) return;
  memory.copy(cbAll, cbAll + 8 * chromaStride, 2 * chromaStride);
  memory.copy(crAll, crAll + 8 * chromaStride, 2 * chromaStride);
  chromaHeld = 2;
}

/** Repeats the last sample of a row up to a whole macroblock. */
function extend(row: usize): void {
  memory.fill(row + width, load<u8>(row + width - 1), lumaStride - width);
}

export function takeRow(row: usize): void {
  if (keepsAlpha) markVisible(row, visible + <usize>(rowsTaken >> 3) * visibleStride);
  rowsTaken++;
  if (!chromaStride) {
    const luma = lumaRows + <usize>rowsHeld * lumaStride;
    grayLuma(row, width, channels, luma);
    extend(luma);
    rowsHeld++;
    return;
  }
  const to = lowerPair + <usize>rowsBelow * lumaStride;
  splitRow(row, width, channels, to, planeBytes);
  for (let plane: usize = 0; plane < channels; plane++) extend(to + plane * planeBytes);
  if (++rowsBelow == 2) takePair();
}

function markVisible(row: usize, marks: usize): void {
  for (let x = 0; x < width; x++) {
    if (load<u8>(row + <usize>x * channels + channels - 1)) store<u8>(marks + (x >> 3), 1);
  }
}

/** Makes means from the lower pair, and from them chroma of the middle one. Then each pair moves up. */
function takePair(): void {
  const average = keepsAlpha ? chromaRowWithAlpha : chromaRow;
  const cb = cbMeans + 2 * chromaStride;
  const cr = crMeans + 2 * chromaStride;
  average(lowerPair, lumaStride, planeBytes, <i32>chromaStride, cb, cr);
  rowsBelow = 0;
  if (hasMiddle) {
    takeMiddle();
  } else {
    // The first row of means is repeated above itself.
    memory.copy(cb - chromaStride, cb, chromaStride);
    memory.copy(cr - chromaStride, cr, chromaStride);
  }
  const free = middlePair;
  middlePair = lowerPair;
  lowerPair = free;
  hasMiddle = true;
  memory.copy(cbMeans, cbMeans + chromaStride, 2 * chromaStride);
  memory.copy(crMeans, crMeans + chromaStride, 2 * chromaStride);
}

/** Makes chroma of the middle pair and luma of the upper one. Then the middle pair becomes the upper one. */
function takeMiddle(): void {
  const cb = cbAll + chromaHeld * chromaStride;
  const cr = crAll + chromaHeld * chromaStride;
  sharpen(cbMeans, cb);
  sharpen(crMeans, cr);
  if (hasUpper) {
    makeLuma();
  } else {
    // The first row of chroma is repeated above itself.
    memory.copy(cb - chromaStride, cb, chromaStride);
    memory.copy(cr - chromaStride, cr, chromaStride);
  }
  chromaHeld++;
  const free = upperPair;
  upperPair = middlePair;
  middlePair = free;
  hasUpper = true;
}

/** Sharpens the second of three rows of means. With alpha, where a neighbour may be hidden, the means are kept. */
function sharpen(means: usize, to: usize): void {
  const here = means + chromaStride;
  if (keepsAlpha) memory.copy(to, here, chromaStride);
  else sharpenRow(means, here, here + chromaStride, <i32>chromaStride, cbSums, to);
}

/** Makes luma from the upper pair, whose row of chroma is the one before `chromaHeld`. */
function makeLuma(): void {
  const near = (chromaHeld - 1) * chromaStride;
  for (let y: usize = 0; y < 2; y++) {
    const far = y ? near + chromaStride : near - chromaStride;
    chromaSums(cbAll + near, cbAll + far, <i32>chromaStride, cbSums);
    chromaSums(crAll + near, crAll + far, <i32>chromaStride, crSums);
    const to = lumaRows + <usize>rowsHeld * lumaStride;
    lumaRow(upperPair + y * lumaStride, planeBytes, <i32>lumaStride, cbSums, crSums, to);
    rowsHeld++;
  }
}

/** Makes the samples that still waited for rows below, after the last row. */
export function takeRest(): boolean {
  if (rowsBelow == 1) {
    for (let plane: usize = 0; plane < channels; plane++) {
      const row = lowerPair + plane * planeBytes;
      memory.copy(row + lumaStride, row, lumaStride);
    }
    takePair();
    return true;
  }
  if (hasMiddle) {
    memory.copy(cbMeans + 2 * chromaStride, cbMeans + chromaStride, chromaStride);
    memory.copy(crMeans + 2 * chromaStride, crMeans + chromaStride, chromaStride);
    takeMiddle();
    hasMiddle = false;
    return true;
  }
  if (!hasUpper) return false;
  const last = (chromaHeld - 1) * chromaStride;
  memory.copy(cbAll + last + chromaStride, cbAll + last, chromaStride);
  memory.copy(crAll + last + chromaStride, crAll + last, chromaStride);
  makeLuma();
  hasUpper = false;
  return true;
}

/** Repeats the last row up to a whole macroblock. */
export function padRows(): void {
  const last = <usize>rowsHeld - 1;
  for (let y = last + 1; y < 16; y++) {
    memory.copy(lumaRows + y * lumaStride, lumaRows + last * lumaStride, lumaStride);
  }
  for (let y = (last >> 1) + 1; y < 8 && chromaStride; y++) {
    memory.copy(cbRows + y * chromaStride, cbRows + (last >> 1) * chromaStride, chromaStride);
    memory.copy(crRows + y * chromaStride, crRows + (last >> 1) * chromaStride, chromaStride);
  }
  rowsHeld = 16;
}

/** Fills `size` x `size` samples. */
function fillSquare(at: usize, stride: usize, size: i32, value: u8): void {
  for (let y = 0; y < size; y++) memory.fill(at + <usize>y * stride, value, size);
}

/** Fills blocks of 8 x 8 pixels that are all transparent with the colour to their left, because they are invisible. */
export function flattenHidden(): void {
  if (!keepsAlpha) return;
  for (let row: usize = 0; row < 2; row++) {
    for (let column: usize = 0; column < visibleStride; column++) {
      if (load<u8>(visible + row * visibleStride + column)) continue;
      const luma = lumaRows + 8 * (row * lumaStride + column);
      fillSquare(luma, lumaStride, 8, column ? load<u8>(luma - 1) : 128);
      if (!chromaStride) continue;
      const offset: usize = 4 * (row * chromaStride + column);
      const from = column ? offset - 1 : 0;
      fillSquare(cbRows + offset, chromaStride, 4, column ? load<u8>(cbRows + from) : 128);
      fillSquare(crRows + offset, chromaStride, 4, column ? load<u8>(crRows + from) : 128);
    }
  }
}
