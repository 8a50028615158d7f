/** The inverse Walsh-Hadamard transform of lossless blocks (AV1 specification section 7.13.2.10). */
import { coefficients } from "../residual/coefficients";
import { addResidue } from "./add";

/** Values of a block (i32) between passes, and the residue (i16). */
const between = memory.data(16 * 4, 16);
const residue = memory.data(16 * 2, 16);
/** Rows that a column of coefficients has in memory. */
const COLUMN_ROWS: i32 = 8;

let first: i32 = 0;
let second: i32 = 0;
let third: i32 = 0;
let fourth: i32 = 0;

@inline
function transform(t0: i32, t1: i32, t2: i32, t3: i32): void {
  const a = t0 + t1;
  const d = t2 - t3;
  const e = (a - d) >> 1;
  const b = e - t3;
  const c = e - t1;
  first = a - b;
  second = b;
  third = c;
  fourth = d + c;
}

/** Adds the transform of the 4 x 4 coefficients to the samples, and clears them. */
export function addLossless(to: usize, stride: usize): void {
  for (let y = 0; y < 4; y++) {
    const at = coefficients + ((<usize>y) << 2);
    transform(
      load<i32>(at) >> 2,
      load<i32>(at, COLUMN_ROWS * 4) >> 2,
      load<i32>(at, COLUMN_ROWS * 8) >> 2,
      load<i32>(at, COLUMN_ROWS * 12) >> 2,
    );
    v128.store(between + ((<usize>y) << 4), i32x4(0, 0, 0, 0));
    const row = between + ((<usize>y) << 4);
    store<i32>(row, first);
    store<i32>(row, second, 4);
    store<i32>(row, third, 8);
    store<i32>(row, fourth, 12);
  }
  memory.fill(coefficients, 0, 4 * COLUMN_ROWS * 4);
  for (let x: usize = 0; x < 4; x++) {
    const at = between + (x << 2);
    transform(load<i32>(at), load<i32>(at, 16), load<i32>(at, 32), load<i32>(at, 48));
    const column = residue + (x << 1);
    store<i16>(column, <i16>first);
    store<i16>(column, <i16>second, 8);
    store<i16>(column, <i16>third, 16);
    store<i16>(column, <i16>fourth, 24);
  }
  addResidue(residue, 8, false, to, stride, 4, 4);
}
