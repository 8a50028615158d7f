/** Finds the way to code a picture without loss that takes the fewest bits, by trying all on two of its bands. */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { ALL_SYMBOLS, bitsOfAll } from "../symbols/symbol-costs";
import {
  bandCounts,
  chooseByCounted,
  chooseByUsual,
  countWithCache,
  findCached,
  MOST_CACHE_BITS,
  startInWay,
  takeRowBefore,
  takeValues,
  values,
} from "./lossless-band";
import { codedWidth, hasPalette, IN_COLOURS, isPossible, WAYS } from "./lossless-transform";

const MOST_TRIED_BANDS: i32 = 2;
/** Smaller caches are not tried, but for none. */
const LEAST_CACHE_BITS: i32 = 3;
/** Bits that stating the code of a symbol takes. */
const SYMBOL_BITS: f32 = 4.5;

let height = 0;
let bandRows = 0;
/** The way and the band that are tried next. */
let way = 0;
let band = 0;
let isBegun = false;
/** Bits of the bands that were tried, by way and bits of the cache (f32). */
let bitsOfTrials: usize = 0;

/** @returns false when the memory is at its end */
export function layOutTrial(pictureHeight: i32, rowsPerBand: i32): boolean {
  height = pictureHeight;
  bandRows = rowsPerBand;
  bitsOfTrials = allocate(4 * WAYS * (MOST_CACHE_BITS + 1));
  return bitsOfTrials ? true : false;
}

/**
 * Does the next step of a trial: tokens of a band by what is usual, or by what was counted then, with each size of the
 * cache. @returns false when there is nothing to try any more
 */
export function tryNext(): boolean {
  while (way < WAYS && !isPossible(way)) way++;
  if (way == WAYS) return false;
  const bands = (height + bandRows - 1) / bandRows;
  const tried = min(bands, MOST_TRIED_BANDS);
  const top = bandRows * (band == 0 ? bands >> 2 : (5 * bands) >> 3);
  const count = min(bandRows, height - top);
  isBegun = !isBegun;
  if (isBegun) {
    startInWay(way, way == IN_COLOURS ? MOST_CACHE_BITS : 0);
    if (top > 0) takeRowBefore(top - 1);
    takeValues(top, count, values);
    findCached(values, count * codedWidth);
    chooseByUsual(values, count * codedWidth);
    return true;
  }
  chooseByCounted(values, count * codedWidth);
  addBits(<f32>tried / <f32>bands);
  if (++band < tried) return true;
  band = 0;
  way++;
  return true;
}

/** @param share the part of the picture that is tried: codes are stated once */
function addBits(share: f32): void {
  for (let bits = 0; bits <= MOST_CACHE_BITS; bits++) {
    if (bits > 0 && (bits < LEAST_CACHE_BITS || hasPalette)) continue;
    countWithCache(values, bits);
    const at = bitsOfTrials + 4 * <usize>(way * (MOST_CACHE_BITS + 1) + bits);
    const took = bitsOfAll(bandCounts) + share * SYMBOL_BITS * <f32>symbolsIn(bandCounts);
    store<f32>(at, load<f32>(at) + took);
  }
}

function symbolsIn(counts: usize): i32 {
  let used = 0;
  for (let symbol: usize = 0; symbol < <usize>ALL_SYMBOLS; symbol++)
    if (load<u32>(counts + (symbol << 2))) used++;
  return used;
}

/** Begins to code the picture in the way that took the fewest bits. */
export function startInBestWay(): void {
  let best = 0;
  let fewest: f32 = f32.MAX_VALUE;
  for (let i = 0; i < WAYS * (MOST_CACHE_BITS + 1); i++) {
    const took = load<f32>(bitsOfTrials + ((<usize>i) << 2));
    if (took == 0 || took >= fewest) continue;
    fewest = took;
    best = i;
  }
  startInWay(best / (MOST_CACHE_BITS + 1), best % (MOST_CACHE_BITS + 1));
}
