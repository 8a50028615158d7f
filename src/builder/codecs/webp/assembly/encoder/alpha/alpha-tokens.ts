/**
 * The first pass over alpha: bands of rows become literals and matches of a VP8L image (RFC 9649, 3.6.2.2), whose
 * symbols are counted: of the samples themselves or of what a prediction leaves of them, as takes fewer bits in the
 * first band. Matches reach into the bands before.
 */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { bitsOf, expectCounted, expectUsual, LENGTHS, PLACES, SYMBOLS } from "../symbols/symbol-costs";
import { forgetPlaces, layOutMatches, pixelReach } from "../symbols/matches";
import { choosePath, LENGTH_SHIFT, layOutPath, MATCH, PLACE_MASK, tokensEnd } from "../symbols/path";
import { prefixSymbol } from "../symbols/places";
import { chooseModes, layOutPrediction, modeBits, predictRows } from "./alpha-predict";
import { SLACK } from "../sizes";

/** Ways to code the samples: as they are, filtered, predicted, or filtered and then predicted. */
const FILTERED: i32 = 1;
const PREDICTED: i32 = 2;
const WAYS: i32 = 4;

/** Counts (u32) of the symbols of all bands, and of the band that is coded. */
export const alphaCounts = memory.data(320 * 4);
const bandCounts = memory.data(320 * 4);
/** Whether every pixel so far is opaque. */
export let isOpaque = true;
/** Whether alpha has the gradient filter, and whether it is predicted then. */
export let isAlphaFiltered = false;
export let isAlphaPredicted = false;

let width = 0;
/** Rows of a band, and those that it has so far. The first of `rows` is the last one of the band before. */
let bandRows = 0;
let rowsHeld = 0;
let rows: usize = 0;
/** The same after the filter. */
let samples: usize = 0;
/** Samples or residuals: those in reach, then those of the band. */
let values: usize = 0;
let heldBytes = 0;
/** The place of the band's first byte in the picture. */
let first = 0;
let nextWay = 0;
let bestWay = 0;
let fewestBits: f32 = 0;
let pathStart: usize = 0;

export let alphaTokens: usize = 0;
let tokensRoom: usize = 0;
export let nextAlphaToken: usize = 0;

/**
 * @param tileBits tiles of the prediction have `1 << tileBits` pixels per side
 * @param rowsPerBand rows of a band: whole tiles
 * @param tokenBytes room for tokens, at least four bytes per pixel of a band
 * @returns false when the memory is at its end
 */
export function layOutAlpha(
  pictureWidth: i32,
  pictureHeight: i32,
  tileBits: i32,
  rowsPerBand: i32,
  reach: i32,
  tokenBytes: i32,
): boolean {
  width = pictureWidth;
  bandRows = rowsPerBand;
  const bandBytes = <u64>width * bandRows;
  rows = allocate(bandBytes + width);
  samples = allocate(bandBytes + width);
  values = allocate(<u64>reach + bandBytes + SLACK);
  alphaTokens = allocate(tokenBytes);
  tokensRoom = alphaTokens + tokenBytes;
  nextAlphaToken = alphaTokens;
  return rows &&
    samples &&
    values &&
    alphaTokens &&
    layOutMatches(reach) &&
    layOutPrediction(width, pictureHeight, tileBits) &&
    layOutPath(width, <i32>bandBytes)
    ? true
    : false;
}

/** Returns whether the rows that are held must be coded before more are taken. */
export function isAlphaFull(): boolean {
  return rowsHeld == bandRows;
}

/** Returns whether the tokens of another band may not fit their room. */
export function areAlphaTokensFull(): boolean {
  return nextAlphaToken + 4 * <usize>width * <usize>bandRows > tokensRoom;
}

/** Forgets all tokens, so that their room can be used again. */
export function clearAlphaTokens(): void {
  nextAlphaToken = alphaTokens;
}

/** Takes the alpha of one row of pixels. */
export function takeAlpha(row: usize, channels: usize): void {
  let to = rows + <usize>width * <usize>++rowsHeld;
  let all = 255;
  let alpha = row + channels - 1;
  for (let x = 0; x < width; x++) {
    const sample = <i32>load<u8>(alpha);
    store<u8>(to++, <u8>sample);
    all &= sample;
    alpha += channels;
  }
  if (all != 255) isOpaque = false;
}

/**
 * Does the next step of coding the rows that are held. The first band has one for each way.
 * @param isFixed whether the predictions of all tiles are written already: further tiles then have none
 * @returns false when the rows are coded
 */
