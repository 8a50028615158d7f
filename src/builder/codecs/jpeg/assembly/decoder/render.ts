/**
 * Transforms a block's coefficients to size x size bytes. Sizes 4, 2 and 1 use the DCT of that length over the lowest
 * frequencies, which gives the picture at 1/2, 1/4 and 1/8 of its resolution.
 */
import { idct8 } from "./idct8";
import { LAST_IN_CORNER, idct8Corner } from "./idct8-corner";

/** The addend of (dc + ROUND_DC) >> 3: half a step, and the level shift of 128 (ITU T.81 A.3.1). */
const ROUND_DC: i32 = 4 + (128 << 3);

/** Zigzag index of the last coefficient that idct2 clears itself: rows 0 to 2 of the block. */
const CLEARED_BY_2: i32 = 4;

/** Half the cosines of the 4-point DCT, times 2^15: cos(pi/4), cos(pi/8), sin(pi/8). */
const C4: i16 = 11585;
const C8: i16 = 15137;
const S8: i16 = 6270;
const CONSTANT_BITS: i32 = 15;
/** Fraction bits kept between the passes of idct4. */
const PASS_1_BITS: i32 = 2;
const SHIFT_1: i32 = CONSTANT_BITS - PASS_1_BITS;
const SHIFT_2: i32 = CONSTANT_BITS + PASS_1_BITS;

@inline
function clampByte(value: i32): i32 {
  return min<i32>(max<i32>(value, 0), 255);
}

export function clearBlock(block: usize): void {
  const zero = i16x8.splat(0);
  for (let row: usize = 0; row < 128; row += 16) v128.store(block + row, zero);
}

@inline
function dot(a: v128, b: v128): v128 {
  return i32x4.dot_i16x8_s(a, b);
}

