/** The costs of symbols, in 512ths of a bit. */

/** Units per bit. */
export const BIT: i32 = 512;
/** Costs are looked up by probability in 2048ths. */
const STEPS: i32 = 2048;
const costs = memory.data((STEPS + 1) * 2);

/** Fills the table. */
export function prepareBitCosts(): void {
  for (let i = 0; i <= STEPS; i++) {
    const share = max(<f64>i, 0.5) / STEPS;
    store<u16>(costs + ((<usize>i) << 1), <u16>nearest(-Math.log2(share) * BIT));
  }
}

/** Returns the cost of `symbol` of `count`, by its distribution as it is now. */
@inline
export function symbolCost(cdf: usize, symbol: i32, count: i32): i32 {
  const at = cdf + ((<usize>symbol) << 1);
  const high: u32 = symbol > 0 ? load<u16>(at - 2) : 32768;
  const least: u32 = symbol + 1 < count ? load<u16>(at) : 0;
  return <i32>load<u16>(costs + (((high - least) >> 4) << 1));
}

/** Returns the cost of something with a chance in 32768. */
@inline
export function chanceCost(chance: i32): i32 {
  return <i32>load<u16>(costs + ((chance >> 4) << 1));
}
