/**
 * Quantisation matrices (AV1 specification section 9.5): how much coarser than the first coefficient each one is
 * quantised, in 32nds. All sizes are taken from three of 32 x 32, 32 x 16 and 16 x 32.
 */
import { firstPlace, MOST_CODED, PLACES } from "./scans";
import { MATRICES_2, MATRICES_5 } from "../tables/matrices";
import { strideOf } from "../transform/transform";

/** Bytes of the matrices of a plane type. */
const MATRICES_BYTES: usize = 32 * 32 + 32 * 16;
/** Level without matrices. */
export const NO_MATRIX: i32 = 15;

/** Weights (u8) by plane type and size, in the places of coefficients, and factors of coefficients (f32). */
const weights = memory.data(2 * PLACES, 16);
const scales = memory.data(2 * PLACES * 4, 16);

/** The same without weights, for blocks that are not transformed in both directions. */
export const flatWeights = memory.data(16 * 16, 16);
export const flatScales = memory.data(16 * 16 * 4, 16);

/**
 * The weight of their errors, by those of coefficients with weights: as much as errors of those weigh on the whole. If
 * they weighed more, such blocks would seem to cost more than others that look the same.
 */
export let flatErrors: f32 = 1;

@inline
function placeOf(plane: i32, wide: i32, high: i32): usize {
  return firstPlace(min(wide, MOST_CODED), min(high, MOST_CODED)) + (plane > 0 ? <usize>PLACES : 0);
}

@inline
export function weightsOf(plane: i32, wide: i32, high: i32): usize {
  return weights + placeOf(plane, wide, high);
}

@inline
export function scalesOf(plane: i32, wide: i32, high: i32): usize {
  return scales + (placeOf(plane, wide, high) << 2);
}

/** Returns the weight of coefficient (x, y) of a block (section 9.5.2). */
function weightAt(base: usize, x: i32, y: i32, wide: i32, high: i32): u8 {
  // The larger side stands for 32, the smaller for 16, or both for 32.
  const acrossShift = wide >= high ? 5 - wide : 4 - wide;
  const downShift = high >= wide ? 5 - high : 4 - high;
  const column = (x << acrossShift) + (((1 << acrossShift) + 1) >> 1) - 1;
  const row = (y << downShift) + (((1 << downShift) + 1) >> 1) - 1;
  if (wide == high) return load<u8>(base + row * 32 + column);
  return load<u8>(base + 1024 + (wide > high ? row * 32 + column : column * 32 + row));
}

/** Computes the weights of all sizes, after the scans. @param level 2 or 5; NO_MATRIX for none */
export function prepareMatrices(level: i32): void {
  memory.fill(weights, 32, 2 * PLACES);
  memory.fill(flatWeights, 32, 16 * 16);
  for (let i: usize = 0; i < 16 * 16; i++) store<f32>(flatScales + (i << 2), 1);
  flatErrors = level == 2 ? 0.5 : level == 5 ? 0.7 : 1;
  if (level != NO_MATRIX) fillWeights(level);
  for (let i = 0; i < 2 * PLACES; i++) {
    store<f32>(scales + ((<usize>i) << 2), <f32>32 / <f32>load<u8>(weights + i));
  }
}

function fillWeights(level: i32): void {
  for (let type = 0; type < 2; type++) {
    const base = (level == 2 ? MATRICES_2 : MATRICES_5) + <usize>type * MATRICES_BYTES;
    for (let wide = 2; wide <= 5; wide++) {
      for (let high = max(2, wide - 2); high <= min(5, wide + 2); high++) {
        const at = weightsOf(type, wide, high);
        for (let y = 0; y < 1 << high; y++) {
          for (let x = 0; x < 1 << wide; x++) {
            store<u8>(at + y * strideOf(wide) + x, weightAt(base, x, y, wide, high));
          }
        }
      }
    }
  }
}
