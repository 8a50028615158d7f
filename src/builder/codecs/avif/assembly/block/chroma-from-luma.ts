/**
 * Chroma from luma: the difference of luma from its mean, scaled, is added to chroma (AV1 specification section
 * 7.11.5).
 */
import { PREDICTION_STRIDE } from "../predict/edges";
import { chromaShift } from "./context";
import { prediction } from "./open-block";
import { reconstructedAt, reconstructedRow, sourceAt, sourceRow } from "./planes";

/** Luma of the block at the size of chroma, minus its mean, with 3 fraction bits (i16, in rows of 32). */
const lumaDetail = memory.data(32 * 32 * 2, 16);

/** Prepares chroma from luma for a block. Sizes are log2, of chroma; coordinates are of luma. */
export function prepareDetail(x: i32, y: i32, wide: i32, high: i32): void {
  const rowBytes = reconstructedRow();
  const mask = wide == 2 ? i64x2(-1, 0) : i64x2.splat(-1);
  let sums = i64x2.splat(0);
  for (let row = 0; row < 1 << high; row++) {
    const out = lumaDetail + ((<usize>row) << 6);
    const from = reconstructedAt(0, x, y + (row << chromaShift));
    for (let column: usize = 0; column < (<usize>1) << wide; column += 8) {
      let values: v128;
      if (chromaShift) {
        const at = from + 2 * column;
        const upper = i16x8.extadd_pairwise_i8x16_u(v128.load(at));
        const lower = i16x8.extadd_pairwise_i8x16_u(v128.load(at + rowBytes));
        values = i16x8.shl(i16x8.add(upper, lower), 1);
      } else {
        values = i16x8.shl(v128.load8x8_u(from + column), 3);
      }
      v128.store(out + (column << 1), values);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_s(v128.and(values, mask)));
    }
  }
  const sum = <i32>sumOf(sums);
  const count = wide + high;
  const mean = i16x8.splat(<i16>((sum + (1 << (count - 1))) >> count));
  for (let row = 0; row < 1 << high; row++) {
    const out = lumaDetail + ((<usize>row) << 6);
    for (let at = out; at < out + ((<usize>2) << wide); at += 16)
      v128.store(at, i16x8.sub(v128.load(at), mean));
  }
}

@inline
function sumOf(lanes: v128): i64 {
  return (
    <i64>i32x4.extract_lane(lanes, 0) +
    <i64>i32x4.extract_lane(lanes, 1) +
    <i64>i32x4.extract_lane(lanes, 2) +
    <i64>i32x4.extract_lane(lanes, 3)
  );
}

/** Returns the alpha with the least squared error for a plane, -16 to 16. The prediction must be that of DC_PRED. */
export function bestAlpha(plane: i32, x: i32, y: i32, wide: i32, high: i32): i32 {
  const from = sourceAt(plane, x >> chromaShift, y >> chromaShift);
  const rowBytes = sourceRow();
  const dc = i16x8.splat(<i16>load<u8>(prediction));
  const mask = wide == 2 ? i64x2(-1, 0) : i64x2.splat(-1);
  // Details are below 2048 and samples below 256, so the lanes of 1024 samples have room in 32 bits.
  let products = i64x2.splat(0);
  let squares = i64x2.splat(0);
  for (let row = 0; row < 1 << high; row++) {
    const detail = lumaDetail + ((<usize>row) << 6);
    const at = from + <usize>row * rowBytes;
    for (let column: usize = 0; column < (<usize>1) << wide; column += 8) {
      const values = v128.and(v128.load(detail + (column << 1)), mask);
      const samples = i16x8.sub(v128.load8x8_u(at + column), dc);
      products = i32x4.add(products, i32x4.dot_i16x8_s(values, samples));
      squares = i32x4.add(squares, i32x4.dot_i16x8_s(values, values));
    }
  }
  const product = sumOf(products);
  const square = sumOf(squares);
  if (square == 0) return 0;
  const alpha = <i32>nearest((64.0 * <f64>product) / <f64>square);
  return max(-16, min(16, alpha));
}

/** Adds `alpha` 8ths of luma's detail to the prediction. */
export function addDetail(alpha: i32, wide: i32, high: i32): void {
  const factor = i16x8.splat(<i16>(abs(alpha) << 9));
  for (let row: usize = 0; row < (<usize>1) << high; row++) {
    for (let column: usize = 0; column < (<usize>1) << wide; column += 8) {
      const detail = v128.load(lumaDetail + (row << 6) + (column << 1));
      // Round2Signed(alpha * detail, 6): magnitudes are rounded, and then signed.
      const size = i16x8.q15mulr_sat_s(i16x8.abs(detail), factor);
      const isNegative = v128.xor(i16x8.lt_s(detail, i16x8.splat(0)), i16x8.splat(alpha < 0 ? -1 : 0));
      const scaled = i16x8.sub(v128.xor(size, isNegative), isNegative);
      const at = prediction + row * PREDICTION_STRIDE + column;
      const sum = i16x8.add(v128.load8x8_u(at), scaled);
      v128.store64_lane(at, i8x16.narrow_i16x8_u(sum, sum), 0);
    }
  }
}
