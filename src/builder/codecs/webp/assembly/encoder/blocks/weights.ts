/** Weights of differences of coefficients. Those of low frequencies are more visible. */

/** The diagonal of the frequency of each level. */
const DIAGONALS = memory.data<u8>([0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6]);
/** By how much weights fall from one diagonal to the next, as an exponent of e. */
const LUMA_SLOPE: f64 = 0.59;
const CHROMA_SLOPE: f64 = 0.35;
/** The weight of the second order, which has the lowest frequencies, relative to that of a DC. */
const SECOND_GAIN: f32 = 1.5;

/** The weights of luma in the order of levels (f32). Their mean is 1. */
export const lumaWeights = memory.data(64);
export const chromaWeights = memory.data(64);
/** The weights of the second order, whose coefficients are twice as large as those they represent. */
export const secondWeights = memory.data(64);

function fill(weights: usize, slope: f64): void {
  let sum: f64 = 0;
  for (let i: usize = 0; i < 16; i++) sum += Math.exp(-slope * <f64>load<u8>(DIAGONALS + i));
  for (let i: usize = 0; i < 16; i++) {
    store<f32>(weights + (i << 2), <f32>((16 / sum) * Math.exp(-slope * <f64>load<u8>(DIAGONALS + i))));
  }
}

/** Fills the tables. Must be called once. */
export function prepareWeights(): void {
  fill(lumaWeights, LUMA_SLOPE);
  fill(chromaWeights, CHROMA_SLOPE);
  const second = (load<f32>(lumaWeights) / 4) * SECOND_GAIN;
  for (let i: usize = 0; i < 16; i++) store<f32>(secondWeights + (i << 2), second);
}
