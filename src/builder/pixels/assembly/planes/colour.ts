/** Converts rows of RGB to luma and chroma (JFIF 1.02), and luma and chroma of half the width back to RGB. */
import { convertRow, extendRow } from "../shared/ycc";

/** 1.402 - 1, 0.344136, 0.714136 and 1.772 - 1, times 2^15. */
const CR_TO_R: i16 = 13173;
const CB_TO_G: i16 = 11277;
const CR_TO_G: i16 = 23401;
const CB_TO_B: i16 = 25297;
const FRACTION_BITS: i32 = 6;
const HALF: i16 = <i16>((<i32>1) << (FRACTION_BITS - 1));

/**
 * Converts a row of RGB (`channels` 3) or RGBA (4) to luma, alpha, and lines of chroma for halveRows. A sample is
 * repeated wherever a pair of chroma samples would be incomplete: at the end, and at the beginning if `lead` is 1.
 */
export function colourRow(
  row: usize,
  width: i32,
  channels: i32,
  luma: usize,
  alpha: usize,
  cb: usize,
  cr: usize,
  lead: i32,
): void {
  if (channels == 4) dropAlpha(row, width, alpha);
  const first = <usize>lead;
  convertRow(row, width, luma, cb + first, cr + first);
  if (lead) {
    store<u8>(cb, load<u8>(cb, 1));
    store<u8>(cr, load<u8>(cr, 1));
  }
  const samples = lead + width;
  extendRow(cb, samples, (samples + 1) & ~1);
  extendRow(cr, samples, (samples + 1) & ~1);
}

/** Converts RGBA to RGB in place, and writes alpha to `alpha`. */
function dropAlpha(row: usize, width: i32, alpha: usize): void {
  for (let x: usize = 0; x < <usize>width; x += 4) {
    const four = v128.load(row + 4 * x);
    const apart = v128.shuffle<i8>(four, four, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 3, 7, 11, 15);
    v128.store32_lane(alpha + x, apart, 3);
    v128.store(row + 3 * x, apart);
  }
}

/** Converts a row of luma and rows of chroma of half its width to lines of red, green and blue, `distance` apart. */
export function restoreRow(
  luma: usize,
  cb: usize,
  cr: usize,
  width: i32,
  lines: usize,
  distance: usize,
): void {
  for (let x: usize = 0; x < <usize>width; x += 8) {
    const y = i16x8.shl(v128.load_ext<u8>(luma + x), FRACTION_BITS);
    const base = i16x8.add(y, i16x8.splat(HALF));
    const blue = chroma(cb + (x >> 1));
    const red = chroma(cr + (x >> 1));
    const toR = i16x8.add(red, i16x8.q15mulr_sat_s(red, i16x8.splat(CR_TO_R)));
    const cbToG = i16x8.q15mulr_sat_s(blue, i16x8.splat(CB_TO_G));
    const toG = i16x8.add(cbToG, i16x8.q15mulr_sat_s(red, i16x8.splat(CR_TO_G)));
    const toB = i16x8.add(blue, i16x8.q15mulr_sat_s(blue, i16x8.splat(CB_TO_B)));
    const r = i16x8.shr_s(i16x8.add_sat_s(base, toR), FRACTION_BITS);
    const g = i16x8.shr_s(i16x8.sub_sat_s(base, toG), FRACTION_BITS);
    const b = i16x8.shr_s(i16x8.add_sat_s(base, toB), FRACTION_BITS);
    const rg = i8x16.narrow_i16x8_u(r, g);
    v128.store64_lane(lines + x, rg, 0);
    v128.store64_lane(lines + distance + x, rg, 1);
    v128.store64_lane(lines + 2 * distance + x, i8x16.narrow_i16x8_u(b, b), 0);
  }
}

/** Loads four chroma samples, centred on zero, and repeats each for two pixels. */
@inline
function chroma(at: usize): v128 {
  const four = v128.load32_zero(at);
  const eight = v128.shuffle<i8>(four, four, 0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0);
  const centred = i16x8.sub(i16x8.extend_low_i8x16_u(eight), i16x8.splat(128));
  return i16x8.shl(centred, FRACTION_BITS);
}