@inline
function interleave(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

@inline
function dequantise(block: usize, quant: usize): v128 {
  return i16x8.mul(v128.load(block), v128.load(quant));
}

function idct4(block: usize, quant: usize, out: usize, stride: usize): void {
  const even0 = i16x8(C4, C4, C4, C4, C4, C4, C4, C4);
  const even1 = i16x8(C4, -C4, C4, -C4, C4, -C4, C4, -C4);
  const odd0 = i16x8(C8, S8, C8, S8, C8, S8, C8, S8);
  const odd1 = i16x8(S8, -C8, S8, -C8, S8, -C8, S8, -C8);

  let even = interleave(dequantise(block, quant), dequantise(block + 32, quant + 32));
  let odd = interleave(dequantise(block + 16, quant + 16), dequantise(block + 48, quant + 48));
  clearBlock(block);
  let rounding = i32x4.splat(1 << (SHIFT_1 - 1));
  let e0 = i32x4.add(dot(even, even0), rounding);
  let e1 = i32x4.add(dot(even, even1), rounding);
  let o0 = dot(odd, odd0);
  let o1 = dot(odd, odd1);
  let y0 = i32x4.shr_s(i32x4.add(e0, o0), SHIFT_1);
  let y1 = i32x4.shr_s(i32x4.add(e1, o1), SHIFT_1);
  let y2 = i32x4.shr_s(i32x4.sub(e1, o1), SHIFT_1);
  let y3 = i32x4.shr_s(i32x4.sub(e0, o0), SHIFT_1);

  // Put columns 0 and 2, and 1 and 3, of every row next to each other, for the second pass along the rows.
  const upper = i16x8.narrow_i32x4_s(y0, y1);
  const lower = i16x8.narrow_i32x4_s(y2, y3);
  even = v128.shuffle<i16>(upper, lower, 0, 2, 4, 6, 8, 10, 12, 14);
  odd = v128.shuffle<i16>(upper, lower, 1, 3, 5, 7, 9, 11, 13, 15);
  rounding = i32x4.splat((1 << (SHIFT_2 - 1)) + (128 << SHIFT_2));
  e0 = i32x4.add(dot(even, even0), rounding);
  e1 = i32x4.add(dot(even, even1), rounding);
  o0 = dot(odd, odd0);
  o1 = dot(odd, odd1);
  y0 = i32x4.shr_s(i32x4.add(e0, o0), SHIFT_2);
  y1 = i32x4.shr_s(i32x4.add(e1, o1), SHIFT_2);
  y2 = i32x4.shr_s(i32x4.sub(e1, o1), SHIFT_2);
  y3 = i32x4.shr_s(i32x4.sub(e0, o0), SHIFT_2);
  const columns = i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_s(y0, y1), i16x8.narrow_i32x4_s(y2, y3));
  const rows = v128.shuffle<i8>(columns, columns, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  v128.store32_lane(out, rows, 0);
  v128.store32_lane(out + stride, rows, 1);
  v128.store32_lane(out + 2 * stride, rows, 2);
  v128.store32_lane(out + 3 * stride, rows, 3);
}

/** Takes the DC coefficient alone through both passes of idct4, with the same roundings. */
function flat4(block: usize, quant: usize, out: usize, stride: usize): void {
  const dc = <i32>(<i16>(<i32>load<i16>(block) * <i32>load<i16>(quant)));
  store<i16>(block, 0);
  const half = (dc * C4 + (1 << (SHIFT_1 - 1))) >> SHIFT_1;
  const once = min<i32>(max<i32>(half, i16.MIN_VALUE), i16.MAX_VALUE);
  const sample = clampByte((once * C4 + (1 << (SHIFT_2 - 1)) + (128 << SHIFT_2)) >> SHIFT_2);
  const row = <u32>sample * 0x01010101;
  store<u32>(out, row);
  store<u32>(out + stride, row);
  store<u32>(out + 2 * stride, row);
  store<u32>(out + 3 * stride, row);
}

function idct2(block: usize, quant: usize, out: usize, stride: usize): void {
  const mean = <i32>load<i16>(block) * <i32>load<i16>(quant) + ROUND_DC;
  const across = <i32>load<i16>(block, 2) * <i32>load<i16>(quant, 2);
  const down = <i32>load<i16>(block, 16) * <i32>load<i16>(quant, 16);
  const both = <i32>load<i16>(block, 18) * <i32>load<i16>(quant, 18);
  const zero = i16x8.splat(0);
  v128.store(block, zero);
  v128.store(block, zero, 16);
  v128.store(block, zero, 32);
  store<u8>(out, clampByte((mean + across + down + both) >> 3));
  store<u8>(out, clampByte((mean - across + down - both) >> 3), 1);
  store<u8>(out + stride, clampByte((mean + across - down - both) >> 3));
  store<u8>(out + stride, clampByte((mean - across - down + both) >> 3), 1);
}

@inline
function meanOf(block: usize, quant: usize): i32 {
  return clampByte((<i32>load<i16>(block) * <i32>load<i16>(quant) + ROUND_DC) >> 3);
}

/**
 * Writes one block's samples and sets the block to zeros.
 * @param size 8, 4, 2 or 1 samples per side
 * @param last zigzag index of the last coefficient that may not be zero
 */
export function renderBlock(
  size: i32,
  block: usize,
  quant: usize,
  out: usize,
  stride: usize,
  last: i32,
): void {
  if (size == 8) {
    if (last > LAST_IN_CORNER) return idct8(block, quant, out, stride);
    if (last > 0) return idct8Corner(block, quant, out, stride);
    const flat = i8x16.splat(<i8>meanOf(block, quant));
    store<i16>(block, 0);
    for (let y = 0; y < 8; y++, out += stride) v128.store64_lane(out, flat, 0);
  } else if (size == 4) {
    if (last == 0) return flat4(block, quant, out, stride);
    idct4(block, quant, out, stride);
  } else if (size == 2) {
    idct2(block, quant, out, stride);
    if (last > CLEARED_BY_2) clearBlock(block);
  } else {
    store<u8>(out, meanOf(block, quant));
    store<i16>(block, 0);
  }
}
