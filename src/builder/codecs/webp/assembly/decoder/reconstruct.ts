/** Reconstructs a macroblock: prediction by its modes, plus its residue (RFC 6386, 12 and 14.5). */
import { COEFFICIENT_BYTES, inverseTransform, loadBlock, storeBlock } from "../shared/inverse-transform";
import {
  averagesOfThree,
  averagesOfTwo,
  DC,
  edgeOf,
  HORIZONTAL,
  HORIZONTAL_DOWN,
  LEFT_DOWN,
  RIGHT_DOWN,
  TRUE_MOTION,
  VERTICAL,
  VERTICAL_LEFT,
  VERTICAL_RIGHT,
} from "../shared/predict-block";
import { mean } from "../shared/predict-plane";
import { cb, cr, luma, STRIDE } from "../shared/work";
import { coded, coefficients, detailed } from "./levels";
import { BLOCKS, CHROMA_MODE, IN_BLOCKS } from "./modes";

const CB_BLOCKS: i32 = 16;
const CR_BLOCKS: i32 = 20;

/** Reconstructs luma, Cb and Cr in the buffers of work.ts, where the neighbouring samples are in place. */
export function reconstruct(record: usize, hasAbove: boolean, hasLeft: boolean): void {
  const mode = <i32>load<u8>(record);
  if (mode == IN_BLOCKS) {
    for (let i = 0; i < 16; i++) {
      const at = luma + <usize>(i >> 2) * 4 * STRIDE + <usize>((i & 3) << 2);
      storeBlock(at, STRIDE, withCoefficients(i, predictOne(<i32>load<u8>(record + BLOCKS + <usize>i), at)));
    }
  } else {
    predictSquare(luma, 16, mode, hasAbove, hasLeft);
    addCoefficients(luma, 0, 4);
  }
  const chromaMode = <i32>load<u8>(record, CHROMA_MODE);
  predictSquare(cb, 8, chromaMode, hasAbove, hasLeft);
  predictSquare(cr, 8, chromaMode, hasAbove, hasLeft);
  addCoefficients(cb, CB_BLOCKS, 2);
  addCoefficients(cr, CR_BLOCKS, 2);
}

/** Adds the coefficients of block `index` to its prediction. */
@inline
function withCoefficients(index: i32, prediction: v128): v128 {
  const bit: u32 = 1 << index;
  if (!(coded & bit)) return prediction;
  const from = coefficients + <usize>index * COEFFICIENT_BYTES;
  if (detailed & bit) return inverseTransform(from, prediction);
  const dc = i16x8.splat(<i16>((<i32>load<i16>(from) + 4) >> 3));
  return i8x16.narrow_i16x8_u(
    i16x8.add(dc, i16x8.extend_low_i8x16_u(prediction)),
    i16x8.add(dc, i16x8.extend_high_i8x16_u(prediction)),
  );
}

/** Adds the coefficients of `size` x `size` blocks, from number `block` on, to the plane at `at`. */
function addCoefficients(at: usize, block: i32, size: i32): void {
  const all = ((<u32>1) << (size * size)) - 1;
  if (!((coded >> block) & all)) return;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const index = block + y * size + x;
      if (!(coded & ((<u32>1) << index))) continue;
      const to = at + <usize>y * 4 * STRIDE + <usize>(x << 2);
      storeBlock(to, STRIDE, withCoefficients(index, loadBlock(to, STRIDE)));
    }
  }
}

