/** Adds the residue of a transform to a prediction. */
import { bitDepth } from "../headers/sequence";

/**
 * Adds rows of residue (i16) to samples, which stay within their range.
 * @param stepFrom bytes from one row of residue to the next, which may be negative
 * @param isTurned whether columns are in the opposite order
 */
export function addResidue(
  from: usize,
  stepFrom: isize,
  isTurned: boolean,
  to: usize,
  stride: usize,
  columns: i32,
  rows: i32,
): void {
  const most = i16x8.splat(<i16>(((<i32>1) << bitDepth) - 1));
  const least = i16x8.splat(0);
  for (let y = 0; y < rows; y++, from += stepFrom, to += stride) {
    if (columns == 4) {
      let residue = v128.load64_zero(from);
      if (isTurned) residue = v128.shuffle<i16>(residue, residue, 3, 2, 1, 0, 4, 5, 6, 7);
      const sum = i16x8.add_sat_s(v128.load64_zero(to), residue);
      v128.store64_lane(to, i16x8.min_s(i16x8.max_s(sum, least), most), 0);
      continue;
    }
    for (let x = 0; x < columns; x += 8) {
      let residue = v128.load(from + ((<usize>(isTurned ? columns - 8 - x : x)) << 1));
      if (isTurned) residue = v128.shuffle<i16>(residue, residue, 7, 6, 5, 4, 3, 2, 1, 0);
      const at = to + ((<usize>x) << 1);
      const sum = i16x8.add_sat_s(v128.load(at), residue);
      v128.store(at, i16x8.min_s(i16x8.max_s(sum, least), most));
    }
  }
}

/** Adds one value to all samples of a block. */
export function addConstant(value: i32, to: usize, stride: usize, columns: i32, rows: i32): void {
  const most = i16x8.splat(<i16>(((<i32>1) << bitDepth) - 1));
  const least = i16x8.splat(0);
  const residue = i16x8.splat(<i16>value);
  for (let y = 0; y < rows; y++, to += stride) {
    if (columns == 4) {
      const sum = i16x8.add_sat_s(v128.load64_zero(to), residue);
      v128.store64_lane(to, i16x8.min_s(i16x8.max_s(sum, least), most), 0);
      continue;
    }
    for (let x: usize = 0; x < (<usize>columns) << 1; x += 16) {
      const sum = i16x8.add_sat_s(v128.load(to + x), residue);
      v128.store(to + x, i16x8.min_s(i16x8.max_s(sum, least), most));
    }
  }
}
