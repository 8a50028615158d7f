/** CIEDE2000 (CIE 142-2001; Sharma, Wu and Dalal 2005) between pictures in sRGB. */
import type { Bitmap } from "../../../scripts/harness/ssim.ts";

export type Lab = readonly [L: number, a: number, b: number];

/** sRGB's white, D65. */
const WHITE = [0.95047, 1, 1.08883] as const;

/** The light of every code of sRGB. */
const LIGHT = Float64Array.from({ length: 256 }, (_, code) => {
  const v = code / 255;
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
});

export function labOf(r: number, g: number, b: number): Lab {
  const [lr, lg, lb] = [LIGHT[r] as number, LIGHT[g] as number, LIGHT[b] as number];
  const f = (t: number): number => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
  const x = f((0.4124564 * lr + 0.3575761 * lg + 0.1804375 * lb) / WHITE[0]);
  const y = f(0.2126729 * lr + 0.7151522 * lg + 0.072175 * lb);
  const z = f((0.0193339 * lr + 0.119192 * lg + 0.9503041 * lb) / WHITE[2]);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const RADIANS = Math.PI / 180;
const cos = (degrees: number): number => Math.cos(degrees * RADIANS);

function hueOf(a: number, b: number): number {
  if (a === 0 && b === 0) return 0;
  const degrees = Math.atan2(b, a) / RADIANS;
  return degrees < 0 ? degrees + 360 : degrees;
}

/**
 * Returns the hypotenuse. Math.hypot guards against overflow, which colours are far from, and takes ten times as long.
 */
const hypot = (a: number, b: number): number => Math.sqrt(a * a + b * b);

export function ciede2000([L1, a1, b1]: Lab, [L2, a2, b2]: Lab): number {
  const seventh = (c: number): number => Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7));
  const G = 0.5 * (1 - seventh((hypot(a1, b1) + hypot(a2, b2)) / 2));
  const [p1, p2] = [(1 + G) * a1, (1 + G) * a2];
  const [C1, C2] = [hypot(p1, b1), hypot(p2, b2)];
  const [h1, h2] = [hueOf(p1, b1), hueOf(p2, b2)];
  const isNeutral = C1 * C2 === 0;
  let turn = h2 - h1;
  if (turn > 180) turn -= 360;
  if (turn < -180) turn += 360;
  const dH = isNeutral ? 0 : 2 * Math.sqrt(C1 * C2) * Math.sin((turn / 2) * RADIANS);
  const L = (L1 + L2) / 2;
  const C = (C1 + C2) / 2;
  const sum = h1 + h2;
  const middle = Math.abs(h1 - h2) <= 180 ? sum / 2 : sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2;
  const h = isNeutral ? sum : middle;
  const T = 1 - 0.17 * cos(h - 30) + 0.24 * cos(2 * h) + 0.32 * cos(3 * h + 6) - 0.2 * cos(4 * h - 63);
  const SL = 1 + (0.015 * (L - 50) ** 2) / Math.sqrt(20 + (L - 50) ** 2);
  const SC = 1 + 0.045 * C;
  const SH = 1 + 0.015 * C * T;
  const RT = -2 * seventh(C) * Math.sin(60 * Math.exp(-(((h - 275) / 25) ** 2)) * RADIANS);
  const [l, c, hue] = [(L2 - L1) / SL, (C2 - C1) / SC, dH / SH];
  return Math.sqrt(l * l + c * c + hue * hue + RT * c * hue);
}

/** Returns the distances over all pixels of two pictures of one size; alpha does not count. */
export function colourDistance(mine: Bitmap, theirs: Bitmap): { mean: number; worst: number } {
  let sum = 0;
  let worst = 0;
  const pixels = mine.width * mine.height;
  const at = ({ data, channels }: Bitmap, i: number, c: number): number => data[i * channels + c] ?? 0;
  const lab = (picture: Bitmap, i: number): Lab =>
    labOf(at(picture, i, 0), at(picture, i, 1), at(picture, i, 2));
  const isSame = (i: number): boolean => {
    for (let c = 0; c < 3; c++) if (at(mine, i, c) !== at(theirs, i, c)) return false;
    return true;
  };
  for (let i = 0; i < pixels; i++) {
    if (isSame(i)) continue;
    const distance = ciede2000(lab(mine, i), lab(theirs, i));
    sum += distance;
    worst = Math.max(worst, distance);
  }
  return { mean: sum / pixels, worst };
}
