/** The cost of coding a boolean, in 1/256 bits. */

const costs = memory.data(257 * 2);

/** Fills the table. Must be called once. */
export function prepareBitCosts(): void {
  for (let p = 1; p <= 256; p++) {
    store<u16>(costs + ((<usize>p) << 1), <u16>(-256 * Math.log2(<f64>p / 256) + 0.5));
  }
  // A probability of 0 does not occur. Its entry has the highest cost.
  store<u16>(costs, load<u16>(costs, 2));
}

/** Returns the cost of a bit that is 0 with a probability of `probability` / 256. */
@inline
export function bitCost(bit: boolean, probability: i32): i32 {
  return load<u16>(costs + ((<usize>(bit ? 256 - probability : probability)) << 1));
}
