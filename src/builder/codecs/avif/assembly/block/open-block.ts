/** The transform block that is looked at: its place, the edges that it is predicted from, and its residue. */
import { collectEdges, PREDICTION_STRIDE } from "../predict/edges";
import { strideOf } from "../transform/transform";
import { hasAboveRight, hasBelowLeft } from "./decoded";
import {
  bandTop,
  codedHeight,
  codedWidth,
  reconstructedAt,
  reconstructedRow,
  shiftOf,
  sourceAt,
  sourceRow,
  SUPERBLOCK,
} from "./planes";
import { tileLeft, tileTop } from "./tile";

/** The prediction (u8, in rows of PREDICTION_STRIDE), and the picture's difference from it (i16). */
export const prediction = memory.data(64 * 64 + 64, 16);
export const residue = memory.data(64 * 64 * 2, 16);

/** The block: plane, place in samples of the plane, log2 of its sides, and whether its transform is all of it. */
export let plane = 0;
export let x = 0;
export let y = 0;
export let wide = 0;
export let high = 0;
export let isWhole = true;

export function openBlock(
  inPlane: i32,
  atX: i32,
  atY: i32,
  log2Wide: i32,
  log2High: i32,
  whole: boolean,
): void {
  plane = inPlane;
  x = atX;
  y = atY;
  wide = log2Wide;
  high = log2High;
  isWhole = whole;
}

/** Collects the edges of the open block. */
export function collectBlockEdges(): void {
  const shift = shiftOf(plane);
  const width = 1 << wide;
  const height = 1 << high;
  const lumaX = x << shift;
  const lumaY = y << shift;
  let aboveCount = 0;
  if (lumaY > tileTop) {
    const most = hasAboveRight(lumaX, lumaY, width << shift) ? 2 * width : width;
    aboveCount = min(most, (codedWidth >> shift) - x);
  }
  let leftCount = 0;
  if (lumaX > tileLeft) {
    const most = hasBelowLeft(lumaX, lumaY, height << shift) ? 2 * height : height;
    leftCount = min(most, (min(codedHeight, bandTop + SUPERBLOCK) >> shift) - y);
  }
  collectEdges(reconstructedAt(plane, x, y), reconstructedRow(), width, height, aboveCount, leftCount);
}

/** Computes what the picture differs from `prediction` by. */
export function subtract(): void {
  const from = sourceAt(plane, x, y);
  const rowBytes = sourceRow();
  const stride = (<usize>strideOf(wide)) << 1;
  for (let row: usize = 0; row < (<usize>1) << high; row++) {
    for (let column: usize = 0; column < (<usize>1) << wide; column += 8) {
      const is = v128.load8x8_u(from + row * rowBytes + column);
      const was = v128.load8x8_u(prediction + row * PREDICTION_STRIDE + column);
      v128.store(residue + row * stride + (column << 1), i16x8.sub(is, was));
    }
  }
}
