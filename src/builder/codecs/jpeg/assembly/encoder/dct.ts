/**
 * The accurate integer forward DCT of libjpeg ("islow": Loeffler, Ligtenberg and Moschytz, 1989), eight columns at a
 * time.
 */

/** A block of 64 coefficients as i16, in rows. */
export const BLOCK_BYTES: i32 = 128;

const CONSTANT_BITS: i32 = 13;
/** Fraction bits of the samples. The first pass keeps them, the second drops them. */
const FRACTION_BITS: i32 = 2;

// The constants of the factorisation, times 2^13.
const C0_298: i16 = 2446;
const C0_390: i16 = 3196;
const C0_541: i16 = 4433;
const C0_765: i16 = 6270;
const C0_899: i16 = 7373;
const C1_175: i16 = 9633;
const C1_501: i16 = 12299;
const C1_847: i16 = 15137;
const C1_961: i16 = 16069;
const C2_053: i16 = 16819;
const C2_562: i16 = 20995;
const C3_072: i16 = 25172;

/** Returns two 16-bit factors, repeated in all lanes. */
@inline
function factors(a: i32, b: i32): v128 {
  return i32x4.splat((a & 0xffff) | (b << 16));
}

@inline
function interleaveLow(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

@inline
function interleaveHigh(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/** Rounds sums of products to whole numbers and packs them into 16-bit lanes. */
@inline
function descale(low: v128, high: v128, shift: i32): v128 {
  const half = i32x4.splat(1 << (shift - 1));
  return i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(low, half), shift),
    i32x4.shr_s(i32x4.add(high, half), shift),
  );
}

/** Transforms the columns of `block`. Two passes with a transposition between make the DCT in two dimensions. */
@inline
function transform(block: usize, first: boolean): void {
  const d0 = v128.load(block);
  const d1 = v128.load(block, 16);
  const d2 = v128.load(block, 32);
  const d3 = v128.load(block, 48);
  const d4 = v128.load(block, 64);
  const d5 = v128.load(block, 80);
  const d6 = v128.load(block, 96);
  const d7 = v128.load(block, 112);
  const t0 = i16x8.add(d0, d7);
  const t7 = i16x8.sub(d0, d7);
  const t1 = i16x8.add(d1, d6);
  const t6 = i16x8.sub(d1, d6);
  const t2 = i16x8.add(d2, d5);
  const t5 = i16x8.sub(d2, d5);
  const t3 = i16x8.add(d3, d4);
  const t4 = i16x8.sub(d3, d4);
  const shift = first ? CONSTANT_BITS : CONSTANT_BITS + FRACTION_BITS;

  // Even part.
  const t10 = i16x8.add(t0, t3);
  const t13 = i16x8.sub(t0, t3);
  const t11 = i16x8.add(t1, t2);
  const t12 = i16x8.sub(t1, t2);
  const sum = i16x8.add(t10, t11);
  const difference = i16x8.sub(t10, t11);
  if (first) {
    v128.store(block, sum);
    v128.store(block, difference, 64);
  } else {
    const half = i16x8.splat(2);
    v128.store(block, i16x8.shr_s(i16x8.add(sum, half), FRACTION_BITS));
    v128.store(block, i16x8.shr_s(i16x8.add(difference, half), FRACTION_BITS), 64);
  }
  const evenLow = interleaveLow(t13, t12);
  const evenHigh = interleaveHigh(t13, t12);
  const k2 = factors(C0_541 + C0_765, C0_541);
  const k6 = factors(C0_541, C0_541 - C1_847);
  v128.store(block, descale(dot(evenLow, k2), dot(evenHigh, k2), shift), 32);
  v128.store(block, descale(dot(evenLow, k6), dot(evenHigh, k6), shift), 96);

  // Odd part: the products with z3 and z4 are used twice each.
  const z3 = i16x8.add(t4, t6);
  const z4 = i16x8.add(t5, t7);
  const zLow = interleaveLow(z3, z4);
  const zHigh = interleaveHigh(z3, z4);
  const kz3 = factors(C1_175 - C1_961, C1_175);
  const kz4 = factors(C1_175, C1_175 - C0_390);
  const z3Low = dot(zLow, kz3);
  const z3High = dot(zHigh, kz3);
  const z4Low = dot(zLow, kz4);
  const z4High = dot(zHigh, kz4);
  const outerLow = interleaveLow(t4, t7);
  const outerHigh = interleaveHigh(t4, t7);
  const k7 = factors(C0_298 - C0_899, -C0_899);
  const k1 = factors(-C0_899, C1_501 - C0_899);
  v128.store(block, descale(plus(outerLow, k7, z3Low), plus(outerHigh, k7, z3High), shift), 112);
  v128.store(block, descale(plus(outerLow, k1, z4Low), plus(outerHigh, k1, z4High), shift), 16);
  const innerLow = interleaveLow(t5, t6);
  const innerHigh = interleaveHigh(t5, t6);
  const k5 = factors(C2_053 - C2_562, -C2_562);
  const k3 = factors(-C2_562, C3_072 - C2_562);
  v128.store(block, descale(plus(innerLow, k5, z4Low), plus(innerHigh, k5, z4High), shift), 80);
  v128.store(block, descale(plus(innerLow, k3, z3Low), plus(innerHigh, k3, z3High), shift), 48);
}

