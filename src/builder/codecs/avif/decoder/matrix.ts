/** The factors that bring luma and chroma to RGB of 8 bits (ITU-T H.273), as the decoder's module takes them. */
import type { Av1Format } from "./av1-picture.ts";

const IDENTITY = 0;
const UNSPECIFIED = 2;
const YCGCO = 8;
/** Shares of red and blue in luma, by matrix_coefficients. */
const SHARES: Record<number, readonly [red: number, blue: number]> = {
  1: [0.2126, 0.0722],
  4: [0.3, 0.11],
  5: [0.299, 0.114],
  6: [0.299, 0.114],
  7: [0.212, 0.087],
  9: [0.2627, 0.0593],
};
/** A matrix that follows from the primaries: those of BT.709, BT.2020 and P3. */
const DERIVED = 12;
const DERIVED_SHARES: typeof SHARES = { 1: [0.2126, 0.0722], 9: [0.2627, 0.0593], 12: [0.22897, 0.07929] };
/** Those of an unspecified matrix, as libavif has them. */
const USUAL = 6;
/** Chroma comes in sixteenths. Factors have 21 bits of fraction. */
const CHROMA_PARTS = 16;
const ONE = 2 ** 21;
const WHITE = 255;

/** Code points of ITU-T H.273. */
export interface ColourCode {
  readonly matrix: number;
  readonly primaries: number;
  readonly fullRange: boolean;
}

/** Shares of luma, Cb and Cr in a channel. */
type Mix = readonly [luma: number, cb: number, cr: number];

const LUMA: Mix = [1, 0, 0];
const GRAY = [LUMA, LUMA, LUMA] as const;

/** Returns the mix of each channel; null for a matrix that no encoder of pictures uses. */
function mixesOf(matrix: number, primaries: number): readonly [red: Mix, green: Mix, blue: Mix] | null {
  if (matrix === IDENTITY) {
    return [
      [0, 0, 1],
      [1, 0, 0],
      [0, 1, 0],
    ];
  }
  if (matrix === YCGCO) {
    return [
      [1, -1, 1],
      [1, 1, 0],
      [1, -1, -1],
    ];
  }
  const shares =
    matrix === DERIVED ? DERIVED_SHARES[primaries] : SHARES[matrix === UNSPECIFIED ? USUAL : matrix];
  if (!shares) return null;
  const [red, blue] = shares;
  const green = 1 - red - blue;
  return [
    [1, 0, 2 * (1 - red)],
    [1, (-2 * blue * (1 - blue)) / green, (-2 * red * (1 - red)) / green],
    [1, 2 * (1 - blue), 0],
  ];
}

/** Returns the lowest sample of luma, and the steps from black to white in luma and chroma. */
function rangeOf(bitDepth: number, fullRange: boolean): { black: number; luma: number; chroma: number } {
  const unit = 2 ** (bitDepth - 8);
  const most = 2 ** bitDepth - 1;
  return fullRange
    ? { black: 0, luma: most, chroma: most }
    : { black: 16 * unit, luma: 219 * unit, chroma: 224 * unit };
}

/**
 * Returns four numbers per channel: factors of luma, Cb and Cr, and a sum to add, rounding included.
 * @param code of the file where it states one, else of the stream
 * @returns null for a matrix that is not supported, or not with this layout of chroma
 */
export function factorsOf(
  { bitDepth, planes, chromaShiftX }: Pick<Av1Format, "bitDepth" | "planes" | "chromaShiftX">,
  { matrix, primaries, fullRange }: ColourCode,
): Record<"red" | "green" | "blue" | "alpha", readonly number[]> | null {
  // Without chroma, all channels are luma, with any matrix.
  const mixes = planes === 1 ? GRAY : mixesOf(matrix, primaries);
  if (!mixes || (matrix === IDENTITY && planes === 3 && chromaShiftX === 1)) return null;
  const { black, luma, chroma } = rangeOf(bitDepth, fullRange);
  // Identity has no chroma: all planes have the range of luma.
  const isIdentity = matrix === IDENTITY && planes === 3;
  const middle = isIdentity ? black : 2 ** (bitDepth - 1);
  const steps = isIdentity ? luma : chroma;
  const channel = ([y, cb, cr]: Mix): readonly number[] => {
    const lumaFactor = Math.round((y * WHITE * ONE) / luma);
    const chromaFactors = [cb, cr].map((share) => Math.round((share * WHITE * ONE) / steps / CHROMA_PARTS));
    const offset = chromaFactors.reduce(
      (sum, factor) => sum - factor * middle * CHROMA_PARTS,
      -lumaFactor * black,
    );
    return [lumaFactor, ...chromaFactors, offset + ONE / 2];
  };
  const [red, green, blue] = mixes.map(channel) as [number[], number[], number[]];
  return { red, green, blue, alpha: alphaFactors(bitDepth, true) };
}

/** Returns the factors of alpha. */
export function alphaFactors(bitDepth: number, fullRange: boolean): readonly number[] {
  const { black, luma } = rangeOf(bitDepth, fullRange);
  const factor = Math.round((WHITE * ONE) / luma);
  return [factor, 0, 0, -factor * black + ONE / 2];
}
