/** Adds the inverse transform of coefficients to a prediction (AV1 specification sections 7.12.3 and 7.13.3). */
import { transformColumnPairs, transformColumns } from "../../transform/columns";
import { ADST } from "../../transform/networks";
import { isTwice, RECT_SCALE, turnBlock } from "../../transform/transform";
import { bitDepth } from "../headers/sequence";
import { coefficients, lastColumn, lastRow } from "../residual/coefficients";
import { rowsOf } from "../residual/scans";
import { DCT_DCT } from "../residual/types";
import { highOf, wideOf } from "../tables/transform-sizes";
import { addConstant, addResidue } from "./add";
import { addDeep } from "./deep";
import { columnKind, IDENTITY, identityFactor, isMirrored, isUpsideDown, rowKind, rowShift } from "./kinds";

/** Values (i16) whose rows are columns of the block, and values in its own order. */
const turned = memory.data(64 * 32 * 2, 16);
const block = memory.data(64 * 64 * 2, 16);

/** Multiplies `count` values (i16), a multiple of 8, by `factor` / 32768, rounded. */
function scale(at: usize, count: i32, factor: i16): void {
  const factors = i16x8.splat(factor);
  for (const end = at + ((<usize>count) << 1); at < end; at += 16) {
    v128.store(at, i16x8.q15mulr_sat_s(v128.load(at), factors));
  }
}

/** Multiplies four values by `factor` / 4096 and shifts them down, both rounded. */
@inline
function widened(values: v128, factor: v128, shift: i32): v128 {
  const product = i32x4.shr_s(i32x4.add(i32x4.mul(values, factor), i32x4.splat(2048)), 12);
  return i32x4.shr_s(i32x4.add(product, i32x4.splat((1 << shift) >> 1)), shift);
}

/** Implements the identity transform of `count` values (i16), and the shift after it. */
function widen(at: usize, count: i32, log2: i32, shift: i32): void {
  const factor = i32x4.splat(identityFactor(log2));
  for (const end = at + ((<usize>count) << 1); at < end; at += 16) {
    const values = v128.load(at);
    const low = widened(i32x4.extend_low_i16x8_s(values), factor, shift);
    v128.store(at, i16x8.narrow_i32x4_s(low, widened(i32x4.extend_high_i16x8_s(values), factor, shift)));
  }
}

/** Transforms `columns` columns in place, a multiple of 8, and shifts the values down. */
function pass(at: usize, columns: i32, kind: i32, log2: i32, shift: i32): void {
  const stride = (<usize>columns) << 1;
  const count = columns * max(8, 1 << log2);
  if (kind == IDENTITY) return widen(at, count, log2, shift);
  let x = 0;
  if (kind != ADST || log2 > 2) {
    for (; x + 16 <= columns; x += 16) {
      const group = at + ((<usize>x) << 1);
      transformColumnPairs(group, group, stride, kind, log2, 0);
    }
  }
  for (; x < columns; x += 8) {
    const group = at + ((<usize>x) << 1);
    transformColumns(group, group, stride, kind, log2, 0);
  }
  if (shift > 0) scale(at, count, <i16>((<i32>1) << (15 - shift)));
}

/** Takes coefficients as values of 16 bits, `rows` per column, and clears them. */
function takeCoefficients(size: i32, rows: i32): void {
  const columns = max(8, 1 << wideOf(size));
  const from = (<usize>rowsOf(size)) << 2;
  const zero = i32x4.splat(0);
  let to: usize = turned;
  for (let x = 0; x <= lastColumn; x++) {
    const at = coefficients + <usize>x * from;
    for (let y: usize = 0; y < <usize>rows; y += 8, to += 16) {
      v128.store(to, i16x8.narrow_i32x4_s(v128.load(at + (y << 2)), v128.load(at + (y << 2), 16)));
      v128.store(at + (y << 2), zero);
      v128.store(at + (y << 2), zero, 16);
    }
  }
  memory.fill(to, 0, turned + ((<usize>(columns * rows)) << 1) - to);
}

/** Adds what a block with nothing but its first coefficient is transformed to. */
function addFirst(size: i32, to: usize, stride: usize): void {
  let value = load<i32>(coefficients);
  store<i32>(coefficients, 0);
  const wide = wideOf(size);
  const high = highOf(size);
  if (isTwice(wide, high)) value = (value * 2896 + 2048) >> 12;
  value = (value * 2896 + 2048) >> 12;
  const shift = rowShift(size);
  value = (value + ((1 << shift) >> 1)) >> shift;
  const most = (1 << (max(bitDepth + 6, 16) - 1)) - 1;
  value = min(max(value, -most - 1), most);
  value = (value * 2896 + 2048) >> 12;
  addConstant((value + 8) >> 4, to, stride, 1 << wide, 1 << high);
}

/** Adds the transform of `coefficients` to the samples at `to`, and clears them. */
export function addTransform(size: i32, type: i32, to: usize, stride: usize): void {
  if (type == DCT_DCT && (lastRow | lastColumn) == 0) return addFirst(size, to, stride);
  if (bitDepth > 8) return addDeep(size, type, to, stride);
  const wide = wideOf(size);
  const high = highOf(size);
  const columns = max(8, 1 << wide);
  const rows = (lastRow + 8) & ~7;
  takeCoefficients(size, rows);
  if (isTwice(wide, high)) scale(turned, rows << wide, RECT_SCALE);
  pass(turned, rows, rowKind(type), wide, rowShift(size));
  turnBlock(turned, block, rows, columns);
  if (rows < 1 << high)
    memory.fill(block + ((<usize>(rows * columns)) << 1), 0, (<usize>((1 << high) - rows) * columns) << 1);
  pass(block, columns, columnKind(type), high, 4);
  const step = (<usize>columns) << 1;
  const isDown = isUpsideDown(type);
  const first = isDown ? block + (((<usize>1) << high) - 1) * step : block;
  addResidue(first, isDown ? -step : step, isMirrored(type), to, stride, 1 << wide, 1 << high);
}
