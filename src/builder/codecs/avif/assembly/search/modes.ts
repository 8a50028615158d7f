/** Picks luma modes by the cost of their residue before transforms. */
import { isTiny, modeCost } from "../block/info";
import { sourceAt, sourceRow } from "../block/planes";
import { lambda } from "../block/quantiser";
import { collectBlockEdges, openBlock, prediction, subtract } from "../block/open-block";
import { hasDirection, PAETH_PRED, predict } from "../predict/modes";
import { satd, satdOf } from "./satd";

/** The weight of a unit of cost against the sum of a residue, per square root of its worth in squared error. */
export const RATE_WEIGHT: f64 = 0.065;

/** Angles are tried around directions whose cost is less than so many times the least. */
const NEAR: f32 = 1.05;

/** The mode that was picked, and its angle delta. */
export let pickedMode: i32 = 0;
export let pickedAngle: i32 = 0;
/** The cost of its residue, and of saying so. */
export let least: f32 = 0;

/**
 * Whether all angles of all directions are looked at, and the usual modes are tried in full: in smooth superblocks, where
 * residues say little, and a degree changes much.
 */
export let isWide = false;

export function searchWidely(isWanted: boolean): void {
  isWide = isWanted;
}

export let directedMode: i32 = 1;
export let directedAngle: i32 = 0;
/** Whether no mode of the block has left nothing so far. */
let isInexact = true;

function consider(mode: i32, angle: i32, cost: f32): void {
  if (cost >= least) return;
  least = cost;
  pickedMode = mode;
  pickedAngle = angle;
}

/** Picks the luma mode of a block. Sizes are log2. @param modes that are tried, a bit each */
export function pickMode(x: i32, y: i32, wide: i32, high: i32, modes: i32): void {
  least = Infinity;
  isInexact = true;
  openBlock(0, x, y, wide, high, true);
  collectBlockEdges();
  const weight = <f32>(Math.sqrt(lambda) * RATE_WEIGHT);
  let first = -1;
  let second = -1;
  let directedCost: f32 = Infinity;
  let firstCost: f32 = Infinity;
  let secondCost: f32 = Infinity;
  for (let mode = 0; mode <= PAETH_PRED; mode++) {
    if (!((modes >> mode) & 1)) continue;
    const cost = costOf(x, y, wide, high, mode, 0, weight);
    consider(mode, 0, cost);
    if (isTiny || !hasDirection(mode)) continue;
    if (isWide && isInexact) {
      for (let delta = -3; delta <= 3; delta++) {
        const other = delta == 0 ? cost : costOf(x, y, wide, high, mode, delta, weight);
        consider(mode, delta, other);
        if (other >= directedCost) continue;
        directedCost = other;
        directedMode = mode;
        directedAngle = delta;
      }
      continue;
    }
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
  if (firstCost < least * NEAR) refine(x, y, wide, high, first, firstCost, weight);
  if (secondCost < least * NEAR) refine(x, y, wide, high, second, secondCost, weight);
}

/** Tries angles around a direction: two steps to either side, and then one step around the best of them. */
function refine(x: i32, y: i32, wide: i32, high: i32, mode: i32, cost: f32, weight: f32): void {
  let centre = 0;
  for (let delta = -2; delta <= 2; delta += 4) {
    const other = costOf(x, y, wide, high, mode, delta, weight);
    consider(mode, delta, other);
    if (other >= cost) continue;
    cost = other;
    centre = delta;
  }
  consider(mode, centre - 1, costOf(x, y, wide, high, mode, centre - 1, weight));
  consider(mode, centre + 1, costOf(x, y, wide, high, mode, centre + 1, weight));
}

function narrowResidue(wide: i32, high: i32): i32 {
  subtract();
  return satd(wide, high);
}

function costOf(x: i32, y: i32, wide: i32, high: i32, mode: i32, angle: i32, weight: f32): f32 {
  predict(prediction, mode, angle, 1 << wide, 1 << high);
  const residue =
    min(wide, high) == 2
      ? narrowResidue(wide, high)
      : satdOf(sourceAt(0, x, y), sourceRow(), prediction, wide, high);
  isInexact = isInexact && residue > 0;
  return <f32>residue + weight * <f32>modeCost(x, y, mode, angle);
}
