/** Turns levels to coefficients as a decoder does (AV1 specification section 7.12.3), and sums up what contexts need. */
import { clearVectors } from "../block/copy";
import { acStep, dcStep } from "../block/quantiser";
import { strideOf } from "../transform/transform";
import { ENTRY_BYTES, scanOf } from "./scans";

/** Highest sum of levels that contexts tell apart. */
const MOST: i32 = 63;

/** Sum of the levels of the last block, and the category of its first one: 0 none, 1 below 0, 2 above. */
export let levelSum: i32 = 0;
export let firstCategory: i32 = 0;

/**
 * Writes the coefficients of `count` levels, whose signs are in `block`, to `out`. Sizes are log2.
 * @param weights of coefficients, in 32nds (u8)
 */
export function dequantise(
  out: usize,
  absolute: usize,
  block: usize,
  count: i32,
  wide: i32,
  high: i32,
  plane: i32,
  weights: usize,
): void {
  levelSum = 0;
  firstCategory = 0;
  if (count == 0) return;
  clearVectors(out, (<usize>(strideOf(wide) << max(high, 3))) << 1);
  const scan = scanOf(wide, high);
  const shift = i32(wide + high > 8);
  let sum = 0;
  for (let c = 0; c < count; c++) {
    const place = (<usize>load<u16>(scan + <usize>c * ENTRY_BYTES)) << 1;
    const level = <i32>load<i16>(absolute + place);
    if (level == 0) continue;
    const isNegative = load<i16>(block + place) < 0;
    const step = ((c == 0 ? dcStep(plane) : acStep(plane)) * <i32>load<u8>(weights + (place >> 1)) + 16) >> 5;
    const value = (level * step) >> shift;
    store<i16>(out + place, isNegative ? max(-value, -32768) : min(value, 32767));
    if (c == 0) firstCategory = isNegative ? 1 : 2;
    sum += level;
  }
  levelSum = min(sum, MOST);
}
