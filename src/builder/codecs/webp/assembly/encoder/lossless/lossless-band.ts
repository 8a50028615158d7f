/** A band of rows of a picture that is coded without loss: its pixels or residuals, and the tokens chosen for them. */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import {
  ALL_SYMBOLS,
  ALPHA,
  BLUE,
  CACHED,
  expectAllCounted,
  expectAllUsual,
  LENGTHS,
  PLACES,
  RED,
} from "../symbols/symbol-costs";
import { forgetPlaces } from "../symbols/matches";
import { chooseInColour, choosePath, LENGTH_SHIFT, MATCH, PLACE_MASK, tokensEnd } from "../symbols/path";
import { prefixSymbol } from "../symbols/places";
import { forgetCross, transformCross } from "./lossless-cross";
import { chooseColourModes, forgetResiduals, predictColours } from "./lossless-predict";
import { codedWidth, isPredicted, takeRow, takeWay } from "./lossless-transform";
import { SLACK } from "../sizes";

const CACHE_FACTOR: u32 = 0x1e35a7bd;
/** The cache of colours has at most `1 << MOST_CACHE_BITS` places. */
export const MOST_CACHE_BITS: i32 = 10;
const MOST_CACHED: usize = 1 << MOST_CACHE_BITS;

/** Counts (u32) of the symbols of the band. */
export let bandCounts: usize = 0;
/** The row before the band and those of the band (u32). */
let rows: usize = 0;
/** Pixels or residuals (u32): those in reach, then those of the band. */
export let values: usize = 0;
/** The cache of colours (u32), and for each pixel of the band its place there plus 1, or 0 (u16). */
let cache: usize = 0;
export let hits: usize = 0;
/** Bits of the cache; 0 for none. */
export let cacheBits: u32 = 0;
/** Where the tokens of the band begin, up to `tokensEnd`. */
export let pathStart: usize = 0;

/** @returns false when the memory is at its end */
export function layOutBand(width: i32, bandPixels: u64, reach: i32): boolean {
  rows = allocate(4 * (bandPixels + width));
  values = allocate(4 * (<u64>reach + bandPixels) + SLACK);
  cache = allocate(4 * MOST_CACHED);
  hits = allocate(2 * bandPixels);
  bandCounts = allocate(4 * ALL_SYMBOLS);
  return rows && values && cache && hits && bandCounts ? true : false;
}

/** Begins to code the picture in a way, with a cache of so many bits. */
export function startInWay(way: i32, bits: u32): void {
  takeWay(way);
  cacheBits = bits;
  chooseInColour(codedWidth, hits);
  forgetPlaces();
  forgetResiduals();
  forgetCross();
  memory.fill(cache, 0, 4 * MOST_CACHED);
}

/** Takes the row before the band from the picture. */
export function takeRowBefore(y: i32): void {
  takeRow(y, rows);
}

/** Makes the values of a band of `count` rows from row `top` on. */
export function takeValues(top: i32, count: i32, band: usize): void {
  const rowBytes = 4 * <usize>codedWidth;
  for (let y = 0; y < count; y++) takeRow(top + y, rows + rowBytes * <usize>(y + 1));
  if (isPredicted) {
    chooseColourModes(rows + rowBytes, top, count);
    predictColours(rows + rowBytes, top, count, band);
    transformCross(band, top, count);
  } else memory.copy(band, rows + rowBytes, rowBytes * <usize>count);
}

/** Keeps the last of `count` rows, which the next band is predicted from. */
export function keepLastRow(count: i32): void {
  const rowBytes = 4 * <usize>codedWidth;
  memory.copy(rows, rows + rowBytes * <usize>count, rowBytes);
}

/** Looks every pixel up in the cache, and enters it there (3.6.2.3). */
export function findCached(band: usize, count: i32): void {
  if (cacheBits == 0) {
    memory.fill(hits, 0, 2 * <usize>count);
    return;
  }
  for (let i: usize = 0; i < <usize>count; i++) {
    const pixel = load<u32>(band + (i << 2));
    const key = (pixel * CACHE_FACTOR) >> (32 - cacheBits);
    const at = cache + ((<usize>key) << 2);
    store<u16>(hits + (i << 1), load<u32>(at) == pixel ? <u16>(key + 1) : 0);
    store<u32>(at, pixel);
  }
}

/** Chooses tokens for the first time. */
export function chooseByUsual(band: usize, pixels: i32): void {
  expectAllUsual();
  choose(band, pixels, 0, 0);
}

/** Chooses them again by their counts. */
export function chooseByCounted(band: usize, pixels: i32): void {
  expectAllCounted(bandCounts);
  forgetPlaces();
  choose(band, pixels, 0, 0);
}

/**
 * Chooses and counts the tokens of the band.
 * @param first the place of its first pixel in the picture, and `oldest` that of the first one that is held before
 */
export function choose(band: usize, pixels: i32, first: i32, oldest: i32): void {
  pathStart = choosePath(band, pixels, first, oldest);
  memory.fill(bandCounts, 0, 4 * ALL_SYMBOLS);
  let place: usize = 0;
  for (let at = pathStart; at < tokensEnd; at += 4) {
    const token = load<u32>(at);
    if (token & MATCH) {
      countMatch(token);
      place += <usize>((token ^ MATCH) >> LENGTH_SHIFT) + 1;
      continue;
    }
    const hit = <i32>load<u16>(hits + (place << 1));
    if (hit > 0) count(CACHED + hit - 1);
    else countPixel(load<u32>(band + (place << 2)));
    place++;
  }
}

/** Counts the chosen tokens as if the cache had other bits. */
export function countWithCache(band: usize, bits: u32): void {
  memory.fill(bandCounts, 0, 4 * ALL_SYMBOLS);
  memory.fill(cache, 0, 4 * MOST_CACHED);
  let place = band;
  for (let at = pathStart; at < tokensEnd; at += 4) {
    const token = load<u32>(at);
    if (!(token & MATCH)) {
      const pixel = load<u32>(place);
      const key = bits > 0 ? (pixel * CACHE_FACTOR) >> (32 - bits) : 0;
      const entry = cache + ((<usize>key) << 2);
      if (bits > 0 && load<u32>(entry) == pixel) count(CACHED + key);
      else countPixel(pixel);
      store<u32>(entry, pixel);
      place += 4;
      continue;
    }
    countMatch(token);
    const end = place + 4 * <usize>(((token ^ MATCH) >> LENGTH_SHIFT) + 1);
    if (bits > 0) {
      for (; place < end; place += 4) {
        const pixel = load<u32>(place);
        store<u32>(cache + ((<usize>((pixel * CACHE_FACTOR) >> (32 - bits))) << 2), pixel);
      }
    }
    place = end;
  }
}

@inline
function count(symbol: i32): void {
  const at = bandCounts + ((<usize>symbol) << 2);
  store<u32>(at, load<u32>(at) + 1);
}

function countMatch(token: u32): void {
  count(LENGTHS + prefixSymbol(<i32>((token ^ MATCH) >> LENGTH_SHIFT)));
  count(PLACES + prefixSymbol(<i32>(token & PLACE_MASK)));
}

function countPixel(pixel: u32): void {
  count((pixel >> 8) & 255);
  count(RED + ((pixel >> 16) & 255));
  count(BLUE + (pixel & 255));
  count(ALPHA + (pixel >> 24));
}
