/** Runs the lists of transform/networks.ts on four columns of 32-bit values, for samples of 10 and 12 bits. */
import {
  ADST,
  listOf,
  OUT_PLACES,
  OUT_SIGNS,
  PLACES,
  SIGNS,
  STEP_BYTES,
  STEPS,
} from "../../transform/networks";

/** The values of four columns. */
const values = memory.data(64 * 16, 16);

/** Returns Round2(a * p + b * q, 12). */
@inline
function turned(a: v128, b: v128, factors: i32): v128 {
  const first = i32x4.mul(a, i32x4.splat(<i32>(<i16>factors)));
  const second = i32x4.mul(b, i32x4.splat(factors >> 16));
  return i32x4.shr_s(i32x4.add(i32x4.add(first, second), i32x4.splat(2048)), 12);
}

/**
 * Transforms four columns of 1 << log2 values (i32), `stride` bytes apart, to others or in place.
 * @param bits of values between steps, with their sign
 */
export function transformDeep(at: usize, to: usize, stride: usize, kind: i32, log2: i32, bits: i32): void {
  if (kind == ADST && log2 == 2) return adst4(at, to, stride);
  const list = listOf(kind, log2, 0);
  const size = (<usize>2) << log2;
  for (let i: usize = 0; i < size; i += 2) {
    const value = v128.load(at + <usize>load<u16>(list + i, PLACES) * stride);
    v128.store(values + (i << 3), i32x4.mul(value, i32x4.splat(load<i16>(list + i, SIGNS))));
  }
  const most = i32x4.splat((1 << (bits - 1)) - 1);
  const least = i32x4.splat(-(1 << (bits - 1)));
  const end = list + STEPS + <usize>load<u32>(list) * STEP_BYTES;
  for (let step = list + STEPS; step < end; step += STEP_BYTES) {
    const first = values + <usize>load<u16>(step);
    const second = values + <usize>load<u16>(step, 2);
    const a = v128.load(first);
    const b = v128.load(second);
    if (load<u32>(step, 4)) {
      v128.store(first, turned(a, b, load<i32>(step, 8)));
      v128.store(second, turned(a, b, load<i32>(step, 12)));
    } else {
      v128.store(first, i32x4.max_s(i32x4.min_s(i32x4.add(a, b), most), least));
      v128.store(second, i32x4.max_s(i32x4.min_s(i32x4.sub(a, b), most), least));
    }
  }
  for (let i: usize = 0; i < size; i += 2, to += stride) {
    const value = v128.load(values + ((<usize>load<u16>(list + i, OUT_PLACES)) << 4));
    v128.store(to, i32x4.mul(value, i32x4.splat(load<i16>(list + i, OUT_SIGNS))));
  }
}

@inline
function times(value: v128, factor: i32): v128 {
  return i32x4.mul(value, i32x4.splat(factor));
}

@inline
function rounded(value: v128): v128 {
  return i32x4.shr_s(i32x4.add(value, i32x4.splat(2048)), 12);
}

/** Implements the inverse ADST of four values (section 7.13.2.6). */
function adst4(at: usize, to: usize, stride: usize): void {
  const a = v128.load(at);
  const b = v128.load(at + stride);
  const c = v128.load(at + 2 * stride);
  const d = v128.load(at + 3 * stride);
  const first = i32x4.add(i32x4.add(times(a, 1321), times(c, 3803)), times(d, 2482));
  const second = i32x4.sub(i32x4.sub(times(a, 2482), times(c, 1321)), times(d, 3803));
  const shared = times(b, 3344);
  const third = times(i32x4.add(i32x4.sub(a, c), d), 3344);
  v128.store(to, rounded(i32x4.add(first, shared)));
  v128.store(to + stride, rounded(i32x4.add(second, shared)));
  v128.store(to + 2 * stride, rounded(third));
  v128.store(to + 3 * stride, rounded(i32x4.sub(i32x4.add(first, second), shared)));
}
