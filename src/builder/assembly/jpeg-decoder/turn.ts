/**
 * Rows that leave upright (EXIF 2.32, tag 274). Mirroring left to right is done to every finished line. For the other
 * turns all coefficients must be there: bands are rendered from the last to the first, or along the columns of blocks.
 */
import { Frame, componentAt, measureFrame } from "./frame";

export abstract class Turn {
  /** Rows and columns change places, before the other two. */
  static transposed: bool = false;
  static mirrored: bool = false;
  /** The last row comes first. */
  static upwards: bool = false;
}

/** @param orientation 1 to 8 */
export function setTurn(orientation: i32): void {
  Turn.transposed = orientation >= 5;
  Turn.mirrored = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
  Turn.upwards = orientation == 3 || orientation == 4 || orientation >= 7;
}

/** Makes the frame that of the picture with rows and columns changed, or makes it what it was. */
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

// @ts-ignore: decorator
@inline
function reversed(samples: v128): v128 {
  return v128.shuffle<i16>(samples, samples, 7, 6, 5, 4, 3, 2, 1, 0);
}

/** A block of `size` x `size` bytes, one row after another, to rows `stride` apart, transposed. */
export function storeTransposed(block: usize, size: i32, out: usize, stride: usize): void {
  if (size == 8) {
    const a = v128.load(block);
    const b = v128.load(block, 16);
    const c = v128.load(block, 32);
    const d = v128.load(block, 48);
    const upperLeft = v128.shuffle<i8>(a, b, 0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27);
    const upperRight = v128.shuffle<i8>(a, b, 4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31);
    const lowerLeft = v128.shuffle<i8>(c, d, 0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27);
    const lowerRight = v128.shuffle<i8>(c, d, 4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31);
    storeFour(upperLeft, lowerLeft, out, stride);
    storeFour(upperRight, lowerRight, out + 4 * stride, stride);
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

/** Four rows of eight: the first four samples of each in `left`, the others in `right`. */
// @ts-ignore: decorator
@inline
function storeFour(left: v128, right: v128, out: usize, stride: usize): void {
  const first = v128.shuffle<i32>(left, right, 0, 4, 1, 5);
  const second = v128.shuffle<i32>(left, right, 2, 6, 3, 7);
  v128.store64_lane(out, first, 0);
  v128.store64_lane(out + stride, first, 1);
  v128.store64_lane(out + 2 * stride, second, 0);
  v128.store64_lane(out + 3 * stride, second, 1);
}
