/**
 * A separable Lanczos3 resampler for rows of interleaved bytes. One instance resamples one picture. Call `configure`
 * once, then `run` for each batch of output rows, and `feed` whenever `run` needs more source rows.
 *
 * The stages of a row: premultiply by alpha, average boxes (for large ratios), store in a ring of rows, filter
 * vertically to 16 bits, split into planes, filter horizontally, divide by alpha, join to bytes.
 */
import { allocate, highWater } from "../shared/arena";
import { buildFilterBank, FilterBank } from "../shared/lanczos";
import {
  HORIZONTAL_TAP_MULTIPLE,
  ROW_PADDING,
  VERTICAL_TAP_MULTIPLE,
} from "../../../../image/memory/filter-constants";
import { blendRows, resampleLine, widenRow } from "../shared/resample-row";
import { premultiply, unpremultiply } from "./alpha";
import { addRow, averageBoxes, startSums } from "./box";
import { joinPlanes, splitPlanes } from "./planes";

/** Bytes that vector loops may read or write past the end of a row. */
const SLACK: u64 = 64;

let width = 0;
let height = 0;
let outWidth = 0;
let outHeight = 0;
let channels = 0;
let hasAlpha = false;

/** Source pixels per box, and the size of the picture in boxes. */
let across = 1;
let down = 1;
let boxWidth = 0;
let boxHeight = 0;

let horizontal = changetype<FilterBank>(0);
let vertical = changetype<FilterBank>(0);

let staging: usize = 0;
let stagedRows = 0;
let stagedAt = 0;
/** Number of source rows taken from staging, and how many of them belong to the unfinished box. */
let rowsTaken = 0;
let rowsInBox = 0;

let sums: usize = 0;
let ring: usize = 0;
let ringRows = 0;
let ringStride: usize = 0;
let boxRowsDone = 0;
let rowList: usize = 0;
let line: usize = 0;
let planes: usize = 0;
let planeStride: usize = 0;
let outPlanes: usize = 0;
let outPlaneStride: usize = 0;
let output: usize = 0;
let outRowsDone = 0;

/**
 * Computes the filters and allocates all buffers.
 * @param boxAcross how many source pixels are averaged to one before the filter; 1 for none. Likewise `boxDown`.
 * @param stagedRowLimit the most rows of one `feed`
 * @param batchRows the most rows of one `run`
 * @returns false when the memory is full
 */
export function configure(
  sourceWidth: i32,
  sourceHeight: i32,
  targetWidth: i32,
  targetHeight: i32,
  channelCount: i32,
  alpha: boolean,
  boxAcross: i32,
  boxDown: i32,
  stagedRowLimit: i32,
  batchRows: i32,
): boolean {
  width = sourceWidth;
  height = sourceHeight;
  outWidth = targetWidth;
  outHeight = targetHeight;
  channels = channelCount;
  hasAlpha = alpha;
  across = boxAcross;
  down = boxDown;
  boxWidth = (width + across - 1) / across;
  boxHeight = (height + down - 1) / down;
  return buildFilters() && layOut(stagedRowLimit, batchRows);
}

function buildFilters(): boolean {
  horizontal = changetype<FilterBank>(allocate(offsetof<FilterBank>()));
  vertical = changetype<FilterBank>(allocate(offsetof<FilterBank>()));
  if (!changetype<usize>(horizontal) || !changetype<usize>(vertical)) return false;
  // Computed from the source size, because the last box may contain repeated pixels.
  const stepX = <f64>width / (<f64>across * <f64>outWidth);
  const stepY = <f64>height / (<f64>down * <f64>outHeight);
  return (
    buildFilterBank(horizontal, outWidth, boxWidth, stepX, 0, HORIZONTAL_TAP_MULTIPLE) &&
    buildFilterBank(vertical, outHeight, boxHeight, stepY, 0, VERTICAL_TAP_MULTIPLE)
  );
}

