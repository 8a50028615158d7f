/**
 * The first pass over a picture that is coded without loss: bands of rows become literals and matches of a VP8L image
 * (RFC 9649, 3.6.2), whose symbols are counted. It is given up as soon as it takes more than it may.
 */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { ALL_SYMBOLS, bitsOfAll, expectAllCounted } from "../symbols/symbol-costs";
import { layOutMatches, pixelReach } from "../symbols/matches";
import { LENGTH_SHIFT, layOutPath, MATCH, tokensEnd } from "../symbols/path";
import {
  bandCounts,
  choose,
  chooseByCounted,
  chooseByUsual,
  findCached,
  hits,
  keepLastRow,
  layOutBand,
  pathStart,
  takeValues,
  values,
} from "./lossless-band";
import { layOutCross } from "./lossless-cross";
import { takeLastPixels } from "./lossless-near";
import { layOutColourModes } from "./lossless-predict";
import { isHeld, layOutPixels } from "./lossless-pixels";
import { codedWidth, layOutTransform, prepareWays } from "./lossless-transform";
import { layOutTrial, startInBestWay, tryNext } from "./lossless-trial";

/** A token: two u32, a pixel and 0, or its place in the cache and IN_CACHE, or 0 and a match as path.ts makes it. */
export const IN_CACHE: u32 = 1;
const TOKEN_BYTES: usize = 8;

/** Counts (u32) of the symbols of all bands. */
let allCounts: usize = 0;

let height = 0;
let bandRows = 0;
/** Values that are held before the band. */
let heldPixels = 0;
let nextRow = 0;
let first = 0;
let mostBits: f32 = 0;

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
  colourTokens = allocate(tokenBytes);
  tokensRoom = colourTokens + tokenBytes;
  allCounts = allocate(4 * ALL_SYMBOLS);
  if (!allCounts || !colourTokens || !layOutBand(width, bandPixels, reach)) return false;
  if (!layOutPixels(width, height, channels) || !layOutTransform(width)) return false;
  if (!layOutColourModes(width, height, tileBits) || !layOutCross(width, height, tileBits)) return false;
  if (!layOutTrial(height, bandRows)) return false;
  return sharesAlpha || (layOutMatches(reach) && layOutPath(width, <i32>bandPixels)) ? true : false;
}

/** Begins, after the last row. @returns false when the picture has too many colours */
export function startBands(mostBytes: i32): boolean {
  takeLastPixels();
  if (!isHeld) return false;
  mostBits = 8 * <f32>mostBytes;
  prepareWays(height);
  nextColourToken = colourTokens;
  return true;
}

/** The outcomes of a step: there are more, or all rows are coded, or the picture takes too much. */
export const MORE: i32 = 0;
export const CODED: i32 = 1;
export const GIVEN_UP: i32 = 2;

/** Does the next step: tries a way, or codes the next band in the best one. */
export function codeNextBand(): i32 {
  if (tryNext()) return MORE;
  if (first == 0) startInBestWay();
  const count = min(bandRows, height - nextRow);
  const pixels = count * codedWidth;
  const band = values + 4 * <usize>heldPixels;
  takeValues(nextRow, count, band);
  findCached(band, pixels);
  if (first == 0) {
    chooseByUsual(band, pixels);
    chooseByCounted(band, pixels);
  } else {
    expectAllCounted(allCounts);
    choose(band, pixels, first, first - heldPixels);
  }
  if (!keepTokens(band)) return GIVEN_UP;
  if (bitsOfAll(allCounts) > mostBits) return GIVEN_UP;
  keepPixels(band, count, pixels);
  return nextRow == height ? CODED : MORE;
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
  keepLastRow(count);
  const all = heldPixels + pixels;
  const end = band + 4 * <usize>pixels;
  heldPixels = min(all, pixelReach);
  memory.copy(values, end - 4 * <usize>heldPixels, 4 * <usize>heldPixels);
  first += pixels;
  nextRow += count;
}
