/** How much luma must change so that pixels stay as bright with other chroma. Samples have two fraction bits. */

const WHITE: f32 = 1020;
const MIDDLE: f32 = 512;
/** Shares of red, green and blue in brightness (ITU-R BT.709). */
const RED: f32 = 0.2126;
const GREEN: f32 = 0.7152;
const BLUE: f32 = 0.0722;
/** The slope of linear light over sRGB (IEC 61966-2-1) as a polynomial of the value, 1 at white. */
const SLOPE_0: f32 = 0.03;
const SLOPE_1: f32 = 0.42 / WHITE;
const SLOPE_2: f32 = 0.55 / (WHITE * WHITE);
/** The largest change: 32 of 255. */
const MOST: f32 = 128;

@inline
function clamped(value: v128): v128 {
  return f32x4.pmax(f32x4.splat(0), f32x4.pmin(f32x4.splat(WHITE), value));
}

/** Returns the weight of a change from `a` to `b`: a share of brightness times the slope in the middle. */
@inline
function weight(a: v128, b: v128, share: f32): v128 {
  const value = f32x4.mul(f32x4.add(a, b), f32x4.splat(0.5));
  const upper = f32x4.add(f32x4.splat(SLOPE_1 * share), f32x4.mul(value, f32x4.splat(SLOPE_2 * share)));
  return f32x4.add(f32x4.splat(SLOPE_0 * share), f32x4.mul(value, upper));
}

@inline
function plus(a: v128, b: v128, factor: f32): v128 {
  return f32x4.add(a, f32x4.mul(b, f32x4.splat(factor)));
}

/**
 * Returns the changes of luma of four pixels whose chroma becomes `newCb` and `newCr`, as whole numbers. All arguments
 * are four i32. To the second order, linear light stays as it was.
 */
@inline
function changesOfFour(y: v128, cb: v128, cr: v128, newCb: v128, newCr: v128): v128 {
  const luma = f32x4.add(f32x4.convert_i32x4_s(y), f32x4.splat(MIDDLE));
  const cb0 = f32x4.convert_i32x4_s(cb);
  const cr0 = f32x4.convert_i32x4_s(cr);
  const cb1 = f32x4.convert_i32x4_s(newCb);
  const cr1 = f32x4.convert_i32x4_s(newCr);
  const red0 = clamped(plus(luma, cr0, 1.402));
  const red1 = clamped(plus(luma, cr1, 1.402));
  const green0 = clamped(plus(plus(luma, cb0, -0.344136), cr0, -0.714136));
  const green1 = clamped(plus(plus(luma, cb1, -0.344136), cr1, -0.714136));
  const blue0 = clamped(plus(luma, cb0, 1.772));
  const blue1 = clamped(plus(luma, cb1, 1.772));
  const red = weight(red0, red1, RED);
  const green = weight(green0, green1, GREEN);
  const blue = weight(blue0, blue1, BLUE);
  const lost = f32x4.add(
    f32x4.add(f32x4.mul(red, f32x4.sub(red0, red1)), f32x4.mul(green, f32x4.sub(green0, green1))),
    f32x4.mul(blue, f32x4.sub(blue0, blue1)),
  );
  const change = f32x4.div(lost, f32x4.add(f32x4.add(red, green), blue));
  const limited = f32x4.pmax(f32x4.splat(-MOST), f32x4.pmin(f32x4.splat(MOST), change));
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(limited));
}

/** Returns the luma of eight pixels, as i16, once their chroma is `newCb` and `newCr`. */
@inline
export function repairedLuma(y: v128, cb: v128, cr: v128, newCb: v128, newCr: v128): v128 {
  const low = changesOfFour(
    i32x4.extend_low_i16x8_s(y),
    i32x4.extend_low_i16x8_s(cb),
    i32x4.extend_low_i16x8_s(cr),
    i32x4.extend_low_i16x8_s(newCb),
    i32x4.extend_low_i16x8_s(newCr),
  );
  const high = changesOfFour(
    i32x4.extend_high_i16x8_s(y),
    i32x4.extend_high_i16x8_s(cb),
    i32x4.extend_high_i16x8_s(cr),
    i32x4.extend_high_i16x8_s(newCb),
    i32x4.extend_high_i16x8_s(newCr),
  );
  return i16x8.add(y, i16x8.narrow_i32x4_s(low, high));
}
