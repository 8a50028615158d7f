/** Film grain on finished rows (AV1 specification section 7.18.3). */
import { allocate } from "../../../../../../pixels/assembly/shared/arena";
import { upscaledWidth } from "../../headers/frame";
import {
  GRAIN_CB_LUMA_MULT,
  GRAIN_CB_MULT,
  GRAIN_CB_OFFSET,
  GRAIN_CLIP,
  GRAIN_COUNT_CB,
  GRAIN_COUNT_CR,
  GRAIN_COUNT_Y,
  GRAIN_CR_MULT,
  GRAIN_FROM_LUMA,
  GRAIN_POINTS_CB,
  GRAIN_POINTS_CR,
  GRAIN_POINTS_Y,
  GRAIN_SCALING,
  grainAddress,
} from "../../headers/grain";
import { bitDepth, matrixCoefficients, planeCount, subX, subY } from "../../headers/sequence";
import { finishedAddress, finishedStride } from "../finished";
import { highestSample } from "../samples";
import { layOutNoise, noiseBytes, noiseOf } from "./noise";
import { fillScaling, scalingBytes, strengthsOf } from "./scaling";
import { makeChroma, makeLuma, TEMPLATE_BYTES } from "./templates";

const PLANES: usize = 3;
const IDENTITY: i32 = 0;

let templates: usize = 0;
let scalings: usize = 0;

export function grainBytes(): u64 {
  return PLANES * (TEMPLATE_BYTES + scalingBytes()) + noiseBytes();
}

/** Allocates memory and makes templates. @returns false when the memory is at its end */
export function layOutGrain(): boolean {
  templates = allocate(PLANES * (TEMPLATE_BYTES + scalingBytes()));
  if (!templates || !layOutNoise()) return false;
  scalings = templates + PLANES * TEMPLATE_BYTES;
  makeLuma(templates);
  fillScaling(scalings, grainAddress + GRAIN_POINTS_Y, load<u8>(grainAddress, GRAIN_COUNT_Y));
  for (let plane = 1; plane < planeCount; plane++) {
    if (!hasGrain(plane)) continue;
    makeChroma(plane, templateOf(plane), templates);
    if (isFromLuma()) memory.copy(scalingOf(plane), scalings, scalingBytes());
    else {
      const points = plane == 1 ? GRAIN_POINTS_CB : GRAIN_POINTS_CR;
      fillScaling(scalingOf(plane), grainAddress + points, load<u8>(grainAddress + countOf(plane)));
    }
  }
  return true;
}

@inline
function templateOf(plane: i32): usize {
  return templates + <usize>plane * TEMPLATE_BYTES;
}

@inline
function scalingOf(plane: i32): usize {
  return scalings + <usize>plane * scalingBytes();
}

@inline
function isFromLuma(): boolean {
  return load<u8>(grainAddress, GRAIN_FROM_LUMA) != 0;
}

@inline
function countOf(plane: i32): usize {
  return plane == 0 ? GRAIN_COUNT_Y : plane == 1 ? GRAIN_COUNT_CB : GRAIN_COUNT_CR;
}

function hasGrain(plane: i32): boolean {
  return (plane > 0 && isFromLuma()) || load<u8>(grainAddress + countOf(plane)) != 0;
}

@inline
function least(): i32 {
  return load<u8>(grainAddress, GRAIN_CLIP) ? 16 << (bitDepth - 8) : 0;
}

@inline
function most(plane: i32): i32 {
  if (!load<u8>(grainAddress, GRAIN_CLIP)) return (1 << bitDepth) - 1;
  return (plane == 0 || matrixCoefficients == IDENTITY ? 235 : 240) << (bitDepth - 8);
}

/** Scales noise by the strengths of eight values, and adds it to samples. */
@inline
function withNoise(samples: v128, values: v128, scaling: usize, noise: usize, low: v128, high: v128): v128 {
  const shift = <i32>load<u8>(grainAddress, GRAIN_SCALING) + 8;
  const half = i32x4.splat(1 << (shift - 1));
  const strengths = strengthsOf(scaling, values);
  const grain = v128.load(noise);
  const first = i32x4.shr_s(i32x4.add(i32x4.extmul_low_i16x8_s(strengths, grain), half), shift);
  const second = i32x4.shr_s(i32x4.add(i32x4.extmul_high_i16x8_s(strengths, grain), half), shift);
  const result = i16x8.add(samples, i16x8.narrow_i32x4_s(first, second));
  return i16x8.max_s(low, i16x8.min_s(high, result));
}

