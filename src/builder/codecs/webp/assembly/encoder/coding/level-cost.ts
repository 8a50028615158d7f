/** The cost of the levels of a block, in 1/256 bits, with the current probabilities. */
import { bitCost } from "./bit-cost";
import { extraBitCount, extraBits } from "./emit";
import { probabilities, PROBABILITIES_BYTES } from "./probabilities";
import { CONTEXTS } from "./tokens";

/** All levels from this one on cost the same, because all of them have 11 extra bits. */
export const MOST_COUNTED: i32 = 67;
export const COSTS_ROW_BYTES: usize = 68 * 2;

/**
 * Cost of a level, as [kind][band][context][level] (u16). In contexts 1 and 2 it includes the branch "not the end",
 * which is not coded after a 0.
 */
export const levelCosts = memory.data(96 * 136);
/** Cost of continuing and of ending a block, as [kind][band][context] (u16 each). */
export const endCosts = memory.data(96 * 4);
/** Cost of the parts of a level with fixed probabilities: extra bits and sign. */
const fixedCosts = memory.data(136);

/** Computes the fixed costs. Must be called once. */
export function prepareLevelCosts(): void {
  for (let size = 1; size <= MOST_COUNTED; size++) {
    let sum = 256;
    if (size == 5 || size == 6) sum += bitCost(size == 6, 159);
    else if (size >= 7 && size <= 10) sum += bitCost(size >= 9, 165) + bitCost((size & 1) == 0, 145);
    else if (size > 10) {
      const index = size < 19 ? 0 : size < 35 ? 1 : size < 67 ? 2 : 3;
      const bits = extraBitCount(index);
      const extra = size - 3 - (8 << index);
      for (let i = 0; i < bits; i++) {
        sum += bitCost(((extra >> (bits - 1 - i)) & 1) != 0, load<u8>(extraBits(index) + i));
      }
    }
    store<u16>(fixedCosts + ((<usize>size) << 1), <u16>sum);
  }
}

/** Fills the tables from the current probabilities. */
export function refreshLevelCosts(): void {
  for (let row: usize = 0; row < <usize>CONTEXTS; row++) {
    const p = probabilities + row * PROBABILITIES_BYTES;
    const to = levelCosts + row * COSTS_ROW_BYTES;
    store<u16>(endCosts + (row << 2), <u16>bitCost(true, load<u8>(p)));
    store<u16>(endCosts + (row << 2), <u16>bitCost(false, load<u8>(p)), 2);
    const goesOn = row % 3 ? load<u16>(endCosts + (row << 2)) : 0;
    store<u16>(to, <u16>(goesOn + bitCost(false, load<u8>(p, 1))));
    const any = goesOn + bitCost(true, load<u8>(p, 1));
    const more = any + bitCost(true, load<u8>(p, 2));
    store<u16>(to, <u16>(any + bitCost(false, load<u8>(p, 2)) + 256), 2);
    for (let size = 2; size <= MOST_COUNTED; size++) {
      const sum = more + treeCost(size, p) + load<u16>(fixedCosts + ((<usize>size) << 1));
      store<u16>(to + ((<usize>size) << 1), <u16>sum);
    }
  }
}

/** Returns the cost of the branches that code a level above 1. */
function treeCost(size: i32, p: usize): i32 {
  if (size <= 4) {
    const sum = bitCost(false, load<u8>(p, 3)) + bitCost(size > 2, load<u8>(p, 4));
    return size == 2 ? sum : sum + bitCost(size == 4, load<u8>(p, 5));
  }
  const sum = bitCost(true, load<u8>(p, 3)) + bitCost(size > 10, load<u8>(p, 6));
  if (size <= 10) return sum + bitCost(size > 6, load<u8>(p, 7));
  const index = size < 19 ? 0 : size < 35 ? 1 : size < 67 ? 2 : 3;
  return sum + bitCost(index > 1, load<u8>(p, 8)) + bitCost((index & 1) != 0, load<u8>(p + 9 + (index >> 1)));
}
