/** Sums of absolute values of Hadamard transforms of a residue: a rough measure of its cost. */
import { clearVectors } from "../block/copy";
import { residue } from "../block/open-block";
import { PREDICTION_STRIDE } from "../predict/edges";

/** Clears what a block with a side of 4 samples has beyond them, up to 8. */
function pad(wide: i32, high: i32, stride: usize): void {
  if (wide == 2) for (let y: usize = 0; y < (<usize>1) << high; y++) store<u64>(residue + (y << 4), 0, 8);
  if (high == 2) clearVectors(residue + 4 * stride, 4 * stride);
}

/**
 * Returns the sum over blocks of 8 x 8 of a residue of 1 << wide by 1 << high; an orthonormal scale. Smaller blocks are
 * padded.
 */
export function satd(wide: i32, high: i32): i32 {
  const stride = (<usize>2) << max(wide, 3);
  if (wide == 2 || high == 2) pad(wide, high, stride);
  let sum = 0;
  for (let y: usize = 0; y < (<usize>1) << high; y += 8) {
    for (let x: usize = 0; x < (<usize>1) << wide; x += 8)
      sum += ofResidue(residue + y * stride + (x << 1), stride);
  }
  return sum;
}

/** Returns the same of what samples differ from their prediction by, without a residue. No side is 4. */
export function satdOf(from: usize, rowBytes: usize, prediction: usize, wide: i32, high: i32): i32 {
  let sum = 0;
  for (let y: usize = 0; y < (<usize>1) << high; y += 8) {
    for (let x: usize = 0; x < (<usize>1) << wide; x += 8)
      sum += ofSamples(from + y * rowBytes + x, rowBytes, prediction + y * PREDICTION_STRIDE + x);
  }
  return sum;
}

@inline
function difference(is: usize, was: usize): v128 {
  return i16x8.sub(v128.load8x8_u(is), v128.load8x8_u(was));
}

function ofSamples(at: usize, stride: usize, was: usize): i32 {
  return satd8(
    difference(at, was),
    difference(at + stride, was + PREDICTION_STRIDE),
    difference(at + 2 * stride, was + 2 * PREDICTION_STRIDE),
    difference(at + 3 * stride, was + 3 * PREDICTION_STRIDE),
    difference(at + 4 * stride, was + 4 * PREDICTION_STRIDE),
    difference(at + 5 * stride, was + 5 * PREDICTION_STRIDE),
    difference(at + 6 * stride, was + 6 * PREDICTION_STRIDE),
    difference(at + 7 * stride, was + 7 * PREDICTION_STRIDE),
  );
}

function ofResidue(at: usize, stride: usize): i32 {
  return satd8(
    v128.load(at),
    v128.load(at + stride),
    v128.load(at + 2 * stride),
    v128.load(at + 3 * stride),
    v128.load(at + 4 * stride),
    v128.load(at + 5 * stride),
    v128.load(at + 6 * stride),
    v128.load(at + 7 * stride),
  );
}

