/** The end of the levels of a block: the symbols that state it, and their costs (AV1 specification section 5.11.39). */
import { BIT, symbolCost } from "../coder/bit-cost";
import { cdfs } from "../coder/cdfs";
import { EOB_1024, EOB_128, EOB_16, EOB_256, EOB_32, EOB_512, EOB_64, EOB_EXTRA } from "../tables/cdf-layout";

/**
 * Costs of the symbols of eob_pt with what follows them, without eob_extra (i32), by log2 of the samples of a block and
 * plane type, and those of transforms in one direction. Those of a size are computed when it is first asked for.
 */
const END_COSTS_BYTES: usize = 16 * 4;
const allEndCosts = memory.data(24 * 16 * 4, 16);
let endCosts = allEndCosts;
/** The tables of transforms in one direction follow the others. */
const FIRST_STRAIGHT: i32 = 14;
/** The sizes whose costs are computed, a bit each. */
let knownEnds = 0;

/** Forgets costs by distributions that have changed. */
export function forgetEndCosts(): void {
  knownEnds = 0;
}

/** Returns the symbol of eob_pt for a count of coefficients. */
@inline
export function eobSymbol(count: i32): i32 {
  return count < 2 ? 0 : 32 - clz<i32>(count - 1);
}

/**
 * Returns the distributions of eob_pt for a size of block, log2, and plane type.
 * @param straight 1 for transforms in one direction, which have at most 256 samples
 */
export function eobCdf(log2: i32, chroma: i32, straight: i32): usize {
  if (log2 == 4) return cdfs + EOB_16 + <usize>(chroma * 2 + straight) * 10;
  if (log2 == 5) return cdfs + EOB_32 + <usize>(chroma * 2 + straight) * 12;
  if (log2 == 6) return cdfs + EOB_64 + <usize>(chroma * 2 + straight) * 14;
  if (log2 == 7) return cdfs + EOB_128 + <usize>(chroma * 2 + straight) * 16;
  if (log2 == 8) return cdfs + EOB_256 + <usize>(chroma * 2 + straight) * 18;
  if (log2 == 9) return cdfs + EOB_512 + <usize>chroma * 20;
  return cdfs + EOB_1024 + <usize>chroma * 22;
}

/** Returns the distribution of eob_extra. @param symbol of eob_pt, at least 2 */
@inline
export function eobExtraCdf(kind: i32, symbol: i32): usize {
  return cdfs + EOB_EXTRA + <usize>(kind * 9 + symbol - 2) * 4;
}

/** Computes the costs that `endCost` looks up, unless they are there. */
export function prepareEndCosts(log2: i32, chroma: i32, straight: i32): void {
  const size = straight ? FIRST_STRAIGHT + 2 * (log2 - 4) + chroma : 2 * (log2 - 4) + chroma;
  endCosts = allEndCosts + <usize>size * END_COSTS_BYTES;
  if ((knownEnds >> size) & 1) return;
  knownEnds |= 1 << size;
  const cdf = eobCdf(log2, chroma, straight);
  for (let symbol = 0; symbol <= log2; symbol++) {
    store<i32>(
      endCosts + ((<usize>symbol) << 2),
      symbolCost(cdf, symbol, log2 + 1) + max(0, symbol - 2) * BIT,
    );
  }
}

/** Returns the cost of saying that there are so many coefficients. */
@inline
export function endCost(kind: i32, count: i32): i32 {
  const symbol = eobSymbol(count);
  const cost = load<i32>(endCosts + ((<usize>symbol) << 2));
  if (symbol < 2) return cost;
  return cost + symbolCost(eobExtraCdf(kind, symbol), ((count - 1) >> (symbol - 2)) & 1, 2);
}

/** Returns the context of the last level by its place in the scan. */
@inline
export function lastContext(c: i32, count: i32): i32 {
  return c == 0 ? 0 : c <= count >> 3 ? 1 : c <= count >> 2 ? 2 : 3;
}
