/**
 * Decodes the symbols of an image to pixels (RFC 9649, 3.6).
 *
 * The last 2^20 pixels are held, in a ring. No match can reach farther back: the largest value of a place is 2^20, of
 * which 120 are for pixels near by, and these are at most 7 rows of 16,384 pixels away. So the window is the format's
 * own bound, and no file needs more. Rows are taken out of the ring behind the decoder, which is never more than a few
 * rows and the 4096 pixels of a match ahead.
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import {
  at as readerAt,
  bits as readerBits,
  count as readerCount,
  isInputEnded,
  isOverrun,
  limit as readerLimit,
  moveReader,
} from "./bits";
import { cacheColours, cachedColour, clearCache } from "./colour-cache";
import { ALPHA, BLUE, GREEN_SYMBOLS, groupAt, IS_PLAIN, MASK, PLACE, RED, SAMPLES } from "./groups";
import { distanceOf } from "./places";
import { entryOf } from "./prefix-table";
import { FAULT_CORRUPT, FAULT_TRUNCATED, NEED_INPUT } from "../../decoder-status";

const RING_PIXELS: u32 = 1 << 20;
/** The images of transforms are decoded in the ring too. The largest that a tiny picture may have is a palette. */
const FEWEST_PIXELS: u32 = 256;
/** Copies write up to 16 bytes at a time. */
const SLACK: u64 = 64;
const SAMPLES_OF_GREEN: u32 = 256;

let ring: usize = 0;
/** Selects the place in the ring of a pixel of the image. */
let ringMask: u32 = 0;

/** The image that is decoded, in pixels. */
let width: u32 = 0;
let total: u32 = 0;
let cacheBits: u32 = 0;
/** The group of each tile (u16); 0 for an image with one group. */
let tiles: usize = 0;
let tileBits: u32 = 0;
let tilesAcross: u32 = 0;
/** The pixels that were decoded, and of these how many are in the cache. */
export let decoded: u32 = 0;
let cached: u32 = 0;
/** The group of the next pixel, and how many pixels from it on are in the same row of a tile. */
let group: usize = 0;
let left: u32 = 0;

/** Allocates the ring for a picture of `pixels`. @returns false when the memory is at its end */
export function layOutRing(pixels: u32): boolean {
  ringMask = RING_PIXELS - 1;
  ring = allocate(4 * <u64>min(RING_PIXELS, max(pixels, FEWEST_PIXELS)) + SLACK);
  return ring ? true : false;
}

/** Begins an image. @param groupOfTiles the image of groups with tiles of 2^`bitsOfTile` pixels a side; 0 for none */
export function startPixels(
  imageWidth: u32,
  height: u32,
  bitsOfCache: u32,
  groupOfTiles: usize,
  bitsOfTile: u32,
): void {
  width = imageWidth;
  total = imageWidth * height;
  cacheBits = bitsOfCache;
  tiles = groupOfTiles;
  tileBits = bitsOfTile;
  tilesAcross = (width + (1 << tileBits) - 1) >> tileBits;
  decoded = 0;
  cached = 0;
  left = 0;
  if (cacheBits) clearCache(cacheBits);
}

export function areAllDecoded(): boolean {
  return decoded == total;
}

/** Returns the address of a pixel in the ring. */
@inline
export function pixelAt(index: u32): usize {
  return ring + ((<usize>(index & ringMask)) << 2);
}

/** Returns the number of pixels from `index` on that follow each other in the ring, at most `most`. */
@inline
export function runFrom(index: u32, most: u32): u32 {
  return min(most, RING_PIXELS - (index & ringMask));
}

function chooseGroup(index: u32): void {
  if (!tiles) {
    group = groupAt(0);
    left = total - index;
    return;
  }
  const y = index / width;
  const x = index - y * width;
  const tile = x >> tileBits;
  group = groupAt(load<u16>(tiles + ((<usize>((y >> tileBits) * tilesAcross + tile)) << 1)));
  left = min(width, (tile + 1) << tileBits) - x;
}

/** Puts the pixels before `end` into the cache that are not in it yet. */
function fillCache(end: u32): void {
  while (cached < end) {
    const run = runFrom(cached, end - cached);
    const from = pixelAt(cached);
    cacheColours(from, from + ((<usize>run) << 2));
    cached += run;
  }
}

