/** Picks the luma modes that are worth a full trial, by the cost of their residue before transforms. */
import { modeCost } from "../block/info";
import { lambda } from "../block/quantiser";
import { collectBlockEdges, openBlock, prediction, subtract } from "../block/transform-block";
import { hasDirection, PAETH_PRED, predict } from "../predict/modes";
import { satd } from "./satd";

/** Most modes that are picked. */
export const MOST_PICKS: i32 = 6;
/** Picks in the order of their costs: mode, angle delta (i8), and the cost. */
const picks = memory.data(64, 16);
let count = 0;
let most = 0;

@inline
export function pickedMode(i: i32): i32 {
  return <i32>load<u8>(picks + ((<usize>i) << 3));
}

@inline
export function pickedAngle(i: i32): i32 {
  return <i32>load<i8>(picks + ((<usize>i) << 3), 1);
}

/** Inserts a mode at its place, if it is among the best. */
function consider(mode: i32, angle: i32, cost: f32): void {
  let i = count < most ? count++ : most;
  for (; i > 0 && load<f32>(picks + ((<usize>i - 1) << 3), 4) > cost; i--) {
    store<u64>(picks + ((<usize>i) << 3), load<u64>(picks + ((<usize>i - 1) << 3)));
  }
  const at = picks + ((<usize>i) << 3);
  store<u8>(at, mode);
  store<i8>(at, angle, 1);
  store<f32>(at, cost, 4);
}

/**
 * Picks up to `limit` modes of a block. Sizes are log2.
 * @param spread how far from the eight directions angles are tried, around the best two
 * @returns how many there are
 */
export function pickModes(x: i32, y: i32, wide: i32, high: i32, limit: i32, spread: i32): i32 {
  count = 0;
  most = limit;
  openBlock(0, x, y, wide, high, true);
  collectBlockEdges();
  const weight = <f32>Math.sqrt(lambda) * 0.045;
  let first = -1;
  let second = -1;
  let firstCost: f32 = Infinity;
  let secondCost: f32 = Infinity;
  for (let mode = 0; mode <= PAETH_PRED; mode++) {
    const cost = costOf(x, y, wide, high, mode, 0, weight);
    consider(mode, 0, cost);
    if (!hasDirection(mode)) continue;
    if (cost < firstCost) {
      second = first;
      secondCost = firstCost;
      first = mode;
      firstCost = cost;
    } else if (cost < secondCost) {
      second = mode;
      secondCost = cost;
    }
  }
  for (let delta = 1; delta <= spread; delta++) {
    consider(first, delta, costOf(x, y, wide, high, first, delta, weight));
    consider(first, -delta, costOf(x, y, wide, high, first, -delta, weight));
    consider(second, delta, costOf(x, y, wide, high, second, delta, weight));
    consider(second, -delta, costOf(x, y, wide, high, second, -delta, weight));
  }
  return count;
}

function costOf(x: i32, y: i32, wide: i32, high: i32, mode: i32, angle: i32, weight: f32): f32 {
  predict(prediction, mode, angle, 1 << wide, 1 << high);
  subtract();
  return <f32>satd(wide, high) + weight * <f32>modeCost(x, y, mode, angle);
}
