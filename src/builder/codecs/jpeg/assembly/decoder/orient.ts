/**
 * Undoes the EXIF orientation (EXIF 2.32, tag 274), so that rows are handed out upright. Mirroring left to right is
 * done to every finished line. The other orientations need all coefficients first: rows of MCUs are rendered from the
 * last to the first, or columns of blocks are rendered as rows.
 */
import { isMirrored, isTransposed, isUpwards } from "../../../../pixels/assembly/shared/orientation";
import { storeColumns } from "../../../../pixels/assembly/shared/transpose";
import { Component, Frame, componentAt, measureFrame } from "./frame";

export abstract class Orientation {
  /** Rows and columns change places. This is done before the other two. */
  static transposed: boolean = false;
  static mirrored: boolean = false;
  /** The last row is handed out first. */
  static upwards: boolean = false;
}

/** @param orientation 1 to 8 */
export function setOrientation(orientation: i32): void {
  Orientation.transposed = isTransposed(orientation);
  Orientation.mirrored = isMirrored(orientation);
  Orientation.upwards = isUpwards(orientation);
}

/** Exchanges rows and columns in the description of the frame. A second call restores it. */
export function transposeFrame(): void {
  const width = Frame.width;
  Frame.width = Frame.height;
  Frame.height = width;
  for (let i = 0; i < Frame.components; i++) {
    const component = componentAt(i);
    const h = component.h;
    component.h = component.v;
    component.v = h;
  }
  measureFrame();
}

/** Returns the blocks that the crop needs, in the frame as coded. */
@inline
export function codedFirstColumn(component: Component): i32 {
  return Orientation.transposed ? component.firstRow : component.firstColumn;
}
@inline
export function codedColumns(component: Component): i32 {
  return Orientation.transposed ? component.rows : component.columns;
}
@inline
export function codedFirstRow(component: Component): i32 {
  return Orientation.transposed ? component.firstColumn : component.firstRow;
}
@inline
export function codedRows(component: Component): i32 {
  return Orientation.transposed ? component.columns : component.rows;
}

/** Reverses a line of 16-bit samples. */
export function mirrorLine(line: usize, samples: i32): void {
  let left = line;
  let right = line + ((<usize>samples) << 1);
  for (; right - left >= 32; left += 16) {
    right -= 16;
    const first = v128.load(left);
    v128.store(left, reversed(v128.load(right)));
    v128.store(right, reversed(first));
  }
  for (; right - left >= 4; left += 2) {
    right -= 2;
    const first = load<i16>(left);
    store<i16>(left, load<i16>(right));
    store<i16>(right, first);
  }
}

@inline
function reversed(samples: v128): v128 {
  return v128.shuffle<i16>(samples, samples, 7, 6, 5, 4, 3, 2, 1, 0);
}

/** Writes a block of `size` x `size` bytes transposed, its rows `stride` bytes apart. */
export function storeTransposed(block: usize, size: i32, out: usize, stride: usize): void {
  if (size == 8) {
    const upper = v128.load(block);
    const upperMiddle = v128.load(block, 16);
    const lowerMiddle = v128.load(block, 32);
    storeColumns(upper, upperMiddle, lowerMiddle, v128.load(block, 48), out, stride);
  } else if (size == 4) {
    const rows = v128.load(block);
    const columns = v128.shuffle<i8>(rows, rows, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    v128.store32_lane(out, columns, 0);
    v128.store32_lane(out + stride, columns, 1);
    v128.store32_lane(out + 2 * stride, columns, 2);
    v128.store32_lane(out + 3 * stride, columns, 3);
  } else if (size == 2) {
    store<u8>(out, load<u8>(block));
    store<u8>(out, load<u8>(block, 2), 1);
    store<u8>(out + stride, load<u8>(block, 1));
    store<u8>(out + stride, load<u8>(block, 3), 1);
  } else {
    store<u8>(out, load<u8>(block));
  }
}
