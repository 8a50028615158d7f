/** Levels of a block without regard to bits. */

/** Values below this part of a step above a level count as that level, before bits are looked at. */
const ROUNDING: f32 = 0.48;

/** Absolute levels (i16), in the places of the coefficients. */
export let absolute = memory.data(32 * 32 * 2, 16);
let spare = memory.data(32 * 32 * 2, 16);

/** Keeps the levels where they are, and uses other memory for the next ones. @returns where they are */
export function keepLevels(): usize {
  const kept = absolute;
  absolute = spare;
  spare = kept;
  return kept;
}

/** Coefficients divided by their weights (f32), whose errors count alike and whose steps are the same. */
export const weighted = memory.data(32 * 32 * 4, 16);

/** Sum of the squares of the weighted coefficients. */
export let energy: f32 = 0;

/**
 * Divides coefficients by their weights, and rounds levels without regard to bits.
 * @param scales of coefficients (f32); `counts` of coefficients up to each place (u16)
 * @returns the count of coefficients up to the last level
 */
export function roundLevels(
  block: usize,
  scales: usize,
  counts: usize,
  wide: i32,
  count: i32,
  dcStep: i32,
  acStep: i32,
): i32 {
  const inverse = f32x4.splat(<f32>1 / <f32>acStep);
  const rounding = f32x4.splat(ROUNDING);
  const mask = wide == 2 ? i64x2(-1, 0) : i64x2.splat(-1);
  let last = i16x8.splat(0);
  let sum = f32x4.splat(0);
  for (let at: usize = 0, end = (<usize>count) << 1; at < end; at += 16) {
    const value = v128.and(i16x8.abs(v128.load(block + at)), mask);
    const scale = scales + (at << 1);
    const low = f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(value)), v128.load(scale));
    const high = f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(value)), v128.load(scale, 16));
    v128.store(weighted + (at << 1), low);
    v128.store(weighted + (at << 1), high, 16);
    sum = f32x4.add(sum, f32x4.add(f32x4.mul(low, low), f32x4.mul(high, high)));
    const level = i16x8.narrow_i32x4_s(
      i32x4.trunc_sat_f32x4_s(f32x4.add(f32x4.mul(low, inverse), rounding)),
      i32x4.trunc_sat_f32x4_s(f32x4.add(f32x4.mul(high, inverse), rounding)),
    );
    v128.store(absolute + at, level);
    last = i16x8.max_s(last, v128.and(i16x8.gt_s(level, i16x8.splat(0)), v128.load(counts + at)));
  }
  energy =
    f32x4.extract_lane(sum, 0) +
    f32x4.extract_lane(sum, 1) +
    f32x4.extract_lane(sum, 2) +
    f32x4.extract_lane(sum, 3);
  const dc = <i32>(load<f32>(weighted) / <f32>dcStep + ROUNDING);
  store<i16>(absolute, dc);
  last = i16x8.max_s(last, v128.shuffle<i16>(last, last, 4, 5, 6, 7, 0, 1, 2, 3));
  last = i16x8.max_s(last, v128.shuffle<i16>(last, last, 2, 3, 0, 1, 6, 7, 4, 5));
  last = i16x8.max_s(last, v128.shuffle<i16>(last, last, 1, 0, 3, 2, 5, 4, 7, 6));
  return max(i32(dc > 0), i16x8.extract_lane_s(last, 0));
}
