/**
 * Decides how a picture in colour is coded without loss: with a palette, several of whose numbers may share a pixel
 * (RFC 9649, 4.4), or as colours, less their green (4.3) and what is predicted of them (4.1) where that helps.
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { log2 } from "./log2";
import { difference } from "./lossless-predict";
import { colourCount, colourOf, numberAt, orderColours } from "./lossless-pixels";

const MOST_PALETTE_COLOURS: i32 = 256;
const OPAQUE: u32 = 0xff000000;
/** Ways of colours, as bits. */
const SUBTRACTED: i32 = 1;
const PREDICTED: i32 = 2;
/** Bits that a colour takes when it first occurs and is not in the cache. */
const FIRST_TIME_BITS: f32 = 18;
/** The cache of colours has `1 << CACHE_BITS` places. */
const CACHE_BITS: u32 = 10;

export let hasPalette = false;
/** So many numbers of a palette, as a shift, share a pixel. */
export let bundleBits = 0;
export let isGreenSubtracted = false;
export let isPredicted = false;
/** Bits of the cache; 0 for none. */
export let cacheBits: u32 = 0;
/** The width of what is coded. */
export let codedWidth = 0;
let width = 0;

/** Counts of samples (u32), by way and channel. */
let counts: usize = 0;
const COUNTS_BYTES: usize = 4 * 4 * 256 * 4;
/** Counts of the colours of pixels that differ from their neighbours (u32). */
const MOST_COLOURS: usize = 8192;
let colourCounts: usize = 0;

export function layOutTransform(pictureWidth: i32): boolean {
  width = pictureWidth;
  counts = allocate(COUNTS_BYTES);
  colourCounts = allocate(4 * MOST_COLOURS);
  return counts && colourCounts ? true : false;
}

export function chooseTransform(height: i32): void {
  codedWidth = width;
  hasPalette = colourCount <= MOST_PALETTE_COLOURS;
  if (hasPalette) {
    orderColours();
    bundleBits = colourCount <= 2 ? 3 : colourCount <= 4 ? 2 : colourCount <= 16 ? 1 : 0;
    codedWidth = (width + (1 << bundleBits) - 1) >> bundleBits;
    return;
  }
  const way = cheapestWay(height);
  isGreenSubtracted = (way & SUBTRACTED) != 0;
  isPredicted = (way & PREDICTED) != 0;
  cacheBits = isPredicted ? 0 : CACHE_BITS;
}

/** The way that takes the fewest bits for the pixels that differ from their neighbours. */
function cheapestWay(height: i32): i32 {
  for (let y = 1; y < height; y++) {
    for (let x = 1; x < width; x++) {
      const place = y * width + x;
      const number = numberAt(place);
      const before = numberAt(place - 1);
      if (number == before || number == numberAt(place - width)) continue;
      countColour(number);
      const pixel = colourOf(number);
      const left = colourOf(before);
      countSamples(0, pixel);
      countSamples(SUBTRACTED, withoutGreen(pixel));
      countSamples(PREDICTED, difference(pixel, left));
      countSamples(PREDICTED | SUBTRACTED, difference(withoutGreen(pixel), withoutGreen(left)));
    }
  }
  const plain = cheaper(0);
  const predicted = cheaper(PREDICTED);
  const inCache = bitsOf(colourCounts, colourCount) + FIRST_TIME_BITS * <f32>colourCount;
  return bitsOfWay(predicted) < min(bitsOfWay(plain), inCache) ? predicted : plain;
}

/** With or without green subtracted. */
function cheaper(way: i32): i32 {
  return bitsOfWay(way | SUBTRACTED) < bitsOfWay(way) ? way | SUBTRACTED : way;
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
function countColour(number: i32): void {
  add(colourCounts + ((<usize>number) << 2));
}

@inline
function countSamples(way: i32, pixel: u32): void {
  for (let channel = 0; channel < 4; channel++) {
    add(tableOf(way, channel) + ((<usize>((pixel >> ((<u32>channel) << 3)) & 255)) << 2));
  }
}

/** Bits of what was counted, their codes not included. */
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

/** The pixel with its green taken from its red and blue. */
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
