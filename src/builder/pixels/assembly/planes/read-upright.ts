/** Reads rows of the upright picture from a plane in stored orientation. */
import { isMirrored, isTransposed, isUpwards } from "../shared/orientation";
import { storeColumns } from "../shared/transpose";

const BLOCK: i32 = 8;

/**
 * Writes the upright rows from `top` to before `top + count` to `out`, `distance` bytes apart. It reads up to 7 bytes
 * past the end of the plane.
 * @param width the stored width, which is also the distance between stored rows; `height` is the stored height
 */
export function readUpright(
  plane: usize,
  width: i32,
  height: i32,
  orientation: i32,
  top: i32,
  count: i32,
  out: usize,
  distance: i32,
): void {
  const mirrored = isMirrored(orientation);
  const upwards = isUpwards(orientation);
  if (!isTransposed(orientation)) {
    for (let i = 0; i < count; i++, out += distance) {
      const row = plane + <usize>((upwards ? height - 1 - top - i : top + i) * width);
      if (mirrored) mirrorRow(row, width, out);
      else memory.copy(out, row, <usize>width);
    }
    return;
  }
  const firstColumn = upwards ? width - top - count : top;
  const firstRow = mirrored ? height - 1 : 0;
  const first = plane + <usize>(firstRow * width + firstColumn);
  const step = mirrored ? -width : width;
  if (upwards) out += <usize>((count - 1) * distance);
  readColumns(first, step, height, count, out, upwards ? -distance : distance);
}

/** Writes `count` columns of `length` samples that are `step` bytes apart to rows that are `distance` bytes apart. */
function readColumns(first: usize, step: i32, length: i32, count: i32, out: usize, distance: i32): void {
  const inBlocks = count & -BLOCK;
  let x = 0;
  for (; x + BLOCK <= length; x += BLOCK) {
    let from = first + <usize>(x * step);
    let to = out + <usize>x;
    for (let k = 0; k < inBlocks; k += BLOCK) {
      const a = twoRows(from, step);
      const b = twoRows(from + <usize>(2 * step), step);
      const c = twoRows(from + <usize>(4 * step), step);
      const d = twoRows(from + <usize>(6 * step), step);
      storeColumns(a, b, c, d, to, <usize>distance);
      from += BLOCK;
      to += <usize>(BLOCK * distance);
    }
    readSamples(first, step, x, x + BLOCK, inBlocks, count, out, distance);
  }
  readSamples(first, step, x, length, 0, count, out, distance);
}

/** Copies the samples that do not fill a block, one by one. */
function readSamples(
  first: usize,
  step: i32,
  start: i32,
  end: i32,
  column: i32,
  columnsEnd: i32,
  out: usize,
  distance: i32,
): void {
  for (let k = column; k < columnsEnd; k++) {
    const to = out + <usize>(k * distance);
    for (let x = start; x < end; x++) store<u8>(to + <usize>x, load<u8>(first + <usize>(x * step + k)));
  }
}

@inline
function twoRows(at: usize, step: i32): v128 {
  return v128.load64_lane(at + <usize>step, v128.load64_zero(at), 1);
}

function mirrorRow(row: usize, width: i32, out: usize): void {
  let x = 0;
  for (; x + 16 <= width; x += 16) {
    const samples = v128.load(row + <usize>(width - 16 - x));
    const reversed = v128.shuffle<i8>(samples, samples, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    v128.store(out + <usize>x, reversed);
  }
  for (; x < width; x++) store<u8>(out + <usize>x, load<u8>(row + <usize>(width - 1 - x)));
}