export function codeAlpha(isFixed: boolean): boolean {
  if (rowsHeld == 0) return false;
  if (first > 0) {
    filterAlpha(isAlphaFiltered);
    if (isAlphaPredicted && !isFixed) chooseModes(samples + width, first / width, rowsHeld);
    takeValues();
    expectCounted(alphaCounts);
    choose();
    keepBand();
    return false;
  }
  if (nextWay < WAYS) {
    const bits = tryWay(nextWay);
    if (nextWay == 0 || bits < fewestBits) {
      fewestBits = bits;
      bestWay = nextWay;
    }
    nextWay++;
    return true;
  }
  tryWay(bestWay);
  expectCounted(bandCounts);
  choose();
  keepBand();
  return false;
}

/** Codes the first band in one way. @returns the bits that it takes */
function tryWay(way: i32): f32 {
  isAlphaFiltered = (way & FILTERED) != 0;
  isAlphaPredicted = (way & PREDICTED) != 0;
  filterAlpha(isAlphaFiltered);
  if (isAlphaPredicted) chooseModes(samples + width, 0, rowsHeld);
  takeValues();
  const bits = chooseAnew();
  return isAlphaPredicted ? bits + modeBits(rowsHeld) : bits;
}

/** Makes samples of the rows: by the gradient filter of an ALPH chunk (2.7.1.2), or as they are. */
function filterAlpha(isFiltered: boolean): void {
  if (!isFiltered) {
    memory.copy(samples + width, rows + width, <usize>(rowsHeld * width));
    return;
  }
  for (let y = 0; y < rowsHeld; y++) {
    const offset = <usize>((y + 1) * width);
    filterRow(rows + offset, first == 0 && y == 0, samples + offset);
  }
}

function filterRow(row: usize, isTop: boolean, to: usize): void {
  const above = row - width;
  let left = isTop ? 0 : <i32>load<u8>(above);
  let corner = left;
  for (let x = 0; x < width; x++) {
    const sample = <i32>load<u8>(row + x);
    const up = isTop ? left : <i32>load<u8>(above + x);
    const guess = isTop ? left : min(max(left + up - corner, 0), 255);
    store<u8>(to + x, <u8>(sample - guess));
    left = sample;
    corner = up;
  }
}

function takeValues(): void {
  const band = values + heldBytes;
  if (isAlphaPredicted) predictRows(samples + width, first / width, rowsHeld, band);
  else memory.copy(band, samples + width, <usize>(rowsHeld * width));
}

/** Chooses tokens by what is usual, and again by their counts. @returns the bits that they take */
function chooseAnew(): f32 {
  expectUsual();
  choose();
  expectCounted(bandCounts);
  return choose();
}

/** Chooses and counts the tokens of the band. @returns the bits that they take */
function choose(): f32 {
  if (first == 0) forgetPlaces();
  pathStart = choosePath(values + heldBytes, rowsHeld * width, first, first - heldBytes);
  memory.fill(bandCounts, 0, 4 * SYMBOLS);
  for (let at = pathStart; at < tokensEnd; at += 4) countToken(load<u32>(at));
  return bitsOf(bandCounts);
}

function countToken(token: u32): void {
  if (!(token & MATCH)) return count(token);
  count(LENGTHS + prefixSymbol(<i32>((token ^ MATCH) >> LENGTH_SHIFT)));
  count(PLACES + prefixSymbol(<i32>(token & PLACE_MASK)));
}

@inline
function count(symbol: i32): void {
  const at = bandCounts + ((<usize>symbol) << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/** Keeps the tokens of the band, and of its bytes those that the next one reaches. */
function keepBand(): void {
  const bytes = tokensEnd - pathStart;
  memory.copy(nextAlphaToken, pathStart, bytes);
  nextAlphaToken += bytes;
  for (let symbol: usize = 0; symbol < <usize>SYMBOLS; symbol++) {
    const at = alphaCounts + (symbol << 2);
    store<u32>(at, load<u32>(at) + load<u32>(bandCounts + (symbol << 2)));
  }
  const bandBytes = rowsHeld * width;
  const all = heldBytes + bandBytes;
  heldBytes = min(all, pixelReach);
  memory.copy(values, values + <usize>(all - heldBytes), heldBytes);
  memory.copy(rows, rows + <usize>(width * rowsHeld), width);
  memory.copy(samples, samples + <usize>(width * rowsHeld), width);
  first += bandBytes;
  rowsHeld = 0;
}
