/** The distributions that a tile starts with (AV1 specification sections 7.20 and 8.2.2). */
import {
  DEFAULT_COEFFICIENTS_0,
  DEFAULT_COEFFICIENTS_1,
  DEFAULT_COEFFICIENTS_2,
  DEFAULT_COEFFICIENTS_3,
  DEFAULT_MODES,
} from "../../tables/default-cdfs";
import {
  COEFFICIENT_GROUPS,
  COEFFICIENT_GROUPS_COUNT,
  MODE_GROUPS,
  MODE_GROUPS_COUNT,
  OTHER_GROUPS,
  OTHER_GROUPS_COUNT,
} from "../tables/cdf-layout";
import { DEFAULT_OTHERS } from "../tables/other-cdfs";

/** Returns the words of a distribution of `count` symbols in the memory of a tile. */
@inline
function wordsOf(count: i32): i32 {
  return count <= 2 ? 2 : count <= 4 ? 4 : count <= 8 ? 8 : 16;
}

/** Spreads distributions to their places. @param groups counts of distributions and of their symbols */
function spread(from: usize, to: usize, groups: usize, count: i32): usize {
  for (let group = 0; group < count; group++, groups += 4) {
    const symbols = <i32>load<u16>(groups, 2);
    const bytes = (<usize>wordsOf(symbols)) << 1;
    const used = (<usize>symbols - 1) << 1;
    for (let i = <i32>load<u16>(groups); i > 0; i--) {
      memory.copy(to, from, used);
      memory.fill(to + used, 0, bytes - used);
      from += used + 2;
      to += bytes;
    }
  }
  return to;
}

/** Writes the distributions of a tile. @param baseIndex the frame's quantiser index */
export function writeDefaults(to: usize, baseIndex: i32): void {
  let coefficients = DEFAULT_COEFFICIENTS_3;
  if (baseIndex <= 20) coefficients = DEFAULT_COEFFICIENTS_0;
  else if (baseIndex <= 60) coefficients = DEFAULT_COEFFICIENTS_1;
  else if (baseIndex <= 120) coefficients = DEFAULT_COEFFICIENTS_2;
  to = spread(DEFAULT_MODES, to, MODE_GROUPS, MODE_GROUPS_COUNT);
  to = spread(DEFAULT_OTHERS, to, OTHER_GROUPS, OTHER_GROUPS_COUNT);
  spread(coefficients, to, COEFFICIENT_GROUPS, COEFFICIENT_GROUPS_COUNT);
}
