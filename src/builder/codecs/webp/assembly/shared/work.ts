/**
 * The current macroblock as a decoder reconstructs it, with the samples above and to the left of it, which
 * predictions use. Outside the picture these are 127 above and 129 to the left (RFC 6386, 12.2). They are samples
 * before the loop filter, which is applied after prediction (15).
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";

/** Bytes from one row to the next: 8 for the column to the left, 16 samples, 8 for the samples above to the right. */
export const STRIDE: usize = 32;

/** The first samples of luma, Cb and Cr. Cb and Cr share a buffer; the left column of Cr is in the gap between them. */
export let luma: usize = 0;
export let cb: usize = 0;
export let cr: usize = 0;

let aboveLuma: usize = 0;
let aboveCb: usize = 0;
let aboveCr: usize = 0;
let macroblocksWide = 0;

/** Allocates the buffers. @returns false when the memory is at its end */
export function layOutWork(wide: i32): boolean {
  macroblocksWide = wide;
  luma = allocate(17 * <u64>STRIDE) + STRIDE + 8;
  cb = allocate(9 * <u64>STRIDE) + STRIDE + 8;
  cr = cb + 16;
  // A vector load may touch 16 bytes past the end.
  aboveLuma = allocate(16 * <u64>wide + 16);
  aboveCb = allocate(8 * <u64>wide + 16);
  aboveCr = allocate(8 * <u64>wide + 16);
  if (!aboveLuma || !aboveCb || !aboveCr) return false;
  memory.fill(aboveLuma, 127, (<usize>wide) << 4);
  memory.fill(aboveCb, 127, (<usize>wide) << 3);
  memory.fill(aboveCr, 127, (<usize>wide) << 3);
  return true;
}

function fillLeft(at: usize, rows: i32, corner: u8): void {
  store<u8>(at - STRIDE - 1, corner);
  for (let y = 0; y < rows; y++) store<u8>(at + <usize>y * STRIDE - 1, 129);
}

/** Copies the samples around macroblock (x, y) into place. */
export function moveTo(x: i32, y: i32): void {
  if (x == 0) {
    const corner: u8 = y == 0 ? 127 : 129;
    fillLeft(luma, 16, corner);
    fillLeft(cb, 8, corner);
    fillLeft(cr, 8, corner);
  } else {
    for (let row: i32 = -1; row < 16; row++) {
      const at = luma + <usize>row * STRIDE;
      store<u8>(at - 1, load<u8>(at + 15));
    }
    for (let row: i32 = -1; row < 8; row++) {
      const at = cb + <usize>row * STRIDE;
      store<u8>(at - 1, load<u8>(at + 7));
      store<u8>(at + 15, load<u8>(at + 23));
    }
  }
  const above = aboveLuma + ((<usize>x) << 4);
  v128.store(luma - STRIDE, v128.load(above));
  store<u64>(cb - STRIDE, load<u64>(aboveCb + ((<usize>x) << 3)));
  store<u64>(cr - STRIDE, load<u64>(aboveCr + ((<usize>x) << 3)));
  // For blocks at the right edge, in all four rows, the samples above to the right are those above the next macroblock.
  const isLast = x + 1 == macroblocksWide;
  const next = isLast ? <u32>load<u8>(above, 15) * 0x01010101 : load<u32>(above, 16);
  for (let row: i32 = -1; row < 15; row += 4) store<u32>(luma + <usize>row * STRIDE + 16, next);
}

/** Stores the lowest rows for the macroblock below. */
export function keepBelow(x: i32): void {
  v128.store(aboveLuma + ((<usize>x) << 4), v128.load(luma + 15 * STRIDE));
  store<u64>(aboveCb + ((<usize>x) << 3), load<u64>(cb + 7 * STRIDE));
  store<u64>(aboveCr + ((<usize>x) << 3), load<u64>(cr + 7 * STRIDE));
}
