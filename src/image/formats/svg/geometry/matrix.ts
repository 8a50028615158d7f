/** Transforms of a drawing, as lists of SVG 1.1. */
import type { Box, Outline } from "./outline.ts";

/** As in SVG: x' = a x + c y + e, y' = b x + d y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
export const scaling = (x: number, y = x): Matrix => [x, 0, 0, y, 0, 0];
export const moving = (x: number, y: number): Matrix => [1, 0, 0, 1, x, y];

/** Returns the matrix that applies first `inner`, then `outer`. */
export const after = (outer: Matrix, inner: Matrix): Matrix => {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
};

/** Returns the transform of shares of a box. */
export const sharesOf = ({ left, top, right, bottom }: Box): Matrix => [
  right - left,
  0,
  0,
  bottom - top,
  left,
  top,
];

/** Returns the box around a transformed box. */
export function transformed([a, b, c, d, e, f]: Matrix, { left, top, right, bottom }: Box): Box {
  const xs = [a * left + c * top, a * right + c * top, a * left + c * bottom, a * right + c * bottom];
  const ys = [b * left + d * top, b * right + d * top, b * left + d * bottom, b * right + d * bottom];
  return {
    left: Math.min(...xs) + e,
    right: Math.max(...xs) + e,
    top: Math.min(...ys) + f,
    bottom: Math.max(...ys) + f,
  };
}

/** Returns how far the lines of a transformed outline reach down and across. */
export const reachOf = (
  { across, down }: Outline,
  [a, b, c, d]: Matrix,
): { rows: number; columns: number } => ({
  rows: Math.abs(b) * across + Math.abs(d) * down,
  columns: Math.abs(a) * across + Math.abs(c) * down,
});

const TOLERANCE = 1e-4;

/**
 * Returns the factor by which a matrix enlarges in every direction; null if it enlarges more in one than in another.
 */
export function uniformScale([a, b, c, d]: Matrix): number | null {
  const [across, down] = [Math.hypot(a, b), Math.hypot(c, d)];
  const isUniform =
    Math.abs(across - down) <= TOLERANCE * across && Math.abs(a * c + b * d) <= TOLERANCE * across * down;
  return isUniform && across > 0 ? across : null;
}

/** Returns whether a matrix leaves horizontal lines horizontal, and vertical ones vertical. */
export const isUpright = ([a, b, c, d]: Matrix): boolean =>
  Math.abs(b) + Math.abs(c) <= TOLERANCE * (Math.abs(a) + Math.abs(d));

const NAME_MAX_CHARACTERS = 32;
const LIST_MAX_CHARACTERS = 400;
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/gi;

/** Reads a list of transforms. A bracket within brackets makes it invalid, so the text after it does not count. */
export function readTransforms(list: string): Matrix {
  let matrix = IDENTITY;
  for (const part of list.split(")")) {
    const open = part.indexOf("(");
    if (open < 0) continue;
    const name = part
      .slice(Math.max(0, open - NAME_MAX_CHARACTERS), open)
      .trim()
      .toLowerCase();
    const texts = part.slice(open + 1, open + 1 + LIST_MAX_CHARACTERS).match(NUMBER) ?? [];
    matrix = after(matrix, readTransform(name.replace(/^[\s,]+/, ""), texts.map(Number)));
  }
  return matrix;
}

function readTransform(name: string, [p = 0, q, r, s = 0, t = 0, u = 0]: number[]): Matrix {
  switch (name) {
    case "matrix":
      return [p, q ?? 0, r ?? 0, s, t, u];
    case "translate":
      return moving(p, q ?? 0);
    case "scale":
      return scaling(p, q ?? p);
    case "rotate": {
      const angle = (p * Math.PI) / 180;
      const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
      return after(after(moving(q ?? 0, r ?? 0), [cos, sin, -sin, cos, 0, 0]), moving(-(q ?? 0), -(r ?? 0)));
    }
    case "skewx":
      return [1, 0, Math.tan((p * Math.PI) / 180), 1, 0, 0];
    case "skewy":
      return [1, Math.tan((p * Math.PI) / 180), 0, 1, 0, 0];
    default:
      return IDENTITY;
  }
}
