/**
 * The one-dimensional transforms of AV1 as lists of steps (specification section 7.13.2), for eight columns of 16-bit
 * values at a time. A step turns two values into two others: by a rotation, or by sum and difference. All of them are
 * linear, so the forward transform is the same list from its end, with each step transposed.
 */

/** Kinds of transforms. */
export const DCT: i32 = 0;
export const ADST: i32 = 1;

/** Bytes of a step: byte offsets of the values a and b (u16), whether it rotates (u32), and the factors. */
export const STEP_BYTES: usize = 16;
const MOST_STEPS: usize = 160;
const MOST_STEPS_OF_64: usize = 400;
/** A list: count of steps, places and signs of the input (u16 and i16 [64]), those of the output, steps. */
export const PLACES: usize = 16;
export const SIGNS: usize = PLACES + 128;
export const OUT_PLACES: usize = SIGNS + 128;
export const OUT_SIGNS: usize = OUT_PLACES + 128;
export const STEPS: usize = OUT_SIGNS + 128;
const LIST_BYTES: usize = STEPS + MOST_STEPS * STEP_BYTES;
const LIST_OF_64_BYTES: usize = STEPS + MOST_STEPS_OF_64 * STEP_BYTES;

/** Lists by kind, log2 of the length minus 2, and direction; and those of the DCT of 64 values. */
const lists = memory.data(16 * 3088);
const listsOf64 = memory.data(2 * 6928);
let filling: usize = 0;

/** Returns the list of a kind and length. @param forward 1 for the encoder's direction */
export function listOf(kind: i32, log2: i32, forward: i32): usize {
  if (log2 == 6) return listsOf64 + <usize>forward * LIST_OF_64_BYTES;
  return lists + <usize>(((kind << 2) + log2 - 2) * 2 + forward) * LIST_BYTES;
}

function reversed(bits: i32, value: i32): i32 {
  let out = 0;
  for (let i = 0; i < bits; i++) out |= ((value >> i) & 1) << (bits - 1 - i);
  return out;
}

/** Returns 4096 cos(angle pi / 128), rounded as the specification's table is. */
function cosine(angle: i32): i32 {
  return <i32>Math.round(4096 * Math.cos((<f64>angle * Math.PI) / 128));
}

function addStep(a: i32, b: i32, rotates: u32, first: i32, second: i32): void {
  const count = load<u32>(filling);
  const at = filling + STEPS + <usize>count * STEP_BYTES;
  store<u16>(at, a << 4);
  store<u16>(at, b << 4, 2);
  store<u32>(at, rotates, 4);
  store<i32>(at, first, 8);
  store<i32>(at, second, 12);
  store<u32>(filling, count + 1);
}

@inline
function pair(first: i32, second: i32): i32 {
  return (first & 0xffff) | (second << 16);
}

/** Implements the function B of section 7.13.2.1. */
function rotate(a: i32, b: i32, angle: i32, flip: i32): void {
  const c = cosine(angle);
  const s = cosine(angle - 64);
  if (flip) addStep(a, b, 1, pair(s, c), pair(c, -s));
  else addStep(a, b, 1, pair(c, -s), pair(s, c));
}

/** Implements the function H. */
function sumAndDifference(a: i32, b: i32, flip: i32): void {
  if (flip) addStep(b, a, 0, 0, 0);
  else addStep(a, b, 0, 0, 0);
}

