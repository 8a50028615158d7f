/** The map of a block's colours, and its symbols (AV1 specification sections 5.11.49 and 5.11.50). */
import { BIT, symbolCost } from "../coder/bit-cost";
import { cdfs } from "../coder/cdfs";
import { putBits, putSymbol } from "../coder/range-coder";
import { PREDICTION_STRIDE } from "../predict/edges";
import { PALETTE_UV_COLOR_2, PALETTE_Y_COLOR_2 } from "../tables/cdf-layout";

/** Bytes from one row of a map to the next. */
export const MAP_STRIDE: usize = 32;
const CONTEXTS: i32 = 5;

/** The cost of each symbol in each context (i32 [5][8]). */
const costs = memory.data(5 * 8 * 4, 16);

/** Returns the distribution of the index of one of `count` colours. */
@inline
function indexCdf(plane: i32, count: i32, context: i32): usize {
  const table = plane > 0 ? PALETTE_UV_COLOR_2 : PALETTE_Y_COLOR_2;
  return cdfs + table + <usize>(5 * (count * (count - 1) - 2) + 2 * count * context);
}

/**
 * Returns the context of a colour, times 8, and the place that the neighbours of the sample give it in the order of
 * colours.
 */
@inline
function tokenAt(at: usize, isEdge: boolean, before: usize): i32 {
  const colour = <i32>load<u8>(at);
  if (isEdge) {
    const near = <i32>load<u8>(before);
    return colour == near ? 0 : colour + i32(near > colour);
  }
  const left = <i32>load<u8>(at - 1);
  const top = <i32>load<u8>(at - MAP_STRIDE);
  const corner = <i32>load<u8>(at - MAP_STRIDE - 1);
  if (left == top) {
    const beyond = colour + i32(left > colour);
    if (left == corner) return 32 + (colour == left ? 0 : beyond);
    return 24 + (colour == left ? 0 : colour == corner ? 1 : beyond + i32(corner > colour));
  }
  if (left == corner || top == corner) {
    const other = left == corner ? top : left;
    const beyond = colour + i32(left > colour) + i32(top > colour);
    return 16 + (colour == corner ? 0 : colour == other ? 1 : beyond);
  }
  if (colour == corner) return 8 + 2;
  if (colour == min(left, top)) return 8;
  if (colour == max(left, top)) return 8 + 1;
  return 8 + colour + i32(left > colour) + i32(top > colour) + i32(corner > colour);
}

/** Returns the bits of the first index, at most. */
@inline
function firstBits(count: i32): i32 {
  return 32 - clz<i32>(count);
}

/** Returns the cost of a map of 1 << wide by 1 << high with `count` colours. */
export function mapCost(map: usize, plane: i32, count: i32, wide: i32, high: i32): i32 {
  for (let context = 0; context < CONTEXTS; context++) {
    const cdf = indexCdf(plane, count, context);
    const at = costs + ((<usize>context) << 5);
    for (let i = 0; i < count; i++) store<i32>(at + ((<usize>i) << 2), symbolCost(cdf, i, count));
  }
  let sum = firstBits(count) * BIT;
  for (let x: usize = 1; x < (<usize>1) << wide; x++) {
    sum += load<i32>(costs + ((<usize>tokenAt(map + x, true, map + x - 1)) << 2));
  }
  for (let y: usize = 1; y < (<usize>1) << high; y++) {
    const row = map + y * MAP_STRIDE;
    sum += load<i32>(costs + ((<usize>tokenAt(row, true, row - MAP_STRIDE)) << 2));
    for (let x: usize = 1; x < (<usize>1) << wide; x++) {
      sum += load<i32>(costs + ((<usize>tokenAt(row + x, false, 0)) << 2));
    }
  }
  return sum;
}

/** Codes a map, along diagonals from its upper right to its lower left. */
export function putMap(map: usize, plane: i32, count: i32, wide: i32, high: i32): void {
  const columns = 1 << wide;
  const rows = 1 << high;
  putFirst(<i32>load<u8>(map), count);
  for (let i = 1; i < rows + columns - 1; i++) {
    for (let x = min(i, columns - 1); x >= max(0, i - rows + 1); x--) {
      const y = i - x;
      const at = map + <usize>y * MAP_STRIDE + x;
      const token = tokenAt(at, x == 0 || y == 0, y == 0 ? at - 1 : at - MAP_STRIDE);
      putSymbol(indexCdf(plane, count, token >> 3), token & 7, count);
    }
  }
}

/** Codes the first index: NS(count), section 4.10.10. */
function putFirst(index: i32, count: i32): void {
  const bits = firstBits(count);
  const spare = (1 << bits) - count;
  if (index < spare) putBits(index, bits - 1);
  else putBits(index + spare, bits);
}

/** Writes the colours of a part of a map, from (x, y) on, as a prediction. Sizes are in samples. */
export function paint(out: usize, map: usize, colours: usize, x: i32, y: i32, width: i32, height: i32): void {
  const palette = v128.load64_zero(colours);
  let from = map + <usize>y * MAP_STRIDE + x;
  for (let row = 0; row < height; row++, out += PREDICTION_STRIDE, from += MAP_STRIDE) {
    v128.store(out, i8x16.swizzle(palette, v128.load(from)));
    if (width == 32) v128.store(out, i8x16.swizzle(palette, v128.load(from, 16)), 16);
  }
}
