/** The same as inverse.ts for samples of 10 and 12 bits, whose coefficients have up to 20 bits. */
import { isTwice } from "../../transform/transform";
import { bitDepth } from "../headers/sequence";
import { coefficients, lastColumn, lastRow } from "../residual/coefficients";
import { rowsOf } from "../residual/scans";
import { highOf, wideOf } from "../tables/transform-sizes";
import { addResidue } from "./add";
import { transformDeep } from "./deep-columns";
import { columnKind, IDENTITY, identityFactor, isMirrored, isUpsideDown, rowKind, rowShift } from "./kinds";

/** Values (i32) whose rows are columns of the block, values in its own order, and residue (i16). */
const turned = memory.data(64 * 32 * 4, 16);
const block = memory.data(64 * 64 * 4, 16);
const residue = memory.data(64 * 64 * 2, 16);

/** Multiplies by `factor` / 4096, rounded. Products have up to 34 bits where the factor is 4. */
@inline
function times(values: v128, factor: i32): v128 {
  if (factor == 16384) return i32x4.shl(values, 2);
  if (factor == 8192) return i32x4.shl(values, 1);
  const factors = i32x4.splat(factor);
  const half = i64x2.splat(2048);
  const low = i64x2.shr_s(i64x2.add(i64x2.extmul_low_i32x4_s(values, factors), half), 12);
  const high = i64x2.shr_s(i64x2.add(i64x2.extmul_high_i32x4_s(values, factors), half), 12);
  return v128.shuffle<i32>(low, high, 0, 2, 4, 6);
}

/** Takes coefficients, `rows` per column, and clears them. */
function takeCoefficients(size: i32, rows: i32): void {
  const columns = 1 << wideOf(size);
  const from = (<usize>rowsOf(size)) << 2;
  const isScaled = isTwice(wideOf(size), highOf(size));
  let to: usize = turned;
  for (let x = 0; x <= lastColumn; x++) {
    const at = coefficients + <usize>x * from;
    for (let y: usize = 0; y < (<usize>rows) << 2; y += 16, to += 16) {
      const values = v128.load(at + y);
      v128.store(to, isScaled ? times(values, 2896) : values);
      v128.store(at + y, i32x4.splat(0));
    }
  }
  memory.fill(to, 0, turned + ((<usize>(columns * rows)) << 2) - to);
}

/** Transforms `columns` columns in place, a multiple of 4, and shifts the values down and clamps them. */
function pass(at: usize, columns: i32, kind: i32, log2: i32, shift: i32, bits: i32, outBits: i32): void {
  const stride = (<usize>columns) << 2;
  const end = at + (stride << log2);
  if (kind != IDENTITY) {
    for (let x: usize = 0; x < stride; x += 16) transformDeep(at + x, at + x, stride, kind, log2, bits);
  }
  const factor = identityFactor(log2);
  const rounding = i32x4.splat((1 << shift) >> 1);
  const most = i32x4.splat((1 << (outBits - 1)) - 1);
  const least = i32x4.splat(-(1 << (outBits - 1)));
  for (; at < end; at += 16) {
    let values = v128.load(at);
    if (kind == IDENTITY) values = times(values, factor);
    values = i32x4.shr_s(i32x4.add(values, rounding), shift);
    v128.store(at, i32x4.max_s(i32x4.min_s(values, most), least));
  }
}

/** Copies `turned`, of `rows` values per column, to `block`. */
function turn(rows: i32, columns: i32): void {
  const from = (<usize>rows) << 2;
  const to = (<usize>columns) << 2;
  for (let x: usize = 0; x < <usize>columns; x += 4) {
    for (let y: usize = 0; y < <usize>rows; y += 4) {
      const at = turned + x * from + (y << 2);
      const a = v128.load(at);
      const b = v128.load(at + from);
      const c = v128.load(at + 2 * from);
      const d = v128.load(at + 3 * from);
      const abLow = v128.shuffle<i32>(a, b, 0, 4, 1, 5);
      const abHigh = v128.shuffle<i32>(a, b, 2, 6, 3, 7);
      const cdLow = v128.shuffle<i32>(c, d, 0, 4, 1, 5);
      const cdHigh = v128.shuffle<i32>(c, d, 2, 6, 3, 7);
      const out = block + y * to + (x << 2);
      v128.store(out, v128.shuffle<i64>(abLow, cdLow, 0, 2));
      v128.store(out + to, v128.shuffle<i64>(abLow, cdLow, 1, 3));
      v128.store(out + 2 * to, v128.shuffle<i64>(abHigh, cdHigh, 0, 2));
      v128.store(out + 3 * to, v128.shuffle<i64>(abHigh, cdHigh, 1, 3));
    }
  }
}

/** Adds the transform of `coefficients` to the samples at `to`, and clears them. */
export function addDeep(size: i32, type: i32, to: usize, stride: usize): void {
  const wide = wideOf(size);
  const high = highOf(size);
  const columns = 1 << wide;
  const rows = (lastRow + 4) & ~3;
  const columnBits = max(bitDepth + 6, 16);
  takeCoefficients(size, rows);
  pass(turned, rows, rowKind(type), wide, rowShift(size), bitDepth + 8, columnBits);
  turn(rows, columns);
  if (rows < 1 << high) {
    memory.fill(block + ((<usize>(rows * columns)) << 2), 0, (<usize>((1 << high) - rows) * columns) << 2);
  }
  pass(block, columns, columnKind(type), high, 4, columnBits, 16);
  const count = (<usize>columns) << high;
  for (let i: usize = 0; i < count; i += 8) {
    const values = i16x8.narrow_i32x4_s(v128.load(block + (i << 2)), v128.load(block + (i << 2), 16));
    v128.store(residue + (i << 1), values);
  }
  const step = (<usize>columns) << 1;
  const isDown = isUpsideDown(type);
  const first = isDown ? residue + (((<usize>1) << high) - 1) * step : residue;
  addResidue(first, isDown ? -step : step, isMirrored(type), to, stride, columns, 1 << high);
}