function layOut(stagedRowLimit: i32, batchRows: i32): boolean {
  const sourceBytes = <u64>width * <u64>channels;
  const boxBytes = <u64>boxWidth * <u64>channels;
  ringRows = min(vertical.taps, boxHeight);
  ringStride = <usize>((boxBytes + <u64>ROW_PADDING + 15) & ~15);
  planeStride = <usize>((<u64>(boxWidth + horizontal.taps + ROW_PADDING) * 2 + 15) & ~15);
  outPlaneStride = <usize>((<u64>(outWidth + ROW_PADDING) * 2 + 15) & ~15);
  staging = allocate(<u64>stagedRowLimit * sourceBytes + SLACK);
  sums = across * down > 1 ? allocate(2 * sourceBytes + SLACK) : staging;
  ring = allocate(<u64>ringRows * <u64>ringStride);
  rowList = allocate(<u64>vertical.taps * sizeof<usize>());
  // A single channel is not split: its line is its plane, so it must have the size of a plane.
  line = allocate(channels == 1 ? <u64>planeStride : 2 * boxBytes + SLACK);
  planes = channels == 1 ? line : allocate(<u64>channels * <u64>planeStride);
  outPlanes = allocate(<u64>channels * <u64>outPlaneStride);
  output = allocate(<u64>batchRows * <u64>outWidth * <u64>channels + SLACK);
  return staging && sums && ring && rowList && line && planes && outPlanes && output ? true : false;
}

/** Returns the address to which the caller writes source rows before `feed`. */
export function stagingAddress(): usize {
  return staging;
}

/** Returns the address of the rows that `run` made. */
export function outputAddress(): usize {
  return output;
}

/** Returns the bytes of memory in use, from address 0. */
export function used(): usize {
  return highWater();
}

/** Announces `rows` new source rows in staging. Allowed only after `run` has made fewer rows than its limit. */
export function feed(rows: i32): void {
  stagedRows = rows;
  stagedAt = 0;
  if (hasAlpha) premultiply(staging, rows * width * channels, channels);
}

/** Makes up to `limit` output rows. @returns their number; fewer than `limit` mean that it needs more source rows */
export function run(limit: i32): i32 {
  let made = 0;
  while (made < limit && outRowsDone < outHeight) {
    if (isReady()) {
      makeRow(output + <usize>made * <usize>(outWidth * channels));
      outRowsDone++;
      made++;
    } else if (stagedAt < stagedRows) {
      takeRow(staging + <usize>stagedAt * <usize>(width * channels));
      stagedAt++;
    } else break;
  }
  return made;
}

/** Returns the first row of boxes that the next output row needs. */
function firstRow(): i32 {
  return vertical.taps == 1 ? outRowsDone : load<i32>(vertical.starts + ((<usize>outRowsDone) << 2));
}

/** Returns whether the ring has all rows that the next output row needs. */
function isReady(): boolean {
  return boxRowsDone >= min(firstRow() + vertical.taps, boxHeight);
}

/** Adds one source row to the ring, or to the sums of the current row of boxes. */
function takeRow(row: usize): void {
  rowsTaken++;
  const slot = ring + <usize>(boxRowsDone % ringRows) * ringStride;
  const samples = width * channels;
  if (across * down == 1) {
    memory.copy(slot, row, samples);
    boxRowsDone++;
    return;
  }
  if (rowsInBox == 0) startSums(row, samples, sums);
  else addRow(row, samples, sums, 1);
  rowsInBox++;
  if (rowsTaken == height) {
    addRow(row, samples, sums, down - rowsInBox);
    rowsInBox = down;
  }
  if (rowsInBox < down) return;
  averageBoxes(sums, width, channels, across, down, boxWidth, slot);
  rowsInBox = 0;
  boxRowsDone++;
}

function makeRow(row: usize): void {
  const start = firstRow();
  const taps = vertical.taps;
  // Taps below the last row have a weight of zero, but need an address that can be read.
  for (let t = 0; t < taps; t++) {
    const source = min(start + t, boxHeight - 1);
    store<usize>(rowList + ((<usize>t) << 2), ring + <usize>(source % ringRows) * ringStride);
  }
  const samples = boxWidth * channels;
  if (taps == 1) widenRow(load<usize>(rowList), samples, line);
  else blendRows(rowList, taps, vertical.weights + <usize>(outRowsDone * taps * 2), samples, line);
  if (channels > 1) splitPlanes(line, boxWidth, channels, planes, planeStride);
  for (let c = 0; c < channels; c++) {
    const from = planes + <usize>c * planeStride;
    const to = outPlanes + <usize>c * outPlaneStride;
    if (horizontal.taps == 1) memory.copy(to, from, (<usize>outWidth) << 1);
    else resampleLine(from, horizontal.starts, horizontal.weights, horizontal.taps, outWidth, to);
  }
  if (hasAlpha) {
    const alpha = outPlanes + <usize>(channels - 1) * outPlaneStride;
    for (let c = 0; c < channels - 1; c++)
      unpremultiply(outPlanes + <usize>c * outPlaneStride, alpha, outWidth);
  }
  joinPlanes(outPlanes, outPlaneStride, outWidth, channels, row);
}
