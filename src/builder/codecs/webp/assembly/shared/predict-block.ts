/**
 * Predictions of 4 x 4 luma blocks (RFC 6386, 12.3), all ten at once. Each consists of neighbours, or of averages of
 * two or three of them, which are computed along the edge
 *
 *     L L K J I X A B C D E F G H H H
 *
 * from the lower left (L) over the corner (X) to the upper right (H). Every diagonal mode is then one shuffle.
 */

export const DC: i32 = 0;
export const TRUE_MOTION: i32 = 1;
export const VERTICAL: i32 = 2;
export const HORIZONTAL: i32 = 3;
export const RIGHT_DOWN: i32 = 4;
export const VERTICAL_RIGHT: i32 = 5;
export const LEFT_DOWN: i32 = 6;
export const VERTICAL_LEFT: i32 = 7;
export const HORIZONTAL_DOWN: i32 = 8;
export const HORIZONTAL_UP: i32 = 9;
export const BLOCK_MODES: i32 = 10;

@inline
function put(out: usize, mode: i32, prediction: v128): void {
  v128.store(out + ((<usize>mode) << 4), prediction);
}

/** Returns the edge of the block at `at`. */
@inline
export function edgeOf(at: usize, stride: usize): v128 {
  // X, A ... H.
  const above = v128.load(at - stride - 1);
  const lowest = load<u8>(at + 3 * stride - 1);
  let edge = v128.shuffle<i8>(above, above, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8);
  edge = i8x16.replace_lane(edge, 0, lowest);
  edge = i8x16.replace_lane(edge, 1, lowest);
  edge = i8x16.replace_lane(edge, 2, load<u8>(at + 2 * stride - 1));
  edge = i8x16.replace_lane(edge, 3, load<u8>(at + stride - 1));
  return i8x16.replace_lane(edge, 4, load<u8>(at - 1));
}

/** Returns the average of each sample of an edge and the next one. */
@inline
export function averagesOfTwo(edge: v128): v128 {
  return i8x16.avgr_u(
    edge,
    v128.shuffle<i8>(edge, edge, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15),
  );
}

/** Returns the average of each sample of an edge, counted twice, and both beside it. */
@inline
export function averagesOfThree(edge: v128): v128 {
  const before = v128.shuffle<i8>(edge, edge, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
  const after = v128.shuffle<i8>(edge, edge, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15);
  const outer = i8x16.sub(i8x16.avgr_u(before, after), v128.and(v128.xor(before, after), i8x16.splat(1)));
  return i8x16.avgr_u(edge, outer);
}

/** Writes the predictions of the block at `at`, 16 bytes each, by mode. */
export function predictBlock(at: usize, stride: usize, out: usize): void {
  const edge = edgeOf(at, stride);
  const two = averagesOfTwo(edge);
  const three = averagesOfThree(edge);

  let sum = i16x8.extadd_pairwise_i8x16_u(
    v128.shuffle<i8>(edge, i8x16.splat(0), 1, 2, 3, 4, 6, 7, 8, 9, 16, 16, 16, 16, 16, 16, 16, 16),
  );
  sum = i32x4.extadd_pairwise_i16x8_s(sum);
  const dc = (i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + 4) >> 3;
  put(out, DC, i8x16.splat(<i8>dc));

  const slope = i16x8.sub(
    i16x8.extend_low_i8x16_u(v128.shuffle<i8>(edge, edge, 6, 7, 8, 9, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0, 0, 0)),
    i16x8.splat(load<u8>(at - stride - 1)),
  );
  const left = v128.shuffle<i8>(edge, edge, 4, 4, 4, 4, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1);
  put(
    out,
    TRUE_MOTION,
    i8x16.narrow_i16x8_u(
      i16x8.add(slope, i16x8.extend_low_i8x16_u(left)),
      i16x8.add(slope, i16x8.extend_high_i8x16_u(left)),
    ),
  );
  put(out, VERTICAL, v128.shuffle<i8>(three, three, 6, 7, 8, 9, 6, 7, 8, 9, 6, 7, 8, 9, 6, 7, 8, 9));
  put(out, HORIZONTAL, v128.shuffle<i8>(three, three, 4, 4, 4, 4, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1));
  put(out, RIGHT_DOWN, v128.shuffle<i8>(three, three, 5, 6, 7, 8, 4, 5, 6, 7, 3, 4, 5, 6, 2, 3, 4, 5));
  put(
    out,
    LEFT_DOWN,
    v128.shuffle<i8>(three, three, 7, 8, 9, 10, 8, 9, 10, 11, 9, 10, 11, 12, 10, 11, 12, 13),
  );
  // In the shuffles below, 0 ... 15 are averages of two samples, 16 ... 31 of three.
  put(
    out,
    VERTICAL_RIGHT,
    v128.shuffle<i8>(two, three, 5, 6, 7, 8, 21, 22, 23, 24, 20, 5, 6, 7, 19, 21, 22, 23),
  );
  put(
    out,
    VERTICAL_LEFT,
    v128.shuffle<i8>(two, three, 6, 7, 8, 9, 23, 24, 25, 26, 7, 8, 9, 27, 24, 25, 26, 28),
  );
  put(
    out,
    HORIZONTAL_DOWN,
    v128.shuffle<i8>(two, three, 4, 21, 22, 23, 3, 20, 4, 21, 2, 19, 3, 20, 1, 18, 2, 19),
  );
  put(out, HORIZONTAL_UP, v128.shuffle<i8>(two, three, 3, 19, 2, 18, 2, 18, 1, 17, 1, 17, 0, 0, 0, 0, 0, 0));
}
