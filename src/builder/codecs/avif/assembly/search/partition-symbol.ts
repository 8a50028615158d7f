/** The symbol of a partition, and its cost (AV1 specification section 5.11.4). */
import { partitionCdf } from "../block/context";
import { codedHeight, codedWidth } from "../block/planes";
import { chanceCost, symbolCost } from "../coder/bit-cost";
import { putFlag, putSymbol } from "../coder/range-coder";

/**
 * Returns the chance of a split where only that or two blocks of one direction are possible (section 8.3.2), in 32768.
 */
function splitChance(cdf: usize, isHorizontal: boolean): i32 {
  let sum = 0;
  for (let i = 1; i < 10; i++) {
    // HORZ, VERT, SPLIT, HORZ_A, HORZ_B, VERT_A, VERT_B, HORZ_4 and VERT_4.
    const mask = isHorizontal ? 0b1011011100 : 0b0101111010;
    if (!((mask >> i) & 1)) continue;
    const at = cdf + ((<usize>i) << 1);
    sum += <i32>load<u16>(at - 2) - (i < 9 ? <i32>load<u16>(at) : 0);
  }
  return sum;
}

@inline
function symbolCount(log2: i32): i32 {
  return log2 == 3 ? 4 : 10;
}

/** Returns the cost of a partition; where the picture ends within the square, only SPLIT is used. */
export function partitionCost(x: i32, y: i32, log2: i32, partition: i32): i32 {
  const half = 1 << (log2 - 1);
  const hasRows = y + half < codedHeight;
  const hasColumns = x + half < codedWidth;
  if (!hasRows && !hasColumns) return 0;
  const cdf = partitionCdf(x, y, log2);
  if (hasRows && hasColumns) return symbolCost(cdf, partition, symbolCount(log2));
  return chanceCost(splitChance(cdf, hasColumns));
}

/** Codes a partition. */
export function putPartition(x: i32, y: i32, log2: i32, partition: i32): void {
  const half = 1 << (log2 - 1);
  const hasRows = y + half < codedHeight;
  const hasColumns = x + half < codedWidth;
  if (!hasRows && !hasColumns) return;
  const cdf = partitionCdf(x, y, log2);
  if (hasRows && hasColumns) putSymbol(cdf, partition, symbolCount(log2));
  else putFlag(true, splitChance(cdf, hasColumns));
}