@inline
function satd8(r0: v128, r1: v128, r2: v128, r3: v128, r4: v128, r5: v128, r6: v128, r7: v128): i32 {
  for (let pass = 0; pass < 2; pass++) {
    const s0 = i16x8.add(r0, r4);
    const s1 = i16x8.add(r1, r5);
    const s2 = i16x8.add(r2, r6);
    const s3 = i16x8.add(r3, r7);
    const s4 = i16x8.sub(r0, r4);
    const s5 = i16x8.sub(r1, r5);
    const s6 = i16x8.sub(r2, r6);
    const s7 = i16x8.sub(r3, r7);
    const t0 = i16x8.add(s0, s2);
    const t1 = i16x8.add(s1, s3);
    const t2 = i16x8.sub(s0, s2);
    const t3 = i16x8.sub(s1, s3);
    const t4 = i16x8.add(s4, s6);
    const t5 = i16x8.add(s5, s7);
    const t6 = i16x8.sub(s4, s6);
    const t7 = i16x8.sub(s5, s7);
    r0 = i16x8.add(t0, t1);
    r1 = i16x8.sub(t0, t1);
    r2 = i16x8.add(t2, t3);
    r3 = i16x8.sub(t2, t3);
    r4 = i16x8.add(t4, t5);
    r5 = i16x8.sub(t4, t5);
    r6 = i16x8.add(t6, t7);
    r7 = i16x8.sub(t6, t7);
    if (pass == 1) break;
    const p0 = v128.shuffle<i16>(r0, r1, 0, 8, 1, 9, 2, 10, 3, 11);
    const p1 = v128.shuffle<i16>(r2, r3, 0, 8, 1, 9, 2, 10, 3, 11);
    const p2 = v128.shuffle<i16>(r4, r5, 0, 8, 1, 9, 2, 10, 3, 11);
    const p3 = v128.shuffle<i16>(r6, r7, 0, 8, 1, 9, 2, 10, 3, 11);
    const p4 = v128.shuffle<i16>(r0, r1, 4, 12, 5, 13, 6, 14, 7, 15);
    const p5 = v128.shuffle<i16>(r2, r3, 4, 12, 5, 13, 6, 14, 7, 15);
    const p6 = v128.shuffle<i16>(r4, r5, 4, 12, 5, 13, 6, 14, 7, 15);
    const p7 = v128.shuffle<i16>(r6, r7, 4, 12, 5, 13, 6, 14, 7, 15);
    const q0 = v128.shuffle<i32>(p0, p1, 0, 4, 1, 5);
    const q1 = v128.shuffle<i32>(p2, p3, 0, 4, 1, 5);
    const q2 = v128.shuffle<i32>(p0, p1, 2, 6, 3, 7);
    const q3 = v128.shuffle<i32>(p2, p3, 2, 6, 3, 7);
    const q4 = v128.shuffle<i32>(p4, p5, 0, 4, 1, 5);
    const q5 = v128.shuffle<i32>(p6, p7, 0, 4, 1, 5);
    const q6 = v128.shuffle<i32>(p4, p5, 2, 6, 3, 7);
    const q7 = v128.shuffle<i32>(p6, p7, 2, 6, 3, 7);
    r0 = v128.shuffle<i64>(q0, q1, 0, 2);
    r1 = v128.shuffle<i64>(q0, q1, 1, 3);
    r2 = v128.shuffle<i64>(q2, q3, 0, 2);
    r3 = v128.shuffle<i64>(q2, q3, 1, 3);
    r4 = v128.shuffle<i64>(q4, q5, 0, 2);
    r5 = v128.shuffle<i64>(q4, q5, 1, 3);
    r6 = v128.shuffle<i64>(q6, q7, 0, 2);
    r7 = v128.shuffle<i64>(q6, q7, 1, 3);
  }
  const one = i16x8.splat(1);
  const low = i32x4.add(
    i32x4.add(i32x4.dot_i16x8_s(i16x8.abs(r0), one), i32x4.dot_i16x8_s(i16x8.abs(r1), one)),
    i32x4.add(i32x4.dot_i16x8_s(i16x8.abs(r2), one), i32x4.dot_i16x8_s(i16x8.abs(r3), one)),
  );
  const high = i32x4.add(
    i32x4.add(i32x4.dot_i16x8_s(i16x8.abs(r4), one), i32x4.dot_i16x8_s(i16x8.abs(r5), one)),
    i32x4.add(i32x4.dot_i16x8_s(i16x8.abs(r6), one), i32x4.dot_i16x8_s(i16x8.abs(r7), one)),
  );
  const sum = i32x4.add(low, high);
  return (
    (i32x4.extract_lane(sum, 0) +
      i32x4.extract_lane(sum, 1) +
      i32x4.extract_lane(sum, 2) +
      i32x4.extract_lane(sum, 3)) >>
    3
  );
}
