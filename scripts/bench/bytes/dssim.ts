/**
 * DSSIM of two pictures, 0 for equal ones: structural dissimilarity in L*a*b* over five scales with Gaussian windows,
 * after Kornel Lesinski's program dssim. It is a second measure beside SSIMULACRA 2.
 */
import type { Bitmap } from "../../harness/ssim.ts";

const SCALE_WEIGHTS = [0.028, 0.197, 0.322, 0.298, 0.155];
const C1 = 0.01 ** 2;
const C2 = 0.03 ** 2;
/** The window's weights from its middle outwards: a Gaussian with a sigma of 1.2 pixels. */
const WINDOW = [0.3345, 0.2364, 0.0834, 0.0147];
const WINDOW_SUM = WINDOW.reduce((sum, weight, i) => sum + (i === 0 ? weight : 2 * weight), 0);

interface Planes {
  width: number;
  height: number;
  /** Linear red, green and blue. */
  planes: Float32Array[];
}

const LINEAR = Float32Array.from({ length: 256 }, (_, i) => {
  const value = i / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

function linear({ width, height, data }: Bitmap): Planes {
  const planes = [0, 1, 2].map((c) =>
    Float32Array.from({ length: width * height }, (_, i) => LINEAR[data[3 * i + c]!]!),
  );
  return { width, height, planes };
}

function halve({ width, height, planes }: Planes): Planes {
  const [across, down] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  const halved = planes.map((plane) => {
    const out = new Float32Array(across * down);
    for (let y = 0; y < down; y++) {
      const upper = 2 * y * width;
      const lower = Math.min(2 * y + 1, height - 1) * width;
      for (let x = 0; x < across; x++) {
        const [left, right] = [2 * x, Math.min(2 * x + 1, width - 1)];
        const sum =
          plane[upper + left]! + plane[upper + right]! + plane[lower + left]! + plane[lower + right]!;
        out[y * across + x] = sum / 4;
      }
    }
    return out;
  });
  return { width: across, height: down, planes: halved };
}

const root = (t: number): number => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);

/** Returns L*, a* and b*, each scaled to about 0 to 1. */
function lab({ planes, width, height }: Planes): Float32Array[] {
  const [red, green, blue] = planes as [Float32Array, Float32Array, Float32Array];
  const out = [0, 1, 2].map(() => new Float32Array(width * height));
  for (let i = 0; i < red.length; i++) {
    const [r, g, b] = [red[i]!, green[i]!, blue[i]!];
    const x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
    const y = root(0.2126 * r + 0.7152 * g + 0.0722 * b);
    const z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
    out[0]![i] = 1.16 * y - 0.16;
    out[1]![i] = 0.39 + (500 / 220) * (x - y);
    out[2]![i] = 0.49 + (200 / 220) * (y - z);
  }
  return out;
}

function blur(plane: Float32Array, width: number, height: number): Float32Array {
  const pass = (
    from: Float32Array,
    step: number,
    length: number,
    lines: number,
    next: number,
  ): Float32Array => {
    const to = new Float32Array(from.length);
    for (let line = 0; line < lines; line++) {
      for (let i = 0; i < length; i++) {
        let sum = WINDOW[0]! * from[line * next + i * step]!;
        for (let k = 1; k < WINDOW.length; k++) {
          const before = from[line * next + Math.max(0, i - k) * step]!;
          sum += WINDOW[k]! * (before + from[line * next + Math.min(length - 1, i + k) * step]!);
        }
        to[line * next + i * step] = sum / WINDOW_SUM;
      }
    }
    return to;
  };
  return pass(pass(plane, 1, width, height, width), width, height, width, 1);
}

const times = (a: Float32Array, b: Float32Array): Float32Array => a.map((value, i) => value * b[i]!);

/** Returns the similarity of every pixel, averaged over three channels. */
function similarity(a: Planes, b: Planes): Float32Array {
  const { width, height } = a;
  const [first, second] = [lab(a), lab(b)];
  const sums = [0, 1, 2].map(() => new Float32Array(width * height));
  const [mixed, firstSquared, secondSquared] = sums as [Float32Array, Float32Array, Float32Array];
  const [means, others] = [new Float32Array(mixed.length), new Float32Array(mixed.length)];
  const result = new Float32Array(mixed.length);
  for (let c = 0; c < 3; c++) {
    const [x, y] = [first[c]!, second[c]!];
    means.set(blur(x, width, height));
    others.set(blur(y, width, height));
    firstSquared.set(blur(times(x, x), width, height));
    secondSquared.set(blur(times(y, y), width, height));
    mixed.set(blur(times(x, y), width, height));
    for (let i = 0; i < result.length; i++) {
      const [m, n] = [means[i]!, others[i]!];
      const covariance = mixed[i]! - m * n;
      const variances = firstSquared[i]! - m * m + secondSquared[i]! - n * n;
      const value = ((2 * m * n + C1) * (2 * covariance + C2)) / ((m * m + n * n + C1) * (variances + C2));
      result[i] = result[i]! + value / 3;
    }
  }
  return result;
}

const mean = (values: Float32Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** @param a, b RGB of the same size */
export function dssim(a: Bitmap, b: Bitmap): number {
  let [first, second] = [linear(a), linear(b)];
  let [sum, weights] = [0, 0];
  for (const [scale, weight] of SCALE_WEIGHTS.entries()) {
    if (scale > 0) [first, second] = [halve(first), halve(second)];
    if (first.width < 8 || first.height < 8) break;
    const map = similarity(first, second);
    const average = Math.max(0, mean(map)) ** (0.5 ** scale);
    sum += weight * (1 - mean(map.map((value) => Math.abs(average - value))));
    weights += weight;
  }
  return weights / sum - 1;
}
