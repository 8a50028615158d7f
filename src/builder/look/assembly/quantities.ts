/**
 * The quantities of a row that are blurred. Each channel that is compared has a vector per pixel: the sample of the
 * first picture, that of the second, and their squares. A last vector has the products of both samples, a lane per
 * channel.
 */
import { LANES, VECTOR } from "./lines";

/** Returns the first two lanes of `a` and `b`, alternating. */
@inline
export function lowPairs(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 0, 4, 1, 5);
}

/** Returns the last two lanes of `a` and `b`, alternating. */
@inline
export function highPairs(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 2, 6, 3, 7);
}

/** Returns the first halves of `a` and `b`. */
@inline
export function firstHalves(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 0, 2);
}

/** Returns the second halves of `a` and `b`. */
@inline
export function secondHalves(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 1, 3);
}

/** Returns the bytes from one pixel to the next. @param channels how many channels are compared */
@inline
export function pixelBytes(channels: i32): usize {
  return <usize>(channels + 1) * VECTOR;
}

/** Writes the quantities of one channel. @param out the vector of the channel in the first pixel */
export function putChannel(first: usize, second: usize, width: i32, step: usize, out: usize): void {
  for (let x = 0; x < width; x += LANES) {
    const at = (<usize>x) << 2;
    const a = v128.load(first + at);
    const b = v128.load(second + at);
    const aa = f32x4.mul(a, a);
    const bb = f32x4.mul(b, b);
    const to = out + <usize>x * step;
    v128.store(to, firstHalves(lowPairs(a, b), lowPairs(aa, bb)));
    v128.store(to + step, secondHalves(lowPairs(a, b), lowPairs(aa, bb)));
    v128.store(to + 2 * step, firstHalves(highPairs(a, b), highPairs(aa, bb)));
    v128.store(to + 3 * step, secondHalves(highPairs(a, b), highPairs(aa, bb)));
  }
}

/** Writes the products of one channel. @param out the lane of the channel in the last vector of the first pixel */
export function putProducts(first: usize, second: usize, width: i32, step: usize, out: usize): void {
  for (let x = 0; x < width; x++) {
    const at = (<usize>x) << 2;
    store<f32>(out + <usize>x * step, load<f32>(first + at) * load<f32>(second + at));
  }
}
