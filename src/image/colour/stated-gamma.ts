/** Colour by a gamma and chromaticities, as the chunks gAMA and cHRM of a PNG state it. */
import type { Curve } from "./icc-curves.ts";
import type { SourceColourSpace } from "./icc-profile.ts";
import { BT709, decode, toPcs } from "./srgb.ts";

/** A colour space by its gamma and its primaries. */
export interface StatedGamma {
  /** The exponent that leads from light to samples; null for the curve of sRGB. */
  gamma: number | null;
  /** White, red, green and blue, each as x and y; null for those of BT.709. */
  chromaticities: number[] | null;
}

/** Returns the colour space that is stated; null when its primaries do not span one. */
export function gammaColourSpace({ gamma, chromaticities }: StatedGamma): SourceColourSpace | null {
  const curve: Curve = gamma === null ? decode : (x) => x ** (1 / gamma);
  const toXyz = toPcs(chromaticities === null ? BT709 : primariesOf(chromaticities));
  return toXyz.every(Number.isFinite) ? { kind: "matrix", curves: [curve, curve, curve], toXyz } : null;
}

function primariesOf(values: number[]) {
  const at = (i: number): [number, number] => [values[2 * i]!, values[2 * i + 1]!];
  return { white: at(0), red: at(1), green: at(2), blue: at(3) };
}
