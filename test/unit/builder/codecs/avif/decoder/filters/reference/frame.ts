/** The filters of whole frames, by the loops of the AV1 specification (sections 7.14 to 7.17). */
import { cdefSample, findDirection } from "./cdef.ts";
import { deblockLine } from "./deblock.ts";
import { selfGuided, upscale, wiener } from "./restoration.ts";

export interface Unit {
  type: number;
  wiener: number[][];
  set: number;
  xqd: number[];
}

export interface Frame {
  bitDepth: number;
  planeCount: number;
  subX: number;
  subY: number;
  matrixCoefficients: number;
  frameWidth: number;
  upscaledWidth: number;
  frameHeight: number;
  miCols: number;
  miRows: number;
  /** Samples of each plane, with those past the edges of the picture. */
  planes: number[][][];
  /** Width and height of transforms by plane (0 luma, 1 chroma) and 4 x 4 block of the plane. */
  sizes: [number, number][][][];
  /** Levels per 4 x 4 of luma: vertical, horizontal, Cb, Cr. */
  levels: number[][][];
  sharpness: number;
  planeLevels: number[];
  skips: boolean[][];
  /** Index per 64 x 64. */
  cdefIndices: number[][];
  cdefOn: boolean;
  cdefDamping: number;
  /** Strengths of luma and chroma: primary << 2 | secondary. */
  strengths: number[][];
  restorationTypes: number[];
  unitSizes: number[];
  units: Unit[][][];
}

const shiftsOf = (frame: Frame, plane: number): [number, number] =>
  plane === 0 ? [0, 0] : [frame.subX, frame.subY];
const round2 = (value: number, bits: number): number => (value + ((1 << bits) >> 1)) >> bits;

function deblockPass(frame: Frame, plane: number, pass: number): void {
  const [subX, subY] = shiftsOf(frame, plane);
  const [dx, dy] = pass === 0 ? [1, 0] : [0, 1];
  const rows = frame.planes[plane]!;
  for (let r = 0; r < frame.miRows; r += 1 << subY) {
    for (let c = 0; c < frame.miCols; c += 1 << subX) {
      const [x, y] = [c * 4, r * 4];
      if (x >= frame.frameWidth || y >= frame.frameHeight || (pass === 0 ? x === 0 : y === 0)) continue;
      const [row, col] = [r | subY, c | subX];
      const [xP, yP] = [x >> subX, y >> subY];
      const [prevRow, prevCol] = [row - (dy << subY), col - (dx << subX)];
      const sizes = frame.sizes[plane === 0 ? 0 : 1]!;
      const size = sizes[row >> subY]![col >> subX]![pass]!;
      if ((pass === 0 ? xP : yP) % size) continue;
      const before = sizes[prevRow >> subY]![prevCol >> subX]![pass]!;
      const filterSize = Math.min(plane === 0 ? 16 : 8, before, size);
      const i = plane === 0 ? pass : plane + 1;
      const level = frame.levels[row]![col]![i]! || frame.levels[prevRow]![prevCol]![i]!;
      const filter = { plane, filterSize, level, sharpness: frame.sharpness, bitDepth: frame.bitDepth };
      for (let k = 0; k < 4; k++) {
        if (pass === 0) deblockLine(rows[yP + k]!, xP, filter);
        else {
          const line = rows.slice(Math.max(0, yP - 8), yP + 8).map((samples) => samples[xP + k]!);
          const start = Math.max(0, yP - 8);
          deblockLine(line, yP - start, filter);
          line.forEach((sample, j) => (rows[start + j]![xP + k] = sample));
        }
      }
    }
  }
}

/** Deblocks the frame's planes in place. */
export function deblockFrame(frame: Frame): void {
  const [vertical, horizontal] = frame.planeLevels as [number, number];
  if (!vertical && !horizontal) return;
  for (let plane = 0; plane < frame.planeCount; plane++) {
    if (plane > 0 && !frame.planeLevels[plane + 1]) continue;
    deblockPass(frame, plane, 0);
    deblockPass(frame, plane, 1);
  }
}

const UV_DIRECTIONS = [7, 0, 2, 4, 5, 6, 6, 6];
const strengthsOf = (coded: number): [number, number] => [coded >> 2, (coded & 3) === 3 ? 4 : coded & 3];

