/** Numbers drawn from a seed, so that a run can be repeated. */

/** Returns numbers from 0 up to 1 (mulberry32), the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns whole numbers from 0 up to a limit, the same for the same seed. */
export function integersOf(seed: number): (limit: number) => number {
  const next = randomOf(seed);
  return (limit) => Math.floor(next() * limit);
}