@inline
function dot(a: v128, b: v128): v128 {
  return i32x4.dot_i16x8_s(a, b);
}

@inline
function plus(pairs: v128, constants: v128, rest: v128): v128 {
  return i32x4.add(i32x4.dot_i16x8_s(pairs, constants), rest);
}

/** Exchanges rows and columns, in place. */
@inline
function transpose(block: usize): void {
  const a0 = v128.load(block);
  const a1 = v128.load(block, 16);
  const a2 = v128.load(block, 32);
  const a3 = v128.load(block, 48);
  const a4 = v128.load(block, 64);
  const a5 = v128.load(block, 80);
  const a6 = v128.load(block, 96);
  const a7 = v128.load(block, 112);
  const b0 = interleaveLow(a0, a4);
  const b1 = interleaveHigh(a0, a4);
  const b2 = interleaveLow(a1, a5);
  const b3 = interleaveHigh(a1, a5);
  const b4 = interleaveLow(a2, a6);
  const b5 = interleaveHigh(a2, a6);
  const b6 = interleaveLow(a3, a7);
  const b7 = interleaveHigh(a3, a7);
  const c0 = interleaveLow(b0, b4);
  const c1 = interleaveHigh(b0, b4);
  const c2 = interleaveLow(b1, b5);
  const c3 = interleaveHigh(b1, b5);
  const c4 = interleaveLow(b2, b6);
  const c5 = interleaveHigh(b2, b6);
  const c6 = interleaveLow(b3, b7);
  const c7 = interleaveHigh(b3, b7);
  v128.store(block, interleaveLow(c0, c4));
  v128.store(block, interleaveHigh(c0, c4), 16);
  v128.store(block, interleaveLow(c1, c5), 32);
  v128.store(block, interleaveHigh(c1, c5), 48);
  v128.store(block, interleaveLow(c2, c6), 64);
  v128.store(block, interleaveHigh(c2, c6), 80);
  v128.store(block, interleaveLow(c3, c7), 96);
  v128.store(block, interleaveHigh(c3, c7), 112);
}

/**
 * Transforms 8 x 8 samples (ITU T.81 A.3.3), which are i16 around zero with two fraction bits; coefficients come out 8
 * times as large as defined there.
 * @param stride bytes from one row to the next
 */
export function forwardDct(samples: usize, stride: usize, block: usize): void {
  for (let row: usize = 0; row < 128; row += 16) {
    v128.store(block + row, v128.load(samples));
    samples += stride;
  }
  transpose(block);
  transform(block, true);
  transpose(block);
  transform(block, false);
}
