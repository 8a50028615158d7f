/**
 * Averages boxes of `across` x `down` pixels to one pixel before the Lanczos filter, if a side becomes less than a
 * quarter as long. This leaves at least twice the target size for the filter. Incomplete boxes at the right and the
 * bottom are completed by repeating the outermost pixel.
 */

/** Adds 16 samples to the column sums of a row of boxes. A sum is a u16, enough for the tallest box (256 x 255). */
@inline
function addVector(row: usize, sums: usize, x: usize): void {
  const bytes = v128.load(row + x);
  const at = sums + (x << 1);
  v128.store(at, i16x8.add(v128.load(at), i16x8.extend_low_i8x16_u(bytes)));
  v128.store(at, i16x8.add(v128.load(at, 16), i16x8.extend_high_i8x16_u(bytes)), 16);
}

/** Sets the sums to the first row of a box. Works on 16 samples at once, so it may exceed the end of the row. */
export function startSums(row: usize, samples: i32, sums: usize): void {
  for (let x: usize = 0; x < <usize>samples; x += 16) {
    const bytes = v128.load(row + x);
    const at = sums + (x << 1);
    v128.store(at, i16x8.extend_low_i8x16_u(bytes));
    v128.store(at, i16x8.extend_high_i8x16_u(bytes), 16);
  }
}

/** Adds `times` copies of a row to the sums. */
export function addRow(row: usize, samples: i32, sums: usize, times: i32): void {
  for (; times > 0; times--) {
    for (let x: usize = 0; x < <usize>samples; x += 16) addVector(row, sums, x);
  }
}

/** Stores the averages of boxes of 2 x 2. `even` and `odd` are the sums of their left and right columns. */
@inline
function storeQuarter(even: v128, odd: v128, output: usize): void {
  const average = i16x8.shr_u(i16x8.add(i16x8.add(even, odd), i16x8.splat(2)), 2);
  v128.store64_lane(output, i8x16.narrow_i16x8_u(average, average), 0);
}

/** Averages boxes of 2 x 2, by far the most common ones (ratios from 4 to 6). Writes up to 8 bytes past the end. */
function averagePairs(sums: usize, channels: i32, boxes: i32, output: usize): void {
  const samples = <usize>(boxes * channels);
  if (channels == 3) {
    for (let x: usize = 0; x < samples; x += 6) {
      const a = v128.load(sums + (x << 2));
      const b = v128.load(sums + (x << 2), 16);
      const even = v128.shuffle<i16>(a, b, 0, 1, 2, 6, 7, 8, 8, 8);
      storeQuarter(even, v128.shuffle<i16>(a, b, 3, 4, 5, 9, 10, 11, 11, 11), output + x);
    }
    return;
  }
  for (let x: usize = 0; x < samples; x += 8) {
    const a = v128.load(sums + (x << 2));
    const b = v128.load(sums + (x << 2), 16);
    if (channels == 1) {
      const even = v128.shuffle<i16>(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
      storeQuarter(even, v128.shuffle<i16>(a, b, 1, 3, 5, 7, 9, 11, 13, 15), output + x);
    } else if (channels == 2) {
      const even = v128.shuffle<i16>(a, b, 0, 1, 4, 5, 8, 9, 12, 13);
      storeQuarter(even, v128.shuffle<i16>(a, b, 2, 3, 6, 7, 10, 11, 14, 15), output + x);
    } else {
      const even = v128.shuffle<i16>(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
      storeQuarter(even, v128.shuffle<i16>(a, b, 4, 5, 6, 7, 12, 13, 14, 15), output + x);
    }
  }
}

/**
 * Returns the average of the box whose sums start at `at`. `last` is the address of the last pixel, which is repeated.
 */
@inline
function averageOne(at: usize, last: usize, across: i32, pixelBytes: usize, scale: f32): u8 {
  let sum: u32 = 0;
  for (let i = 0; i < across; i++) {
    sum += load<u16>(at);
    if (at < last) at += pixelBytes;
  }
  return <u8>(<f32>sum * scale + <f32>0.5);
}

/**
 * Converts the column sums of `down` rows to one row of averages.
 * @param width pixels per source row; the sums must be readable for 32 bytes past their end
 * @param boxes pixels per averaged row: `width / across`, rounded up
 */
export function averageBoxes(
  sums: usize,
  width: i32,
  channels: i32,
  across: i32,
  down: i32,
  boxes: i32,
  output: usize,
): void {
  const pixelBytes = (<usize>channels) << 1;
  if (across == 2 && down == 2) {
    // With an odd width, the last box is incomplete: its pixel is repeated after the end of the sums.
    if (width & 1)
      memory.copy(sums + <usize>width * pixelBytes, sums + <usize>(width - 1) * pixelBytes, pixelBytes);
    averagePairs(sums, channels, boxes, output);
    return;
  }
  const scale = <f32>1 / <f32>(across * down);
  const end = sums + <usize>(width - 1) * pixelBytes;
  let at = sums;
  for (let box = 0; box < boxes; box++) {
    for (let c = 0; c < channels; c++) {
      const offset = (<usize>c) << 1;
      store<u8>(output++, averageOne(at + offset, end + offset, across, pixelBytes, scale));
    }
    at += <usize>across * pixelBytes;
  }
}
