/**
 * Chooses and applies row filters for encoding. It takes the filter whose output, read as signed bytes, has the least
 * sum of absolute values: the heuristic that the PNG specification recommends (clause 12.7).
 *
 * 16 zero bytes precede each row, as the pixels left of the picture.
 */
import { paethByte, paethVector } from "./paeth";

const FILTERS: i32 = 5;

/** Returns the sum of |signed byte| over 16 bytes, as four 32-bit lanes. */
@inline
function magnitude(bytes: v128): v128 {
  return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(i8x16.abs(bytes)));
}

@inline
function total(sums: v128): i32 {
  const left = i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1);
  return left + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3);
}

@inline
function meanVector(left: v128, above: v128): v128 {
  return i8x16.sub(i8x16.avgr_u(left, above), v128.and(v128.xor(left, above), i8x16.splat(1)));
}

@inline
function paethBytes(left: v128, above: v128, corner: v128): v128 {
  const low = paethVector(
    i16x8.extend_low_i8x16_u(left),
    i16x8.extend_low_i8x16_u(above),
    i16x8.extend_low_i8x16_u(corner),
  );
  const high = paethVector(
    i16x8.extend_high_i8x16_u(left),
    i16x8.extend_high_i8x16_u(above),
    i16x8.extend_high_i8x16_u(corner),
  );
  return i8x16.narrow_i16x8_u(low, high);
}

/** Returns the prediction of filter `type` for the byte at `at`. */
function predict(type: i32, at: usize, prior: usize, pixel: usize): i32 {
  const left = <i32>load<u8>(at - pixel);
  const above = <i32>load<u8>(prior);
  if (type == 1) return left;
  if (type == 2) return above;
  if (type == 3) return (left + above) >> 1;
  return type == 4 ? paethByte(left, above, <i32>load<u8>(prior - pixel)) : 0;
}

/** Returns the filter type, 0 to 4, for a row of `length` bytes with `pixel` bytes per pixel. */
export function chooseFilter(row: usize, prior: usize, length: usize, pixel: usize): i32 {
  const whole = length & ~15;
  let none = i32x4.splat(0);
  let sub = none;
  let up = none;
  let average = none;
  let paeth = none;
  for (let i: usize = 0; i < whole; i += 16) {
    const value = v128.load(row + i);
    const left = v128.load(row + i - pixel);
    const above = v128.load(prior + i);
    const corner = v128.load(prior + i - pixel);
    none = i32x4.add(none, magnitude(value));
    sub = i32x4.add(sub, magnitude(i8x16.sub(value, left)));
    up = i32x4.add(up, magnitude(i8x16.sub(value, above)));
    average = i32x4.add(average, magnitude(i8x16.sub(value, meanVector(left, above))));
    paeth = i32x4.add(paeth, magnitude(i8x16.sub(value, paethBytes(left, above, corner))));
  }
  let best = 0;
  let least = i32.MAX_VALUE;
  for (let type = 0; type < FILTERS; type++) {
    const sums = type == 0 ? none : type == 1 ? sub : type == 2 ? up : type == 3 ? average : paeth;
    let sum = total(sums);
    for (let i = whole; i < length; i++) {
      const difference = <i32>load<u8>(row + i) - predict(type, row + i, prior + i, pixel);
      sum += <i32>abs<i32>((difference << 24) >> 24);
    }
    if (sum < least) {
      least = sum;
      best = type;
    }
  }
  return best;
}

/** Writes the filter type and the filtered row, `length + 1` bytes. */
export function filterRow(
  type: i32,
  row: usize,
  prior: usize,
  length: usize,
  pixel: usize,
  out: usize,
): void {
  store<u8>(out++, <u8>type);
  if (type == 0) {
    memory.copy(out, row, length);
    return;
  }
  const whole = length & ~15;
  for (let i: usize = 0; i < whole; i += 16) {
    const value = v128.load(row + i);
    const left = v128.load(row + i - pixel);
    const above = v128.load(prior + i);
    let guess = left;
    if (type == 2) guess = above;
    else if (type == 3) guess = meanVector(left, above);
    else if (type == 4) guess = paethBytes(left, above, v128.load(prior + i - pixel));
    v128.store(out + i, i8x16.sub(value, guess));
  }
  for (let i = whole; i < length; i++) {
    store<u8>(out + i, <u8>(<i32>load<u8>(row + i) - predict(type, row + i, prior + i, pixel)));
  }
}
