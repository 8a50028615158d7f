/** Quantises a block of coefficients: levels with the least sum of error and of bits. */
import { clearVectors } from "../block/copy";
import { BIT, symbolCost } from "../coder/bit-cost";
import { strideOf } from "../transform/transform";
import { baseCostsOf, beyondBase, classOf, lastCostsOf, rangeCostsOf } from "./costs";
import { endCost, lastContext, prepareEndCosts } from "./end";
import {
  DIAGONAL,
  ENTRY_BYTES,
  fifthOf,
  fourthOf,
  LEVEL_STRIDE,
  levels,
  NEIGHBOURS,
  orderOf,
  ROWS,
  thirdOf,
} from "./orders";
import { absolute, energy, roundLevels, weighted } from "./round";
import { countsOf, MOST_CODED, scanOf, shiftOfSteps } from "./scans";

/** Results: number of coefficients up to the last level, cost of them in units, and squared error in samples. */
export let lastCount = 0;
export let levelRate = 0;
export let levelError: f32 = 0;

/**
 * Quantises `block`, coefficients of 1 << wide by 1 << high, to `absolute` and `levels`. Those of 64 x 64 are 32 x 32.
 * @param scales what coefficients are multiplied by (f32)
 * @param lambda error that a unit of cost is worth
 * @param emptyRate cost of saying that a block has no levels; `codedRate` that it has some
 */
export function quantiseBlock(
  block: usize,
  wide: i32,
  high: i32,
  plane: i32,
  type: i32,
  scales: usize,
  dcStep: i32,
  acStep: i32,
  lambda: f32,
  dcSignCdf: usize,
  emptyRate: i32,
  codedRate: i32,
): void {
  const kind = classOf(wide, high, plane);
  const order = orderOf(type);
  // Blocks of more than 256 samples have half the scale, and half the step; those of 64 x 64 a quarter.
  const shift = shiftOfSteps(wide, high);
  const errorScale: f32 = shift == 0 ? <f32>(1.0 / 64) : shift == 1 ? <f32>(1.0 / 16) : <f32>(1.0 / 4);
  wide = min(wide, MOST_CODED);
  high = min(high, MOST_CODED);
  const log2 = wide + high;
  const count = 1 << log2;
  lastCount = 0;
  const rows = 1 << high;
  const stride = strideOf(wide);
  const rounded = roundLevels(
    block,
    scales,
    countsOf(wide, high, order),
    wide,
    rows * stride,
    dcStep >> shift,
    acStep >> shift,
  );
  const error = energy * errorScale;
  if (rounded == 0) {
    levelRate = emptyRate;
    levelError = error;
    return;
  }
  const bases = baseCostsOf(kind);
  const ranges = rangeCostsOf(kind);
  const lasts = lastCostsOf(kind);
  prepareEndCosts(log2, i32(plane > 0), i32(order != DIAGONAL));
  const scan = scanOf(wide, high, order);
  clearLevels(load<u16>(scan + <usize>(rounded - 1) * ENTRY_BYTES, 2), 1 << wide, rows, order);
  const third = thirdOf(order);
  const fourth = fourthOf(order);
  const fifth = fifthOf(order);
  // On diagonals, the first coefficient has a context of its own.
  const first = order == DIAGONAL ? 0 : -1;
  const dcSize = <f32>dcStep / <f32>(1 << shift);
  const acSize = <f32>acStep / <f32>(1 << shift);
  // Sums are of what differs from coding nothing: errors of levels, minus those of zeros.
  let best: f32 = Infinity;
  let bestRate = 0;
  let saved: f32 = 0;
  for (let c = rounded - 1; c >= 0; c--) {
    const entry = scan + <usize>c * ENTRY_BYTES;
    const place = (<usize>load<u16>(entry)) << 1;
    const level = <i32>load<i16>(absolute + place);
    if (level == 0 && !lastCount) continue;
    const at = levels + ((<usize>load<u16>(entry, 2)) << 1);
    const near = <i32>load<u16>(at, 2) + <i32>load<u16>(at, LEVEL_STRIDE * 2) + <i32>load<u16>(at + third);
    const mag = (near & 0xff) + <i32>load<u8>(at + fourth) + <i32>load<u8>(at + fifth);
    const base = bases + ((<usize>(c == first ? 0 : min((mag + 1) >> 1, 4) + <i32>load<u16>(entry, 4))) << 3);
    if (level == 0) {
      bestRate += load<u16>(base);
      best += lambda * <f32>load<u16>(base);
      continue;
    }
    const range = ranges + ((<usize>(min(((near >> 8) + 1) >> 1, 6) + <i32>load<u16>(entry, 6))) << 5);
    const value = load<f32>(weighted + (place << 1));
    const step = c == 0 ? dcSize : acSize;
    const squared = value * value;
    // As a level among others: this one, one less, or none. One less is only worth a look if this one is too much.
    let pick = 0;
    let pickRate = <i32>load<u16>(base);
    let pickGain: f32 = 0;
    let pickCost = lambda * <f32>pickRate;
    // As the last level, unless those after it are worth more than the start of a block.
    const mayEnd = best > lambda * <f32>codedRate;
    let lastPick = 0;
    let lastRate = 0;
    let lastGain: f32 = 0;
    let lastCost: f32 = Infinity;
    const last = lasts + ((<usize>lastContext(c, count)) << 3);
    const opening = mayEnd ? codedRate + endCost(kind, c + 1) : 0;
    const dcSign = c == 0 ? symbolCost(dcSignCdf, i32(load<i16>(block) < 0), 2) - BIT : 0;
    const least = <f32>level * step > value && level > 1 ? level - 1 : level;
    for (let l = level; l >= least; l--) {
      const off = value - <f32>l * step;
      const gain = (off * off - squared) * errorScale;
      const beyond = (l > 2 ? beyondBase(range, l) : 0) + dcSign;
      const slot = (<usize>min(l, 3)) << 1;
      const rate = <i32>load<u16>(base + slot) + beyond;
      const cost = gain + lambda * <f32>rate;
      if (cost < pickCost) {
        pick = l;
        pickRate = rate;
        pickGain = gain;
        pickCost = cost;
      }
      if (!mayEnd) continue;
      const rateAsLast = <i32>load<u16>(last + slot) + beyond + opening;
      const costAsLast = gain + lambda * <f32>rateAsLast;
      if (costAsLast < lastCost) {
        lastPick = l;
        lastRate = rateAsLast;
        lastGain = gain;
        lastCost = costAsLast;
      }
    }
    if (mayEnd && lastCost < best + pickCost) {
      forget(scan, c + 1);
      lastCount = c + 1;
      best = lastCost;
      bestRate = lastRate;
      saved = lastGain;
      pick = lastPick;
    } else {
      best += pickCost;
      bestRate += pickRate;
      saved += pickGain;
    }
    store<i16>(absolute + place, pick);
    store<u16>(at, min(pick, 3) | (min(pick, 15) << 8));
  }
  if (lambda * <f32>emptyRate <= best) {
    lastCount = 0;
    levelRate = emptyRate;
    levelError = error;
    return;
  }
  levelRate = bestRate;
  levelError = error + saved;
}

