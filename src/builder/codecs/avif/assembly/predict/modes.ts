/** Predictions from the edges of a block (AV1 specification section 7.11.2). */
import { predictDirection } from "./directional";
import { above, hasAbove, hasLeft, left, PREDICTION_STRIDE } from "./edges";

/** Intra modes (section 6.10.8). Those from V_PRED up to D67_PRED have a direction. */
export const DC_PRED: i32 = 0;
export const V_PRED: i32 = 1;
export const H_PRED: i32 = 2;
export const D67_PRED: i32 = 8;
export const SMOOTH_PRED: i32 = 9;
export const SMOOTH_V_PRED: i32 = 10;
export const SMOOTH_H_PRED: i32 = 11;
export const PAETH_PRED: i32 = 12;
export const CFL_PRED: i32 = 13;

/** Angles of the modes with a direction, in degrees, from V_PRED on. */
const ANGLES = memory.data<u8>([90, 180, 45, 135, 113, 157, 203, 67]);
/** Degrees per step of an angle delta. */
const ANGLE_STEP: i32 = 3;

/** Weights of SMOOTH (section 9.3), for lengths of 4 to 64: those of length n begin at n - 4. */
const SMOOTH_WEIGHTS = memory.data<u8>([
  255, 149, 85, 64, 255, 197, 146, 105, 73, 50, 37, 32, 255, 225, 196, 170, 145, 123, 102, 84, 68, 54, 43, 33,
  26, 20, 17, 16, 255, 240, 225, 210, 196, 182, 169, 157, 145, 133, 122, 111, 101, 92, 83, 74, 66, 59, 52, 45,
  39, 34, 29, 25, 21, 17, 14, 12, 10, 9, 8, 8, 255, 248, 240, 233, 225, 218, 210, 203, 196, 189, 182, 176,
  169, 163, 156, 150, 144, 138, 133, 127, 121, 116, 111, 106, 101, 96, 91, 86, 82, 77, 73, 69, 65, 61, 57, 54,
  50, 47, 44, 41, 38, 35, 32, 29, 27, 25, 22, 20, 18, 16, 15, 13, 12, 10, 9, 8, 7, 6, 6, 5, 5, 4, 4, 4, 0, 0,
  0, 0, 0, 0, 0, 0,
]);

@inline
export function hasDirection(mode: i32): boolean {
  return mode >= V_PRED && mode <= D67_PRED;
}

/**
 * Predicts a block, in rows of PREDICTION_STRIDE bytes. Bytes to the right of it may be overwritten.
 * @param angleDelta -3 to 3, for modes with a direction
 */
export function predict(out: usize, mode: i32, angleDelta: i32, width: i32, height: i32): void {
  if (mode == DC_PRED) fillBlock(out, average(width, height), width, height);
  else if (mode <= D67_PRED) {
    const angle = <i32>load<u8>(ANGLES + mode - 1) + angleDelta * ANGLE_STEP;
    if (angle == 90) predictVertical(out, width, height);
    else if (angle == 180) predictHorizontal(out, width, height);
    else predictDirection(out, angle, width, height);
  } else if (mode == PAETH_PRED) predictPaeth(out, width, height);
  else predictSmooth(out, mode, width, height);
}

function average(width: i32, height: i32): i32 {
  let sum = 0;
  if (hasAbove) for (let i = 0; i < width; i++) sum += load<u8>(above + i);
  if (hasLeft) for (let i = 0; i < height; i++) sum += load<u8>(left + i);
  const count = (hasAbove ? width : 0) + (hasLeft ? height : 0);
  return count == 0 ? 128 : (sum + (count >> 1)) / count;
}

export function fillBlock(out: usize, value: i32, width: i32, height: i32): void {
  const row = i8x16.splat(<i8>value);
  for (let y = 0; y < height; y++, out += PREDICTION_STRIDE) {
    for (let x = 0; x < width; x += 16) v128.store(out + x, row);
  }
}

function predictVertical(out: usize, width: i32, height: i32): void {
  for (let x = 0; x < width; x += 16) {
    const row = v128.load(above + x);
    for (let y = 0; y < height; y++) v128.store(out + <usize>y * PREDICTION_STRIDE + x, row);
  }
}

function predictHorizontal(out: usize, width: i32, height: i32): void {
  for (let y = 0; y < height; y++, out += PREDICTION_STRIDE) {
    const row = v128.load8_splat(left + y);
    for (let x = 0; x < width; x += 16) v128.store(out + x, row);
  }
}

function predictPaeth(out: usize, width: i32, height: i32): void {
  const corner = i16x8.splat(<i16>load<u8>(above - 1));
  for (let x = 0; x < width; x += 8) {
    const top = v128.load8x8_u(above + x);
    const fromLeft = i16x8.abs(i16x8.sub(top, corner));
    const slope = i16x8.sub(top, i16x8.shl(corner, 1));
    for (let y = 0; y < height; y++) {
      const side = i16x8.splat(<i16>load<u8>(left + y));
      const fromTop = i16x8.abs(i16x8.sub(side, corner));
      const fromCorner = i16x8.abs(i16x8.add(slope, side));
      const rest = v128.bitselect(top, corner, i16x8.le_s(fromTop, fromCorner));
      const isLeft = v128.and(i16x8.le_s(fromLeft, fromTop), i16x8.le_s(fromLeft, fromCorner));
      const row = v128.bitselect(side, rest, isLeft);
      v128.store64_lane(out + <usize>y * PREDICTION_STRIDE + x, i8x16.narrow_i16x8_u(row, row), 0);
    }
  }
}

function predictSmooth(out: usize, mode: i32, width: i32, height: i32): void {
  const isVertical = mode != SMOOTH_H_PRED;
  const isHorizontal = mode != SMOOTH_V_PRED;
  const right = i16x8.splat(<i16>load<u8>(above + width - 1));
  const bottom = <i32>load<u8>(left + height - 1);
  const rowWeights = SMOOTH_WEIGHTS + height - 4;
  const whole = i16x8.splat(256);
  const half = i16x8.splat(128);
  const one = i16x8.splat(1);
  for (let x = 0; x < width; x += 8) {
    const top = v128.load8x8_u(above + x);
    const weights = v128.load8x8_u(SMOOTH_WEIGHTS + width - 4 + x);
    const far = i16x8.mul(i16x8.sub(whole, weights), right);
    for (let y = 0; y < height; y++) {
      const weight = <i32>load<u8>(rowWeights + y);
      const down = i16x8.add(
        i16x8.mul(top, i16x8.splat(<i16>weight)),
        i16x8.splat(<i16>((256 - weight) * bottom)),
      );
      const across = i16x8.add(i16x8.mul(weights, i16x8.splat(<i16>load<u8>(left + y))), far);
      let sum = isVertical ? down : across;
      if (isVertical && isHorizontal) {
        sum = i16x8.sub(i16x8.avgr_u(down, across), v128.and(v128.xor(down, across), one));
      }
      const row = i16x8.shr_u(i16x8.add(sum, half), 8);
      v128.store64_lane(out + <usize>y * PREDICTION_STRIDE + x, i8x16.narrow_i16x8_u(row, row), 0);
    }
  }
}
