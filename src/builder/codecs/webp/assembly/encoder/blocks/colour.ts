/**
 * Converts pixels to samples of Y, Cb and Cr (ITU-R BT.601, Y from 16 to 235).
 *
 * A decoder interpolates the chroma of each pixel from the four nearest samples, with weights of 9, 3, 3 and 1 of 16.
 * This blurs the means of four pixels, which would make small things pale. So means that differ from their neighbours by
 * more than noise does are sharpened by about as much before. Where colours meet, the interpolated chroma still differs
 * from the pixel's own, and the pixel would become too dark or too bright. So luma is chosen such that the decoded pixel
 * is as bright as the original, measured by the squares of red, green and blue.
 */

const FRACTION_BITS: i32 = 16;
const Y_R: i32 = 16839;
const Y_G: i32 = 33059;
const Y_B: i32 = 6420;
const Y_OFFSET: i32 = (16 << FRACTION_BITS) + (1 << (FRACTION_BITS - 1));
/** Fraction bits of chroma, which is computed from sums of four samples. */
const CHROMA_BITS: i32 = FRACTION_BITS + 2;
const CHROMA_OFFSET: i32 = (128 << CHROMA_BITS) + (1 << (CHROMA_BITS - 1));

/**
 * How far a mean is moved away from the mean of its two neighbours in a column or row: by three eighths of its distance.
 * Over the four pixels of a sample, interpolation moves it back by a quarter, and more where its neighbours were moved the
 * other way.
 */
const SHARPER: i16 = 3;
/**
 * A mean that is no farther from the mean of its neighbours than so many levels of 255 is not moved: most such distances
 * are noise, which costs bytes and which interpolation may blur. The move grows to its full length at twice as many.
 */
const NOISE: i16 = 12;
/**
 * The most by which it is moved: so many times its distance from the nearer neighbour. An edge between even colours gets no
 * rim, which would cost bytes.
 */
const SHARPER_MOST: i16 = 2;
/** Distances count up to here, so that a multiple of one, times 8, has room in 16 bits. */
const DISTANCE_MOST: i16 = 2047;

/** Weights of the squares of red, green and blue in brightness, about those of the eye's long and middle cones. */
const BRIGHT_R: f32 = 0.265;
const BRIGHT_G: f32 = 0.657;
const BRIGHT_B: f32 = 0.078;
/** Factors between a step of Y and one of red, green and blue. */
const FROM_Y: f32 = 219.0 / 255.0;

/** Computes luma of `width` gray pixels, which are `channels` bytes apart. */
export function grayLuma(row: usize, width: i32, channels: usize, out: usize): void {
  for (let x = 0; x < width; x++) {
    const y = (<i32>load<u8>(row) * (Y_R + Y_G + Y_B) + Y_OFFSET) >> FRACTION_BITS;
    store<u8>(out++, <u8>y);
    row += channels;
  }
}

@inline
function clamp(value: i32): u8 {
  return <u8>max(0, min(255, value));
}

/** Writes the chroma of four pixels from the sums of their red, green and blue. */
@inline
function putChroma(r: i32, g: i32, b: i32, cb: usize, cr: usize): void {
  store<u8>(cb, clamp((-9719 * r - 19081 * g + 28800 * b + CHROMA_OFFSET) >> CHROMA_BITS));
  store<u8>(cr, clamp((28800 * r - 24116 * g - 4684 * b + CHROMA_OFFSET) >> CHROMA_BITS));
}

@inline
function sumOfFour(plane: usize, stride: usize): i32 {
  return <i32>load<u8>(plane) + load<u8>(plane, 1) + load<u8>(plane + stride) + load<u8>(plane + stride, 1);
}

/** Returns eight sums of four samples each. */
@inline
function sumsOfFour(plane: usize, stride: usize): v128 {
  return i16x8.add(
    i16x8.extadd_pairwise_i8x16_u(v128.load(plane)),
    i16x8.extadd_pairwise_i8x16_u(v128.load(plane + stride)),
  );
}

/** Returns eight samples of chroma from sums. */
@inline
function weigh(r: v128, g: v128, b: v128, byR: i16, byG: i16, byB: i16): v128 {
  const x = i16x8.splat(byR);
  const y = i16x8.splat(byG);
  const z = i16x8.splat(byB);
  const low = i32x4.add(
    i32x4.add(i32x4.extmul_low_i16x8_s(r, x), i32x4.extmul_low_i16x8_s(g, y)),
    i32x4.add(i32x4.extmul_low_i16x8_s(b, z), i32x4.splat(CHROMA_OFFSET)),
  );
  const high = i32x4.add(
    i32x4.add(i32x4.extmul_high_i16x8_s(r, x), i32x4.extmul_high_i16x8_s(g, y)),
    i32x4.add(i32x4.extmul_high_i16x8_s(b, z), i32x4.splat(CHROMA_OFFSET)),
  );
  const words = i16x8.narrow_i32x4_s(i32x4.shr_s(low, CHROMA_BITS), i32x4.shr_s(high, CHROMA_BITS));
  return i8x16.narrow_i16x8_u(words, words);
}

