/**
 * Converts rows of samples to rows of RGB as libwebp does: chroma is brought to full resolution by its "fancy"
 * upsampling (src/dsp/upsampling.c), then BT.601 is applied in its fixed point (src/dsp/yuv.h).
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";

const SLACK: u64 = 64;

let width = 0;
/** Cb and Cr at full resolution of the upper and the lower row of a pair. */
let upperCb: usize = 0;
let upperCr: usize = 0;
let lowerCb: usize = 0;
let lowerCr: usize = 0;

/** Allocates rows of chroma. @returns false when the memory is at its end */
export function layOutColour(pictureWidth: i32): boolean {
  width = pictureWidth;
  upperCb = allocate(<u64>width + SLACK);
  upperCr = allocate(<u64>width + SLACK);
  lowerCb = allocate(<u64>width + SLACK);
  lowerCr = allocate(<u64>width + SLACK);
  return upperCb && upperCr && lowerCb && lowerCr ? true : false;
}

/**
 * Returns (9 a + 3 b + 3 c + d + 8) / 16, rounded in two steps. `corner` is the nearest sample, `diagonal` the mean of
 * the others.
 */
@inline
function halfway(diagonal: v128, corner: v128): v128 {
  return i16x8.shr_u(i16x8.add(diagonal, corner), 1);
}

/** Interleaves two vectors of 8 samples. */
@inline
function inTurns(odd: v128, even: v128): v128 {
  return v128.shuffle<i8>(
    i8x16.narrow_i16x8_u(odd, even),
    odd,
    0,
    8,
    1,
    9,
    2,
    10,
    3,
    11,
    4,
    12,
    5,
    13,
    6,
    14,
    7,
    15,
  );
}

/** Upsamples two rows of chroma, `above` and `below`, for the two rows of luma between them. */
function upsample(above: usize, below: usize, upper: usize, lower: usize): void {
  const pairs = (width - 1) >> 1;
  const eight = i16x8.splat(8);
  for (let x = 1; x <= pairs; x += 8) {
    const a = v128.load_ext<u8>(above + <usize>x - 1);
    const b = v128.load_ext<u8>(above + <usize>x);
    const c = v128.load_ext<u8>(below + <usize>x - 1);
    const d = v128.load_ext<u8>(below + <usize>x);
    const falling = i16x8.add(a, d);
    const rising = i16x8.add(b, c);
    const sum = i16x8.add(i16x8.add(falling, rising), eight);
    const byRising = i16x8.shr_u(i16x8.add(sum, i16x8.shl(rising, 1)), 3);
    const byFalling = i16x8.shr_u(i16x8.add(sum, i16x8.shl(falling, 1)), 3);
    const to = <usize>(2 * x - 1);
    v128.store(upper + to, inTurns(halfway(byRising, a), halfway(byFalling, b)));
    v128.store(lower + to, inTurns(halfway(byFalling, c), halfway(byRising, d)));
  }
  mixEnd(above, below, upper, lower);
  if (!(width & 1)) {
    const last = <usize>(width - 1);
    mixEnd(above + (last >> 1), below + (last >> 1), upper + last, lower + last);
  }
}

/** Writes the first sample, or at an even width the last one, which have no neighbour on one side. */
function mixEnd(above: usize, below: usize, upper: usize, lower: usize): void {
  const a = <u32>load<u8>(above);
  const b = <u32>load<u8>(below);
  store<u8>(upper, <u8>((3 * a + b + 2) >> 2));
  store<u8>(lower, <u8>((3 * b + a + 2) >> 2));
}

/** Returns (samples * factor) >> 8, exactly, for a factor of 16 bits. */
@inline
function times(samples: v128, factor: i32): v128 {
  const high = i16x8.mul(samples, i16x8.splat(<i16>(factor >> 8)));
  const low = i16x8.mul(samples, i16x8.splat(<i16>(factor & 255)));
  return i16x8.add(high, i16x8.shr_u(low, 8));
}

@inline
function redOf(y: v128, v: v128): v128 {
  return i16x8.shr_u(i16x8.sub_sat_u(i16x8.add(y, times(v, 26149)), i16x8.splat(14234)), 6);
}

@inline
function greenOf(y: v128, u: v128, v: v128): v128 {
  const less = i16x8.add(times(u, 6419), times(v, 13320));
  return i16x8.shr_u(i16x8.sub_sat_u(i16x8.add(y, i16x8.splat(8708)), less), 6);
}

@inline
function blueOf(y: v128, u: v128): v128 {
  return i16x8.shr_u(i16x8.sub_sat_u(i16x8.add(y, times(u, 33050)), i16x8.splat(17685)), 6);
}

/** Converts one row, 16 pixels at a time. Overwrites up to 47 bytes past its end. */
function convert(luma: usize, cb: usize, cr: usize, out: usize): void {
  for (let x: usize = 0; x < <usize>width; x += 16) {
    const y0 = times(v128.load_ext<u8>(luma + x), 19077);
    const y1 = times(v128.load_ext<u8>(luma + x, 8), 19077);
    const u0 = v128.load_ext<u8>(cb + x);
    const u1 = v128.load_ext<u8>(cb + x, 8);
    const v0 = v128.load_ext<u8>(cr + x);
    const v1 = v128.load_ext<u8>(cr + x, 8);
    const r = i8x16.narrow_i16x8_u(redOf(y0, v0), redOf(y1, v1));
    const g = i8x16.narrow_i16x8_u(greenOf(y0, u0, v0), greenOf(y1, u1, v1));
    const b = i8x16.narrow_i16x8_u(blueOf(y0, u0), blueOf(y1, u1));
    const to = out + 3 * x;
    let mixed = v128.shuffle<i8>(r, g, 0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5);
    v128.store(to, v128.shuffle<i8>(mixed, b, 0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15));
    mixed = v128.shuffle<i8>(r, g, 21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26);
    v128.store(to, v128.shuffle<i8>(mixed, b, 0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15), 16);
    mixed = v128.shuffle<i8>(r, g, 0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0);
    v128.store(to, v128.shuffle<i8>(mixed, b, 26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31), 32);
  }
}

/** Writes the two rows of pixels between two rows of chroma. */
export function writePair(
  upperLuma: usize,
  lowerLuma: usize,
  cbAbove: usize,
  cbBelow: usize,
  crAbove: usize,
  crBelow: usize,
  out: usize,
): void {
  upsample(cbAbove, cbBelow, upperCb, lowerCb);
  upsample(crAbove, crBelow, upperCr, lowerCr);
  convert(upperLuma, upperCb, upperCr, out);
  convert(lowerLuma, lowerCb, lowerCr, out + 3 * <usize>width);
}

/** Writes the first row, or the last one of an even height, for which chroma is mirrored. */
export function writeSingle(luma: usize, cb: usize, cr: usize, out: usize): void {
  upsample(cb, cb, upperCb, lowerCb);
  upsample(cr, cr, upperCr, lowerCr);
  convert(luma, upperCb, upperCr, out);
}
