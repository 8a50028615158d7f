/** Predictions along a direction, without the filter of edges (AV1 specification section 7.11.2.4). */
import { above, left, PREDICTION_STRIDE } from "./edges";

/** Dr_Intra_Derivative by angle / 2, for the angles that occur below 90 degrees. */
const DERIVATIVES = memory.data<u16>([
  0, 1023, 0, 547, 372, 0, 0, 273, 215, 0, 178, 151, 0, 132, 116, 0, 102, 0, 90, 80, 0, 71, 64, 0, 57, 51, 0,
  45, 0, 40, 35, 0, 31, 27, 0, 23, 19, 0, 15, 0, 11, 0, 7, 3, 0,
]);

const turned = memory.data(32 * 32, 16);

/** Samples per 64ths of a row or column. */
@inline
function derivative(angle: i32): i32 {
  return <i32>load<u16>(DERIVATIVES + (((<usize>angle) >> 1) << 1));
}

/** Mixes eight neighbours of an edge: `shift` 32nds of the second ones. */
@inline
function mix(edge: usize, shift: i32): v128 {
  const first = i16x8.mul(v128.load8x8_u(edge), i16x8.splat(<i16>(32 - shift)));
  const second = i16x8.mul(v128.load8x8_u(edge, 1), i16x8.splat(<i16>shift));
  return i16x8.shr_u(i16x8.add(i16x8.add(first, second), i16x8.splat(16)), 5);
}

/** @param angle in degrees; neither 90 nor 180 */
export function predictDirection(out: usize, angle: i32, width: i32, height: i32): void {
  if (angle < 90) {
    fromEdge(out, above, derivative(angle), width, height);
  } else if (angle > 180) {
    fromEdge(turned, left, derivative(270 - angle), height, width);
    for (let y = 0; y < height; y++) {
      const row = out + <usize>y * PREDICTION_STRIDE;
      for (let x = 0; x < width; x++) store<u8>(row + x, load<u8>(turned + <usize>x * PREDICTION_STRIDE + y));
    }
  } else {
    fromBoth(out, derivative(180 - angle), derivative(angle - 90), width, height);
  }
}

/** Rows that each begin `step` 64ths further along an edge. */
function fromEdge(out: usize, edge: usize, step: i32, width: i32, height: i32): void {
  const last = width + height - 1;
  for (let y = 0, at = step; y < height; y++, at += step, out += PREDICTION_STRIDE) {
    const base = min(at >> 6, last);
    const shift = (at >> 1) & 31;
    for (let x = 0; x < width; x += 8) {
      const row = mix(edge + min(base + x, last), shift);
      v128.store64_lane(out + x, i8x16.narrow_i16x8_u(row, row), 0);
    }
  }
}

/** Samples from the edge above where the direction meets it, and from the left one elsewhere. */
function fromBoth(out: usize, dx: i32, dy: i32, width: i32, height: i32): void {
  for (let y = 0; y < height; y++, out += PREDICTION_STRIDE) {
    const start = -(y + 1) * dx;
    const shift = (start >> 1) & 31;
    const base = start >> 6;
    // Columns before this one lie beyond the corner.
    const first = min(max(-1 - base, 0), width);
    for (let x = first & ~7; x < width; x += 8) {
      const row = mix(above + max(base + x, -9), shift);
      v128.store64_lane(out + x, i8x16.narrow_i16x8_u(row, row), 0);
    }
    for (let x = 0; x < first; x++) {
      const at = (y << 6) - (x + 1) * dy;
      const from = left + (at >> 6);
      const part = (at >> 1) & 31;
      store<u8>(out + x, (<i32>load<u8>(from) * (32 - part) + <i32>load<u8>(from, 1) * part + 16) >> 5);
    }
  }
}
