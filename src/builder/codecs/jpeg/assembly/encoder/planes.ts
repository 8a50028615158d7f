/** The samples of a group of 16 rows: a plane of luma, and planes of chroma at full size. */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { flattenOnWhite } from "./flatten";
import { finishHalved, halvePair, layOutHalved } from "./halved";
import { SAMPLE_BYTES, convertColours, convertGray, extendSamples } from "./samples";

export const GROUP_ROWS: i32 = 16;
/** Bytes that the vector loops may touch past the end of a row. */
const SLACK: u64 = 64;

export let lumaRows: usize = 0;
export let cbRows: usize = 0;
export let crRows: usize = 0;
/** Rows taken so far. */
export let rowsHeld = 0;
/** Samples per row of a plane. */
export let stride = 0;

let width = 0;
let channels = 0;
let isColour = false;
let isHalved = false;
/** A row without its alpha. */
let flat: usize = 0;

/**
 * Allocates the planes.
 * @param halved whether chroma is also wanted at half the width and height (halved.ts)
 * @returns false when the memory is at its end
 */
export function layOutPlanes(pictureWidth: i32, channelCount: i32, halved: boolean): boolean {
  width = pictureWidth;
  channels = channelCount;
  isColour = channels >= 3;
  isHalved = isColour && halved;
  stride = (width + GROUP_ROWS - 1) & ~(GROUP_ROWS - 1);
  const plane = <u64>stride * GROUP_ROWS * SAMPLE_BYTES + SLACK;
  lumaRows = allocate(plane);
  flat = channels % 2 == 0 ? allocate(<u64>width * (channels - 1) + SLACK) : lumaRows;
  cbRows = isColour ? allocate(plane) : lumaRows;
  crRows = isColour ? allocate(plane) : lumaRows;
  const hasHalved = !isHalved || layOutHalved(stride);
  return lumaRows && flat && cbRows && crRows && hasHalved ? true : false;
}

export function isFull(): boolean {
  return rowsHeld == GROUP_ROWS;
}

export function clearRows(): void {
  rowsHeld = 0;
}

/** Repeats the last row until the planes are full. */
export function padRows(): void {
  while (rowsHeld < GROUP_ROWS) repeatRow();
}

/** Takes one row of pixels. */
export function takeRow(row: usize): void {
  const at = addressOf(rowsHeld);
  if (channels % 2 == 0) {
    flattenOnWhite(row, width, channels, flat);
    row = flat;
  }
  if (isColour) {
    convertColours(row, width, lumaRows + at, cbRows + at, crRows + at);
    extendSamples(cbRows + at, width, stride);
    extendSamples(crRows + at, width, stride);
  } else convertGray(row, width, lumaRows + at);
  extendSamples(lumaRows + at, width, stride);
  addRow();
}

/** Adds the last row once more. */
function repeatRow(): void {
  const to = addressOf(rowsHeld);
  const from = addressOf(rowsHeld - 1);
  memory.copy(lumaRows + to, lumaRows + from, to - from);
  if (isColour) {
    memory.copy(cbRows + to, cbRows + from, to - from);
    memory.copy(crRows + to, crRows + from, to - from);
  }
  addRow();
}

@inline
function addressOf(row: i32): usize {
  return <usize>(row * stride) * SAMPLE_BYTES;
}

/** Counts a row. After every second one, halves the chroma of both. */
function addRow(): void {
  rowsHeld++;
  if (!isHalved || (rowsHeld & 1) != 0) return;
  const upper = addressOf(rowsHeld - 2);
  halvePair((rowsHeld >> 1) - 1, cbRows + upper, crRows + upper);
  if (isFull()) finishHalved(lumaRows, cbRows, crRows);
}