/** Builds the inverse DCT of section 7.13.2.3. */
function buildDct(n: i32): void {
  const size = 1 << n;
  for (let i = 0; i < size; i++) place(i, reversed(n, i), i, 1);
  if (n == 6) for (let i = 0; i < 16; i++) rotate(32 + i, 63 - i, 63 - 4 * reversed(4, i), 0);
  if (n >= 5) for (let i = 0; i < 8; i++) rotate(16 + i, 31 - i, 6 + (reversed(3, 7 - i) << 3), 0);
  if (n == 6) for (let i = 0; i < 16; i++) sumAndDifference(32 + 2 * i, 33 + 2 * i, i & 1);
  if (n >= 4) for (let i = 0; i < 4; i++) rotate(8 + i, 15 - i, 12 + (reversed(2, 3 - i) << 4), 0);
  if (n >= 5) for (let i = 0; i < 8; i++) sumAndDifference(16 + 2 * i, 17 + 2 * i, i & 1);
  if (n == 6) {
    for (let i = 0; i < 8; i++) {
      const j = i & 1;
      const k = i >> 1;
      rotate(62 - 4 * k - j, 33 + 4 * k + j, 60 - 16 * reversed(2, k) + (j << 6), 1);
    }
  }
  if (n >= 3) for (let i = 0; i < 2; i++) rotate(4 + i, 7 - i, 56 - 32 * i, 0);
  if (n >= 4) for (let i = 0; i < 4; i++) sumAndDifference(8 + 2 * i, 9 + 2 * i, i & 1);
  if (n >= 5) {
    for (let i = 0; i < 4; i++) {
      const j = i & 1;
      const k = i >> 1;
      rotate(30 - 4 * k - j, 17 + 4 * k + j, 24 + (j << 6) + ((1 - k) << 5), 1);
    }
  }
  if (n == 6) {
    for (let i = 0; i < 16; i++) {
      const k = i >> 1;
      sumAndDifference(32 + 4 * k + (i & 1), 35 + 4 * k - (i & 1), k & 1);
    }
  }
  for (let i = 0; i < 2; i++) rotate(2 * i, 2 * i + 1, 32 + 16 * i, 1 - i);
  if (n >= 3) for (let i = 0; i < 2; i++) sumAndDifference(4 + 2 * i, 5 + 2 * i, i);
  if (n >= 4) for (let i = 0; i < 2; i++) rotate(14 - i, 9 + i, 48 + 64 * i, 1);
  if (n >= 5) {
    for (let i = 0; i < 8; i++) {
      const k = i >> 1;
      sumAndDifference(16 + 4 * k + (i & 1), 19 + 4 * k - (i & 1), k & 1);
    }
  }
  if (n == 6) {
    for (let i = 0; i < 8; i++) {
      const j = i & 3;
      const k = i >> 2;
      rotate(61 - 8 * k - j, 34 + 8 * k + j, 56 - 32 * k + ((j >> 1) << 6), 1);
    }
  }
  for (let i = 0; i < 2; i++) sumAndDifference(i, 3 - i, 0);
  if (n >= 3) rotate(6, 5, 32, 1);
  if (n >= 4) {
    for (let i = 0; i < 4; i++) {
      const k = i >> 1;
      sumAndDifference(8 + 4 * k + (i & 1), 11 + 4 * k - (i & 1), k);
    }
  }
  if (n >= 5) for (let i = 0; i < 4; i++) rotate(29 - i, 18 + i, 48 + (i >> 1) * 64, 1);
  if (n == 6) {
    for (let i = 0; i < 16; i++) {
      const k = i >> 2;
      sumAndDifference(32 + 8 * k + (i & 3), 39 + 8 * k - (i & 3), k & 1);
    }
  }
  if (n >= 3) for (let i = 0; i < 4; i++) sumAndDifference(i, 7 - i, 0);
  if (n >= 4) for (let i = 0; i < 2; i++) rotate(13 - i, 10 + i, 32, 1);
  if (n >= 5) {
    for (let i = 0; i < 8; i++) {
      const k = i >> 2;
      sumAndDifference(16 + 8 * k + (i & 3), 23 + 8 * k - (i & 3), k);
    }
  }
  if (n == 6) for (let i = 0; i < 8; i++) rotate(59 - i, 36 + i, i < 4 ? 48 : 112, 1);
  if (n >= 4) for (let i = 0; i < 8; i++) sumAndDifference(i, 15 - i, 0);
  if (n >= 5) for (let i = 0; i < 4; i++) rotate(27 - i, 20 + i, 32, 1);
  if (n == 6) {
    for (let i = 0; i < 8; i++) {
      sumAndDifference(32 + i, 47 - i, 0);
      sumAndDifference(48 + i, 63 - i, 1);
    }
  }
  if (n >= 5) for (let i = 0; i < 16; i++) sumAndDifference(i, 31 - i, 0);
  if (n == 6) {
    for (let i = 0; i < 8; i++) rotate(55 - i, 40 + i, 32, 1);
    for (let i = 0; i < 32; i++) sumAndDifference(i, 63 - i, 0);
  }
}

