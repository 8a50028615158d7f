/** sRGB (IEC 61966-2-1), Display P3, and matrices between linear RGB and the profile connection space. */

/** Three rows of three. */
export type Matrix = readonly [number, number, number, number, number, number, number, number, number];
type Chromaticity = readonly [x: number, y: number];

export interface Primaries {
  red: Chromaticity;
  green: Chromaticity;
  blue: Chromaticity;
  white: Chromaticity;
}

/** The white of the profile connection space (ICC.1, clause 7.2.16). */
export const D50 = [0.9642, 1, 0.8249] as const;
export const D65: Chromaticity = [0.3127, 0.329];

const BRADFORD: Matrix = [0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296];

export function multiply(m: Matrix, n: Matrix): Matrix {
  const cell = (row: number, column: number): number =>
    at(m, 3 * row) * at(n, column) +
    at(m, 3 * row + 1) * at(n, column + 3) +
    at(m, 3 * row + 2) * at(n, column + 6);
  return [0, 1, 2].flatMap((row) => [cell(row, 0), cell(row, 1), cell(row, 2)]) as unknown as Matrix;
}

const at = (m: Matrix, i: number): number => m[i] as number;

export function apply(m: Matrix, [x, y, z]: readonly [number, number, number]): [number, number, number] {
  return [m[0] * x + m[1] * y + m[2] * z, m[3] * x + m[4] * y + m[5] * z, m[6] * x + m[7] * y + m[8] * z];
}

/** Returns the inverse, by cofactors. Its values are not finite where there is none. */
export function invert([a, b, c, d, e, f, g, h, i]: Matrix): Matrix {
  const [A, B, C] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const s = 1 / (a * A + b * B + c * C);
  return [
    s * A,
    s * (c * h - b * i),
    s * (b * f - c * e),
    s * B,
    s * (a * i - c * g),
    s * (c * d - a * f),
    s * C,
    s * (b * g - a * h),
    s * (a * e - b * d),
  ];
}

/**
 * Returns the matrix from linear light of these primaries to XYZ relative to D50. Their white is adapted to D50 by the
 * Bradford transform, as in profiles (ICC.1, annex E).
 */
export function toPcs({ red, green, blue, white }: Primaries): Matrix {
  const xyz = ([x, y]: Chromaticity): [number, number, number] => [x / y, 1, (1 - x - y) / y];
  const [r, g, b] = [xyz(red), xyz(green), xyz(blue)];
  const unscaled: Matrix = [r[0], g[0], b[0], r[1], g[1], b[1], r[2], g[2], b[2]];
  const [sr, sg, sb] = apply(invert(unscaled), xyz(white));
  const [from, to] = [apply(BRADFORD, xyz(white)), apply(BRADFORD, D50)];
  const scale: Matrix = [to[0] / from[0], 0, 0, 0, to[1] / from[1], 0, 0, 0, to[2] / from[2]];
  const adapt = multiply(invert(BRADFORD), multiply(scale, BRADFORD));
  return multiply(adapt, multiply(unscaled, [sr, 0, 0, 0, sg, 0, 0, 0, sb]));
}

/** ITU-R BT.709's primaries, which are sRGB's. */
export const BT709: Primaries = { red: [0.64, 0.33], green: [0.3, 0.6], blue: [0.15, 0.06], white: D65 };

/** The primaries of Display P3 (SMPTE EG 432-1) with the white of sRGB. Its curve is that of sRGB. */
export const DISPLAY_P3: Primaries = {
  red: [0.68, 0.32],
  green: [0.265, 0.69],
  blue: [0.15, 0.06],
  white: D65,
};

/** XYZ relative to D50 to linear light of sRGB. */
export const PCS_TO_LINEAR: Matrix = invert(toPcs(BT709));

/** Converts light of 0..1 to sRGB's value of 0..1. */
export const encode = (light: number): number =>
  light <= 0.0031308 ? Math.max(0, 12.92 * light) : light >= 1 ? 1 : 1.055 * light ** (1 / 2.4) - 0.055;

/** Converts sRGB's value of 0..1 to light of 0..1. */
export const decode = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
