/** The costs of levels, in each context, as the distributions were when a superblock began. */
import { BIT, symbolCost } from "../coder/bit-cost";
import { cdfs } from "../coder/cdfs";
import { BASE, BASE_EOB, RANGE } from "../tables/cdf-layout";

/** Contexts of base symbols and of range symbols. */
const BASE_CONTEXTS: i32 = 42;
const RANGE_CONTEXTS: i32 = 21;
/** Highest level without a Golomb code is one below this one. */
export const GOLOMB_LEVEL: i32 = 15;

/** Words (u16): base symbols [class][context][4], last ones [class][4][4], ranges [class][context][16] from level 3. */
const baseCosts = memory.data(10 * 42 * 8);
const lastCosts = memory.data(10 * 4 * 8);
const rangeCosts = memory.data(10 * 21 * 32);

/** Returns the class of a transform: size, 0 to 4, and plane type, 0 for luma and 1 for chroma. */
@inline
export function classOf(wide: i32, high: i32, plane: i32): i32 {
  return (((wide + high - 3) >> 1) << 1) + i32(plane > 0);
}

/** Returns the kind whose range symbols a block has: blocks of 64 share those of 32. */
@inline
function sharedKind(kind: i32): i32 {
  return kind > 7 ? kind - 2 : kind;
}

@inline
export function baseCostsOf(kind: i32): usize {
  return baseCosts + <usize>(kind * BASE_CONTEXTS) * 8;
}

@inline
export function lastCostsOf(kind: i32): usize {
  return lastCosts + <usize>kind * 32;
}

@inline
export function rangeCostsOf(kind: i32): usize {
  return rangeCosts + <usize>(sharedKind(kind) * RANGE_CONTEXTS) * 32;
}

/** Returns the distributions of a class. */
@inline
export function baseCdfsOf(kind: i32): usize {
  return cdfs + BASE + <usize>(kind * BASE_CONTEXTS) * 8;
}

@inline
export function lastCdfsOf(kind: i32): usize {
  return cdfs + BASE_EOB + <usize>(kind * 4) * 6;
}

@inline
export function rangeCdfsOf(kind: i32): usize {
  return cdfs + RANGE + <usize>(sharedKind(kind) * RANGE_CONTEXTS) * 8;
}

/** Computes all costs again. */
export function refreshLevelCosts(): void {
  for (let kind = 0; kind < 10; kind++) {
    for (let i = 0; i < BASE_CONTEXTS; i++) {
      const at = baseCostsOf(kind) + ((<usize>i) << 3);
      const cdf = baseCdfsOf(kind) + ((<usize>i) << 3);
      for (let level = 0; level < 4; level++) {
        // The sign takes a bit.
        store<u16>(at + ((<usize>level) << 1), symbolCost(cdf, level, 4) + (level > 0 ? BIT : 0));
      }
    }
    for (let i = 0; i < 4; i++) {
      const at = lastCostsOf(kind) + ((<usize>i) << 3);
      const cdf = lastCdfsOf(kind) + <usize>i * 6;
      for (let level = 1; level < 4; level++)
        store<u16>(at + ((<usize>level) << 1), symbolCost(cdf, level - 1, 3) + BIT);
    }
    if (kind != sharedKind(kind)) continue;
    for (let i = 0; i < RANGE_CONTEXTS; i++)
      refreshRange(rangeCostsOf(kind) + ((<usize>i) << 5), rangeCdfsOf(kind) + ((<usize>i) << 3));
  }
}

/** Computes the costs of levels from 3 on: up to four symbols of up to 3 each. */
function refreshRange(at: usize, cdf: usize): void {
  let before = 0;
  const full = symbolCost(cdf, 3, 4);
  for (let symbols = 0; symbols < 4; symbols++) {
    for (let i = 0; i < 3; i++) {
      store<u16>(at, before + symbolCost(cdf, i, 4));
      at += 2;
    }
    before += full;
  }
  store<u16>(at, before);
}

/** Returns the cost of the Golomb code of a level that has one. */
@inline
export function golombCost(level: i32): i32 {
  return (2 * (31 - clz<i32>(level - GOLOMB_LEVEL + 1)) + 1) * BIT;
}

/** Returns the cost of a level above 2, beyond its base symbol. */
@inline
export function beyondBase(ranges: usize, level: i32): i32 {
  if (level < GOLOMB_LEVEL) return load<u16>(ranges + ((<usize>level - 3) << 1));
  return <i32>load<u16>(ranges, 24) + golombCost(level);
}
