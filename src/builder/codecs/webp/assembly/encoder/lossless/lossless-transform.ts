/**
 * The ways in which a picture in colour may be coded without loss: with a palette, several of whose numbers may share a
 * pixel (RFC 9649, 4.4), as colours, or as what is predicted of them (4.1) and of red and blue from green (4.2). Colours
 * are coded less their green (4.3) where that helps.
 */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { log2 } from "../symbols/log2";
import { difference } from "./lossless-predict";
import { colourCount, colourOf, numberAt, orderColours } from "./lossless-pixels";

const MOST_PALETTE_COLOURS: i32 = 256;
const OPAQUE: u32 = 0xff000000;
/** Samples that are counted to find whether green is subtracted, as bits. */
const SUBTRACTED: i32 = 1;
const DIFFERENT: i32 = 2;

/** Ways to code the picture. */
export const IN_COLOURS: i32 = 0;
export const PREDICTED: i32 = 1;
export const BY_PALETTE: i32 = 2;
export const WAYS: i32 = 3;

export let hasPalette = false;
/** So many numbers of a palette, as a shift, share a pixel. */
export let bundleBits = 0;
export let isGreenSubtracted = false;
export let isPredicted = false;
/** The width of what is coded. */
export let codedWidth = 0;
let width = 0;
/** Whether green is subtracted from colours, and from those that are predicted. */
let subtractsFromColours = false;
let subtractsFromPredicted = false;

/** Counts of samples (u32), by way and channel. */
let counts: usize = 0;
const COUNTS_BYTES: usize = 4 * 4 * 256 * 4;

export function layOutTransform(pictureWidth: i32): boolean {
  width = pictureWidth;
  counts = allocate(COUNTS_BYTES);
  return counts ? true : false;
}

/** Finds what each way is, after the last row. */
export function prepareWays(height: i32): void {
  if (colourCount <= MOST_PALETTE_COLOURS) orderColours();
  for (let y = 1; y < height; y++) {
    for (let x = 1; x < width; x++) {
      const place = y * width + x;
      const number = numberAt(place);
      const before = numberAt(place - 1);
      if (number == before || number == numberAt(place - width)) continue;
      const pixel = colourOf(number);
      const left = colourOf(before);
      countSamples(0, pixel);
      countSamples(SUBTRACTED, withoutGreen(pixel));
      countSamples(DIFFERENT, difference(pixel, left));
      countSamples(DIFFERENT | SUBTRACTED, difference(withoutGreen(pixel), withoutGreen(left)));
    }
  }
  subtractsFromColours = isFewer(SUBTRACTED, 0);
  subtractsFromPredicted = isFewer(DIFFERENT | SUBTRACTED, DIFFERENT);
}

/** Returns whether the picture can be coded in a way that may be the best one. */
export function isPossible(way: i32): boolean {
  return way == BY_PALETTE ? colourCount <= MOST_PALETTE_COLOURS : bundleBitsFor(colourCount) == 0;
}

/** Returns how many numbers of so many colours share a pixel, as a shift. */
function bundleBitsFor(colours: i32): i32 {
  return colours <= 2 ? 3 : colours <= 4 ? 2 : colours <= 16 ? 1 : 0;
}

/** Codes the picture in a way from now on. */
export function takeWay(way: i32): void {
  hasPalette = way == BY_PALETTE;
  isPredicted = way == PREDICTED;
  isGreenSubtracted = isPredicted ? subtractsFromPredicted : !hasPalette && subtractsFromColours;
  bundleBits = hasPalette ? bundleBitsFor(colourCount) : 0;
  codedWidth = (width + (1 << bundleBits) - 1) >> bundleBits;
}

function isFewer(way: i32, other: i32): boolean {
  return bitsOfWay(way) < bitsOfWay(other);
}

function bitsOfWay(way: i32): f32 {
  let bits: f32 = 0;
  for (let channel = 0; channel < 4; channel++) bits += bitsOf(tableOf(way, channel), 256);
  return bits;
}

@inline
function tableOf(way: i32, channel: i32): usize {
  return counts + ((<usize>(4 * way + channel)) << 10);
}

@inline
function add(at: usize): void {
  store<u32>(at, load<u32>(at) + 1);
}

@inline
function countSamples(way: i32, pixel: u32): void {
  for (let channel = 0; channel < 4; channel++) {
    add(tableOf(way, channel) + ((<usize>((pixel >> ((<u32>channel) << 3)) & 255)) << 2));
  }
}

/** Returns the bits of the counted symbols, their codes not included. */
function bitsOf(table: usize, length: i32): f32 {
  let total: f32 = 0;
  let bits: f32 = 0;
  for (let i = 0; i < length; i++) {
    const times = <f32>load<u32>(table + ((<usize>i) << 2));
    if (times == 0) continue;
    total += times;
    bits -= times * log2(times);
  }
  return total > 0 ? bits + total * log2(total) : 0;
}

/** Returns the pixel with its green taken from its red and blue. */
@inline
function withoutGreen(pixel: u32): u32 {
  const green = (pixel >> 8) & 255;
  return difference(pixel, (green << 16) | green);
}

/** Writes a row of what is coded or predicted (u32). */
export function takeRow(y: i32, to: usize): void {
  const start = y * width;
  if (hasPalette) return bundleRow(start, to);
  for (let x = 0; x < width; x++) {
    const pixel = colourOf(numberAt(start + x));
    store<u32>(to, isGreenSubtracted ? withoutGreen(pixel) : pixel);
    to += 4;
  }
}

function bundleRow(start: i32, to: usize): void {
  const each = 1 << bundleBits;
  const bits = 8 >> bundleBits;
  for (let x = 0; x < width; x += each) {
    let packed: u32 = 0;
    const most = min(each, width - x);
    for (let i = 0; i < most; i++) packed |= (<u32>numberAt(start + x + i)) << (i * bits);
    store<u32>(to, OPAQUE | (packed << 8));
    to += 4;
  }
}