/** Returns the planes after CDEF. */
export function cdefFrame(frame: Frame): number[][][] {
  const output = frame.planes.map((rows) => rows.map((row) => [...row]));
  if (!frame.cdefOn) return output;
  const coeffShift = frame.bitDepth - 8;
  for (let r = 0; r < frame.miRows; r += 2) {
    for (let c = 0; c < frame.miCols; c += 2) {
      const index = frame.cdefIndices[r >> 4]![c >> 4]!;
      const isSkipped = [0, 1].every((i) => frame.skips[r + i]![c] && frame.skips[r + i]![c + 1]);
      if (index === -1 || isSkipped) continue;
      const luma = (x: number, y: number): number => frame.planes[0]![y]![x]!;
      const { yDir, variance } = findDirection(luma, c * 4, r * 4, frame.bitDepth);
      for (let plane = 0; plane < frame.planeCount; plane++) {
        const [subX, subY] = shiftsOf(frame, plane);
        const coded = frame.strengths[plane === 0 ? 0 : 1]![index]!;
        const [primary, secondary] = strengthsOf(coded);
        let priStr = primary << coeffShift;
        const secStr = secondary << coeffShift;
        let dir = priStr === 0 ? 0 : yDir;
        if (plane > 0 && priStr > 0 && subX && !subY) dir = UV_DIRECTIONS[yDir]!;
        if (plane === 0) {
          const varStr = variance >> 6 ? Math.min(31 - Math.clz32(variance >> 6), 12) : 0;
          priStr = variance ? (priStr * (4 + varStr) + 8) >> 4 : 0;
        }
        const damping = frame.cdefDamping + coeffShift - (plane > 0 ? 1 : 0);
        const at = (x: number, y: number): number | null => {
          const isInside =
            x >= 0 && y >= 0 && (y << subY) >> 2 < frame.miRows && (x << subX) >> 2 < frame.miCols;
          return isInside ? frame.planes[plane]![y]![x]! : null;
        };
        const [x0, y0] = [(c * 4) >> subX, (r * 4) >> subY];
        for (let y = y0; y < y0 + (8 >> subY); y++) {
          for (let x = x0; x < x0 + (8 >> subX); x++) {
            output[plane]![y]![x] = cdefSample(at, x, y, {
              priStr,
              secStr,
              damping,
              dir,
              bitDepth: frame.bitDepth,
            });
          }
        }
      }
    }
  }
  return output;
}

/** Returns the planes of `planes` enlarged, cropped to the picture. */
export function enlargeFrame(frame: Frame, planes: number[][][], filters: number[][]): number[][][] {
  return planes.map((rows, plane) => {
    const [subX, subY] = shiftsOf(frame, plane);
    const upscaledWidth = round2(frame.upscaledWidth, subX);
    const cropped = rows.slice(0, round2(frame.frameHeight, subY));
    if (frame.upscaledWidth === frame.frameWidth) return cropped.map((row) => row.slice(0, upscaledWidth));
    const planeWidth = round2(frame.frameWidth, subX);
    const codedWidth = (frame.miCols >> subX) * 4;
    return cropped.map((row) =>
      upscale(row, filters, { planeWidth, upscaledWidth, codedWidth, bitDepth: frame.bitDepth }),
    );
  });
}

const unitCount = (unitSize: number, size: number): number =>
  Math.max(1, Math.floor((size + (unitSize >> 1)) / unitSize));

/** Returns the planes after loop restoration. `deblocked` and `deringed` are enlarged. */
export function restoreFrame(frame: Frame, deblocked: number[][][], deringed: number[][][]): number[][][] {
  return deringed.map((rows, plane) => {
    const output = rows.map((row) => [...row]);
    if (!frame.restorationTypes[plane]) return output;
    const [subX, subY] = shiftsOf(frame, plane);
    const unitSize = frame.unitSizes[plane]!;
    const unitRows = unitCount(unitSize, round2(frame.frameHeight, subY));
    const unitCols = unitCount(unitSize, round2(frame.upscaledWidth, subX));
    const endX = round2(frame.upscaledWidth, subX) - 1;
    const endY = round2(frame.frameHeight, subY) - 1;
    // Blocks of 4 x 4 as in the specification would take very long, so whole parts of a stripe in a unit are filtered.
    for (let stripe = 0; ; stripe++) {
      const stripeStart = (-8 + stripe * 64) >> subY;
      const stripeEnd = stripeStart + (64 >> subY) - 1;
      if (stripeStart > endY) return output;
      const y = Math.max(0, stripeStart);
      const h = Math.min(stripeEnd, endY) - y + 1;
      const unitRow = Math.min(unitRows - 1, Math.floor(((stripe * 64) >> subY) / unitSize));
      for (let unitCol = 0; unitCol < unitCols; unitCol++) {
        const x = unitCol * unitSize;
        const w = (unitCol === unitCols - 1 ? endX + 1 : x + unitSize) - x;
        const unit = frame.units[plane]![unitRow]![unitCol]!;
        const at = (i: number, j: number): number => {
          const sx = Math.max(0, Math.min(endX, x + i));
          const sy = Math.max(0, Math.min(endY, y + j));
          if (sy < stripeStart) return deblocked[plane]![Math.max(stripeStart - 2, sy)]![sx]!;
          if (sy > stripeEnd) return deblocked[plane]![Math.min(stripeEnd + 2, sy)]![sx]!;
          return rows[sy]![sx]!;
        };
        let part: number[][] = [];
        if (unit.type === 1) part = wiener(at, w, h, unit.wiener, frame.bitDepth);
        else if (unit.type === 2) part = selfGuided(at, w, h, unit.set, unit.xqd, frame.bitDepth);
        part.forEach((samples, j) => samples.forEach((sample, i) => (output[y + j]![x + i] = sample)));
      }
    }
  });
}
