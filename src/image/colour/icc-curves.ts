/** One-dimensional curves of ICC profiles (ICC.1:2022, clauses 10.6 and 10.18), as functions of 0..1. */

/** Maps one share of the channel's range to another. The result may lie outside 0 to 1 where the profile says so. */
export type Curve = (x: number) => number;

/** The profile breaks a rule of its format, or needs something that is not supported. */
export class ProfileError extends Error {}

export const clip = (x: number): number => (x < 0 ? 0 : x > 1 ? 1 : x);

/** Reads numbers of the type s15Fixed16Number (clause 4.6). */
export const fixed = (view: DataView, at: number): number => view.getInt32(at) / 65_536;

export const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

/** Returns a signature: the four letters that name a tag, a type or a colour space. */
export const signature = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));

/**
 * Returns a curve through `count` evenly spaced values.
 * It copies nothing: each call reads the profile.
 */
export function sampled(view: DataView, at: number, count: number, bytes: 1 | 2): Curve {
  if (count < 2) throw new ProfileError("a curve has fewer than two points");
  const last = count - 1;
  const most = bytes === 1 ? 255 : 65_535;
  const value = (i: number): number => (bytes === 1 ? view.getUint8(at + i) : view.getUint16(at + 2 * i));
  // Reads the last value now, so that a table that ends outside the profile is found before it is used.
  value(last);
  return (x) => {
    const position = clip(x) * last;
    const i = Math.min(Math.floor(position), last - 1);
    const low = value(i);
    return (low + (value(i + 1) - low) * (position - i)) / most;
  };
}

/**
 * Reads the `curv` or `para` element at `at`, and its length in bytes.
 * @throws ProfileError or RangeError when it is neither, or is incomplete
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

/** The number of parameters per function type (clause 10.18, table 68). */
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
    // A base of 0 or less gives no light: types 1 and 2 say so, and the others leave it open.
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
  // A negative exponent tends to infinity near 0. The result is clipped.
  return { curve: (x) => finite(curve(clip(x))), length };
}

function finite(x: number): number {
  if (Number.isNaN(x)) throw new ProfileError("a curve that is not a number");
  return Math.max(-1e6, Math.min(1e6, x));
}
