/**
 * Rows of samples: those of the current row of macroblocks, and the same number of rows before them, which the loop
 * filter may still change and upsampling still needs.
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { cb, cr, luma, STRIDE } from "../shared/work";

/** Bytes that vector loops may touch past the end of a row. */
const SLACK: u64 = 64;

/** The first samples of the current row of macroblocks. The same number of rows precedes them. */
export let lumaRows: usize = 0;
export let cbRows: usize = 0;
export let crRows: usize = 0;
/** Bytes from one row to the next. */
export let lumaStride: usize = 0;
export let chromaStride: usize = 0;

let lumaStart: usize = 0;
let cbStart: usize = 0;
let crStart: usize = 0;

/** Allocates the planes. @returns false when the memory is at its end */
export function layOutPlanes(macroblocksWide: i32): boolean {
  lumaStride = (<usize>macroblocksWide) << 4;
  chromaStride = (<usize>macroblocksWide) << 3;
  lumaStart = allocate(32 * <u64>lumaStride + SLACK);
  cbStart = allocate(16 * <u64>chromaStride + SLACK);
  crStart = allocate(16 * <u64>chromaStride + SLACK);
  lumaRows = lumaStart + 16 * lumaStride;
  cbRows = cbStart + 8 * chromaStride;
  crRows = crStart + 8 * chromaStride;
  return lumaStart && cbStart && crStart ? true : false;
}

/** Copies macroblock `x` from the buffers of work.ts. */
export function takeMacroblock(x: i32): void {
  const toLuma = lumaRows + ((<usize>x) << 4);
  for (let y: usize = 0; y < 16; y++) v128.store(toLuma + y * lumaStride, v128.load(luma + y * STRIDE));
  const offset = (<usize>x) << 3;
  for (let y: usize = 0; y < 8; y++) {
    store<u64>(cbRows + y * chromaStride + offset, load<u64>(cb + y * STRIDE));
    store<u64>(crRows + y * chromaStride + offset, load<u64>(cr + y * STRIDE));
  }
}

/** Moves the current rows up, so that they precede the next ones. */
export function moveUp(): void {
  memory.copy(lumaStart, lumaRows, 16 * lumaStride);
  memory.copy(cbStart, cbRows, 8 * chromaStride);
  memory.copy(crStart, crRows, 8 * chromaStride);
}
