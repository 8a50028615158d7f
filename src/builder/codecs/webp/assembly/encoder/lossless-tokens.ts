/**
 * The first pass over a picture that is coded without loss: bands of rows become literals and matches of a VP8L image
 * (RFC 9649, 3.6.2), whose symbols are counted. It is given up as soon as it takes more than it may.
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import {
  ALL_SYMBOLS,
  ALPHA,
  bitsOfAll,
  BLUE,
  CACHED,
  expectAllCounted,
  expectAllUsual,
  LENGTHS,
  PLACES,
  RED,
} from "./symbol-costs";
import { forgetPlaces, layOutMatches, pixelReach } from "./matches";
import { chooseInColour, choosePath, LENGTH_SHIFT, layOutPath, MATCH, PLACE_MASK, tokensEnd } from "./path";
import { prefixSymbol } from "./places";
import { chooseColourModes, layOutColourModes, predictColours } from "./lossless-predict";
import { isHeld, layOutPixels } from "./lossless-pixels";
import {
  cacheBits,
  chooseTransform,
  codedWidth,
  isPredicted,
  layOutTransform,
  takeRow,
} from "./lossless-transform";
import { SLACK } from "./sizes";

const CACHE_FACTOR: u32 = 0x1e35a7bd;
const MOST_CACHED: usize = 1024;
/** A token: two u32, a pixel and 0, or its place in the cache and IN_CACHE, or 0 and a match as path.ts makes it. */
export const IN_CACHE: u32 = 1;
const TOKEN_BYTES: usize = 8;

/** Counts (u32) of the symbols of all bands, and of the band that is coded. */
let allCounts: usize = 0;
let bandCounts: usize = 0;

let height = 0;
let bandRows = 0;
/** The row before the band and those of the band (u32). */
let rows: usize = 0;
/** Pixels or residuals (u32): those in reach, then those of the band. */
let values: usize = 0;
let heldPixels = 0;
/** The cache of colours (u32), and for each pixel of the band its place there plus 1, or 0 (u16). */
let cache: usize = 0;
let hits: usize = 0;
let nextRow = 0;
let first = 0;
let mostBits: f32 = 0;
let pathStart: usize = 0;

export let colourTokens: usize = 0;
export let nextColourToken: usize = 0;
let tokensRoom: usize = 0;

/**
 * @param tileBits tiles of the prediction have `1 << tileBits` pixels per side
 * @param rowsPerBand rows of a band: whole tiles
 * @param sharesAlpha whether alpha has laid out what finds matches already
 * @returns false when the memory is at its end
 */
export function layOutLossless(
  width: i32,
  pictureHeight: i32,
  channels: usize,
  tileBits: i32,
  rowsPerBand: i32,
  reach: i32,
  tokenBytes: i32,
  sharesAlpha: boolean,
): boolean {
  height = pictureHeight;
  bandRows = rowsPerBand;
  const bandPixels = <u64>width * bandRows;
  rows = allocate(4 * (bandPixels + width));
  values = allocate(4 * (<u64>reach + bandPixels) + SLACK);
  cache = allocate(4 * MOST_CACHED);
  hits = allocate(2 * bandPixels);
  colourTokens = allocate(tokenBytes);
  tokensRoom = colourTokens + tokenBytes;
  allCounts = allocate(4 * ALL_SYMBOLS);
  bandCounts = allocate(4 * ALL_SYMBOLS);
  if (!allCounts || !bandCounts || !rows || !values || !cache || !hits || !colourTokens) return false;
  if (!layOutPixels(width, height, channels) || !layOutTransform(width)) return false;
  if (!layOutColourModes(width, height, tileBits)) return false;
  return sharesAlpha || (layOutMatches(reach) && layOutPath(width, <i32>bandPixels)) ? true : false;
}

/** Begins, after the last row. @returns false when the picture has too many colours */
export function startBands(mostBytes: i32): boolean {
  if (!isHeld) return false;
  mostBits = 8 * <f32>mostBytes;
  chooseTransform(height);
  chooseInColour(codedWidth, hits);
  forgetPlaces();
  nextColourToken = colourTokens;
  return true;
}

/** What came of a step: there are more rows, or all are coded, or the picture takes too much. */
export const MORE: i32 = 0;
export const CODED: i32 = 1;
export const GIVEN_UP: i32 = 2;

