/** The samples of one row of MCUs: a plane of luma and two of chroma, filled row by row. */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { convertRow, extendRow, halveRows } from "../../../../pixels/assembly/shared/ycc";
import { flattenOnWhite } from "./flatten";

/** Bytes that the vector loops may touch past the end of a row. */
const SLACK: u64 = 64;

export let lumaRows: usize = 0;
export let cbRows: usize = 0;
export let crRows: usize = 0;
/** Rows taken so far. */
export let rowsHeld = 0;

let width = 0;
let channels = 0;
let isColour = false;
let isHalved = false;
let padded = 0;
let mcuSize = 8;
/** A row without its alpha. */
let flat: usize = 0;
/** One pair of full-size chroma rows, when chroma is halved. */
let cbPair: usize = 0;
let crPair: usize = 0;

/**
 * Makes room for the planes.
 * @param paddedWidth the width in whole MCUs of `size` pixels
 * @returns false when the memory is at its end
 */
export function layOutPlanes(
  pictureWidth: i32,
  channelCount: i32,
  halved: bool,
  paddedWidth: i32,
  size: i32,
): bool {
  width = pictureWidth;
  channels = channelCount;
  isColour = channels >= 3;
  isHalved = halved;
  padded = paddedWidth;
  mcuSize = size;
  const plane = <u64>padded * <u64>mcuSize + SLACK;
  const chroma = isHalved ? ((<u64>padded) >> 1) * 8 + SLACK : plane;
  lumaRows = allocate(plane);
  flat = channels == 4 ? allocate(<u64>width * 3 + SLACK) : lumaRows;
  cbRows = isColour ? allocate(chroma) : lumaRows;
  crRows = isColour ? allocate(chroma) : lumaRows;
  cbPair = isHalved ? allocate(2 * <u64>padded + SLACK) : lumaRows;
  crPair = isHalved ? allocate(2 * <u64>padded + SLACK) : lumaRows;
  return lumaRows && flat && cbRows && crRows && cbPair && crPair ? true : false;
}

export function isFull(): bool {
  return rowsHeld == mcuSize;
}

export function clearRows(): void {
  rowsHeld = 0;
}

/** Fills the planes by repeating the last row. */
export function padRows(): void {
  while (rowsHeld < mcuSize) repeatRow();
}

/** Takes one row of pixels. */
export function takeRow(row: usize): void {
  const luma = lumaRows + <usize>(rowsHeld * padded);
  if (!isColour) {
    if (channels == 2) flattenOnWhite(row, width, 2, luma);
    else memory.copy(luma, row, width);
    extendRow(luma, width, padded);
    rowsHeld++;
    return;
  }
  if (channels == 4) {
    flattenOnWhite(row, width, 4, flat);
    row = flat;
  }
  const pairRow = <usize>(isHalved ? (rowsHeld & 1) * padded : rowsHeld * padded);
  const cb = (isHalved ? cbPair : cbRows) + pairRow;
  const cr = (isHalved ? crPair : crRows) + pairRow;
  convertRow(row, width, luma, cb, cr);
  extendRow(luma, width, padded);
  extendRow(cb, width, padded);
  extendRow(cr, width, padded);
  rowsHeld++;
  if (isHalved && (rowsHeld & 1) == 0) halveChroma();
}

function halveChroma(): void {
  const at = <usize>(((rowsHeld >> 1) - 1) * (padded >> 1));
  halveRows(cbPair, cbPair + padded, padded, cbRows + at);
  halveRows(crPair, crPair + padded, padded, crRows + at);
}

/** Adds the last row once more. */
function repeatRow(): void {
  const row = <usize>(rowsHeld * padded);
  memory.copy(lumaRows + row, lumaRows + row - padded, padded);
  if (isHalved) {
    const to = <usize>((rowsHeld & 1) * padded);
    memory.copy(cbPair + to, cbPair + <usize>padded - to, padded);
    memory.copy(crPair + to, crPair + <usize>padded - to, padded);
  } else if (isColour) {
    memory.copy(cbRows + row, cbRows + row - padded, padded);
    memory.copy(crRows + row, crRows + row - padded, padded);
  }
  rowsHeld++;
  if (isHalved && (rowsHeld & 1) == 0) halveChroma();
}
