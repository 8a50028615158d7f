/** Ranks prediction modes by an estimate of their cost. The best ones are then coded, to find their real cost. */

const guesses = memory.data(10 * 4);

/**
 * Stores the estimate of a mode: the sum of absolute Hadamard coefficients of its residue, plus the cost of stating
 * it.
 */
@inline
export function guess(mode: i32, value: i32): void {
  store<i32>(guesses + ((<usize>mode) << 2), value);
}

/** Takes the best of `count` modes that was not taken yet. */
@inline
export function takeBest(count: i32): i32 {
  let least = i32.MAX_VALUE;
  let mode = 0;
  for (let i = 0; i < count; i++) {
    const value = load<i32>(guesses + ((<usize>i) << 2));
    if (value >= least) continue;
    least = value;
    mode = i;
  }
  store<i32>(guesses + ((<usize>mode) << 2), i32.MAX_VALUE);
  return mode;
}
