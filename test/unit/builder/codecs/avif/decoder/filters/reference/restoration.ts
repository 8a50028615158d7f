/** Loop restoration and super-resolution of the AV1 specification (sections 7.16 and 7.17), word by word. */

/** A sample by column and row, beyond the edges of the window too. */
export type SourceAt = (x: number, y: number) => number;

const round2 = (value: number, bits: number): number =>
  bits === 0 ? value : Math.floor((value + 2 ** (bits - 1)) / 2 ** bits);
const clip3 = (low: number, high: number, value: number): number => Math.min(high, Math.max(low, value));

const wienerTaps = (coeff: readonly number[]): number[] => {
  const [a, b, c] = coeff as [number, number, number];
  return [a, b, c, 128 - 2 * (a + b + c), c, b, a];
};

/** Returns rows of samples. `coefficients` are those of the vertical and the horizontal filter. */
export function wiener(
  at: SourceAt,
  w: number,
  h: number,
  coefficients: number[][],
  bitDepth: number,
): number[][] {
  const [vfilter, hfilter] = coefficients.map(wienerTaps) as [number[], number[]];
  const [round0, round1] = bitDepth === 12 ? [5, 9] : [3, 11];
  const offset = 1 << (bitDepth + 7 - round0 - 1);
  const limit = (1 << (bitDepth + 8 - round0)) - 1;
  const intermediate = Array.from({ length: h + 6 }, (_, r) =>
    Array.from({ length: w }, (_, c) => {
      const s = hfilter.reduce((sum, tap, t) => sum + tap * at(c + t - 3, r - 3), 0);
      return clip3(-offset, limit - offset, round2(s, round0));
    }),
  );
  return Array.from({ length: h }, (_, r) =>
    Array.from({ length: w }, (_, c) => {
      const s = vfilter.reduce((sum, tap, t) => sum + tap * intermediate[r + t]![c]!, 0);
      return clip3(0, (1 << bitDepth) - 1, round2(s, round1));
    }),
  );
}

const SETS = [
  [2, 12, 1, 4], [2, 15, 1, 6], [2, 18, 1, 8], [2, 21, 1, 9],
  [2, 24, 1, 10], [2, 29, 1, 11], [2, 36, 1, 12], [2, 45, 1, 13],
  [2, 56, 1, 14], [2, 68, 1, 15], [0, 0, 1, 5], [0, 0, 1, 8],
  [0, 0, 1, 11], [0, 0, 1, 14], [2, 30, 0, 0], [2, 75, 0, 0],
] as const; // prettier-ignore

function boxFilter(
  at: SourceAt,
  w: number,
  h: number,
  set: number,
  pass: number,
  bitDepth: number,
): number[][] {
  const r = SETS[set]![pass * 2]!;
  const eps = SETS[set]![pass * 2 + 1]!;
  const n = (2 * r + 1) ** 2;
  const n2e = n * n * eps;
  const s = Math.floor(((1 << 20) + Math.floor(n2e / 2)) / n2e);
  const oneOverN = Math.floor((4096 + (n >> 1)) / n);
  const [A, B]: [number[][], number[][]] = [[], []];
  for (let i = -1; i < h + 1; i++) {
    const [rowA, rowB]: [number[], number[]] = [[], []];
    for (let j = -1; j < w + 1; j++) {
      let [a, b] = [0, 0];
      for (let dy = -r; dy <= r; dy++) {
        for (let dx = -r; dx <= r; dx++) {
          const c = at(j + dx, i + dy);
          a += c * c;
          b += c;
        }
      }
      const d = round2(b, bitDepth - 8);
      const p = Math.max(0, round2(a, 2 * (bitDepth - 8)) * n - d * d);
      const z = round2(p * s, 20);
      const a2 = z >= 255 ? 256 : z === 0 ? 1 : Math.floor(((z << 8) + (z >> 1)) / (z + 1));
      rowA.push(a2);
      rowB.push(round2((256 - a2) * b * oneOverN, 12));
    }
    A.push(rowA);
    B.push(rowB);
  }
  const F: number[][] = [];
  for (let i = 0; i < h; i++) {
    const shift = pass === 0 && i & 1 ? 4 : 5;
    const row: number[] = [];
    for (let j = 0; j < w; j++) {
      let [a, b] = [0, 0];
      for (let dy = -1; dy <= 1; dy++) {
        for (let dx = -1; dx <= 1; dx++) {
          let weight = dx === 0 || dy === 0 ? 4 : 3;
          if (pass === 0) weight = (i + dy) & 1 ? (dx === 0 ? 6 : 5) : 0;
          a += weight * A[i + dy + 1]![j + dx + 1]!;
          b += weight * B[i + dy + 1]![j + dx + 1]!;
        }
      }
      row.push(round2(a * at(j, i) + b, 8 + shift - 4));
    }
    F.push(row);
  }
  return F;
}

/** Returns rows of samples. */
export function selfGuided(
  at: SourceAt,
  w: number,
  h: number,
  set: number,
  xqd: readonly number[],
  bitDepth: number,
): number[][] {
  const [w0, w1] = xqd as [number, number];
  const w2 = 128 - w0 - w1;
  const [r0, r1] = [SETS[set]![0], SETS[set]![2]];
  const flt0 = r0 ? boxFilter(at, w, h, set, 0, bitDepth) : [];
  const flt1 = r1 ? boxFilter(at, w, h, set, 1, bitDepth) : [];
  return Array.from({ length: h }, (_, i) =>
    Array.from({ length: w }, (_, j) => {
      const u = at(j, i) << 4;
      const v = w1 * u + w0 * (r0 ? flt0[i]![j]! : u) + w2 * (r1 ? flt1[i]![j]! : u);
      return clip3(0, (1 << bitDepth) - 1, round2(v, 11));
    }),
  );
}

export interface Enlargement {
  planeWidth: number;
  upscaledWidth: number;
  /** Samples of the row, those past the picture's edge included. */
  codedWidth: number;
  bitDepth: number;
}

/** Returns a row enlarged by `filters`, 64 of 8 taps. */
export function upscale(
  row: readonly number[],
  filters: readonly number[][],
  enlargement: Enlargement,
): number[] {
  const { planeWidth, upscaledWidth, codedWidth, bitDepth } = enlargement;
  const stepX = Math.trunc(((planeWidth << 14) + (upscaledWidth >> 1)) / upscaledWidth);
  const err = upscaledWidth * stepX - (planeWidth << 14);
  let start = Math.trunc((-((upscaledWidth - planeWidth) << 13) + (upscaledWidth >> 1)) / upscaledWidth);
  start = (start + 128 - Math.trunc(err / 2)) & 0x3fff;
  return Array.from({ length: upscaledWidth }, (_, x) => {
    const srcX = -(1 << 14) + start + x * stepX;
    const filter = filters[(srcX & 0x3fff) >> 8]!;
    const sum = filter.reduce(
      (total, tap, k) => total + tap * row[clip3(0, codedWidth - 1, (srcX >> 14) + k - 3)]!,
      0,
    );
    return clip3(0, (1 << bitDepth) - 1, round2(sum, 7));
  });
}
