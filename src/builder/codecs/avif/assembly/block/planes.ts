/**
 * The samples of one row of superblocks: as they are in the picture, and as a decoder reconstructs them. The
 * reconstruction keeps the lowest row of the superblocks above, which predictions use.
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { convertRow, halveRows } from "../../../../pixels/assembly/shared/ycc";
import { copyRows } from "./copy";
import { alpha, halveVisible, hasAlpha } from "./visible";

/** Rows of a superblock. */
export const SUPERBLOCK: i32 = 64;
/** Bytes to the left of the reconstruction, and past a row of either. */
const LEAD: i32 = 16;
const SLACK: i32 = 96;

/** Width of the picture, and size of what is coded of it: whole blocks of 8 x 8. */
let width = 0;
export let codedWidth = 0;
export let codedHeight = 0;
export let planeCount = 3;
let shift = 1;
let channels = 3;
/** The channel that luma is when there is no chroma: alpha, or 0 for gray. And its smallest sample. */
let lumaChannel: usize = 0;
let leastLuma: u32 = 255;

let source: usize = 0;
let reconstruction: usize = 0;
let planeBytes: usize = 0;
let sourceStride: usize = 0;
let stride: usize = 0;
/** A row of RGB, and four of chroma at full resolution. */
let packed: usize = 0;
let fullChroma: usize = 0;

export let rowsHeld = 0;
/** The first row of the superblocks, and the number of rows that are not taken yet. */
export let bandTop = 0;
let rowsLeft = 0;

/** Lays out the memory of a picture. @param chromaShift 1 for 4:2:0, 0 for 4:4:4 @param planes 1 without chroma */
export function layOutPlanes(
  wide: i32,
  high: i32,
  channelCount: i32,
  planes: i32,
  chromaShift: i32,
): boolean {
  width = wide;
  rowsLeft = high;
  channels = channelCount;
  planeCount = planes;
  shift = chromaShift;
  codedWidth = (wide + 7) & ~7;
  codedHeight = (high + 7) & ~7;
  sourceStride = <usize>(codedWidth + SLACK);
  stride = <usize>(LEAD + codedWidth + SLACK);
  planeBytes = stride * <usize>(SUPERBLOCK + 1);
  source = allocate(<u64>planeBytes * planes);
  reconstruction = allocate(<u64>planeBytes * planes);
  if (source == 0 || reconstruction == 0) return false;
  if (planes == 1) return true;
  packed = allocate(<u64>sourceStride * 3);
  fullChroma = allocate(<u64>sourceStride * 4);
  return packed != 0 && fullChroma != 0;
}

/** Takes the last channel of pixels for luma, without chroma. */
export function takeAlpha(): void {
  lumaChannel = channels - 1;
}

/** Returns whether all samples of luma so far are 255. */
export function isAllOpaque(): boolean {
  return leastLuma == 255;
}

@inline
export function shiftOf(plane: i32): i32 {
  return plane == 0 ? 0 : shift;
}

/** Returns the sample of the picture at (x, y) of a plane. Rows are of the whole picture. */
@inline
export function sourceAt(plane: i32, x: i32, y: i32): usize {
  return source + <usize>plane * planeBytes + <usize>(y - (bandTop >> shiftOf(plane))) * sourceStride + x;
}

@inline
export function sourceRow(): usize {
  return sourceStride;
}

/** Returns the address of alpha at (x, y) of luma, which has rows as long as the samples'. */
@inline
export function alphaAt(x: i32, y: i32): usize {
  return alpha + <usize>(y - bandTop) * sourceStride + x;
}

/** Returns the reconstructed sample at (x, y) of a plane. */
@inline
export function reconstructedAt(plane: i32, x: i32, y: i32): usize {
  return (
    reconstruction +
    <usize>plane * planeBytes +
    <usize>(y - (bandTop >> shiftOf(plane)) + 1) * stride +
    LEAD +
    x
  );
}

@inline
export function reconstructedRow(): usize {
  return stride;
}

