/** One-dimensional curves of ICC profiles (ICC.1:2022, clauses 10.6 and 10.18), as functions of 0..1. */

/** From a share of the channel's range to another; may leave 0..1 where the profile says so. */
export type Curve = (x: number) => number;

/** The profile breaks a rule of its format, or asks for what is not done. */
export class ProfileError extends Error {}

export const clip = (x: number): number => (x < 0 ? 0 : x > 1 ? 1 : x);

/** Reads numbers of the type s15Fixed16Number (clause 4.6). */
export const fixed = (view: DataView, at: number): number => view.getInt32(at) / 65_536;

export const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

/** Four letters: the name of a tag, a type or a space. */
export const signature = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));

/**
 * A curve through `count` values, one after another and evenly spread.
 * Nothing is copied: the curve reads the profile whenever it is asked.
 */
export function sampled(view: DataView, at: number, count: number, bytes: 1 | 2): Curve {
  if (count < 2) throw new ProfileError("a curve has fewer than two points");
  const last = count - 1;
  const most = bytes === 1 ? 255 : 65_535;
  const value = (i: number): number => (bytes === 1 ? view.getUint8(at + i) : view.getUint16(at + 2 * i));
  // Reads the last one now, so that a table that reaches out of the profile is found before it is used.
  value(last);
  return (x) => {
    const position = clip(x) * last;
    const i = Math.min(Math.floor(position), last - 1);
    const low = value(i);
    return (low + (value(i + 1) - low) * (position - i)) / most;
  };
}

/**
 * Reads a `curv` or `para` at `at`, with its length in bytes.
 * @throws ProfileError or RangeError for one that is neither, or not whole
 */
export function readCurve(view: DataView, at: number): { curve: Curve; length: number } {
  const type = signature(view, at);
  if (type === "curv") return readSampled(view, at);
  if (type === "para") return readParametric(view, at);
  throw new ProfileError(`a curve of type ${type}`);
}

function readSampled(view: DataView, at: number): { curve: Curve; length: number } {
  const count = view.getUint32(at + 8);
  const length = 12 + 2 * count;
  if (count === 0) return { curve: (x) => x, length };
  if (count === 1) {
    const gamma = view.getUint16(at + 12) / 256;
    return { curve: (x) => clip(x) ** gamma, length };
  }
  return { curve: sampled(view, at + 12, count, 2), length };
}

/** How many parameters each function type has (clause 10.18, table 68). */
const PARAMETERS = [1, 3, 4, 5, 7] as const;

function readParametric(view: DataView, at: number): { curve: Curve; length: number } {
  const type = view.getUint16(at + 8);
  const count = PARAMETERS[type];
  if (count === undefined) throw new ProfileError(`a parametric curve of type ${type}`);
  const [g, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from({ length: count }, (_, i) =>
    fixed(view, at + 12 + 4 * i),
  ) as [number, ...number[]];
  const length = 12 + 4 * count;
  const power = (x: number): number => {
    const base = a * x + b;
    // A power of 0 or less than 0 is no light: types 1 and 2 say so, and the others leave it open.
    return base > 0 ? base ** g : 0;
  };
  const curves: readonly Curve[] = [
    power,
    power,
    (x) => power(x) + c,
    (x) => (x >= d ? power(x) : c * x),
    (x) => (x >= d ? power(x) + e : c * x + f),
  ];
  const curve = curves[type] as Curve;
  // An exponent below 0 runs to infinity near 0, and no light is more than infinite.
  return { curve: (x) => finite(curve(clip(x))), length };
}

function finite(x: number): number {
  if (Number.isNaN(x)) throw new ProfileError("a curve that is not a number");
  return Math.max(-1e6, Math.min(1e6, x));
}
