/** Templates of grain, from which blocks of noise are cut (AV1 specification section 7.18.3.3). */
import {
  GRAIN_AR_CB,
  GRAIN_AR_CR,
  GRAIN_AR_SHIFT,
  GRAIN_AR_Y,
  GRAIN_COUNT_Y,
  GRAIN_LAG,
  GRAIN_SCALE_SHIFT,
  GRAIN_SEED,
  grainAddress,
} from "../../headers/grain";
import { bitDepth, subX, subY } from "../../headers/sequence";
import { GAUSSIAN } from "./gaussian";
import { nextRandom, seedRandom } from "./random";

const WIDTH: i32 = 82;
const HEIGHT: i32 = 73;
const SUBSAMPLED_WIDTH: i32 = 44;
const SUBSAMPLED_HEIGHT: i32 = 38;
/** Samples at the edges that are not filtered. */
const EDGE: i32 = 3;
const GAUSSIAN_BITS: i32 = 11;
const CB_SEED: i32 = 0xb524;
const CR_SEED: i32 = 0x49d8;

/** Bytes from row to row of a template. */
export const TEMPLATE_STRIDE: usize = WIDTH * 2;
/** Bytes of a template of i16. */
export const TEMPLATE_BYTES: usize = TEMPLATE_STRIDE * HEIGHT;

@inline
function round2(value: i32, bits: i32): i32 {
  return (value + ((1 << bits) >> 1)) >> bits;
}

@inline
function grainAt(template: usize, x: i32, y: i32): i32 {
  return load<i16>(template + <usize>y * TEMPLATE_STRIDE + ((<usize>x) << 1));
}

@inline
function putGrain(template: usize, x: i32, y: i32, value: i32): void {
  store<i16>(template + <usize>y * TEMPLATE_STRIDE + ((<usize>x) << 1), <i16>value);
}

/** Fills a template with noise. */
function fillNoise(template: usize, width: i32, height: i32, seed: i32): void {
  const shift = 12 - bitDepth + <i32>load<u8>(grainAddress, GRAIN_SCALE_SHIFT);
  seedRandom(seed);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      putGrain(template, x, y, round2(load<i16>(GAUSSIAN + (nextRandom(GAUSSIAN_BITS) << 1)), shift));
    }
  }
}

/** Returns the mean of the luma grain beside a sample of chroma. */
function lumaBeside(luma: usize, x: i32, y: i32): i32 {
  const lumaX = ((x - EDGE) << subX) + EDGE;
  const lumaY = ((y - EDGE) << subY) + EDGE;
  let sum = 0;
  for (let i = 0; i <= subY; i++) {
    for (let j = 0; j <= subX; j++) sum += grainAt(luma, lumaX + j, lumaY + i);
  }
  return round2(sum, subX + subY);
}

/**
 * Makes each sample depend on those before it.
 * @param coefficients with 128 added
 * @param luma the template of luma that chroma depends on too; 0 for none
 */
function correlate(template: usize, width: i32, height: i32, coefficients: usize, luma: usize): void {
  const lag = <i32>load<u8>(grainAddress, GRAIN_LAG);
  const shift = <i32>load<u8>(grainAddress, GRAIN_AR_SHIFT) + 6;
  const middle = 128 << (bitDepth - 8);
  const count = 2 * lag * (lag + 1);
  for (let y = EDGE; y < height; y++) {
    for (let x = EDGE; x < width - EDGE; x++) {
      let sum = 0;
      let place = coefficients;
      for (let i = -lag; i <= 0; i++) {
        const end = i == 0 ? -1 : lag;
        for (let j = -lag; j <= end; j++) {
          sum += grainAt(template, x + j, y + i) * (<i32>load<u8>(place++) - 128);
        }
      }
      if (luma) sum += lumaBeside(luma, x, y) * (<i32>load<u8>(coefficients + count) - 128);
      const value = grainAt(template, x, y) + round2(sum, shift);
      putGrain(template, x, y, min(middle - 1, max(-middle, value)));
    }
  }
}

/** Makes the template of luma. */
export function makeLuma(template: usize): void {
  fillNoise(template, WIDTH, HEIGHT, load<u16>(grainAddress, GRAIN_SEED));
  correlate(template, WIDTH, HEIGHT, grainAddress + GRAIN_AR_Y, 0);
}

/** Makes the template of a plane of chroma, beside that of luma. */
export function makeChroma(plane: i32, template: usize, luma: usize): void {
  const width = subX ? SUBSAMPLED_WIDTH : WIDTH;
  const height = subY ? SUBSAMPLED_HEIGHT : HEIGHT;
  fillNoise(template, width, height, load<u16>(grainAddress, GRAIN_SEED) ^ (plane == 1 ? CB_SEED : CR_SEED));
  const coefficients = grainAddress + (plane == 1 ? GRAIN_AR_CB : GRAIN_AR_CR);
  correlate(template, width, height, coefficients, load<u8>(grainAddress, GRAIN_COUNT_Y) ? luma : 0);
}
