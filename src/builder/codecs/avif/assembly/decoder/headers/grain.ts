/** Parameters of film grain (AV1 specification section 5.9.30). */
import { FAULT_CORRUPT } from "../../../decoder-status";
import { readBit, readBits, readFlag } from "./bits";
import { planeCount, subX, subY } from "./sequence";

/** Bytes of the struct. */
export const GRAIN_BYTES: u64 = 256;
/** Offsets in it. Counts are u8; points are pairs of value and scaling (u8). */
export const GRAIN_SEED: usize = 0;
export const GRAIN_COUNT_Y: usize = 2;
export const GRAIN_COUNT_CB: usize = 3;
export const GRAIN_COUNT_CR: usize = 4;
/** u8: chroma_scaling_from_luma. */
export const GRAIN_FROM_LUMA: usize = 5;
/** u8: grain_scaling_minus_8, ar_coeff_lag, ar_coeff_shift_minus_6, grain_scale_shift. */
export const GRAIN_SCALING: usize = 6;
export const GRAIN_LAG: usize = 7;
export const GRAIN_AR_SHIFT: usize = 8;
export const GRAIN_SCALE_SHIFT: usize = 9;
/** u8: overlap_flag, clip_to_restricted_range. */
export const GRAIN_OVERLAP: usize = 10;
export const GRAIN_CLIP: usize = 11;
/** u16: cb_mult, cb_luma_mult, cb_offset, and the same of Cr. */
export const GRAIN_CB_MULT: usize = 12;
export const GRAIN_CB_LUMA_MULT: usize = 14;
export const GRAIN_CB_OFFSET: usize = 16;
export const GRAIN_CR_MULT: usize = 18;
export const GRAIN_CR_LUMA_MULT: usize = 20;
export const GRAIN_CR_OFFSET: usize = 22;
export const GRAIN_POINTS_Y: usize = 24;
export const GRAIN_POINTS_CB: usize = 56;
export const GRAIN_POINTS_CR: usize = 88;
/** u8, with 128 added: ar_coeffs_y_plus_128 [24], of Cb [25], of Cr [25]. */
export const GRAIN_AR_Y: usize = 120;
export const GRAIN_AR_CB: usize = 144;
export const GRAIN_AR_CR: usize = 172;

const MOST_LUMA_POINTS: i32 = 14;
const MOST_CHROMA_POINTS: i32 = 10;

/** The struct's address; 0 when no grain is applied. */
export let grainAddress: usize = 0;
let place: usize = 0;

export function placeGrain(at: usize): void {
  place = at;
}

function readPoints(count: usize, points: usize, most: i32): boolean {
  const n = readBits(4);
  if (n > most) return false;
  store<u8>(place + count, n);
  let before = -1;
  for (let i = 0; i < n; i++) {
    const at = place + points + ((<usize>i) << 1);
    const value = readBits(8);
    if (value <= before) return false;
    before = value;
    store<u8>(at, value);
    store<u8>(at, readBits(8), 1);
  }
  return true;
}

function readCoefficients(offset: usize, count: i32): void {
  for (let i = 0; i < count; i++) store<u8>(place + offset + i, readBits(8));
}

function readMix(offset: usize): void {
  store<u16>(place + offset, readBits(8));
  store<u16>(place + offset, readBits(8), 2);
  store<u16>(place + offset, readBits(9), 4);
}

/** Implements film_grain_params() of an intra frame. */
export function readGrain(hasGrain: boolean): i32 {
  grainAddress = 0;
  if (!hasGrain || !readFlag()) return 0;
  memory.fill(place, 0, <usize>GRAIN_BYTES);
  store<u16>(place, readBits(16), GRAIN_SEED);
  if (!readPoints(GRAIN_COUNT_Y, GRAIN_POINTS_Y, MOST_LUMA_POINTS)) return FAULT_CORRUPT;
  const isGrey = planeCount == 1;
  const fromLuma = !isGrey && readFlag();
  store<u8>(place, u8(fromLuma), GRAIN_FROM_LUMA);
  const hasLuma = load<u8>(place, GRAIN_COUNT_Y) != 0;
  if (!isGrey && !fromLuma && !(subX && subY && !hasLuma)) {
    if (!readPoints(GRAIN_COUNT_CB, GRAIN_POINTS_CB, MOST_CHROMA_POINTS)) return FAULT_CORRUPT;
    if (!readPoints(GRAIN_COUNT_CR, GRAIN_POINTS_CR, MOST_CHROMA_POINTS)) return FAULT_CORRUPT;
  }
  const hasCb = load<u8>(place, GRAIN_COUNT_CB) != 0;
  const hasCr = load<u8>(place, GRAIN_COUNT_CR) != 0;
  store<u8>(place, readBits(2), GRAIN_SCALING);
  const lag = readBits(2);
  store<u8>(place, lag, GRAIN_LAG);
  const lumaCount = 2 * lag * (lag + 1);
  if (hasLuma) readCoefficients(GRAIN_AR_Y, lumaCount);
  const chromaCount = lumaCount + i32(hasLuma);
  if (fromLuma || hasCb) readCoefficients(GRAIN_AR_CB, chromaCount);
  if (fromLuma || hasCr) readCoefficients(GRAIN_AR_CR, chromaCount);
  store<u8>(place, readBits(2), GRAIN_AR_SHIFT);
  store<u8>(place, readBits(2), GRAIN_SCALE_SHIFT);
  if (hasCb) readMix(GRAIN_CB_MULT);
  if (hasCr) readMix(GRAIN_CR_MULT);
  store<u8>(place, readBit(), GRAIN_OVERLAP);
  store<u8>(place, readBit(), GRAIN_CLIP);
  grainAddress = place;
  return 0;
}