/** Copies `length` pixels from `distance` before `to`; they may be among those that are written. */
function copyPixels(to: u32, distance: u32, length: u32): void {
  const from = to - distance;
  const reach = max(from & ringMask, to & ringMask) + length;
  if (reach > RING_PIXELS) {
    for (let i: u32 = 0; i < length; i++) store<u32>(pixelAt(to + i), load<u32>(pixelAt(from + i)));
    return;
  }
  let target = pixelAt(to);
  let source = pixelAt(from);
  const end = target + ((<usize>length) << 2);
  if (distance >= 4) {
    for (; target < end; target += 16, source += 16) v128.store(target, v128.load(source));
    return;
  }
  for (; target < end; target += 4, source += 4) store<u32>(target, load<u32>(source));
}

/** Returns the value of a symbol of lengths or places and the bits after it (3.6.2.2). */
@inline
function valueOf(symbol: u32, extra: u32, bits: u32): u32 {
  return ((2 + (symbol & 1)) << extra) + (bits & ((1 << extra) - 1)) + 1;
}

/**
 * Decodes symbols until there are `goal` pixels or more. Up to 4095 more may be decoded.
 * @returns 0, NEED_INPUT or a fault
 */
export function decodePixels(goal: u32): i32 {
  let bits = readerBits;
  let count = readerCount;
  let at = readerAt;
  const limit = readerLimit;
  let position = decoded;
  let codes = group;
  let run = left;
  let fault = 0;
  while (position < goal) {
    if (at > limit) {
      fault = isInputEnded() ? FAULT_TRUNCATED : NEED_INPUT;
      break;
    }
    if (run == 0) {
      chooseGroup(position);
      codes = group;
      run = left;
    }
    bits |= load<u64>(at) << count;
    at += (63 - count) >> 3;
    count |= 56;
    let entry = entryOf(load<u32>(codes), load<u32>(codes, MASK), <u32>bits);
    bits >>= entry & 15;
    count -= entry & 15;
    let symbol = entry >> 4;
    if (symbol < SAMPLES_OF_GREEN) {
      let pixel = symbol << 8;
      if (load<u32>(codes, IS_PLAIN)) pixel |= load<u32>(codes, SAMPLES);
      else {
        entry = entryOf(load<u32>(codes, 8 * RED), load<u32>(codes, 8 * RED + MASK), <u32>bits);
        bits >>= entry & 15;
        count -= entry & 15;
        pixel |= (entry >> 4) << 16;
        entry = entryOf(load<u32>(codes, 8 * BLUE), load<u32>(codes, 8 * BLUE + MASK), <u32>bits);
        bits >>= entry & 15;
        count -= entry & 15;
        pixel |= entry >> 4;
        const alphaMask = load<u32>(codes, 8 * ALPHA + MASK);
        if (alphaMask) {
          bits |= load<u64>(at) << count;
          at += (63 - count) >> 3;
          count |= 56;
        }
        entry = entryOf(load<u32>(codes, 8 * ALPHA), alphaMask, <u32>bits);
        bits >>= entry & 15;
        count -= entry & 15;
        pixel |= (entry >> 4) << 24;
      }
      store<u32>(pixelAt(position), pixel);
      position++;
      run--;
      continue;
    }
    if (symbol >= <u32>GREEN_SYMBOLS) {
      fillCache(position);
      store<u32>(pixelAt(position), cachedColour(symbol - GREEN_SYMBOLS));
      position++;
      run--;
      continue;
    }
    let length = symbol - SAMPLES_OF_GREEN;
    if (length < 4) length++;
    else {
      const extra = (length - 2) >> 1;
      length = valueOf(length, extra, <u32>bits);
      bits >>= extra;
      count -= extra;
    }
    entry = entryOf(load<u32>(codes, 8 * PLACE), load<u32>(codes, 8 * PLACE + MASK), <u32>bits);
    bits >>= entry & 15;
    count -= entry & 15;
    symbol = entry >> 4;
    let place = symbol + 1;
    if (symbol >= 4) {
      bits |= load<u64>(at) << count;
      at += (63 - count) >> 3;
      count |= 56;
      const extra = (symbol - 2) >> 1;
      place = valueOf(symbol, extra, <u32>bits);
      bits >>= extra;
      count -= extra;
    }
    const distance = distanceOf(place, width);
    if (distance > position || length > total - position) {
      fault = FAULT_CORRUPT;
      break;
    }
    copyPixels(position, distance, length);
    position += length;
    run = length < run ? run - length : 0;
  }
  decoded = position;
  left = run;
  moveReader(bits, count, at);
  if (fault == FAULT_CORRUPT) return isOverrun() ? FAULT_TRUNCATED : fault;
  if (cacheBits) fillCache(position);
  return position == total && isOverrun() ? FAULT_TRUNCATED : fault;
}
