/** Writes lossless WebP that no encoder would: tiles of four pixels, thousands of groups, codes of all symbols. */
import {
  BitWriter,
  prefixCodes,
  putCode,
  putZeroCode,
} from "../../src/builder/codecs/webp/lossless/prefix-code.ts";
import { riffChunk, webpOf } from "../../scripts/samples/probe/webp.ts";

const SIGNATURE = 0x2f;
const GREEN_SYMBOLS = 280;
const SAMPLE_SYMBOLS = 256;
const TILE_SIDE_PIXELS = 4;

/** Returns the code lengths of all 256 samples in 8 bits each, in a code of `symbols`. */
const evenLengths = (symbols: number): Uint8Array => new Uint8Array(symbols).fill(8, 0, SAMPLE_SYMBOLS);

/** Returns the bits of a code of 8 bits, in the order of the file. */
function reversed(sample: number): number {
  let bits = 0;
  for (let bit = 0; bit < 8; bit++) bits |= ((sample >> bit) & 1) << (7 - bit);
  return bits;
}

function putHead(writer: BitWriter, width: number, height: number): void {
  writer.put(SIGNATURE, 8);
  writer.put(width - 1, 14);
  writer.put(height - 1, 14);
  writer.put(0, 4); // No alpha, version 0.
}

/** Writes the codes of an image: green of all samples, red of all or of 0 alone, the others of one symbol. */
function putCodes(writer: BitWriter, hasRed: boolean): void {
  putCode(writer, evenLengths(GREEN_SYMBOLS));
  if (hasRed) putCode(writer, evenLengths(SAMPLE_SYMBOLS));
  else putZeroCode(writer);
  for (let code = 0; code < 3; code++) putZeroCode(writer);
}

const fileOf = (writer: BitWriter): Buffer => {
  writer.put(0, 32);
  return Buffer.from(webpOf(riffChunk("VP8L", Uint8Array.from(writer.bytes))));
};

/**
 * Returns a picture with a group of codes for each tile. Each pixel's green is the lowest byte of its place.
 * @param groupOf the group of each tile; all up to the highest are stated
 */
export function manyGroups(width: number, height: number, groupOf: (tile: number) => number): Buffer {
  const writer = new BitWriter();
  const tiles = Math.ceil(width / TILE_SIDE_PIXELS) * Math.ceil(height / TILE_SIDE_PIXELS);
  const groups = Array.from({ length: tiles }, (_, tile) => groupOf(tile));
  putHead(writer, width, height);
  writer.put(0, 1); // No transforms.
  writer.put(0, 1); // No cache.
  writer.put(1, 1); // Tiles have groups,
  writer.put(0, 3); // of four pixels a side.
  writer.put(0, 1); // The image of groups has no cache.
  putCodes(writer, true);
  for (const group of groups) {
    writer.put(reversed(group & 255), 8);
    writer.put(reversed(group >> 8), 8);
  }
  for (let group = 0; group <= Math.max(...groups); group++) putCodes(writer, false);
  for (let pixel = 0; pixel < width * height; pixel++) writer.put(reversed(pixel & 255), 8);
  return fileOf(writer);
}

const LONGEST_MATCH_PIXELS = 4096;
/** The symbols of the longest matches and the farthest places, and the bits that follow them. */
const LONGEST = { symbol: 256 + 23, bits: 10 };
const FARTHEST = { symbol: 39, bits: 18, most: 2 ** 20 };
/** Values of places that stand for pixels near by. */
const NEAR_PLACES = 120;

/**
 * Returns a picture whose first `distance` pixels are green in some way, and whose others are those so far before them.
 */
export function farMatches(width: number, height: number, distance: number): Buffer {
  const writer = new BitWriter();
  putHead(writer, width, height);
  writer.put(0, 3); // No transform, no cache, one group.
  // The longest match in one bit, and each sample in nine.
  const green = new Uint8Array(GREEN_SYMBOLS).fill(9, 0, SAMPLE_SYMBOLS);
  green[LONGEST.symbol] = 1;
  const codes = prefixCodes(green);
  putCode(writer, green);
  for (let code = 0; code < 3; code++) putZeroCode(writer);
  const places = new Uint8Array(40);
  places[0] = places[FARTHEST.symbol] = 1;
  putCode(writer, places);
  const pixels = width * height;
  const literals = pixels - LONGEST_MATCH_PIXELS * Math.floor((pixels - distance) / LONGEST_MATCH_PIXELS);
  for (let pixel = 0; pixel < literals; pixel++) writer.put(codes[(pixel ^ (pixel >> 8)) & 255]!, 9);
  for (let pixel = literals; pixel < pixels; pixel += LONGEST_MATCH_PIXELS) {
    writer.put(codes[LONGEST.symbol]!, 1);
    writer.put(2 ** LONGEST.bits - 1, LONGEST.bits);
    writer.put(1, 1);
    writer.put(distance + NEAR_PLACES - 1 - 3 * 2 ** FARTHEST.bits, FARTHEST.bits);
  }
  return fileOf(writer);
}

/** The distance of the farthest match that there may be, in pixels. */
export const FARTHEST_PIXELS = FARTHEST.most - NEAR_PLACES;

const TRANSFORMS = { predictor: 0, cross: 1, green: 2 } as const;

/** Returns a picture with an image of tiles of four pixels for each transform, and pixels that are all green. */
export function smallestTiles(
  width: number,
  height: number,
  transforms: readonly (keyof typeof TRANSFORMS)[],
): Buffer {
  const writer = new BitWriter();
  const tiles = Math.ceil(width / TILE_SIDE_PIXELS) * Math.ceil(height / TILE_SIDE_PIXELS);
  putHead(writer, width, height);
  for (const transform of transforms) {
    writer.put(1, 1);
    writer.put(TRANSFORMS[transform], 2);
    if (transform === "green") continue;
    writer.put(0, 3); // Four pixels a side.
    writer.put(0, 1); // No cache.
    putCodes(writer, false);
    for (let tile = 0; tile < tiles; tile++) writer.put(reversed((tile * 7 + (tile >> 5)) & 255), 8);
  }
  writer.put(0, 1); // No more transforms.
  writer.put(0, 1); // No cache.
  writer.put(0, 1); // One group.
  putCodes(writer, false);
  for (let pixel = 0; pixel < width * height; pixel++) writer.put(reversed((pixel * 5) & 255), 8);
  return fileOf(writer);
}
