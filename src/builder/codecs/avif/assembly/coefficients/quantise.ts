/** Quantises a block of coefficients: levels with the least sum of error and of bits. */
import { clearVectors } from "../block/copy";
import { BIT, symbolCost } from "../coder/bit-cost";
import { cdfs } from "../coder/cdfs";
import { EOB_1024, EOB_128, EOB_16, EOB_256, EOB_32, EOB_512, EOB_64, EOB_EXTRA } from "../tables/cdf-layout";
import { strideOf } from "../transform/transform";
import { baseCostsOf, beyondBase, classOf, lastCostsOf, rangeCostsOf } from "./costs";
import { absolute, energy, roundLevels, weighted } from "./round";
import { countsOf, ENTRY_BYTES, MOST_CODED, shiftOfSteps, LEVEL_STRIDE, levels, scanOf } from "./scans";

/** Results: number of coefficients up to the last level, cost of them in units, and squared error in samples. */
export let lastCount = 0;
export let levelRate = 0;
export let levelError: f32 = 0;

/**
 * Costs of the symbols of eob_pt with what follows them, without eob_extra (i32), by log2 of the samples of a block and
 * plane type. Those of a size are computed when it is first asked for.
 */
const END_COSTS_BYTES: usize = 16 * 4;
const allEndCosts = memory.data(14 * 16 * 4, 16);
let endCosts = allEndCosts;
/** The sizes whose costs are computed, a bit each. */
let knownEnds = 0;

/** Forgets costs by distributions that have changed. */
export function forgetEndCosts(): void {
  knownEnds = 0;
}

/** The symbol of eob_pt for a count of coefficients. */
@inline
export function eobSymbol(count: i32): i32 {
  return count < 2 ? 0 : 32 - clz<i32>(count - 1);
}

/** The distributions of eob_pt for a size of block, log2, and plane type; those of DCT and ADST in both directions. */
export function eobCdf(log2: i32, chroma: i32): usize {
  if (log2 == 4) return cdfs + EOB_16 + <usize>chroma * 20;
  if (log2 == 5) return cdfs + EOB_32 + <usize>chroma * 24;
  if (log2 == 6) return cdfs + EOB_64 + <usize>chroma * 28;
  if (log2 == 7) return cdfs + EOB_128 + <usize>chroma * 32;
  if (log2 == 8) return cdfs + EOB_256 + <usize>chroma * 36;
  if (log2 == 9) return cdfs + EOB_512 + <usize>chroma * 20;
  return cdfs + EOB_1024 + <usize>chroma * 22;
}

/** The distribution of eob_extra. @param symbol of eob_pt, at least 2 */
@inline
export function eobExtraCdf(kind: i32, symbol: i32): usize {
  return cdfs + EOB_EXTRA + <usize>(kind * 9 + symbol - 2) * 4;
}

function prepareEndCosts(log2: i32, chroma: i32): void {
  const size = 2 * (log2 - 4) + chroma;
  endCosts = allEndCosts + <usize>size * END_COSTS_BYTES;
  if ((knownEnds >> size) & 1) return;
  knownEnds |= 1 << size;
  const cdf = eobCdf(log2, chroma);
  for (let symbol = 0; symbol <= log2; symbol++) {
    store<i32>(
      endCosts + ((<usize>symbol) << 2),
      symbolCost(cdf, symbol, log2 + 1) + max(0, symbol - 2) * BIT,
    );
  }
}

@inline
function endCost(kind: i32, count: i32): i32 {
  const symbol = eobSymbol(count);
  const cost = load<i32>(endCosts + ((<usize>symbol) << 2));
  if (symbol < 2) return cost;
  return cost + symbolCost(eobExtraCdf(kind, symbol), ((count - 1) >> (symbol - 2)) & 1, 2);
}

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
  scales: usize,
  dcStep: i32,
  acStep: i32,
  lambda: f32,
  dcSignCdf: usize,
  emptyRate: i32,
  codedRate: i32,
): void {
  const kind = classOf(wide, high, plane);
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
    countsOf(wide, high),
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
  prepareEndCosts(log2, i32(plane > 0));
  const scan = scanOf(wide, high);
  clearLevels(load<u16>(scan + <usize>(rounded - 1) * ENTRY_BYTES, 2), 1 << wide, rows);
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
    const near =
      <i32>load<u16>(at, 2) + <i32>load<u16>(at, LEVEL_STRIDE * 2) + <i32>load<u16>(at, LEVEL_STRIDE * 2 + 2);
    const mag = (near & 0xff) + <i32>load<u8>(at, 4) + <i32>load<u8>(at, LEVEL_STRIDE * 4);
    const base = bases + ((<usize>(c == 0 ? 0 : min((mag + 1) >> 1, 4) + <i32>load<u16>(entry, 4))) << 3);
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

/** Clears `levels` where contexts look up to the diagonal that `last`, a place there, is on. */
function clearLevels(last: i32, columns: i32, rows: i32): void {
  const diagonal = last / LEVEL_STRIDE + (last % LEVEL_STRIDE);
  const bytes = (<usize>min(columns, diagonal + 1) + 2) << 1;
  const end = levels + <usize>(min(rows, diagonal + 1) + 2) * LEVEL_STRIDE * 2;
  for (let at = levels; at < end; at += LEVEL_STRIDE * 2) clearVectors(at, bytes);
}

/** The context of the last level by its place in the scan. */
@inline
export function lastContext(c: i32, count: i32): i32 {
  return c == 0 ? 0 : c <= count >> 3 ? 1 : c <= count >> 2 ? 2 : 3;
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
export function recallLevels(kept: usize, count: i32, wide: i32, high: i32): void {
  wide = min(wide, MOST_CODED);
  high = min(high, MOST_CODED);
  const scan = scanOf(wide, high);
  clearLevels(load<u16>(scan + <usize>(count - 1) * ENTRY_BYTES, 2), 1 << wide, 1 << high);
  for (let c = 0; c < count; c++) {
    const entry = scan + <usize>c * ENTRY_BYTES;
    const level = <i32>load<i16>(kept + ((<usize>load<u16>(entry)) << 1));
    if (level == 0) continue;
    store<u16>(levels + ((<usize>load<u16>(entry, 2)) << 1), min(level, 3) | (min(level, 15) << 8));
  }
}
