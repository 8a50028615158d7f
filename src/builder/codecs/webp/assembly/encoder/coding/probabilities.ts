/** Probabilities of coefficient tokens: the default ones, and those adapted to the counts (RFC 6386, 13.4). */
import { DEFAULT_PROBABILITIES, UPDATE_PROBABILITIES } from "../../shared/coefficient-tables";
import { bitCost } from "./bit-cost";
import { putBit, putLiteral } from "./bool-coder";
import { AFTER_ZERO, CONTEXTS, counts, COUNTS_BYTES } from "./tokens";

/** Branches of the token tree (13.2). */
const BRANCHES: i32 = 11;
export const PROBABILITIES_BYTES: usize = 11;

/** The current probabilities, as [kind][band][context][branch]. */
export const probabilities = memory.data(96 * 11);

/** Which tokens take the 0 of each branch, and which take the 1: bits of END_TOKEN, 10 ... 0. */
const ZEROS = memory.data<u16>([
  1 << 11,
  1 << 0,
  1 << 1,
  0x01c,
  1 << 2,
  1 << 3,
  0x060,
  1 << 5,
  0x180,
  1 << 7,
  1 << 9,
]);
const ONES = memory.data<u16>([
  0x7ff,
  0x7fe,
  0x7fc,
  0x7e0,
  0x018,
  1 << 4,
  0x780,
  1 << 6,
  0x600,
  1 << 8,
  1 << 10,
]);

export function resetProbabilities(): void {
  memory.copy(probabilities, DEFAULT_PROBABILITIES, <usize>CONTEXTS * PROBABILITIES_BYTES);
}

/** Returns how often the tokens in `set` were counted. */
function sumOf(set: i32, row: usize): i32 {
  let sum = 0;
  for (; set; set &= set - 1) sum += load<i32>(row + ((<usize>ctz(set)) << 2));
  return sum;
}

/** Chooses the probabilities that code the counted tokens, and the probabilities themselves, in the fewest bits. */
export function adaptProbabilities(): void {
  for (let context = 0; context < CONTEXTS; context++) {
    const row = counts + <usize>context * COUNTS_BYTES;
    for (let branch = 0; branch < BRANCHES; branch++) {
      const index = <usize>context * PROBABILITIES_BYTES + <usize>branch;
      const zeros = sumOf(load<u16>(ZEROS + ((<usize>branch) << 1)), row);
      let ones = sumOf(load<u16>(ONES + ((<usize>branch) << 1)), row);
      // After a zero, the branch for the end of the block is not coded.
      if (branch == 0) ones -= load<i32>(row + (AFTER_ZERO << 2));
      store<u8>(probabilities + index, <u8>better(zeros, ones, index));
    }
  }
}

/** Returns the default probability at `index`, or another one if it saves more bits than it costs to state. */
function better(zeros: i32, ones: i32, index: usize): i32 {
  const standard = <i32>load<u8>(DEFAULT_PROBABILITIES + index);
  const all = zeros + ones;
  if (all == 0) return standard;
  const own = min(255, max(1, <i32>((<u64>zeros * 256 + ((<u64>all) >> 1)) / <u64>all)));
  const update = <i32>load<u8>(UPDATE_PROBABILITIES + index);
  const kept = cost(zeros, ones, standard) + bitCost(false, update);
  const changed = cost(zeros, ones, own) + bitCost(true, update) + 8 * 256;
  return changed < kept ? own : standard;
}

function cost(zeros: i32, ones: i32, probability: i32): i64 {
  return <i64>zeros * bitCost(false, probability) + <i64>ones * bitCost(true, probability);
}

/** Writes the probabilities that differ from the default ones (19.2: token_prob_update). */
export function putProbabilities(): void {
  for (let i: usize = 0; i < <usize>CONTEXTS * PROBABILITIES_BYTES; i++) {
    const own = load<u8>(probabilities + i);
    const isChanged = own != load<u8>(DEFAULT_PROBABILITIES + i);
    putBit(isChanged, load<u8>(UPDATE_PROBABILITIES + i));
    if (isChanged) putLiteral(own, 8);
  }
}