function addToLuma(row: usize, noise: usize): void {
  const low = i16x8.splat(<i16>least());
  const high = i16x8.splat(<i16>most(0));
  const highest = highestSample(bitDepth);
  const scaling = scalingOf(0);
  for (let x: usize = 0; x < (<usize>upscaledWidth) << 1; x += 16) {
    const samples = v128.load(row + x);
    // Past the picture's edge may be anything.
    const values = v128.and(samples, highest);
    v128.store(row + x, withNoise(samples, values, scaling, noise + x, low, high));
  }
}

/** Returns the mean of the luma beside eight samples of chroma, `x` bytes from the start of the row. */
@inline
function lumaBeside(luma: usize, x: usize): v128 {
  if (!subX) return v128.load(luma + x);
  const ones = i16x8.splat(1);
  const one = i32x4.splat(1);
  const first = i32x4.dot_i16x8_s(v128.load(luma + 2 * x), ones);
  const second = i32x4.dot_i16x8_s(v128.load(luma + 2 * x, 16), ones);
  return i16x8.narrow_i32x4_u(i32x4.shr_s(i32x4.add(first, one), 1), i32x4.shr_s(i32x4.add(second, one), 1));
}

/** Mixes luma with a sample of chroma. */
@inline
function mixed(pairs: v128, weights: v128, offset: v128): v128 {
  return i32x4.add(i32x4.shr_s(i32x4.dot_i16x8_s(pairs, weights), 6), offset);
}

function addToChroma(plane: i32, row: usize, luma: usize, noise: usize): void {
  const low = i16x8.splat(<i16>least());
  const high = i16x8.splat(<i16>most(plane));
  const highest = highestSample(bitDepth);
  const scaling = scalingOf(plane);
  const isPlain = isFromLuma();
  const mix = grainAddress + (plane == 1 ? GRAIN_CB_MULT : GRAIN_CR_MULT);
  const own = <i32>load<u16>(mix) - 128;
  const ofLuma = <i32>load<u16>(mix, GRAIN_CB_LUMA_MULT - GRAIN_CB_MULT) - 128;
  const weights = i32x4.splat((own << 16) | (ofLuma & 0xffff));
  const offset = i32x4.splat((<i32>load<u16>(mix, GRAIN_CB_OFFSET - GRAIN_CB_MULT) - 256) << (bitDepth - 8));
  const bytes = (<usize>((upscaledWidth + subX) >> subX)) << 1;
  // The last sample of luma stands for the one after it.
  const end = luma + ((<usize>upscaledWidth) << 1);
  store<u16>(end, load<u16>(end - 2));
  for (let x: usize = 0; x < bytes; x += 16) {
    const samples = v128.load(row + x);
    let values = lumaBeside(luma, x);
    if (!isPlain) {
      const first = v128.shuffle<i16>(values, samples, 0, 8, 1, 9, 2, 10, 3, 11);
      const second = v128.shuffle<i16>(values, samples, 4, 12, 5, 13, 6, 14, 7, 15);
      values = i16x8.narrow_i32x4_u(mixed(first, weights, offset), mixed(second, weights, offset));
      values = i16x8.min_u(values, highest);
    }
    values = v128.and(values, highest);
    v128.store(row + x, withNoise(samples, values, scaling, noise + x, low, high));
  }
}

/** Adds grain to the finished rows, which are `first` to before `end` of luma. */
export function addGrain(first: i32, end: i32): void {
  // Chroma depends on luma without grain, so it comes first.
  for (let plane = 1; plane < planeCount; plane++) {
    if (!hasGrain(plane)) continue;
    const start = first >> subY;
    const rows = ((end + subY) >> subY) - start;
    for (let y = 0; y < rows; y++) {
      const noise = noiseOf(templateOf(plane), plane, start + y);
      const luma = finishedAddress(0) + <usize>(y << subY) * finishedStride(0);
      addToChroma(plane, finishedAddress(plane) + <usize>y * finishedStride(plane), luma, noise);
    }
  }
  if (!hasGrain(0)) return;
  for (let y = 0; y < end - first; y++) {
    const noise = noiseOf(templates, 0, first + y);
    addToLuma(finishedAddress(0) + <usize>y * finishedStride(0), noise);
  }
}
