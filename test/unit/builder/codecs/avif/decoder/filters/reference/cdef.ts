/** The CDEF direction and filter processes of the AV1 specification (sections 7.15.2 and 7.15.3), word by word. */

const DIVISORS = [0, 840, 420, 280, 210, 168, 140, 120, 105];
const DIRECTIONS = [
  [[-1, 1], [-2, 2]],
  [[0, 1], [-1, 2]],
  [[0, 1], [0, 2]],
  [[0, 1], [1, 2]],
  [[1, 1], [2, 2]],
  [[1, 0], [2, 1]],
  [[1, 0], [2, 0]],
  [[1, 0], [2, -1]],
]; // prettier-ignore

/** A sample, or null outside the picture. */
export type SampleAt = (x: number, y: number) => number | null;

export function findDirection(
  at: SampleAt,
  x0: number,
  y0: number,
  bitDepth: number,
): { yDir: number; variance: number } {
  const cost = new Array<number>(8).fill(0);
  const partial = Array.from({ length: 8 }, () => new Array<number>(15).fill(0));
  for (let i = 0; i < 8; i++) {
    for (let j = 0; j < 8; j++) {
      const x = (at(x0 + j, y0 + i)! >> (bitDepth - 8)) - 128;
      const lines = [i + j, i + (j >> 1), i, 3 + i - (j >> 1), 7 + i - j, 3 - (i >> 1) + j, j, (i >> 1) + j];
      lines.forEach((line, direction) => (partial[direction]![line]! += x));
    }
  }
  const square = (direction: number, line: number): number => partial[direction]![line]! ** 2;
  for (let i = 0; i < 8; i++) {
    cost[2]! += square(2, i) * DIVISORS[8]!;
    cost[6]! += square(6, i) * DIVISORS[8]!;
  }
  for (const direction of [0, 4]) {
    for (let i = 0; i < 7; i++) {
      cost[direction]! += (square(direction, i) + square(direction, 14 - i)) * DIVISORS[i + 1]!;
    }
    cost[direction]! += square(direction, 7) * DIVISORS[8]!;
  }
  for (let i = 1; i < 8; i += 2) {
    for (let j = 0; j < 5; j++) cost[i]! += square(i, 3 + j) * DIVISORS[8]!;
    for (let j = 0; j < 3; j++) cost[i]! += (square(i, j) + square(i, 10 - j)) * DIVISORS[2 * j + 2]!;
  }
  let best = 0;
  let yDir = 0;
  cost.forEach((value, direction) => {
    if (value > best) [best, yDir] = [value, direction];
  });
  return { yDir, variance: (best - cost[(yDir + 4) & 7]!) >> 10 };
}

const floorLog2 = (value: number): number => 31 - Math.clz32(value);

function constrain(diff: number, threshold: number, damping: number): number {
  if (!threshold) return 0;
  const dampingAdj = Math.max(0, damping - floorLog2(threshold));
  const size = Math.abs(diff);
  const limited = Math.min(size, Math.max(0, threshold - (size >> dampingAdj)));
  return diff < 0 ? -limited : limited;
}

export interface CdefStrengths {
  priStr: number;
  secStr: number;
  damping: number;
  dir: number;
  bitDepth: number;
}

/** Returns the filtered sample at (x, y). */
export function cdefSample(at: SampleAt, x0: number, y0: number, strengths: CdefStrengths): number {
  const { priStr, secStr, damping, dir, bitDepth } = strengths;
  const x = at(x0, y0)!;
  let [sum, max, min] = [0, x, x];
  const isOdd = (priStr >> (bitDepth - 8)) & 1;
  const add = (direction: number, k: number, sign: number, tap: number, strength: number): void => {
    const [dy, dx] = DIRECTIONS[direction & 7]![k]! as [number, number];
    const p = at(x0 + sign * dx, y0 + sign * dy);
    if (p === null) return;
    sum += tap * constrain(p - x, strength, damping);
    max = Math.max(p, max);
    min = Math.min(p, min);
  };
  for (let k = 0; k < 2; k++) {
    for (const sign of [-1, 1]) {
      add(dir, k, sign, isOdd ? 3 : k === 0 ? 4 : 2, priStr);
      for (const offset of [-2, 2]) add(dir + offset, k, sign, k === 0 ? 2 : 1, secStr);
    }
  }
  return Math.min(max, Math.max(min, x + ((8 + sum - (sum < 0 ? 1 : 0)) >> 4)));
}
