/**
 * Chooses the levels of a band of coefficients so that distortion plus lambda times bits is least ("trellis
 * quantisation"). Each coefficient may become its nearest level, one less, or 0. The price of a level includes the run
 * of zeros before it. Paths through the candidates are built from left to right; of all paths that end in the same
 * coefficient, only the cheapest goes on.
 */
import { Band, ratesOf } from "./band";
import { sizeOf } from "./bit-writer";
import { LEVEL_BYTES, LEVEL_VALUE } from "./level-format";
import { ZIGZAG_OFFSETS } from "./zigzag";

/** The largest number of levels in a block. */
const MOST_LEVELS: i32 = 63;

/** A candidate: the price of the cheapest path that ends in it, and the candidate before it on that path. */
const NODE_BYTES: usize = 24;
const COST: usize = 0;
/** Distortion if all coefficients of the band, up to and including this one, became 0 (f32). */
const ZEROS_AFTER: usize = 4;
const POSITION: usize = 8;
const PREVIOUS: usize = 12;
const VALUE: usize = 16;
const nodes = memory.data((MOST_LEVELS + 1) * 24, 16);

/**
 * Chooses the levels of one band.
 * @param block 64 coefficients (i16) in rows, 8 times as large as T.81 defines them
 * @param nearest the same 64 coefficients, divided and rounded to the nearest level
 * @param mask bit k for each coefficient of the band, in zigzag order, whose nearest level is not 0
 * @param inverses, weights f32 in zigzag order: 1 / divisor, and the weight of a squared error of one level
 * @param band the band, with the cost of its symbols
 * @param lambda price of a bit
 * @param out where the levels are written
 * @returns the address after the last level
 */
export function chooseLevels(
  block: usize,
  nearest: usize,
  mask: u64,
  inverses: usize,
  weights: usize,
  band: Band,
  lambda: f32,
  out: usize,
): usize {
  if (mask == 0) return out;
  const rates = ratesOf(band);
  const sixteenZeros = lambda * load<f32>(rates, 0xf0 << 2);
  store<f32>(nodes, 0, COST);
  store<f32>(nodes, 0, ZEROS_AFTER);
  store<i32>(nodes, band.from - 1, POSITION);
  let zeros: f32 = 0;
  let node = nodes;
  while (mask) {
    const k = <i32>ctz(mask);
    mask &= mask - 1;
    node += NODE_BYTES;
    const at = <usize>load<u8>(ZIGZAG_OFFSETS + k);
    const value = <i32>load<i16>(block + at);
    const weight = load<f32>(weights + ((<usize>k) << 2));
    const exact = <f32>abs<i32>(value) * load<f32>(inverses + ((<usize>k) << 2));
    const high = abs<i32>(load<i16>(nearest + at));
    const highSize = sizeOf(high);
    const highError = exact - <f32>high;
    const lowSize = sizeOf(high - 1);
    const lowError = highError + 1;
    const highPrice = highError * highError * weight;
    const lowPrice = lowError * lowError * weight;
    let best: f32 = f32.MAX_VALUE;
    let level = high;
    let previous = nodes;
    for (let other = node - NODE_BYTES; other >= nodes; other -= NODE_BYTES) {
      const skipped = zeros - load<f32>(other, ZEROS_AFTER);
      if (skipped > best) break;
      const run = k - load<i32>(other, POSITION) - 1;
      let base = load<f32>(other, COST) + skipped;
      if (run > 15) base += sixteenZeros * <f32>(run >> 4);
      const row = rates + ((<usize>(run & 15)) << 6);
      const price = base + highPrice + lambda * load<f32>(row + ((<usize>highSize) << 2));
      if (price < best) {
        best = price;
        level = high;
        previous = other;
      }
      if (high > 1) {
        const lower = base + lowPrice + lambda * load<f32>(row + ((<usize>lowSize) << 2));
        if (lower < best) {
          best = lower;
          level = high - 1;
          previous = other;
        }
      }
    }
    zeros += exact * exact * weight;
    store<f32>(node, best, COST);
    store<f32>(node, zeros, ZEROS_AFTER);
    store<i32>(node, k, POSITION);
    store<usize>(node, previous, PREVIOUS);
    store<i32>(node, value < 0 ? -level : level, VALUE);
  }
  return writePath(bestEnd(node, zeros, lambda * band.endBits, band.to), out);
}

/**
 * Returns the last candidate of the cheapest path, after which all is 0. It is the first node when the whole band
 * becomes 0.
 */
function bestEnd(last: usize, zeros: f32, end: f32, to: i32): usize {
  let best = nodes;
  let least = zeros + end;
  for (let node = nodes + NODE_BYTES; node <= last; node += NODE_BYTES) {
    let price = load<f32>(node, COST) + zeros - load<f32>(node, ZEROS_AFTER);
    if (load<i32>(node, POSITION) < to) price += end;
    if (price < least) {
      least = price;
      best = node;
    }
  }
  return best;
}

/** Writes the path that ends in `node`, first level first. */
function writePath(node: usize, out: usize): usize {
  let count: usize = 0;
  for (let at = node; at != nodes; at = load<usize>(at, PREVIOUS)) count++;
  const after = out + count * LEVEL_BYTES;
  let to = after;
  for (let at = node; at != nodes; at = load<usize>(at, PREVIOUS)) {
    to -= LEVEL_BYTES;
    store<i32>(to, load<i32>(at, POSITION));
    store<i32>(to, load<i32>(at, VALUE), LEVEL_VALUE);
  }
  return after;
}
