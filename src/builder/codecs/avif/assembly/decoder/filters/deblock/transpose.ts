/** Columns of samples as rows, so that edges between columns are filtered like edges between rows. */

/** Bytes from row to row of transposed samples: the eight samples of a column. */
export const TRANSPOSED_STRIDE: usize = 16;

@inline
function transpose(
  r0: v128,
  r1: v128,
  r2: v128,
  r3: v128,
  r4: v128,
  r5: v128,
  r6: v128,
  r7: v128,
  to: usize,
  stride: usize,
  count: i32,
): void {
  const a0 = v128.shuffle<i16>(r0, r1, 0, 8, 1, 9, 2, 10, 3, 11);
  const a1 = v128.shuffle<i16>(r2, r3, 0, 8, 1, 9, 2, 10, 3, 11);
  const a2 = v128.shuffle<i16>(r4, r5, 0, 8, 1, 9, 2, 10, 3, 11);
  const a3 = v128.shuffle<i16>(r6, r7, 0, 8, 1, 9, 2, 10, 3, 11);
  const b0 = v128.shuffle<i32>(a0, a1, 0, 4, 1, 5);
  const b1 = v128.shuffle<i32>(a2, a3, 0, 4, 1, 5);
  const b2 = v128.shuffle<i32>(a0, a1, 2, 6, 3, 7);
  const b3 = v128.shuffle<i32>(a2, a3, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<i64>(b0, b1, 0, 2));
  v128.store(to + stride, v128.shuffle<i64>(b0, b1, 1, 3));
  v128.store(to + 2 * stride, v128.shuffle<i64>(b2, b3, 0, 2));
  v128.store(to + 3 * stride, v128.shuffle<i64>(b2, b3, 1, 3));
  if (count == 4) return;
  const c0 = v128.shuffle<i16>(r0, r1, 4, 12, 5, 13, 6, 14, 7, 15);
  const c1 = v128.shuffle<i16>(r2, r3, 4, 12, 5, 13, 6, 14, 7, 15);
  const c2 = v128.shuffle<i16>(r4, r5, 4, 12, 5, 13, 6, 14, 7, 15);
  const c3 = v128.shuffle<i16>(r6, r7, 4, 12, 5, 13, 6, 14, 7, 15);
  const d0 = v128.shuffle<i32>(c0, c1, 0, 4, 1, 5);
  const d1 = v128.shuffle<i32>(c2, c3, 0, 4, 1, 5);
  const d2 = v128.shuffle<i32>(c0, c1, 2, 6, 3, 7);
  const d3 = v128.shuffle<i32>(c2, c3, 2, 6, 3, 7);
  v128.store(to + 4 * stride, v128.shuffle<i64>(d0, d1, 0, 2));
  v128.store(to + 5 * stride, v128.shuffle<i64>(d0, d1, 1, 3));
  v128.store(to + 6 * stride, v128.shuffle<i64>(d2, d3, 0, 2));
  v128.store(to + 7 * stride, v128.shuffle<i64>(d2, d3, 1, 3));
}

/** Writes eight columns of `count` rows (4 or 8) at `from` as rows of TRANSPOSED_STRIDE. */
export function columnsToRows(from: usize, stride: usize, count: i32, to: usize): void {
  // Four rows are read twice, so that nothing below them is touched.
  const next = count == 8 ? from + 4 * stride : from;
  transpose(
    v128.load(from),
    v128.load(from + stride),
    v128.load(from + 2 * stride),
    v128.load(from + 3 * stride),
    v128.load(next),
    v128.load(next + stride),
    v128.load(next + 2 * stride),
    v128.load(next + 3 * stride),
    to,
    TRANSPOSED_STRIDE,
    8,
  );
}

/** Writes eight rows of TRANSPOSED_STRIDE back as columns of `count` rows. */
export function rowsToColumns(from: usize, to: usize, stride: usize, count: i32): void {
  transpose(
    v128.load(from),
    v128.load(from, 16),
    v128.load(from, 32),
    v128.load(from, 48),
    v128.load(from, 64),
    v128.load(from, 80),
    v128.load(from, 96),
    v128.load(from, 112),
    to,
    stride,
    count,
  );
}
