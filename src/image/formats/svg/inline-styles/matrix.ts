/** Reads `transform` attributes of SVG 1.1, without their translations. */

/** The factors a, b, c, d of a matrix. */
export type Linear = readonly [a: number, b: number, c: number, d: number];

export const IDENTITY: Linear = [1, 0, 0, 1];
const CALL = /([a-zA-Z]+)\s*\(([^)]*)\)/g;
const TOLERANCE = 1e-4;

export const times = ([a, b, c, d]: Linear, [e, f, g, h]: Linear): Linear => [
  a * e + c * f,
  b * e + d * f,
  a * g + c * h,
  b * g + d * h,
];

export function linearPart(transform: string): Linear {
  let product = IDENTITY;
  for (const [, name = "", list = ""] of transform.matchAll(CALL)) {
    const numbers = (list.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi) ?? []).map(Number);
    product = times(product, one(name, numbers));
  }
  return product;
}

function one(name: string, [x = 0, y, c = 0, d = 0]: number[]): Linear {
  const radians = (x * Math.PI) / 180;
  switch (name) {
    case "matrix":
      return [x, y ?? 0, c, d];
    case "scale":
      return [x, 0, 0, y ?? x];
    case "rotate":
      return [Math.cos(radians), Math.sin(radians), -Math.sin(radians), Math.cos(radians)];
    case "skewX":
      return [1, 0, Math.tan(radians), 1];
    case "skewY":
      return [1, Math.tan(radians), 0, 1];
    default:
      return IDENTITY;
  }
}

/** The factor by which it enlarges in every direction; null if it enlarges more in one than in another. */
export function uniformScale([a, b, c, d]: Linear): number | null {
  const [across, down] = [Math.hypot(a, b), Math.hypot(c, d)];
  const isUniform =
    Math.abs(across - down) <= TOLERANCE * across && Math.abs(a * c + b * d) <= TOLERANCE * across * down;
  return isUniform && across > 0 ? across : null;
}

/** Whether it leaves horizontal lines horizontal, and vertical ones vertical. */
export const isUpright = ([a, b, c, d]: Linear): boolean =>
  Math.abs(b) + Math.abs(c) <= TOLERANCE * (Math.abs(a) + Math.abs(d));
