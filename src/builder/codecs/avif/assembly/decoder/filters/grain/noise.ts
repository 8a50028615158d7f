/**
 * Rows of noise (AV1 specification section 7.18.3.5). Each stripe of 32 rows of luma is covered with blocks that are cut
 * from the template at random places. With overlap, blocks are blended with the one to the left and the stripe above.
 */
import { allocate } from "../../../../../../pixels/assembly/shared/arena";
import { upscaledWidth } from "../../headers/frame";
import { GRAIN_OVERLAP, GRAIN_SEED, grainAddress } from "../../headers/grain";
import { bitDepth } from "../../headers/sequence";
import { planeSubX, planeSubY } from "../../planes";
import { nextRandom, seedRandom } from "./random";
import { TEMPLATE_STRIDE } from "./templates";

const BLOCK_LOG2: i32 = 5;
const BLOCK: i32 = 1 << BLOCK_LOG2;
/** Samples by which blocks overlap. */
const OVERLAP: i32 = 2;
const PLACE_BITS: i32 = 8;

/** Noise of a row, as i16, and of the stripe above in the same row. */
let line: usize = 0;
let lineAbove: usize = 0;
/** Random places of the blocks of a stripe, and of the one above it. */
let places: usize = 0;
let placesAbove: usize = 0;
let stripe: i32 = -1;

@inline
function blockCount(): i32 {
  return (upscaledWidth + BLOCK - 1) >> BLOCK_LOG2;
}

@inline
function lineBytes(): usize {
  return (<usize>blockCount() * BLOCK + BLOCK) * 2;
}

export function noiseBytes(): u64 {
  return 2 * (lineBytes() + ((blockCount() + 15) & ~15));
}

export function layOutNoise(): boolean {
  line = allocate(noiseBytes());
  lineAbove = line + lineBytes();
  places = lineAbove + lineBytes();
  placesAbove = places + ((blockCount() + 15) & ~15);
  stripe = -1;
  return line != 0;
}

function fillPlaces(to: usize, number: i32): void {
  const high = ((number * 37 + 178) & 255) << 8;
  const low = (number * 173 + 105) & 255;
  seedRandom(load<u16>(grainAddress, GRAIN_SEED) ^ high ^ low);
  for (let i = 0; i < blockCount(); i++) store<u8>(to + i, nextRandom(PLACE_BITS));
}

function enterStripe(number: i32): void {
  if (number == stripe) return;
  stripe = number;
  fillPlaces(places, number);
  if (number > 0) fillPlaces(placesAbove, number - 1);
}

/** Blends two samples of grain. `before` is that of the block that came earlier. */
@inline
function blend(before: i32, beforeWeight: i32, grain: i32, weight: i32): i32 {
  const middle = 128 << (bitDepth - 8);
  const value = (before * beforeWeight + grain * weight + 16) >> 5;
  return min(middle - 1, max(-middle, value));
}

/** Blends sample `i` of the overlap. */
@inline
function overlapped(before: i32, grain: i32, i: i32, isSubsampled: boolean): i32 {
  if (isSubsampled) return blend(before, 23, grain, 22);
  return i == 0 ? blend(before, 27, grain, 17) : blend(before, 17, grain, 27);
}

/** Fills a line with row `row` of a stripe. */
function fillLine(to: usize, template: usize, from: usize, plane: i32, row: i32): void {
  const shiftX = planeSubX(plane);
  const shiftY = planeSubY(plane);
  const width = BLOCK >> shiftX;
  const shared = OVERLAP >> shiftX;
  const hasOverlap = load<u8>(grainAddress, GRAIN_OVERLAP) != 0;
  for (let i = 0; i < blockCount(); i++) {
    const place = <i32>load<u8>(from + i);
    const x = shiftX ? 6 + (place >> 4) : 9 + (place >> 4) * 2;
    const y = shiftY ? 6 + (place & 15) : 9 + (place & 15) * 2;
    const source = template + <usize>(y + row) * TEMPLATE_STRIDE + ((<usize>x) << 1);
    const block = to + <usize>(i * width) * 2;
    let first = 0;
    if (hasOverlap && i > 0) {
      for (; first < shared; first++) {
        const before = load<i16>(block + (first << 1));
        const grain = load<i16>(source + (first << 1));
        store<i16>(block + (first << 1), <i16>overlapped(before, grain, first, shiftX != 0));
      }
    }
    memory.copy(block + (first << 1), source + (first << 1), (<usize>(width + shared - first)) << 1);
  }
}

/** Makes the noise of a row of a plane. @returns the address of its samples, i16 */
export function noiseOf(template: usize, plane: i32, row: i32): usize {
  const shiftY = planeSubY(plane);
  const log2 = BLOCK_LOG2 - shiftY;
  enterStripe(row >> log2);
  const inside = row - (stripe << log2);
  fillLine(line, template, places, plane, inside);
  const isShared = inside < OVERLAP >> shiftY && stripe > 0;
  if (!isShared || !load<u8>(grainAddress, GRAIN_OVERLAP)) return line;
  fillLine(lineAbove, template, placesAbove, plane, inside + (BLOCK >> shiftY));
  const samples = blockCount() * (BLOCK >> planeSubX(plane));
  for (let i = 0; i < samples; i++) {
    const at = (<usize>i) << 1;
    const value = overlapped(load<i16>(lineAbove + at), load<i16>(line + at), inside, shiftY != 0);
    store<i16>(line + at, <i16>value);
  }
  return line;
}
