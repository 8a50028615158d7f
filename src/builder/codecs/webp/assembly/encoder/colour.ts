/**
 * Rows of pixels to rows of Y, Cb and Cr samples (ITU-R BT.601, Y from 16 to 235) with 16 fraction bits. Chroma
 * of four pixels is that of their mean in linear light, weighted by alpha, as libwebp has it: a mean of coded
 * values would darken saturated edges.
 */

const Y_R: i32 = 16839;
const Y_G: i32 = 33059;
const Y_B: i32 = 6420;
const FRACTION_BITS: i32 = 16;
const Y_OFFSET: i32 = (16 << FRACTION_BITS) + (1 << (FRACTION_BITS - 1));
/** Chroma is computed from sums of four. */
const CHROMA_BITS: i32 = FRACTION_BITS + 2;
const CHROMA_OFFSET: i32 = (128 << CHROMA_BITS) + (1 << (CHROMA_BITS - 1));

/** libwebp's exponent between coded values and what is averaged. */
const GAMMA: f64 = 0.8;
const LINEAR_MAX: i32 = 4095;
/** Of a coded value (u16); and of a mean, the coded value times 4 (u16). */
const toLinear = memory.data(256 * 2);
const toCoded = memory.data(4096 * 2);

/** Sums (u32) of columns of two pixels: red, green, blue and their weight. */
export const SUM_BYTES: usize = 16;

/** Fills the tables; to be called once. */
export function prepareColour(): void {
  for (let i = 0; i < 256; i++) {
    store<u16>(toLinear + (<usize>i << 1), <u16>(Math.pow(<f64>i / 255, GAMMA) * LINEAR_MAX + 0.5));
  }
  for (let i = 0; i <= LINEAR_MAX; i++) {
    store<u16>(toCoded + (<usize>i << 1), <u16>(Math.pow(<f64>i / LINEAR_MAX, 1 / GAMMA) * 1020 + 0.5));
  }
}

// @ts-ignore: decorator
@inline
function linear(at: usize): u32 {
  return load<u16>(toLinear + (<usize>load<u8>(at) << 1));
}

// @ts-ignore: decorator
@inline
function coded(sum: u32, weight: u32): i32 {
  return load<u16>(toCoded + (<usize>(sum / weight) << 1));
}

/** Luma of one row. */
export function lumaRow(row: usize, width: i32, channels: usize, out: usize): void {
  if (channels < 3) {
    for (let x = 0; x < width; x++) {
      const y = (<i32>load<u8>(row) * (Y_R + Y_G + Y_B) + Y_OFFSET) >> FRACTION_BITS;
      store<u8>(out++, <u8>y);
      row += channels;
    }
    return;
  }
  for (let x = 0; x < width; x++) {
    const sum = Y_R * load<u8>(row) + Y_G * load<u8>(row, 1) + Y_B * load<u8>(row, 2);
    store<u8>(out++, <u8>((sum + Y_OFFSET) >> FRACTION_BITS));
    row += channels;
  }
}

/** Adds one row to the sums of pairs of columns; the last column of an odd width counts twice. */
export function addChroma(row: usize, width: i32, channels: usize, sums: usize): void {
  const hasAlpha = channels == 4;
  for (let x = 0; x < width; x++) {
    const weight = hasAlpha ? <u32>load<u8>(row, 3) : 1;
    const twice = x + 1 == width && (width & 1) ? 1 : 0;
    const at = sums + <usize>(x >> 1) * SUM_BYTES;
    let sum = i32x4.replace_lane(i32x4.splat(0), 0, linear(row));
    sum = i32x4.replace_lane(sum, 1, linear(row + 1));
    sum = i32x4.replace_lane(sum, 2, linear(row + 2));
    sum = i32x4.replace_lane(sum, 3, 1);
    sum = i32x4.shl(i32x4.mul(sum, i32x4.splat(weight)), twice);
    v128.store(at, i32x4.add(v128.load(at), sum));
    row += channels;
  }
}

// @ts-ignore: decorator
@inline
function clamp(value: i32): u8 {
  return <u8>max(0, min(255, value));
}

/** Chroma of one row from its sums, which become zeros again. Without any weight it is gray. */
export function chromaRow(sums: usize, width: i32, cb: usize, cr: usize): void {
  for (let x = 0; x < (width + 1) >> 1; x++) {
    const weight = load<u32>(sums, 12);
    let r = 0;
    let g = 0;
    let b = 0;
    if (weight) {
      r = coded(load<u32>(sums), weight);
      g = coded(load<u32>(sums, 4), weight);
      b = coded(load<u32>(sums, 8), weight);
    }
    store<u8>(cb++, clamp((-9719 * r - 19081 * g + 28800 * b + CHROMA_OFFSET) >> CHROMA_BITS));
    store<u8>(cr++, clamp((28800 * r - 24116 * g - 4684 * b + CHROMA_OFFSET) >> CHROMA_BITS));
    v128.store(sums, i32x4.splat(0));
    sums += SUM_BYTES;
  }
}
