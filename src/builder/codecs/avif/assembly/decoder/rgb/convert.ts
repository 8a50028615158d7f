/** Converts rows of planes to RGB or RGBA of 8 bits. */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { bandOf, hasAlpha, hasChroma, shiftY, strideOf } from "./bands";
import { enlargedRow, enlargeRow, layOutChroma } from "./chroma";

/** Bits of the fractions of factors. */
const FRACTION: i32 = 21;
/**
 * Factors (i32) of luma, Cb and Cr (sixteenths), and a sum to add, for red, green and blue, and for alpha the first and
 * last.
 */
const FACTORS: u64 = 16;
let factors: usize = 0;
let out: usize = 0;
let isPremultiplied = false;

/** Returns the bytes of a row of `width` pixels, with room for vectors. */
@inline
function rowBytes(columns: i32): u64 {
  return <u64>columns * (hasAlpha ? 4 : 3);
}

/** Allocates the rows that are handed out. @param rows of `columns` pixels @returns false when the memory is at its end */
export function layOutConversion(rows: i32, columns: i32, premultiplied: i32): boolean {
  isPremultiplied = premultiplied != 0;
  factors = allocate(FACTORS * 4);
  out = allocate(<u64>rows * rowBytes(columns) + 64);
  return factors != 0 && out != 0 && (!hasChroma || layOutChroma());
}

export function setFactor(index: i32, value: i32): void {
  store<i32>(factors + ((<usize>index) << 2), value);
}

@inline
function factor(index: usize): v128 {
  return v128.load32_splat(factors + (index << 2));
}

/** Returns four values of a channel. */
@inline
function mixed(y: v128, u: v128, v: v128, channel: usize): v128 {
  const sum = i32x4.add(i32x4.mul(y, factor(channel)), factor(channel + 3));
  const colour = i32x4.add(i32x4.mul(u, factor(channel + 1)), i32x4.mul(v, factor(channel + 2)));
  return i32x4.shr_s(i32x4.add(sum, colour), FRACTION);
}

/** Returns eight values of a channel (u16, up to 255). */
@inline
function channelOf(y: v128, u: v128, v: v128, channel: usize): v128 {
  const low = mixed(
    i32x4.extend_low_i16x8_u(y),
    i32x4.extend_low_i16x8_u(u),
    i32x4.extend_low_i16x8_u(v),
    channel,
  );
  const high = mixed(
    i32x4.extend_high_i16x8_u(y),
    i32x4.extend_high_i16x8_u(u),
    i32x4.extend_high_i16x8_u(v),
    channel,
  );
  return i16x8.narrow_i32x4_s(low, high);
}

/** Returns eight values of one plane, scaled by the first factor. */
@inline
function scaledOf(values: v128, channel: usize): v128 {
  const by = factor(channel);
  const offset = factor(channel + 3);
  const low = i32x4.add(i32x4.mul(i32x4.extend_low_i16x8_u(values), by), offset);
  const high = i32x4.add(i32x4.mul(i32x4.extend_high_i16x8_u(values), by), offset);
  return i16x8.narrow_i32x4_s(i32x4.shr_s(low, FRACTION), i32x4.shr_s(high, FRACTION));
}

/** Writes eight pixels of four channels, each eight values. */
@inline
function putRgba(to: usize, r: v128, g: v128, b: v128, a: v128): void {
  const rb = i8x16.narrow_i16x8_u(r, b);
  const ga = i8x16.narrow_i16x8_u(g, a);
  const rg = v128.shuffle<i8>(rb, ga, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const ba = v128.shuffle<i8>(rb, ga, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  v128.store(to, v128.shuffle<i16>(rg, ba, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(to, v128.shuffle<i16>(rg, ba, 4, 12, 5, 13, 6, 14, 7, 15), 16);
}

/** Writes eight pixels of three channels; the eight bytes after them are overwritten. */
@inline
function putRgb(to: usize, r: v128, g: v128, b: v128): void {
  const rg = i8x16.narrow_i16x8_u(r, g);
  const bb = i8x16.narrow_i16x8_u(b, b);
  v128.store(to, v128.shuffle<i8>(rg, bb, 0, 8, 16, 1, 9, 17, 2, 10, 18, 3, 11, 19, 4, 12, 20, 5));
  v128.store(to, v128.shuffle<i8>(rg, bb, 13, 21, 6, 14, 22, 7, 15, 23, 0, 0, 0, 0, 0, 0, 0, 0), 16);
}

/** Divides the colours of a row by alpha, rounded as libavif does. */
function unpremultiply(at: usize, columns: i32): void {
  for (const end = at + ((<usize>columns) << 2); at < end; at += 4) {
    const a = <f32>load<u8>(at, 3);
    if (a == 255) continue;
    for (let i: usize = 0; i < 3; i++) {
      const value = a == 0 ? <f32>0 : min<f32>(Mathf.floor((<f32>load<u8>(at + i) * 255) / a + 0.5), 255);
      store<u8>(at + i, <u8>value);
    }
  }
}

/** Converts one row. @param row in the bands @param first first column */
function convertRow(to: usize, row: i32, first: i32, columns: i32): void {
  const y = bandOf(0) + <usize>row * strideOf(0) + ((<usize>first) << 1);
  const u = enlargedRow(1) + ((<usize>first) << 1);
  const v = enlargedRow(2) + ((<usize>first) << 1);
  const alpha = hasAlpha ? bandOf(3) + <usize>row * strideOf(3) + ((<usize>first) << 1) : 0;
  const start = to;
  for (let i: usize = 0; i < (<usize>columns) << 1; i += 16) {
    const luma = v128.load(y + i);
    let r: v128;
    let g: v128;
    let b: v128;
    if (hasChroma) {
      const cb = v128.load(u + i);
      const cr = v128.load(v + i);
      r = channelOf(luma, cb, cr, 0);
      g = channelOf(luma, cb, cr, 4);
      b = channelOf(luma, cb, cr, 8);
    } else {
      r = scaledOf(luma, 0);
      g = r;
      b = r;
    }
    if (hasAlpha) {
      putRgba(to, r, g, b, scaledOf(v128.load(alpha + i), 12));
      to += 32;
    } else {
      putRgb(to, r, g, b);
      to += 24;
    }
  }
  if (hasAlpha && isPremultiplied) unpremultiply(start, columns);
}

/**
 * Converts rows of the bands.
 * @param row the first row in the bands, whose first row of luma is even in the picture
 * @param last the last row of chroma in the bands that the picture has
 * @param isTop whether the bands begin with the picture
 * @returns the address of the first converted row
 */
export function convertRows(row: i32, count: i32, first: i32, columns: i32, last: i32, isTop: i32): usize {
  const bytes = <usize>rowBytes(columns);
  for (let i = 0; i < count; i++) {
    const y = row + i;
    if (hasChroma) {
      const near = y >> shiftY;
      let far = near;
      if (shiftY) far = y & 1 ? min(near + 1, last) : isTop && near == 0 ? 0 : near - 1;
      for (let plane = 1; plane < 3; plane++) {
        const at = bandOf(plane);
        enlargeRow(plane, at + <usize>near * strideOf(plane), at + <isize>far * <isize>strideOf(plane));
      }
    }
    convertRow(out + <usize>i * bytes, y, first, columns);
  }
  return out;
}
