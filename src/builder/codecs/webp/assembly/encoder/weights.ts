/** How much differences of coefficients weigh: those of low frequencies show more. */
/** Of each level's place: the diagonal of its frequency. */
const DIAGONALS = memory.data<u8>([0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6]);
/** By how much they fall from one diagonal to the next (as an exponent of e). */
const LUMA_SLOPE: f64 = 0.59;
const CHROMA_SLOPE: f64 = 0.35;
/** The second order is of the lowest frequencies: its weight over that of a DC. */
const SECOND_GAIN: f32 = 1.5;

/** In the order of levels (f32); their mean is 1. */
export const lumaWeights = memory.data(64);
export const chromaWeights = memory.data(64);
/** Of the second order, whose coefficients are twice as large as those they stand for. */
export const secondWeights = memory.data(64);

function fill(weights: usize, slope: f64): void {
  let sum: f64 = 0;
  for (let i: usize = 0; i < 16; i++) sum += Math.exp(-slope * <f64>load<u8>(DIAGONALS + i));
  for (let i: usize = 0; i < 16; i++) {
    store<f32>(weights + (i << 2), <f32>((16 / sum) * Math.exp(-slope * <f64>load<u8>(DIAGONALS + i))));
  }
}

/** Fills the tables; to be called once. */
export function prepareWeights(): void {
  fill(lumaWeights, LUMA_SLOPE);
  fill(chromaWeights, CHROMA_SLOPE);
  const second = (load<f32>(lumaWeights) / 4) * SECOND_GAIN;
  for (let i: usize = 0; i < 16; i++) store<f32>(secondWeights + (i << 2), second);
}
