/** The palette of the luma of a block. */
import { sourceAt, sourceRow } from "../block/planes";
import { lambda } from "../block/quantiser";
import {
  clusterError,
  colourClusters,
  countValues,
  divideValues,
  MOST_COLOURS,
  MOST_VALUES,
} from "./clusters";
import { MAP_STRIDE, mapCost, paint } from "./map";
import { lumaPaletteCost } from "./modes";

/** The colours of luma (u8 [8]), Cb and Cr. */
export const colours = memory.data(32, 16);
/** The colour of each sample, and of each value. */
export const lumaMap = memory.data(32 * 32 + 16, 16);
const indices = memory.data(256);

/** The cost of the palette that was picked, with that of its map. */
export let lumaPaletteRate: i32 = 0;

/** Where the block is. */
let left = 0;
let top = 0;

function fillMap(x: i32, y: i32, wide: i32, high: i32): void {
  let from = sourceAt(0, x, y);
  for (let row: usize = 0; row < (<usize>1) << high; row++, from += sourceRow()) {
    const to = lumaMap + row * MAP_STRIDE;
    for (let i: usize = 0; i < (<usize>1) << wide; i++)
      store<u8>(to + i, load<u8>(indices + load<u8>(from + i)));
  }
}

/** Finds the palette of `count` colours of a block. Sizes are log2. */
export function prepareLuma(x: i32, y: i32, wide: i32, high: i32, count: i32): void {
  countValues(sourceAt(0, x, y), sourceRow(), 1 << wide, 1 << high);
  divideValues(count);
  take(x, y, wide, high, count);
}

function take(x: i32, y: i32, wide: i32, high: i32, count: i32): void {
  left = x;
  top = y;
  colourClusters(colours, indices, count);
  fillMap(x, y, wide, high);
}

/** Picks a palette for a block, and prepares it. @returns its count of colours; 0 when none is of use */
export function pickLuma(x: i32, y: i32, wide: i32, high: i32): i32 {
  const values = countValues(sourceAt(0, x, y), sourceRow(), 1 << wide, 1 << high);
  if (values < 2 || values > MOST_VALUES) return 0;
  const most = min(values, MOST_COLOURS);
  divideValues(most);
  let best: f32 = Infinity;
  let picked = 0;
  for (let count = 2; count <= most; count++) {
    take(x, y, wide, high, count);
    const rate = rateOf(x, y, wide, high, count);
    const cost = <f32>clusterError(count) + lambda * <f32>rate;
    if (cost >= best) continue;
    best = cost;
    picked = count;
    lumaPaletteRate = rate;
  }
  if (picked != most) take(x, y, wide, high, picked);
  return picked;
}

function rateOf(x: i32, y: i32, wide: i32, high: i32, count: i32): i32 {
  return lumaPaletteCost(colours, count, x, y, wide, high) + mapCost(lumaMap, 0, count, wide, high);
}

/** Predicts a part of the block. Coordinates are of the picture. */
export function paintLuma(out: usize, x: i32, y: i32, width: i32, height: i32): void {
  paint(out, lumaMap, colours, x - left, y - top, width, height);
}
