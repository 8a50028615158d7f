/** Turns levels to coefficients as a decoder does (AV1 specification section 7.12.3), and sums up what contexts need. */
import { clearVectors } from "../block/copy";
import { acStep, dcStep } from "../block/quantiser";
import { strideOf } from "../transform/transform";
import { MOST_CODED, shiftOfSteps } from "./scans";

/** Highest sum of levels that contexts tell apart. */
const MOST: i32 = 63;

/** Sum of the levels of the last block, and the category of its first one: 0 none, 1 below 0, 2 above. */
export let levelSum: i32 = 0;
export let firstCategory: i32 = 0;

/**
 * Writes the coefficients of levels, whose signs are in `block`, to `out`. Sizes are log2.
 * @param count of coefficients up to the last level
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
  const shift = shiftOfSteps(wide, high);
  wide = min(wide, MOST_CODED);
  high = min(high, MOST_CODED);
  const step = i16x8.splat(<i16>acStep(plane));
  const half = i32x4.splat(16);
  const nothing = i64x2.splat(0);
  let sums = nothing;
  const end = (<usize>(strideOf(wide) << high)) << 1;
  for (let at: usize = 0; at < end; at += 16) {
    const size = v128.load(absolute + at);
    if (!v128.any_true(size)) {
      v128.store(out + at, nothing);
      continue;
    }
    sums = i16x8.add_sat_s(sums, size);
    const weight = v128.load8x8_u(weights + (at >> 1));
    const lowStep = i32x4.shr_s(i32x4.add(i32x4.extmul_low_i16x8_s(weight, step), half), 5);
    const highStep = i32x4.shr_s(i32x4.add(i32x4.extmul_high_i16x8_s(weight, step), half), 5);
    const sign = i16x8.shr_s(v128.load(block + at), 15);
    const lower = i32x4.shr_s(i32x4.mul(i32x4.extend_low_i16x8_s(size), lowStep), shift);
    const upper = i32x4.shr_s(i32x4.mul(i32x4.extend_high_i16x8_s(size), highStep), shift);
    const lowSign = i32x4.extend_low_i16x8_s(sign);
    const highSign = i32x4.extend_high_i16x8_s(sign);
    v128.store(
      out + at,
      i16x8.narrow_i32x4_s(
        i32x4.sub(v128.xor(lower, lowSign), lowSign),
        i32x4.sub(v128.xor(upper, highSign), highSign),
      ),
    );
  }
  if (high == 2) clearVectors(out + end, end);
  const pairs = i32x4.extadd_pairwise_i16x8_s(sums);
  const sum =
    i32x4.extract_lane(pairs, 0) +
    i32x4.extract_lane(pairs, 1) +
    i32x4.extract_lane(pairs, 2) +
    i32x4.extract_lane(pairs, 3);
  levelSum = min(sum, MOST);
  dequantiseFirst(out, <i32>load<i16>(absolute), load<i16>(block) < 0, shift, plane, weights);
}

/** Dequantises the first coefficient, which has a step of its own. */
@inline
function dequantiseFirst(
  out: usize,
  level: i32,
  isNegative: boolean,
  shift: i32,
  plane: i32,
  weights: usize,
): void {
  if (level == 0) return;
  const value = (level * ((dcStep(plane) * <i32>load<u8>(weights) + 16) >> 5)) >> shift;
  store<i16>(out, isNegative ? max(-value, -32768) : min(value, 32767));
  firstCategory = isNegative ? 1 : 2;
}
