/** Converts components at the output size (i16 with FRACTION_BITS) to interleaved bytes. */
import { FRACTION_BITS } from "../../../../pixels/assembly/shared/resample-row";
import { Frame, componentAt } from "./frame";
import { sawJfifSegment } from "./segments";

export const COLOUR_GRAY: i32 = 0;
export const COLOUR_RGB: i32 = 1;
export const COLOUR_YCC: i32 = 2;
/**
 * In a file, 255 is no ink, as Adobe writes it; in rows, 0 is no ink. A file without the Adobe marker is read the
 * same way, as browsers and libvips do.
 */
export const COLOUR_CMYK: i32 = 3;
export const COLOUR_YCCK: i32 = 4;

/** Adobe technical note 5116: the APP14 transform flag. */
const TRANSFORM_NONE: i32 = 0;

/** JFIF (BT.601) conversion: 1.402 - 1, 0.344136, 0.714136 and 1.772 - 1, times 2^15. */
const CR_TO_R: i16 = 13173;
const CB_TO_G: i16 = 11277;
const CR_TO_G: i16 = 23401;
const CB_TO_B: i16 = 25297;

/** Half a step, the middle and the end of the range, with FRACTION_BITS. */
const HALF: i16 = <i16>((<i32>1) << (FRACTION_BITS - 1));
const CENTRE: i16 = <i16>((<i32>128) << FRACTION_BITS);
const WHITE: i16 = <i16>((<i32>255) << FRACTION_BITS);

/** Returns the colour model of the file, found as libjpeg finds it (jdapimin.c, default_decompress_parms). */
export function colourOf(): i32 {
  if (Frame.components == 1) return COLOUR_GRAY;
  if (Frame.components == 4) {
    return Frame.adobeTransform <= TRANSFORM_NONE ? COLOUR_CMYK : COLOUR_YCCK;
  }
  if (sawJfifSegment()) return COLOUR_YCC;
  if (Frame.adobeTransform >= 0) return Frame.adobeTransform == TRANSFORM_NONE ? COLOUR_RGB : COLOUR_YCC;
  const isNamedRgb = componentAt(0).id == 0x52 && componentAt(1).id == 0x47 && componentAt(2).id == 0x42;
  return isNamedRgb ? COLOUR_RGB : COLOUR_YCC;
}

export function bytesPerPixel(colour: i32): i32 {
  return colour == COLOUR_GRAY ? 1 : colour == COLOUR_RGB || colour == COLOUR_YCC ? 3 : 4;
}

/** Drops the fraction bits. The caller has added half a step. */
@inline
function whole(samples: v128): v128 {
  return i16x8.shr_s(samples, FRACTION_BITS);
}

@inline
function invert(samples: v128): v128 {
  return i16x8.sub_sat_s(i16x8.splat(WHITE), samples);
}

/** Converts one row, eight pixels at a time. Overwrites up to 31 bytes past the row's end. */
export function convertRow(colour: i32, width: i32, out: usize): void {
  const half = i16x8.splat(HALF);
  const first = componentAt(0).pixels;
  const pixels = <usize>width;
  if (colour == COLOUR_GRAY) {
    for (let x: usize = 0; x < pixels; x += 8) {
      const gray = whole(i16x8.add_sat_s(v128.load(first + (x << 1)), half));
      v128.store64_lane(out + x, i8x16.narrow_i16x8_u(gray, gray), 0);
    }
    return;
  }
  const centre = i16x8.splat(CENTRE);
  const second = componentAt(1).pixels;
  const third = componentAt(2).pixels;
  const hasFourth = Frame.components == 4;
  const fourth = hasFourth ? componentAt(3).pixels : 0;
  const isYcc = colour == COLOUR_YCC || colour == COLOUR_YCCK;
  const inverted = colour == COLOUR_CMYK;
  let to = out;
  for (let x: usize = 0; x < pixels; x += 8) {
    let a = v128.load(first + (x << 1));
    let b = v128.load(second + (x << 1));
    let c = v128.load(third + (x << 1));
    if (isYcc) {
      const cb = i16x8.sub(b, centre);
      const cr = i16x8.sub(c, centre);
      const luma = i16x8.add_sat_s(a, half);
      const toR = i16x8.add_sat_s(cr, i16x8.q15mulr_sat_s(cr, i16x8.splat(CR_TO_R)));
      const cbToG = i16x8.q15mulr_sat_s(cb, i16x8.splat(CB_TO_G));
      const toG = i16x8.add_sat_s(cbToG, i16x8.q15mulr_sat_s(cr, i16x8.splat(CR_TO_G)));
      const toB = i16x8.add_sat_s(cb, i16x8.q15mulr_sat_s(cb, i16x8.splat(CB_TO_B)));
      a = whole(i16x8.add_sat_s(luma, toR));
      b = whole(i16x8.sub_sat_s(luma, toG));
      c = whole(i16x8.add_sat_s(luma, toB));
    } else {
      a = whole(i16x8.add_sat_s(inverted ? invert(a) : a, half));
      b = whole(i16x8.add_sat_s(inverted ? invert(b) : b, half));
      c = whole(i16x8.add_sat_s(inverted ? invert(c) : c, half));
    }
    const ab = i8x16.narrow_i16x8_u(a, b);
    if (!hasFourth) {
      const cc = i8x16.narrow_i16x8_u(c, c);
      v128.store(to, v128.shuffle<i8>(ab, cc, 0, 8, 16, 1, 9, 17, 2, 10, 18, 3, 11, 19, 4, 12, 20, 5));
      const tail = v128.shuffle<i8>(ab, cc, 13, 21, 6, 14, 22, 7, 15, 23, 0, 0, 0, 0, 0, 0, 0, 0);
      v128.store64_lane(to, tail, 0, 16);
      to += 24;
      continue;
    }
    // The RGB of YCCK is inverted ink that is inverted again, so it is ink. Only black is inverted here.
    const d = invert(v128.load(fourth + (x << 1)));
    const cd = i8x16.narrow_i16x8_u(c, whole(i16x8.add_sat_s(d, half)));
    v128.store(to, v128.shuffle<i8>(ab, cd, 0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27));
    v128.store(to, v128.shuffle<i8>(ab, cd, 4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31), 16);
    to += 32;
  }
}