/** Clears `levels` where contexts look: up to the diagonal that `last`, a place there, is on, or everywhere. */
function clearLevels(last: i32, columns: i32, rows: i32, order: i32): void {
  if (order != DIAGONAL) {
    const across = order == ROWS ? columns : rows;
    const lines = order == ROWS ? rows : columns;
    const end = levels + <usize>(lines + NEIGHBOURS) * LEVEL_STRIDE * 2;
    for (let at = levels; at < end; at += LEVEL_STRIDE * 2) clearVectors(at, (<usize>across + 1) << 1);
    return;
  }
  const diagonal = last / LEVEL_STRIDE + (last % LEVEL_STRIDE);
  const bytes = (<usize>min(columns, diagonal + 1) + 2) << 1;
  const end = levels + <usize>(min(rows, diagonal + 1) + 2) * LEVEL_STRIDE * 2;
  for (let at = levels; at < end; at += LEVEL_STRIDE * 2) clearVectors(at, bytes);
}

/** Drops the levels from place `from` of the scan on. */
function forget(scan: usize, from: i32): void {
  for (let c = from; c < lastCount; c++) {
    const entry = scan + <usize>c * ENTRY_BYTES;
    store<u16>(levels + ((<usize>load<u16>(entry, 2)) << 1), 0);
    store<i16>(absolute + ((<usize>load<u16>(entry)) << 1), 0);
  }
}

/** Writes levels that were kept to `levels`, so that they can be coded. */
export function recallLevels(kept: usize, count: i32, wide: i32, high: i32, type: i32): void {
  const order = orderOf(type);
  wide = min(wide, MOST_CODED);
  high = min(high, MOST_CODED);
  const scan = scanOf(wide, high, order);
  clearLevels(load<u16>(scan + <usize>(count - 1) * ENTRY_BYTES, 2), 1 << wide, 1 << high, order);
  for (let c = 0; c < count; c++) {
    const entry = scan + <usize>c * ENTRY_BYTES;
    const level = <i32>load<i16>(kept + ((<usize>load<u16>(entry)) << 1));
    if (level == 0) continue;
    store<u16>(levels + ((<usize>load<u16>(entry, 2)) << 1), min(level, 3) | (min(level, 15) << 8));
  }
}
