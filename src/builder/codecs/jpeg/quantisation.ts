/**
 * Quantisation of JPEG variants: the step of each coefficient, the weight of its errors, and the price of a bit.
 *
 * All constants were fitted together, over crops of photographs, for the fewest bytes at equal quality: SSIMULACRA 2
 * scores of 75 and 85 (three parts) and equal multi-scale SSIM (one part). Afterwards the steps of Cb and Cr became one
 * table, at the logarithms' mean and 0.1 above it, over twenty photographs at 236 and 500 pixels.
 */

/** Index in rows of the k-th coefficient in zigzag order (ITU T.81 figure A.6). */
// prettier-ignore
export const ZIGZAG = Uint8Array.of(
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5,
  12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
  58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
);

/** Natural logarithms of steps at distances from the DC coefficient. They are interpolated between these. */
interface Curve {
  readonly distances: readonly number[];
  readonly logarithms: readonly number[];
}

const LUMA: Curve = {
  distances: [0, 1, 2, 3, 5, 7, 9.9],
  logarithms: [2.053, 2.526, 3.437, 3.437, 3.942, 4.249, 4.503],
};
/** Cb and Cr share a table: one of its own for each is larger, and no better at equal bytes. */
const CHROMA: Curve = {
  distances: [0, 1, 2.5, 5, 9.9],
  logarithms: [2.294, 3.101, 3.733, 3.612, 4.212],
};
/** Added to the logarithm of a luma step on the diagonal, and in proportion beside it. */
const LUMA_DIAGONAL = 0.104;

/** The weight of an error of one level is (step / step of the first AC coefficient) to this power. */
const WEIGHT_POWER = 0.616;

/** Arguments of the module's `prepare`. */
export const RATE = {
  lumaLambda: Math.exp(-2.118),
  maskAdded: Math.exp(3.797),
  maskPower: 0.364,
} as const;

const CHROMA_LAMBDA = Math.exp(-3.642);
/** The scale from which the price of a bit of chroma is whole. */
const COARSE_SCALE = 0.455;
const LEAST_SHARE = 0.5;

/** Returns the price of a bit of chroma: with fine steps, the bits of chroma are worth more than at a coarse scale. */
export const chromaLambdaOf = (scale: number): number =>
  CHROMA_LAMBDA * Math.max(LEAST_SHARE, Math.min(1, scale / COARSE_SCALE));

/** Returns the logarithm of a step at a distance from the DC coefficient. */
function along({ distances, logarithms }: Curve, distance: number): number {
  let i = 1;
  while (i + 1 < distances.length && distances[i]! < distance) i++;
  const [from, to] = [distances[i - 1]!, distances[i]!];
  const share = (distance - from) / (to - from);
  return logarithms[i - 1]! + share * (logarithms[i]! - logarithms[i - 1]!);
}

export interface Quantisation {
  /** 64 steps in rows, 1 to 255. */
  readonly steps: Uint8Array;
  /** 64 weights of an error of one level, in zigzag order. */
  readonly weights: Float32Array;
}

function table(curve: Curve, diagonal: number, scale: number): Quantisation {
  const steps = Uint8Array.from({ length: 64 }, (_, i) => {
    const [across, down] = [i & 7, i >> 3];
    const slant = i === 0 ? 0 : Math.min(across, down) / Math.max(across, down);
    const step = scale * Math.exp(along(curve, Math.hypot(across, down)) + diagonal * slant);
    return Math.max(1, Math.min(255, Math.round(step)));
  });
  const weights = Float32Array.from(ZIGZAG, (at) => (steps[at]! / steps[1]!) ** WEIGHT_POWER);
  return { steps, weights };
}

/**
 * Returns the tables of luma, and of Cb and Cr.
 * @param scale factor on all steps: a smaller one gives a better picture and a larger file
 */
export const quantisation = (scale: number): [luma: Quantisation, chroma: Quantisation] => [
  table(LUMA, LUMA_DIAGONAL, scale),
  table(CHROMA, 0, scale),
];
