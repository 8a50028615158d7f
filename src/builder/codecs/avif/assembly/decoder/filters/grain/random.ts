/** The random numbers of grain (AV1 specification section 7.18.3.2). */

let register: i32 = 0;

export function seedRandom(seed: i32): void {
  register = seed;
}

/** Returns a number of `bits` bits. */
export function nextRandom(bits: i32): i32 {
  const r = register;
  const bit = (r ^ (r >> 1) ^ (r >> 3) ^ (r >> 12)) & 1;
  register = (r >> 1) | (bit << 15);
  return (register >> (16 - bits)) & ((1 << bits) - 1);
}
