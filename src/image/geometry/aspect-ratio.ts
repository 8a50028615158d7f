/** Aspect ratios, written `16:9` in requests and settings and `16x9` in the names of variants (RULES 5.8). */
import { CROP } from "../../limits.ts";
import type { Size } from "./size.ts";

/** Width over height, two whole numbers. */
export type Ratio = Size;

const RATIO = /^([1-9]\d{0,3}):([1-9]\d{0,3})$/;

/** Reads `W:H`: whole numbers from 1 to 9999 without sign, space or leading zero. Null for anything else. */
export function parseRatio(text: string): Ratio | null {
  const match = RATIO.exec(text);
  return match ? { width: Number(match[1]), height: Number(match[2]) } : null;
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

/** Returns the ratio in lowest terms: `32:18` becomes `16:9`, which makes the same crops. */
export function reducedRatio({ width, height }: Ratio): Ratio {
  const divisor = greatestDivisor(width, height);
  return { width: width / divisor, height: height / divisor };
}

/**
 * Returns the listed ratio that is nearest to a box of `width` by `height`; the first one when two are equally near.
 * Null when none is within 1 %.
 * @param listed ratios, each written `W:H`
 */
export function nearestRatio(listed: readonly string[], { width, height }: Size): string | null {
  let nearest: { text: string; distance: number } | null = null;
  for (const text of listed) {
    const ratio = parseRatio(text);
    if (!ratio) continue;
    const distance = Math.abs(ratio.width / ratio.height - width / height);
    if (!nearest || distance < nearest.distance) nearest = { text, distance };
  }
  const ratio = nearest && parseRatio(nearest.text);
  if (!ratio) return null;
  // Compared in whole numbers, so that a distance of exactly 1 % is accepted.
  const wanted = width * ratio.height;
  return 100 * Math.abs(ratio.width * height - wanted) <= CROP.nearestRatioMaxPercent * wanted
    ? nearest!.text
    : null;
}
