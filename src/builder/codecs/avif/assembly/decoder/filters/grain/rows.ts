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
import { layOutNoise, noiseBytes, noiseOf } from "./noise";
import { fillScaling, scalingBytes } from "./scaling";
import { makeChroma, makeLuma, TEMPLATE_BYTES } from "./templates";

const PLANES: usize = 3;
const IDENTITY: i32 = 0;

let templates: usize = 0;
let scalings: usize = 0;

export function grainBytes(): u64 {
  return PLANES * (TEMPLATE_BYTES + scalingBytes()) + noiseBytes();
}

/** Allocates memory and makes templates. @returns false when the memory is at its end */
export function layOutGrain(): bool {
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
function isFromLuma(): bool {
  return load<u8>(grainAddress, GRAIN_FROM_LUMA) != 0;
}

@inline
function countOf(plane: i32): usize {
  return plane == 0 ? GRAIN_COUNT_Y : plane == 1 ? GRAIN_COUNT_CB : GRAIN_COUNT_CR;
}

function hasGrain(plane: i32): bool {
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

function addToLuma(row: usize, noise: usize): void {
  const shift = <i32>load<u8>(grainAddress, GRAIN_SCALING) + 8;
  const half = 1 << (shift - 1);
  const low = least();
  const high = most(0);
  for (let x = 0; x < upscaledWidth; x++) {
    const at = row + ((<usize>x) << 1);
    const sample = <i32>load<u16>(at);
    const change = (<i32>load<u8>(scalings + sample) * load<i16>(noise + ((<usize>x) << 1)) + half) >> shift;
    store<u16>(at, min(high, max(low, sample + change)));
  }
}

/** Returns the mean of the luma beside a sample of chroma. */
@inline
function lumaBeside(luma: usize, x: i32): i32 {
  const first = <i32>load<u16>(luma + ((<usize>(x << subX)) << 1));
  if (!subX) return first;
  const next = min((x << 1) + 1, upscaledWidth - 1);
  return (first + <i32>load<u16>(luma + ((<usize>next) << 1)) + 1) >> 1;
}

function addToChroma(plane: i32, row: usize, luma: usize, noise: usize): void {
  const shift = <i32>load<u8>(grainAddress, GRAIN_SCALING) + 8;
  const half = 1 << (shift - 1);
  const low = least();
  const high = most(plane);
  const highest = (1 << bitDepth) - 1;
  const scaling = scalingOf(plane);
  const isPlain = isFromLuma();
  const mix = grainAddress + (plane == 1 ? GRAIN_CB_MULT : GRAIN_CR_MULT);
  const own = <i32>load<u16>(mix) - 128;
  const ofLuma = <i32>load<u16>(mix, GRAIN_CB_LUMA_MULT - GRAIN_CB_MULT) - 128;
  const offset = (<i32>load<u16>(mix, GRAIN_CB_OFFSET - GRAIN_CB_MULT) - 256) << (bitDepth - 8);
  const width = (upscaledWidth + subX) >> subX;
  for (let x = 0; x < width; x++) {
    const at = row + ((<usize>x) << 1);
    const sample = <i32>load<u16>(at);
    let value = lumaBeside(luma, x);
    if (!isPlain) value = min(highest, max(0, ((value * ofLuma + sample * own) >> 6) + offset));
    const change = (<i32>load<u8>(scaling + value) * load<i16>(noise + ((<usize>x) << 1)) + half) >> shift;
    store<u16>(at, min(high, max(low, sample + change)));
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
