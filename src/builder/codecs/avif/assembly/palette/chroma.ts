/** The palette of the chroma of a block. Coordinates are of luma, and sizes are log2, of chroma. */
import { chromaShift } from "../block/context";
import { sourceAt, sourceRow } from "../block/planes";
import { chromaWeight, lambda } from "../block/quantiser";
import { MOST_COLOURS } from "./clusters";
import { colours } from "./luma";
import { MAP_STRIDE, mapCost, paint } from "./map";
import { chromaPaletteCost } from "./modes";
import { colourPairs, countPairs, joinClusters, MOST_PAIRS, pairError, placeOfPair } from "./pairs";

/** The colour of each sample. */
export const chromaMap = memory.data(32 * 32 + 16, 16);

/** The cost of the palette that was picked, with that of its map. */
export let chromaPaletteRate: i32 = 0;

function take(x: i32, y: i32, wide: i32, high: i32, count: i32): void {
  joinClusters(count);
  colourPairs(colours + MOST_COLOURS);
  let first = sourceAt(1, x >> chromaShift, y >> chromaShift);
  let second = sourceAt(2, x >> chromaShift, y >> chromaShift);
  for (let row: usize = 0; row < (<usize>1) << high; row++, first += sourceRow(), second += sourceRow()) {
    const to = chromaMap + row * MAP_STRIDE;
    for (let i: usize = 0; i < (<usize>1) << wide; i++) {
      const pair = ((<i32>load<u8>(first + i)) << 8) | (<i32>load<u8>(second + i));
      store<u8>(to + i, placeOfPair(pair));
    }
  }
}

function countOf(x: i32, y: i32, wide: i32, high: i32): i32 {
  return countPairs(x >> chromaShift, y >> chromaShift, 1 << wide, 1 << high);
}

/** Finds the palette of `count` colours of a block. */
export function prepareChroma(x: i32, y: i32, wide: i32, high: i32, count: i32): void {
  countOf(x, y, wide, high);
  take(x, y, wide, high, count);
}

/** Picks a palette for a block, and prepares it. @returns its count of colours; 0 when none is of use */
export function pickChroma(x: i32, y: i32, wide: i32, high: i32, hasLuma: boolean): i32 {
  const found = countOf(x, y, wide, high);
  if (found < 2 || found > MOST_PAIRS) return 0;
  let best: f32 = Infinity;
  let picked = 0;
  let count = min(found, MOST_COLOURS);
  for (; count >= 2; count--) {
    take(x, y, wide, high, count);
    const rate =
      chromaPaletteCost(
        colours + MOST_COLOURS,
        count,
        hasLuma,
        x,
        y,
        wide + chromaShift,
        high + chromaShift,
      ) + mapCost(chromaMap, 1, count, wide, high);
    const cost = chromaWeight * pairError + lambda * <f32>rate;
    if (cost >= best) continue;
    best = cost;
    picked = count;
    chromaPaletteRate = rate;
  }
  if (picked != 2) prepareChroma(x, y, wide, high, picked);
  return picked;
}

/** Predicts a plane of the block. */
export function paintChroma(out: usize, plane: i32, wide: i32, high: i32): void {
  paint(out, chromaMap, colours + <usize>(plane * MOST_COLOURS), 0, 0, 1 << wide, 1 << high);
}
