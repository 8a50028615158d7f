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

/** Divides coefficients by their weights, and rounds levels without regard to bits. @returns whether there are any */
export function roundLevels(
  block: usize,
  weights: usize,
  wide: i32,
  count: i32,
  dcStep: i32,
  acStep: i32,
): boolean {
  const inverse = f32x4.splat(<f32>1 / <f32>acStep);
  const rounding = f32x4.splat(ROUNDING);
  const unit = f32x4.splat(32);
  const mask = wide == 2 ? i64x2(-1, 0) : i64x2.splat(-1);
  let any = i16x8.splat(0);
  let sum = f32x4.splat(0);
  for (let at: usize = 0, end = (<usize>count) << 1; at < end; at += 16) {
    const value = v128.and(i16x8.abs(v128.load(block + at)), mask);
    const by = v128.load8x8_u(weights + (at >> 1));
    const low = f32x4.div(
      f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(value)), unit),
      f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(by)),
    );
    const high = f32x4.div(
      f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(value)), unit),
      f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(by)),
    );
    v128.store(weighted + (at << 1), low);
    v128.store(weighted + (at << 1), high, 16);
    sum = f32x4.add(sum, f32x4.add(f32x4.mul(low, low), f32x4.mul(high, high)));
    const level = i16x8.narrow_i32x4_s(
      i32x4.trunc_sat_f32x4_s(f32x4.add(f32x4.mul(low, inverse), rounding)),
      i32x4.trunc_sat_f32x4_s(f32x4.add(f32x4.mul(high, inverse), rounding)),
    );
    v128.store(absolute + at, level);
    any = v128.or(any, level);
  }
  energy =
    f32x4.extract_lane(sum, 0) +
    f32x4.extract_lane(sum, 1) +
    f32x4.extract_lane(sum, 2) +
    f32x4.extract_lane(sum, 3);
  const dc = <i32>(load<f32>(weighted) / <f32>dcStep + ROUNDING);
  store<i16>(absolute, dc);
  return dc > 0 || v128.any_true(any) != 0;
}
