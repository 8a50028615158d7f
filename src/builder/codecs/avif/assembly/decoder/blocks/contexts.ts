/**
 * The contexts that blocks leave to those below and to the right. Above, entries stand per column of the frame; to the left, per
 * row of a superblock. A tile starts with values that say that there is no block.
 */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { sbColumns } from "../headers/frame";
import { planeCount, sbSize, subX, subY } from "../headers/sequence";
import { fillRun } from "./info";

/** Kinds of entries (u8). */
export const WIDTH: i32 = 0;
export const MODE: i32 = 1;
export const UV_MODE: i32 = 2;
export const SKIP: i32 = 3;
export const TRANSFORM: i32 = 4;
export const INTER: i32 = 5;
export const PALETTE_Y: i32 = 6;
export const PALETTE_UV: i32 = 7;
/** Levels and signs of coefficients: level up to 63, and category of the DC's sign << 6. Per 4 x 4 of the plane. */
export const COEFFICIENTS: i32 = 8;
const KINDS: i32 = 11;

const NO_BLOCK: u8 = 6;
const LARGEST_TRANSFORM: u8 = 64;
/** Rows of a superblock of 128. */
const LEFT_ROWS: usize = 32;
/** Bytes of the palettes of a column or row: eight values (u16) of luma and of Cb. */
const PALETTE_BYTES: usize = 32;

let above: usize = 0;
let aboveStride: usize = 0;
let abovePalettes: usize = 0;
let left: usize = 0;
let leftPalettes: usize = 0;

function shape(): void {
  aboveStride = ((<usize>(sbColumns * sbSize)) >> 2) + 32;
}

/** Returns the bytes that `layOutContexts` allocates. */
export function contextBytes(): u64 {
  shape();
  return (<u64>KINDS + PALETTE_BYTES) * (aboveStride + LEFT_ROWS);
}

export function layOutContexts(): boolean {
  const at = allocate(contextBytes());
  if (!at) return false;
  above = at;
  left = above + <usize>KINDS * aboveStride;
  abovePalettes = left + <usize>KINDS * LEFT_ROWS;
  leftPalettes = abovePalettes + PALETTE_BYTES * aboveStride;
  return true;
}

/** Returns the entry of a kind above a column. */
@inline
export function aboveEntry(kind: i32, column: i32): usize {
  return above + <usize>kind * aboveStride + <usize>column;
}

/** Returns the entry of a kind to the left of a row of a superblock. */
@inline
export function leftEntry(kind: i32, row: i32): usize {
  return left + <usize>kind * LEFT_ROWS + <usize>row;
}

@inline
export function aboveValue(kind: i32, column: i32): i32 {
  return load<u8>(aboveEntry(kind, column));
}

@inline
export function leftValue(kind: i32, row: i32): i32 {
  return load<u8>(leftEntry(kind, row));
}

/** Returns the address of the palettes of luma and then Cb above a column. */
@inline
export function abovePalette(plane: i32, column: i32): usize {
  return abovePalettes + <usize>column * PALETTE_BYTES + ((<usize>plane) << 4);
}

@inline
export function leftPalette(plane: i32, row: i32): usize {
  return leftPalettes + <usize>row * PALETTE_BYTES + ((<usize>plane) << 4);
}

/** Sets entries on both sides of a block, whose sides are powers of two. */
@inline
export function setBoth(kind: i32, column: i32, row: i32, high: i32, wide: i32, value: i32): void {
  fillRun(aboveEntry(kind, column), <u8>value, wide);
  fillRun(leftEntry(kind, row), <u8>value, high);
}

/** Forgets what is above a tile. @param from its first column (mi) @param end the column after its last superblock */
export function clearAbove(from: i32, end: i32): void {
  const count = <usize>(end - from);
  memory.fill(aboveEntry(WIDTH, from), NO_BLOCK, count);
  for (let kind = MODE; kind < COEFFICIENTS; kind++) memory.fill(aboveEntry(kind, from), 0, count);
  memory.fill(aboveEntry(TRANSFORM, from), LARGEST_TRANSFORM, count);
  memory.fill(aboveEntry(COEFFICIENTS, from), 0, count);
  for (let plane = 1; plane < planeCount; plane++) {
    memory.fill(aboveEntry(COEFFICIENTS + plane, from >> subX), 0, count >> subX);
  }
}

/** Forgets what is to the left of a row of superblocks of a tile. */
export function clearLeft(): void {
  memory.fill(left, 0, <usize>KINDS * LEFT_ROWS);
  memory.fill(leftEntry(WIDTH, 0), NO_BLOCK, LEFT_ROWS);
  memory.fill(leftEntry(TRANSFORM, 0), LARGEST_TRANSFORM, LEFT_ROWS);
}

/** Forgets the coefficients beside a block that has none (reset_block_context). Sides are in mi. */
export function clearCoefficients(column: i32, row: i32, wide: i32, high: i32, hasChroma: boolean): void {
  setBoth(COEFFICIENTS, column, row, high, wide, 0);
  if (!hasChroma) return;
  const x = column >> subX;
  const y = row >> subY;
  const chromaWide = max(wide >> subX, 1);
  const chromaHigh = max(high >> subY, 1);
  for (let plane = 1; plane < 3; plane++) setBoth(COEFFICIENTS + plane, x, y, chromaHigh, chromaWide, 0);
}