/** Codes the next band. */
export function codeNextBand(): i32 {
  const count = min(bandRows, height - nextRow);
  const pixels = count * codedWidth;
  const band = values + 4 * <usize>heldPixels;
  takeValues(count, band);
  if (cacheBits > 0) findCached(band, pixels);
  else memory.fill(hits, 0, 2 * <usize>pixels);
  if (first == 0) {
    expectAllUsual();
    choose(band, pixels);
    expectAllCounted(bandCounts);
    forgetPlaces();
  } else expectAllCounted(allCounts);
  choose(band, pixels);
  if (!keepTokens(band)) return GIVEN_UP;
  if (bitsOfAll(allCounts) > mostBits) return GIVEN_UP;
  keepPixels(band, count, pixels);
  return nextRow == height ? CODED : MORE;
}

function takeValues(count: i32, band: usize): void {
  const rowBytes = 4 * <usize>codedWidth;
  for (let y = 0; y < count; y++) takeRow(nextRow + y, rows + rowBytes * <usize>(y + 1));
  if (isPredicted) {
    chooseColourModes(rows + rowBytes, nextRow, count);
    predictColours(rows + rowBytes, nextRow, count, band);
  } else memory.copy(band, rows + rowBytes, rowBytes * <usize>count);
}

/** Looks every pixel up in the cache, and enters it there (3.6.2.3). */
function findCached(band: usize, count: i32): void {
  for (let i: usize = 0; i < <usize>count; i++) {
    const pixel = load<u32>(band + (i << 2));
    const key = (pixel * CACHE_FACTOR) >> (32 - cacheBits);
    const at = cache + ((<usize>key) << 2);
    store<u16>(hits + (i << 1), load<u32>(at) == pixel ? <u16>(key + 1) : 0);
    store<u32>(at, pixel);
  }
}

/** Chooses and counts the tokens of the band. */
function choose(band: usize, pixels: i32): void {
  pathStart = choosePath(band, pixels, first, first - heldPixels);
  memory.fill(bandCounts, 0, 4 * ALL_SYMBOLS);
  let place: usize = 0;
  for (let at = pathStart; at < tokensEnd; at += 4) {
    const token = load<u32>(at);
    if (token & MATCH) {
      const length = <i32>((token ^ MATCH) >> LENGTH_SHIFT);
      count(LENGTHS + prefixSymbol(length));
      count(PLACES + prefixSymbol(<i32>(token & PLACE_MASK)));
      place += length + 1;
      continue;
    }
    const hit = <i32>load<u16>(hits + (place << 1));
    if (hit > 0) count(CACHED + hit - 1);
    else countPixel(load<u32>(band + (place << 2)));
    place++;
  }
}

@inline
function count(symbol: i32): void {
  const at = bandCounts + ((<usize>symbol) << 2);
  store<u32>(at, load<u32>(at) + 1);
}

function countPixel(pixel: u32): void {
  count((pixel >> 8) & 255);
  count(RED + ((pixel >> 16) & 255));
  count(BLUE + (pixel & 255));
  count(ALPHA + (pixel >> 24));
}

/** Keeps the tokens of the band, with their pixels. @returns false when there is no room for them */
function keepTokens(band: usize): boolean {
  if (nextColourToken + 2 * (tokensEnd - pathStart) > tokensRoom) return false;
  let place: usize = 0;
  for (let at = pathStart; at < tokensEnd; at += 4) {
    const token = load<u32>(at);
    if (token & MATCH) {
      keepToken(0, token);
      place += <usize>((token ^ MATCH) >> LENGTH_SHIFT) + 1;
      continue;
    }
    const hit = <u32>load<u16>(hits + (place << 1));
    if (hit > 0) keepToken(hit - 1, IN_CACHE);
    else keepToken(load<u32>(band + (place << 2)), 0);
    place++;
  }
  for (let symbol: usize = 0; symbol < <usize>ALL_SYMBOLS; symbol++) {
    const at = allCounts + (symbol << 2);
    store<u32>(at, load<u32>(at) + load<u32>(bandCounts + (symbol << 2)));
  }
  return true;
}

@inline
function keepToken(value: u32, kind: u32): void {
  store<u32>(nextColourToken, value);
  store<u32>(nextColourToken, kind, 4);
  nextColourToken += TOKEN_BYTES;
}

/** Keeps the pixels that the next band reaches. */
function keepPixels(band: usize, count: i32, pixels: i32): void {
  const rowBytes = 4 * <usize>codedWidth;
  memory.copy(rows, rows + rowBytes * <usize>count, rowBytes);
  const all = heldPixels + pixels;
  const end = band + 4 * <usize>pixels;
  heldPixels = min(all, pixelReach);
  memory.copy(values, end - 4 * <usize>heldPixels, 4 * <usize>heldPixels);
  first += pixels;
  nextRow += count;
}