/**
 * Computes `count` samples, a multiple of 8, of both chroma planes from two rows of pixels.
 * @param red samples of the upper row; those of the lower row are `stride` bytes after them. Green and blue follow in
 *   the same way, `plane` bytes apart.
 */
export function chromaRow(red: usize, stride: usize, plane: usize, count: i32, cb: usize, cr: usize): void {
  for (let x: usize = 0; x < <usize>count; x += 8) {
    const at = red + (x << 1);
    const r = sumsOfFour(at, stride);
    const g = sumsOfFour(at + plane, stride);
    const b = sumsOfFour(at + 2 * plane, stride);
    v128.store64_lane(cb + x, weigh(r, g, b, -9719, -19081, 28800), 0);
    v128.store64_lane(cr + x, weigh(r, g, b, 28800, -24116, -4684), 0);
  }
}

@inline
function widened(samples: usize): v128 {
  return i16x8.extend_low_i8x16_u(v128.load64_zero(samples));
}

/**
 * Returns eight values, times 8, moved away from their neighbours. Distances are below 4096.
 * @param unit a level of 255 in the values that are given
 */
@inline
function sharper(own: v128, before: v128, after: v128, unit: i16): v128 {
  const a = i16x8.sub(own, before);
  const b = i16x8.sub(own, after);
  const both = i16x8.add(a, b);
  const size = i16x8.abs(both);
  const above = i16x8.sub_sat_u(size, i16x8.splat(2 * NOISE * unit));
  const wanted = i16x8.mul(i16x8.min_s(i16x8.shr_s(size, 1), above), i16x8.splat(SHARPER));
  const nearer = i16x8.min_s(i16x8.abs(a), i16x8.abs(b));
  const most = i16x8.mul(i16x8.min_s(nearer, i16x8.splat(DISTANCE_MOST)), i16x8.splat(8 * SHARPER_MOST));
  const sign = i16x8.shr_s(both, 15);
  const move = i16x8.sub(v128.xor(i16x8.min_s(wanted, most), sign), sign);
  return i16x8.add_sat_s(i16x8.shl(own, 3), move);
}

/** Returns eight means minus 128. */
@inline
function centred(means: usize): v128 {
  return i16x8.sub(widened(means), i16x8.splat(128));
}

/**
 * Sharpens a row of `count` means, a multiple of 8, by the rows above and below it and along the row.
 * @param room for `count` values (i16), with a margin of one on each side
 */
export function sharpenRow(
  above: usize,
  here: usize,
  below: usize,
  count: i32,
  room: usize,
  out: usize,
): void {
  const end = <usize>count;
  for (let x: usize = 0; x < end; x += 8)
    v128.store(room + (x << 1), sharper(centred(here + x), centred(above + x), centred(below + x), 1));
  repeatEnds(room, count);
  for (let x: usize = 0; x < end; x += 8) {
    const at = room + (x << 1);
    const sharp = sharper(v128.load(at), v128.load(at - 2), v128.load(at + 2), 8);
    const words = i16x8.add(i16x8.shr_s(i16x8.add_sat_s(sharp, i16x8.splat(32)), 6), i16x8.splat(128));
    v128.store64_lane(out + x, i8x16.narrow_i16x8_u(words, words), 0);
  }
}

/** Repeats the first and the last of `count` values (i16) in the margins. */
@inline
function repeatEnds(values: usize, count: i32): void {
  store<i16>(values - 2, load<i16>(values));
  const end = values + ((<usize>count) << 1);
  store<i16>(end, load<i16>(end - 2));
}

/** Returns four times the mean of four samples of a plane, weighted by alpha. */
@inline
function weightedSum(at: usize, alpha: usize, stride: usize, weight: i32): i32 {
  const sum =
    <i32>load<u8>(at) * load<u8>(alpha) +
    <i32>load<u8>(at, 1) * load<u8>(alpha, 1) +
    <i32>load<u8>(at + stride) * load<u8>(alpha + stride) +
    <i32>load<u8>(at + stride, 1) * load<u8>(alpha + stride, 1);
  return (4 * sum + (weight >> 1)) / weight;
}

/** Does the same for pixels with alpha, in a fourth plane, which weights them. Fully transparent ones become gray. */
export function chromaRowWithAlpha(
  red: usize,
  stride: usize,
  plane: usize,
  count: i32,
  cb: usize,
  cr: usize,
): void {
  for (let x = 0; x < count; x++) {
    const at = red + ((<usize>x) << 1);
    const alpha = at + 3 * plane;
    const weight = sumOfFour(alpha, stride);
    if (weight == 0) {
      store<u8>(cb + x, 128);
      store<u8>(cr + x, 128);
      continue;
    }
    putChroma(
      weightedSum(at, alpha, stride, weight),
      weightedSum(at + plane, alpha, stride, weight),
      weightedSum(at + 2 * plane, alpha, stride, weight),
      cb + <usize>x,
      cr + <usize>x,
    );
  }
}

