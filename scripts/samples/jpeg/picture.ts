/** Made-up pictures as quantised DCT coefficients, for the JPEG writer. */
import { randomOf } from "../random.ts";

/** Coefficients in zigzag order, 64 a block, blocks in rows of `blocksWide`. */
export interface PictureComponent {
  id: number;
  h: number;
  v: number;
  blocksWide: number;
  blocksHigh: number;
  coefficients: Int16Array;
}

export interface Picture {
  width: number;
  height: number;
  maxH: number;
  maxV: number;
  mcusWide: number;
  mcusHigh: number;
  components: PictureComponent[];
}

/** Row and column of the k-th coefficient (ITU T.81 figure A.6). */
export const ZIGZAG: readonly (readonly [row: number, column: number])[] = makeZigzag();
/** Returns the step of every coefficient, by zigzag index. */
export const quantStep = (k: number): number => 2 + (k >> 2);

function makeZigzag(): [number, number][] {
  const cells = Array.from({ length: 64 }, (_, i): [number, number] => [i >> 3, i & 7]);
  const along = ([row, column]: [number, number]): number => ((row + column) % 2 === 0 ? column : row);
  return cells.sort((a, b) => a[0] + a[1] - b[0] - b[1] || along(a) - along(b));
}

const COSINES = Array.from({ length: 64 }, (_, i) => {
  const [frequency, x] = [i >> 3, i & 7];
  return (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * x + 1) * frequency * Math.PI) / 16);
});
const cosine = (frequency: number, x: number): number => COSINES[frequency * 8 + x]!;

/** Returns the forward DCT (A.3.3) of 64 samples in rows. */
function transform(samples: Float64Array): Float64Array {
  const half = new Float64Array(64);
  const whole = new Float64Array(64);
  for (let y = 0; y < 8; y++)
    for (let u = 0; u < 8; u++)
      for (let x = 0; x < 8; x++) half[y * 8 + u]! += samples[y * 8 + x]! * cosine(u, x);
  for (let v = 0; v < 8; v++)
    for (let u = 0; u < 8; u++)
      for (let y = 0; y < 8; y++) whole[v * 8 + u]! += half[y * 8 + u]! * cosine(v, y);
  return whole;
}

/**
 * Makes a picture of smooth waves with grain, and flat parts so that blocks end early.
 * @param sampling factors of each component
 * @param options contrast 1 reaches both ends of the range, and colours beyond it
 */
export function makePicture(
  width: number,
  height: number,
  sampling: readonly (readonly [h: number, v: number])[],
  options: { seed?: number; ids?: readonly number[]; grain?: number; contrast?: number } = {},
): Picture {
  const random = randomOf(options.seed ?? 1);
  const grain = options.grain ?? 50;
  const contrast = options.contrast ?? 1;
  const maxH = Math.max(...sampling.map(([h]) => h));
  const maxV = Math.max(...sampling.map(([, v]) => v));
  const mcusWide = Math.ceil(width / (8 * maxH));
  const mcusHigh = Math.ceil(height / (8 * maxV));
  const components = sampling.map(([h, v], index): PictureComponent => {
    const blocksWide = mcusWide * h;
    const blocksHigh = mcusHigh * v;
    const coefficients = new Int16Array(blocksWide * blocksHigh * 64);
    const block = new Float64Array(64);
    for (let b = 0; b < blocksWide * blocksHigh; b++) {
      const flat = random() < 0.2 ? 0 : random() * grain;
      for (let i = 0; i < 64; i++) {
        const x = ((((b % blocksWide) * 8 + (i & 7)) / h) * maxH) / 9;
        const y = ((Math.floor(b / blocksWide) * 8 + (i >> 3)) / v) * (maxV / 7);
        const waves = 70 * Math.sin(x + index) + 40 * Math.cos(y - index);
        block[i] = contrast * waves + (random() - 0.5) * flat;
      }
      const spectrum = transform(block);
      ZIGZAG.forEach(([row, column], k) => {
        coefficients[b * 64 + k] = Math.round(spectrum[row * 8 + column]! / quantStep(k));
      });
    }
    return { id: options.ids?.[index] ?? index + 1, h, v, blocksWide, blocksHigh, coefficients };
  });
  return { width, height, maxH, maxV, mcusWide, mcusHigh, components };
}
