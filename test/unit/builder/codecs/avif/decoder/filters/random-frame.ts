/** Frames with random blocks, samples and filters. */
import type { Frame, Unit } from "./reference/frame.ts";

export type Random = (limit: number) => number;

/** Width and height of the transform sizes, in the order of the specification. */
export const SIZES = [
  [4, 4], [8, 8], [16, 16], [32, 32], [64, 64], [4, 8], [8, 4], [8, 16], [16, 8], [16, 32],
  [32, 16], [32, 64], [64, 32], [4, 16], [16, 4], [8, 32], [32, 8], [16, 64], [64, 16],
] as const; // prettier-ignore

/** Divides an area into transforms, and fills the grid of 4 x 4 blocks with their sizes. */
function divide(
  grid: [number, number][][],
  x: number,
  y: number,
  w: number,
  h: number,
  random: Random,
): void {
  const isSize = SIZES.some(([width, height]) => width === w && height === h);
  if (isSize && random(3)) {
    for (let r = y >> 2; r < (y + h) >> 2; r++) {
      for (let c = x >> 2; c < (x + w) >> 2; c++) if (grid[r]?.[c]) grid[r]![c] = [w, h];
    }
    return;
  }
  const [halfW, halfH] = [
    w > 4 && (h === 4 || random(3)) ? w / 2 : w,
    h > 4 && (w === 4 || random(3)) ? h / 2 : h,
  ];
  if (halfW === w && halfH === h) {
    divide(grid, x, y, w, h, random);
    return;
  }
  for (let j = y; j < y + h; j += halfH) {
    for (let i = x; i < x + w; i += halfW) divide(grid, i, j, halfW, halfH, random);
  }
}

function table<T>(rows: number, columns: number, make: (row: number, column: number) => T): T[][] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => make(row, column)),
  );
}

function sizesOf(
  random: Random,
  columns: number,
  rows: number,
  width: number,
  height: number,
): [number, number][][] {
  const grid = table<[number, number]>(rows, columns, () => [4, 4]);
  for (let y = 0; y < rows * 4; y += height) {
    for (let x = 0; x < columns * 4; x += width) divide(grid, x, y, width, height, random);
  }
  return grid;
}

/** Returns samples with slopes, edges and noise. */
function samplesOf(random: Random, width: number, height: number, bitDepth: number): number[][] {
  const scale = 1 << (bitDepth - 8);
  const highest = 256 * scale - 1;
  const ground = random(160 * scale);
  const noise = 1 + random(random(2) ? 4 * scale : 40 * scale);
  const steps = table(Math.ceil(height / 8), Math.ceil(width / 8), () =>
    random(random(4) ? 12 * scale : 90 * scale),
  );
  return table(height, width, (y, x) => Math.min(highest, ground + steps[y >> 3]![x >> 3]! + random(noise)));
}

function unitOf(random: Random, type: number, plane: number): Unit {
  const part = (): number[] => [plane ? 0 : random(16) - 5, random(32) - 23, random(64) - 17];
  const isOn = random(4) > 0;
  const chosen = type === 3 ? random(3) : isOn ? type : 0;
  return {
    type: chosen,
    wiener: [part(), part()],
    set: random(16),
    xqd: [random(128) - 96, random(128) - 32],
  };
}

export function randomFrame(random: Random, sbSize: number, bitDepth: number): Frame {
  const [planeCount, subX, subY] = [[1, 1, 1], [3, 1, 1], [3, 1, 0], [3, 0, 0]][random(4)] as [number, number, number]; // prettier-ignore
  const upscaledWidth = 1 + random(random(3) ? 100 : 300);
  const frameHeight = 1 + random(random(3) ? 100 : 300);
  const isEnlarged = upscaledWidth > 40 && random(2) === 0;
  const denominator = isEnlarged ? 9 + random(8) : 8;
  const frameWidth = Math.floor((upscaledWidth * 8 + (denominator >> 1)) / denominator);
  const miCols = 2 * ((frameWidth + 7) >> 3);
  const miRows = 2 * ((frameHeight + 7) >> 3);
  const planes: number[][][] = [];
  for (let plane = 0; plane < planeCount; plane++) {
    const [shiftX, shiftY] = plane ? [subX, subY] : [0, 0];
    planes.push(samplesOf(random, (miCols * 4) >> shiftX, (miRows * 4) >> shiftY, bitDepth));
  }
  const blockLevels = table(miRows, miCols, () =>
    Array.from({ length: 4 }, () => (random(5) ? random(64) : 0)),
  );
  const cells = table(miRows, miCols, () => random(3) === 0);
  const usesRestoration = random(3) > 0;
  const restorationTypes = planes.map(() => (usesRestoration ? random(4) : 0));
  const lumaUnit = 64 << random(3);
  const unitSizes = planes.map((_, plane) =>
    plane && subX && subY && lumaUnit > 32 && random(2) ? lumaUnit / 2 : lumaUnit,
  );
  if (unitSizes.length > 1) unitSizes[2] = unitSizes[1]!;
  return {
    bitDepth,
    planeCount,
    subX,
    subY,
    matrixCoefficients: random(3),
    frameWidth,
    upscaledWidth,
    frameHeight,
    miCols,
    miRows,
    planes,
    sizes: [
      sizesOf(random, miCols, miRows, sbSize, sbSize),
      sizesOf(random, miCols >> subX, miRows >> subY, sbSize >> subX, sbSize >> subY),
    ],
    levels: table(miRows, miCols, (row, column) => blockLevels[row & ~3]![column & ~3]!),
    sharpness: random(2) ? random(8) : 0,
    planeLevels: random(5) ? Array.from({ length: 4 }, () => random(3)) : [0, 0, 0, 0],
    skips: table(miRows, miCols, (row, column) => cells[row & ~1]![column & ~1]! && random(20) > 0),
    cdefIndices: table((miRows + 15) >> 4, (miCols + 15) >> 4, () => random(9) - 1),
    cdefOn: random(4) > 0,
    cdefDamping: 3 + random(4),
    strengths: [0, 1].map(() =>
      Array.from({ length: 8 }, () => [0, random(64), random(4), random(16) << 2][random(4)]!),
    ),
    restorationTypes,
    unitSizes,
    units: planes.map((_, plane) => table(8, 8, () => unitOf(random, restorationTypes[plane]!, plane))),
  };
}