/** Takes a row of pixels. There must be room: fewer than 64 rows are held. */
export function takeRow(row: usize): void {
  const luma = sourceAt(0, 0, bandTop + rowsHeld);
  if (planeCount == 1) {
    for (let x = 0; x < width; x++) {
      const sample = load<u8>(row + x * channels + lumaChannel);
      leastLuma = min(leastLuma, <u32>sample);
      store<u8>(luma + x, sample);
    }
  } else {
    let rgb = row;
    if (channels == 4) {
      rgb = packed;
      for (let x = 0; x < width; x++) {
        store<u16>(rgb + 3 * x, load<u16>(row + 4 * x));
        store<u8>(rgb + 3 * x, load<u8>(row + 4 * x, 2), 2);
      }
    }
    takeColour(rgb, luma);
  }
  extend(luma, width, codedWidth);
  rowsHeld++;
  rowsLeft--;
}

function takeColour(rgb: usize, luma: usize): void {
  const half = <usize>(rowsHeld & 1) * sourceStride;
  const y = bandTop + rowsHeld;
  if (!shift) {
    convertRow(rgb, width, luma, sourceAt(1, 0, y), sourceAt(2, 0, y));
    extend(sourceAt(1, 0, y), width, codedWidth);
    extend(sourceAt(2, 0, y), width, codedWidth);
    return;
  }
  const cb = fullChroma + half;
  const cr = fullChroma + 2 * sourceStride + half;
  convertRow(rgb, width, luma, cb, cr);
  extend(cb, width, codedWidth);
  extend(cr, width, codedWidth);
  if (half) {
    halve(fullChroma, cb, 1, y - 1, y);
    halve(fullChroma + 2 * sourceStride, cr, 2, y - 1, y);
  } else if (rowsLeft == 1) {
    halve(cb, cb, 1, y, y);
    halve(cr, cr, 2, y, y);
  }
}

function halve(upper: usize, lower: usize, plane: i32, y: i32, below: i32): void {
  const out = sourceAt(plane, 0, y >> 1);
  if (hasAlpha()) halveVisible(upper, lower, alphaAt(0, y), alphaAt(0, below), codedWidth, out);
  else halveRows(upper, lower, codedWidth, out);
}

/** Repeats the last sample of a row. */
function extend(row: usize, from: i32, to: i32): void {
  memory.fill(row + from, load<u8>(row + from - 1), to - from);
}

/** Returns whether all rows of the superblocks are there, or all that the picture has. */
export function isBandFull(): boolean {
  return rowsHeld == SUPERBLOCK || rowsLeft == 0;
}

/** Repeats the last rows down to the coded height, where the picture ends. */
export function padBand(): void {
  const rows = min(SUPERBLOCK, codedHeight - bandTop);
  for (let plane = 0; plane < planeCount; plane++) {
    const down = shiftOf(plane);
    const have = (rowsHeld + down) >> down;
    const last = sourceAt(plane, 0, (bandTop >> down) + have - 1);
    for (let y = have; y < rows >> down; y++) {
      memory.copy(last + <usize>(y - have + 1) * sourceStride, last, sourceStride);
    }
  }
}

/** Goes on to the next row of superblocks. */
export function nextBand(): void {
  for (let plane = 0; plane < planeCount; plane++) {
    const rows = <usize>(SUPERBLOCK >> shiftOf(plane));
    const top = reconstruction + <usize>plane * planeBytes;
    memory.copy(top, top + rows * stride, stride);
  }
  bandTop += SUPERBLOCK;
  rowsHeld = 0;
}

/** Copies a block of the reconstruction to `to`, in rows of its width, or back. @returns the address after it */
export function saveBlock(to: usize, plane: i32, x: i32, y: i32, wide: i32, high: i32): usize {
  copyRows(to, wide, reconstructedAt(plane, x, y), stride, wide, high);
  return to + <usize>(wide * high);
}

export function restoreBlock(from: usize, plane: i32, x: i32, y: i32, wide: i32, high: i32): usize {
  copyRows(reconstructedAt(plane, x, y), stride, from, wide, wide, high);
  return from + <usize>(wide * high);
}