function predictSquare(at: usize, size: i32, mode: i32, hasAbove: boolean, hasLeft: boolean): void {
  if (mode == DC) {
    const value = i8x16.splat(<i8>mean(at, STRIDE, size, hasAbove, hasLeft));
    for (let y = 0; y < size; y++) putRow(at + <usize>y * STRIDE, size, value);
  } else if (mode == VERTICAL) {
    const above = v128.load(at - STRIDE);
    for (let y = 0; y < size; y++) putRow(at + <usize>y * STRIDE, size, above);
  } else if (mode == HORIZONTAL) {
    for (let y = 0; y < size; y++) {
      const row = at + <usize>y * STRIDE;
      putRow(row, size, i8x16.splat(load<i8>(row - 1)));
    }
  } else {
    const above = v128.load(at - STRIDE);
    const corner = i16x8.splat(load<u8>(at - STRIDE - 1));
    const low = i16x8.sub(i16x8.extend_low_i8x16_u(above), corner);
    const high = i16x8.sub(i16x8.extend_high_i8x16_u(above), corner);
    for (let y = 0; y < size; y++) {
      const row = at + <usize>y * STRIDE;
      const left = i16x8.splat(load<u8>(row - 1));
      putRow(row, size, i8x16.narrow_i16x8_u(i16x8.add(low, left), i16x8.add(high, left)));
    }
  }
}

/** Fills a row of 8 bytes. Cb and Cr lie beside each other, so a row of one must not reach into the other. */
@inline
function putRow(row: usize, size: i32, samples: v128): void {
  if (size == 16) v128.store(row, samples);
  else v128.store64_lane(row, samples, 0);
}

/** Returns the prediction of the block at `at` by one of the ten modes (12.3). */
function predictOne(mode: i32, at: usize): v128 {
  const edge = edgeOf(at, STRIDE);
  if (mode == DC) {
    let sum = i16x8.extadd_pairwise_i8x16_u(
      v128.shuffle<i8>(edge, i8x16.splat(0), 1, 2, 3, 4, 6, 7, 8, 9, 16, 16, 16, 16, 16, 16, 16, 16),
    );
    sum = i32x4.extadd_pairwise_i16x8_s(sum);
    return i8x16.splat(<i8>((i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + 4) >> 3));
  }
  if (mode == TRUE_MOTION) {
    const above = v128.shuffle<i8>(edge, edge, 6, 7, 8, 9, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0, 0, 0);
    const slope = i16x8.sub(i16x8.extend_low_i8x16_u(above), i16x8.splat(<i16>i8x16.extract_lane_u(edge, 5)));
    const left = v128.shuffle<i8>(edge, edge, 4, 4, 4, 4, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1);
    return i8x16.narrow_i16x8_u(
      i16x8.add(slope, i16x8.extend_low_i8x16_u(left)),
      i16x8.add(slope, i16x8.extend_high_i8x16_u(left)),
    );
  }
  const three = averagesOfThree(edge);
  if (mode == VERTICAL) return v128.shuffle<i8>(three, three, 6, 7, 8, 9, 6, 7, 8, 9, 6, 7, 8, 9, 6, 7, 8, 9);
  if (mode == HORIZONTAL) {
    return v128.shuffle<i8>(three, three, 4, 4, 4, 4, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1);
  }
  if (mode == RIGHT_DOWN) {
    return v128.shuffle<i8>(three, three, 5, 6, 7, 8, 4, 5, 6, 7, 3, 4, 5, 6, 2, 3, 4, 5);
  }
  if (mode == LEFT_DOWN) {
    return v128.shuffle<i8>(three, three, 7, 8, 9, 10, 8, 9, 10, 11, 9, 10, 11, 12, 10, 11, 12, 13);
  }
  // In the shuffles below, 0 ... 15 are averages of two samples, 16 ... 31 of three.
  const two = averagesOfTwo(edge);
  if (mode == VERTICAL_RIGHT) {
    return v128.shuffle<i8>(two, three, 5, 6, 7, 8, 21, 22, 23, 24, 20, 5, 6, 7, 19, 21, 22, 23);
  }
  if (mode == VERTICAL_LEFT) {
    return v128.shuffle<i8>(two, three, 6, 7, 8, 9, 23, 24, 25, 26, 7, 8, 9, 27, 24, 25, 26, 28);
  }
  if (mode == HORIZONTAL_DOWN) {
    return v128.shuffle<i8>(two, three, 4, 21, 22, 23, 3, 20, 4, 21, 2, 19, 3, 20, 1, 18, 2, 19);
  }
  return v128.shuffle<i8>(two, three, 3, 19, 2, 18, 2, 18, 1, 17, 1, 17, 0, 0, 0, 0, 0, 0);
}
