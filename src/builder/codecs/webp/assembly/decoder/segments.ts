/** Reads segments (RFC 6386, 9.3), with the quantisers (9.6) and loop filters (9.4, 15.2) of each. */
import { AC_STEPS, DC_STEPS } from "../shared/steps";
import { getFlag, getLiteral, getOptional } from "./bool-decoder";

const SEGMENTS: i32 = 4;
const MOST_INDEX: i32 = 127;
/** The index of the coarsest quantiser of chroma's DC. */
const MOST_CHROMA_DC_INDEX: i32 = 117;

let isSegmented = false;
let isAbsolute = true;
/** Whether each macroblock states its segment. */
export let hasSegmentMap = false;
const quantiserValues = memory.data(4);
const filterValues = memory.data(4);
const tree = memory.data(4);

/** Returns the probability of a 0 at a node of the tree of segments. */
@inline
export function segmentProbability(node: usize): u32 {
  return load<u8>(tree + node);
}

export function readSegments(): void {
  memory.fill(tree, 255, 3);
  isSegmented = getFlag();
  if (!isSegmented) return;
  hasSegmentMap = getFlag();
  if (getFlag()) {
    isAbsolute = getFlag();
    for (let i = 0; i < SEGMENTS; i++) store<i8>(quantiserValues + <usize>i, <i8>getOptional(7));
    for (let i = 0; i < SEGMENTS; i++) store<i8>(filterValues + <usize>i, <i8>getOptional(6));
  }
  if (!hasSegmentMap) return;
  for (let i: usize = 0; i < 3; i++) if (getFlag()) store<u8>(tree + i, <u8>getLiteral(8));
}

/** Bytes of the steps (i32) of a segment: DC and AC of luma, of the second order, of chroma. */
const STEPS_BYTES: usize = 24;
const steps = memory.data(4 * 24);

@inline
export function stepsOf(segment: i32): usize {
  return steps + <usize>segment * STEPS_BYTES;
}

function step(table: usize, index: i32, most: i32): i32 {
  return <i32>load<u16>(table + ((<usize>max(0, min(most, index))) << 1));
}

export function readQuantisers(): void {
  const base = getLiteral(7);
  const lumaDc = getOptional(4);
  const secondDc = getOptional(4);
  const secondAc = getOptional(4);
  const chromaDc = getOptional(4);
  const chromaAc = getOptional(4);
  for (let i = 0; i < SEGMENTS; i++) {
    const own = <i32>load<i8>(quantiserValues + <usize>i);
    const index = !isSegmented ? base : isAbsolute ? own : base + own;
    const to = stepsOf(i);
    store<i32>(to, step(DC_STEPS, index + lumaDc, MOST_INDEX));
    store<i32>(to, step(AC_STEPS, index, MOST_INDEX), 4);
    store<i32>(to, 2 * step(DC_STEPS, index + secondDc, MOST_INDEX), 8);
    store<i32>(to, max((step(AC_STEPS, index + secondAc, MOST_INDEX) * 155) / 100, 8), 12);
    store<i32>(to, step(DC_STEPS, index + chromaDc, MOST_CHROMA_DC_INDEX), 16);
    store<i32>(to, step(AC_STEPS, index + chromaAc, MOST_INDEX), 20);
  }
}

export const FILTER_NONE: i32 = 0;
export const FILTER_SIMPLE: i32 = 1;
export const FILTER_NORMAL: i32 = 2;
/** The kind of loop filter, one of FILTER_*. */
export let filterKind: i32 = FILTER_NONE;

/**
 * Bytes of a segment's filter, once for luma in planes and once in blocks: limit (0 for none), interior limit,
 * threshold.
 */
const FILTER_BYTES: usize = 4;
const filters = memory.data(4 * 2 * 4);

@inline
export function filterOf(segment: i32, inBlocks: i32): usize {
  return filters + <usize>(2 * segment + inBlocks) * FILTER_BYTES;
}

export function readFilters(): void {
  const isSimple = getFlag();
  const base = getLiteral(6);
  const sharpness = getLiteral(3);
  let intra = 0;
  let blocks = 0;
  const isAdjusted = getFlag();
  if (isAdjusted && getFlag()) {
    // Deltas by reference frame, which a key frame does not have, then by mode.
    for (let i = 0; i < 4; i++) {
      const value = getOptional(6);
      if (i == 0) intra = value;
    }
    for (let i = 0; i < 4; i++) {
      const value = getOptional(6);
      if (i == 0) blocks = value;
    }
  }
  filterKind = base == 0 ? FILTER_NONE : isSimple ? FILTER_SIMPLE : FILTER_NORMAL;
  for (let i = 0; i < SEGMENTS; i++) {
    const own = <i32>load<i8>(filterValues + <usize>i);
    const level = !isSegmented ? base : isAbsolute ? own : base + own;
    prepareFilter(filterOf(i, 0), level + intra, sharpness);
    prepareFilter(filterOf(i, 1), level + intra + blocks, sharpness);
  }
}

function prepareFilter(to: usize, wanted: i32, sharpness: i32): void {
  const level = max(0, min(63, wanted));
  if (level == 0) return;
  let interior = level;
  if (sharpness > 0) {
    interior >>= sharpness > 4 ? 2 : 1;
    interior = min(interior, 9 - sharpness);
  }
  interior = max(interior, 1);
  store<u8>(to, <u8>(2 * level + interior));
  store<u8>(to, <u8>interior, 1);
  store<u8>(to, <u8>(level >= 40 ? 2 : level >= 15 ? 1 : 0), 2);
}