/** Builds the inverse ADST of sections 7.13.2.7 and 7.13.2.8, for 8 or 16 values. */
function buildAdst(n: i32): void {
  const size = 1 << n;
  for (let i = 0; i < size; i++) {
    const from = i & 1 ? i - 1 : size - i - 1;
    const a = (i >> 3) & 1;
    const b = ((i >> 2) ^ (i >> 3)) & 1;
    const c = ((i >> 1) ^ (i >> 2)) & 1;
    const d = (i ^ (i >> 1)) & 1;
    place(i, from, ((d << 3) | (c << 2) | (b << 1) | a) >> (4 - n), i & 1 ? -1 : 1);
  }
  const turn = n == 3 ? 60 : 62;
  const by = n == 3 ? 16 : 8;
  const half = size >> 1;
  for (let i = 0; i < half; i++) rotate(2 * i, 2 * i + 1, turn - by * i, 1);
  for (let i = 0; i < half; i++) sumAndDifference(i, half + i, 0);
  if (n == 4) {
    for (let i = 0; i < 2; i++) {
      rotate(8 + 2 * i, 9 + 2 * i, 56 - 32 * i, 1);
      rotate(13 + 2 * i, 12 + 2 * i, 8 + 32 * i, 1);
    }
    for (let i = 0; i < 8; i++) sumAndDifference(8 * (i >> 2) + (i & 3), 4 + 8 * (i >> 2) + (i & 3), 0);
  }
  for (let j = 0; j < size; j += 8) {
    for (let i = 0; i < 2; i++) rotate(4 + j + 3 * i, 5 + j + i, 48 - 32 * i, 1);
  }
  for (let j = 0; j < size; j += 4) for (let i = 0; i < 2; i++) sumAndDifference(j + i, 2 + j + i, 0);
  for (let j = 0; j < size; j += 4) rotate(2 + j, 3 + j, 32, 1);
}

/** Takes value `i` from input `from`, and output `i` from value `out`, with its sign changed if `sign` is -1. */
function place(i: i32, from: i32, out: i32, sign: i32): void {
  const at = filling + ((<usize>i) << 1);
  store<u16>(at, from, PLACES);
  store<u16>(at, out, OUT_PLACES);
  store<i16>(at, 1, SIGNS);
  store<i16>(at, sign, OUT_SIGNS);
}

/** Writes the transposed list of `from` to `filling`. */
function transpose(from: usize, size: i32): void {
  for (let i = 0; i < size; i++) {
    const at = from + ((<usize>i) << 1);
    const out = filling + ((<usize>load<u16>(at, OUT_PLACES)) << 1);
    // Value `out` comes from input `i`, and value `i` goes to the place that the other list reads it from.
    store<u16>(out, i, PLACES);
    store<i16>(out, load<i16>(at, OUT_SIGNS), SIGNS);
    store<i16>(filling + ((<usize>i) << 1), 1, OUT_SIGNS);
    store<u16>(filling + ((<usize>load<u16>(at, PLACES)) << 1), i, OUT_PLACES);
  }
  for (let i = <i32>load<u32>(from) - 1; i >= 0; i--) {
    const step = from + STEPS + <usize>i * STEP_BYTES;
    const first = load<i32>(step, 8);
    const second = load<i32>(step, 12);
    const rotates = load<u32>(step, 4);
    addStep(
      load<u16>(step) >> 4,
      load<u16>(step, 2) >> 4,
      rotates,
      pair(first, second),
      pair(first >> 16, second >> 16),
    );
  }
}

/** Builds all lists. */
export function prepareNetworks(): void {
  for (let kind = DCT; kind <= ADST; kind++) {
    for (let n = kind == DCT ? 2 : 3; n <= (kind == DCT ? 6 : 4); n++) {
      filling = listOf(kind, n, 0);
      if (kind == DCT) buildDct(n);
      else buildAdst(n);
      filling = listOf(kind, n, 1);
      transpose(listOf(kind, n, 0), 1 << n);
    }
  }
}
