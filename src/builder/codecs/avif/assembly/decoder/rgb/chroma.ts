/** Enlarges rows of chroma to the resolution of luma, in sixteenths: by 3/4 and 1/4 of the nearest samples, as libavif does. */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { pictureWidth, shiftX } from "./bands";

/** A row of chroma between two, in quarters (u16), with one sample more on each side. */
let between: usize = 0;
/** Rows of Cb and Cr in sixteenths (u16). */
let enlargedCb: usize = 0;
let enlargedCr: usize = 0;

export function layOutChroma(): boolean {
  const bytes = ((<u64>pictureWidth) << 1) + 64;
  between = allocate(bytes) + 16;
  enlargedCb = allocate(bytes);
  enlargedCr = allocate(bytes);
  return between > 16 && enlargedCb != 0 && enlargedCr != 0;
}

@inline
export function enlargedRow(plane: i32): usize {
  return plane == 1 ? enlargedCb : enlargedCr;
}

/**
 * Enlarges a row.
 * @param near the nearest row of chroma @param far the next one on the other side; the same at an edge of the picture, and
 *   where rows are not enlarged
 */
export function enlargeRow(plane: i32, near: usize, far: usize): void {
  const columns = (pictureWidth + shiftX) >> shiftX;
  const bytes = (<usize>columns) << 1;
  const to = enlargedRow(plane);
  if (!shiftX) {
    for (let i: usize = 0; i < bytes; i += 16) {
      v128.store(to + i, i16x8.shl(quarters(near + i, far + i), 2));
    }
    return;
  }
  for (let i: usize = 0; i < bytes; i += 16) v128.store(between + i, quarters(near + i, far + i));
  store<u16>(between - 2, load<u16>(between));
  store<u16>(between + bytes, load<u16>(between + bytes - 2));
  for (let i: usize = 0; i < bytes; i += 16) {
    const values = v128.load(between + i);
    const three = i16x8.add(values, i16x8.shl(values, 1));
    const left = i16x8.add(three, v128.load(between + i - 2));
    const right = i16x8.add(three, v128.load(between + i, 2));
    v128.store(to + (i << 1), v128.shuffle<i16>(left, right, 0, 8, 1, 9, 2, 10, 3, 11));
    v128.store(to + (i << 1), v128.shuffle<i16>(left, right, 4, 12, 5, 13, 6, 14, 7, 15), 16);
  }
}

/** Returns three parts of one row and one of another. */
@inline
function quarters(near: usize, far: usize): v128 {
  const values = v128.load(near);
  return i16x8.add(i16x8.add(values, i16x8.shl(values, 1)), v128.load(far));
}
