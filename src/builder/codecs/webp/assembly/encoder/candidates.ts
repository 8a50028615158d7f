/** Prediction modes by a first guess of what they leave to code: the best are then coded to see what they cost. */

const guesses = memory.data(10 * 4);

/** Notes what a mode leaves, as a sum of absolute Hadamard coefficients, and what naming it costs, as one number. */
@inline
export function guess(mode: i32, value: i32): void {
  store<i32>(guesses + ((<usize>mode) << 2), value);
}

/** The best mode of `count` that was not taken yet. */
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