@inline
function samples(plane: usize): v128 {
  return f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_u(v128.load32_zero(plane))));
}

@inline
function sum3(r: v128, g: v128, b: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(r, f32x4.splat(BRIGHT_R)), f32x4.mul(g, f32x4.splat(BRIGHT_G))),
    f32x4.mul(b, f32x4.splat(BRIGHT_B)),
  );
}

@inline
function inRange(v: v128): v128 {
  return f32x4.min(f32x4.max(v, f32x4.splat(0)), f32x4.splat(255));
}

/**
 * Returns Y of four pixels. `cb` and `cr` are the chroma that the decoder interpolates for them, minus 128, times 16.
 */
@inline
function lumaOfFour(red: usize, plane: usize, cb: v128, cr: v128): v128 {
  const r = samples(red);
  const g = samples(red + plane);
  const b = samples(red + 2 * plane);
  const u = f32x4.mul(f32x4.convert_i32x4_s(cb), f32x4.splat(1.0 / 16.0));
  const v = f32x4.mul(f32x4.convert_i32x4_s(cr), f32x4.splat(1.0 / 16.0));
  const y = f32x4.add(
    f32x4.add(f32x4.mul(r, f32x4.splat(0.299)), f32x4.mul(g, f32x4.splat(0.587))),
    f32x4.mul(b, f32x4.splat(0.114)),
  );
  const dr = inRange(f32x4.add(y, f32x4.mul(v, f32x4.splat(1.596027))));
  const dg = inRange(
    f32x4.sub(f32x4.sub(y, f32x4.mul(u, f32x4.splat(0.391762))), f32x4.mul(v, f32x4.splat(0.812968))),
  );
  const db = inRange(f32x4.add(y, f32x4.mul(u, f32x4.splat(2.017232))));
  // The weighted sum of (r + d)², with the same d for all three, must equal the original: d = sqrt(m² - s + t) - m.
  const target = sum3(f32x4.mul(r, r), f32x4.mul(g, g), f32x4.mul(b, b));
  const squares = sum3(f32x4.mul(dr, dr), f32x4.mul(dg, dg), f32x4.mul(db, db));
  const mean = sum3(dr, dg, db);
  const inner = f32x4.add(f32x4.sub(f32x4.mul(mean, mean), squares), target);
  const change = f32x4.sub(f32x4.sqrt(f32x4.max(inner, f32x4.splat(0))), mean);
  const luma = f32x4.add(f32x4.mul(f32x4.add(y, change), f32x4.splat(FROM_Y)), f32x4.splat(16.5));
  return i32x4.min_s(i32x4.max_s(i32x4.trunc_sat_f32x4_s(luma), i32x4.splat(16)), i32x4.splat(235));
}

/**
 * Returns three parts of the nearer sample and one of the other, for eight pixels, from sums of four; minus 128, times
 * 16.
 */
@inline
function across(sums: usize): v128 {
  const here = v128.load64_zero(sums);
  const three = i16x8.add(here, i16x8.add(here, here));
  const even = i16x8.add(three, v128.load64_zero(sums - 2));
  const odd = i16x8.add(three, v128.load64_zero(sums + 2));
  return i16x8.sub(v128.shuffle<i16>(even, odd, 0, 8, 1, 9, 2, 10, 3, 11), i16x8.splat(2048));
}

/**
 * Computes luma, eight pixels at a time, from chroma sums (i16) of the nearer and the farther row, which have
 * margins.
 */
export function lumaRow(
  red: usize,
  plane: usize,
  width: i32,
  cbSums: usize,
  crSums: usize,
  out: usize,
): void {
  for (let x: usize = 0; x < <usize>width; x += 8) {
    const cb = across(cbSums + x);
    const cr = across(crSums + x);
    const low = lumaOfFour(red + x, plane, i32x4.extend_low_i16x8_s(cb), i32x4.extend_low_i16x8_s(cr));
    const high = lumaOfFour(red + x + 4, plane, i32x4.extend_high_i16x8_s(cb), i32x4.extend_high_i16x8_s(cr));
    const words = i16x8.narrow_i32x4_s(low, high);
    v128.store64_lane(out + x, i8x16.narrow_i16x8_u(words, words), 0);
  }
}

/**
 * Computes three parts of a row of chroma plus one of another, for `count` samples, and repeats one sample on each
 * side.
 */
export function chromaSums(near: usize, far: usize, count: i32, sums: usize): void {
  for (let x: usize = 0; x < <usize>count; x += 8) {
    const a = widened(near + x);
    v128.store(sums + (x << 1), i16x8.add(i16x8.add(a, i16x8.add(a, a)), widened(far + x)));
  }
  repeatEnds(sums, count);
}
