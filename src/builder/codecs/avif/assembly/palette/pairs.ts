/** Joins the colours of chroma in a block, pairs of Cb and Cr, to few clusters with little squared error. */
import { sourceAt, sourceRow } from "../block/planes";
import { MOST_COLOURS } from "./clusters";

/** Blocks with more pairs than this are not drawn with a palette. */
export const MOST_PAIRS: i32 = 32;

/** A table from pairs to their places: pairs (u16), and places (u8), of which 255 is none. */
const SLOTS: usize = 128;
const slotPairs = memory.data(128 * 2, 16);
const slotPlaces = memory.data(128, 16);
/** Pairs (u16), how often each occurs (i32), and the cluster of each (u8). */
const pairs = memory.data(32 * 2, 16);
const pairCounts = memory.data(32 * 4, 16);
const clusterOf = memory.data(32, 16);
/** Clusters: weight, sums of Cb and of Cr (f32 [4]). One without weight was joined to another. */
const clusters = memory.data(32 * 16, 16);
/** The place of a cluster in the palette (u8). */
const places = memory.data(32, 16);

export let pairCount: i32 = 0;
let clusterCount = 0;
/** The squared error of the clusters. */
export let pairError: f32 = 0;

/** Returns the slot of a pair, or the empty one where it belongs. */
@inline
function slotOf(pair: i32): usize {
  let slot = (<usize>((pair * 0x9e37) >> 8)) & (SLOTS - 1);
  while (load<u8>(slotPlaces + slot) != 255 && <i32>load<u16>(slotPairs + (slot << 1)) != pair)
    slot = (slot + 1) & (SLOTS - 1);
  return slot;
}

/** Counts the pairs of a block. Coordinates and sizes are of chroma. @returns how many, or one more than MOST_PAIRS */
export function countPairs(x: i32, y: i32, width: i32, height: i32): i32 {
  memory.fill(slotPlaces, 255, SLOTS);
  pairCount = 0;
  let first = sourceAt(1, x, y);
  let second = sourceAt(2, x, y);
  for (let row = 0; row < height; row++, first += sourceRow(), second += sourceRow()) {
    for (let i = 0; i < width; i++) {
      const pair = ((<i32>load<u8>(first + i)) << 8) | (<i32>load<u8>(second + i));
      const slot = slotOf(pair);
      let place = <usize>load<u8>(slotPlaces + slot);
      if (place == 255) {
        if (pairCount == MOST_PAIRS) return MOST_PAIRS + 1;
        place = <usize>pairCount;
        pairCount++;
        store<u8>(slotPlaces + slot, place);
        store<u16>(slotPairs + (slot << 1), pair);
        store<u16>(pairs + (place << 1), pair);
        store<i32>(pairCounts + (place << 2), 0);
      }
      store<i32>(pairCounts + (place << 2), load<i32>(pairCounts + (place << 2)) + 1);
    }
  }
  startClusters();
  return pairCount;
}

/** Makes a cluster of each pair. */
function startClusters(): void {
  clusterCount = pairCount;
  pairError = 0;
  for (let i = 0; i < pairCount; i++) {
    const at = clusters + ((<usize>i) << 4);
    const weight = <f32>load<i32>(pairCounts + ((<usize>i) << 2));
    store<u8>(clusterOf + i, i);
    store<f32>(at, weight);
    store<f32>(at, weight * <f32>load<u8>(pairs + ((<usize>i) << 1), 1), 4);
    store<f32>(at, weight * <f32>load<u8>(pairs + ((<usize>i) << 1)), 8);
  }
}

/** Returns the error that joining two clusters adds. */
@inline
function joinError(a: usize, b: usize): f32 {
  const weightA = load<f32>(a);
  const weightB = load<f32>(b);
  const cb = load<f32>(a, 4) / weightA - load<f32>(b, 4) / weightB;
  const cr = load<f32>(a, 8) / weightA - load<f32>(b, 8) / weightB;
  return ((cb * cb + cr * cr) * weightA * weightB) / (weightA + weightB);
}

/** Joins clusters, each time those that add the least error, until there are `count`. */
export function joinClusters(count: i32): void {
  for (; clusterCount > count; clusterCount--) {
    let best: f32 = Infinity;
    let kept = 0;
    let joined = 0;
    for (let b = 1; b < pairCount; b++) {
      const second = clusters + ((<usize>b) << 4);
      if (load<f32>(second) == 0) continue;
      for (let a = 0; a < b; a++) {
        const first = clusters + ((<usize>a) << 4);
        if (load<f32>(first) == 0) continue;
        const error = joinError(first, second);
        if (error >= best) continue;
        best = error;
        kept = a;
        joined = b;
      }
    }
    const to = clusters + ((<usize>kept) << 4);
    const from = clusters + ((<usize>joined) << 4);
    v128.store(to, f32x4.add(v128.load(to), v128.load(from)));
    store<f32>(from, 0);
    pairError += best;
    for (let i = 0; i < pairCount; i++)
      if (<i32>load<u8>(clusterOf + i) == joined) store<u8>(clusterOf + i, kept);
  }
}

/** Writes the colours of the clusters, in ascending order of Cb. @param colours 8 of Cb, and 8 of Cr */
export function colourPairs(colours: usize): void {
  let count = 0;
  for (let cluster = 0; cluster < pairCount; cluster++) {
    const at = clusters + ((<usize>cluster) << 4);
    const weight = load<f32>(at);
    if (weight == 0) continue;
    let cb = <i32>nearest(load<f32>(at, 4) / weight);
    let cr = <i32>nearest(load<f32>(at, 8) / weight);
    for (let i = 0; i < pairCount; i++) {
      if (<i32>load<u8>(clusterOf + i) != cluster) continue;
      if (<f32>load<i32>(pairCounts + ((<usize>i) << 2)) * 2 <= weight) continue;
      cb = <i32>load<u8>(pairs + ((<usize>i) << 1), 1);
      cr = <i32>load<u8>(pairs + ((<usize>i) << 1));
    }
    // Colours with more Cb move on by one place.
    let place = count++;
    for (; place > 0 && <i32>load<u8>(colours + place - 1) > cb; place--) {
      store<u8>(colours + place, load<u8>(colours + place - 1));
      store<u8>(colours + place + MOST_COLOURS, load<u8>(colours + place + MOST_COLOURS - 1));
    }
    for (let other = 0; other < cluster; other++) {
      if (load<f32>(clusters + ((<usize>other) << 4)) > 0 && <i32>load<u8>(places + other) >= place)
        store<u8>(places + other, load<u8>(places + other) + 1);
    }
    store<u8>(colours + place, cb);
    store<u8>(colours + place + MOST_COLOURS, cr);
    store<u8>(places + cluster, place);
  }
}

/** Returns the place in the palette of the colour that stands for a pair of the block. */
@inline
export function placeOfPair(pair: i32): i32 {
  return <i32>load<u8>(places + load<u8>(clusterOf + load<u8>(slotPlaces + slotOf(pair))));
}
