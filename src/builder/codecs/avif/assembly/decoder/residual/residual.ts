/** Predicts and reconstructs the transform blocks of a block (AV1 specification sections 5.11.34 to 5.11.36). */
import { CFL_PRED, chromaMode, isInter } from "../blocks/modes";
import { infoStride, lumaSizes } from "../blocks/info";
import { paintPalette } from "../blocks/palette-map";
import { paletteSizeUV, paletteSizeY } from "../blocks/palette";
import {
  blockColumn,
  blockRow,
  hasAbove,
  hasAboveChroma,
  hasChroma,
  hasLeft,
  hasLeftChroma,
  high,
  sbRow,
  wide,
} from "../blocks/position";
import { isBlockLossless, skip } from "../blocks/segment";
import { chromaTransform, lumaTransform } from "../blocks/transforms";
import { copyBlock } from "../blocks/copy";
import { miCols, miRows } from "../headers/frame";
import { subX, subY } from "../headers/sequence";
import { collectLuma } from "../intra/chroma-from-luma";
import { predict } from "../intra/predict";
import { bandAddress, bandStride, planeSubX, planeSubY } from "../planes";
import { transformSize, TX_4X4, highOf, wideOf } from "../tables/transform-sizes";
import { addTransform } from "../transform/inverse";
import { addLossless } from "../transform/lossless";
import { countBelowLeft, countAboveRight, markDecoded } from "./decoded";
import { readCoefficients, transformType } from "./coefficients";

/** Blocks of 64 x 64, in units of 4 samples: larger ones are coded in such parts. */
const PART: i32 = 16;

/** Columns and rows of luma, within the superblock row, that the block's last transforms end at. */
let lumaRight: i32 = 0;
let lumaBottom: i32 = 0;

/**
 * Returns the address of the first sample of a place, in units of 4 samples of the plane; rows count from the
 * superblock row.
 */
@inline
function sampleAt(plane: i32, column: i32, row: i32): usize {
  return bandAddress(plane) + <usize>(row << 2) * bandStride(plane) + ((<usize>column) << 3);
}

/** Predicts a transform block of a block that is not copied. */
function predictPart(plane: i32, column: i32, row: i32, size: i32, to: usize): void {
  const stride = bandStride(plane);
  const columns = 1 << wideOf(size);
  const rows = 1 << highOf(size);
  const shiftX = planeSubX(plane);
  const shiftY = planeSubY(plane);
  const firstColumn = blockColumn >> shiftX;
  const firstRow = sbRow >> shiftY;
  if (plane == 0 ? paletteSizeY > 0 : paletteSizeUV > 0) {
    paintPalette(plane, to, stride, (column - firstColumn) << 2, (row - firstRow) << 2, columns, rows);
    return;
  }
  const insideX = ((miCols >> shiftX) - column) << 2;
  const insideY = ((miRows >> shiftY) - ((blockRow - sbRow) >> shiftY) - row) << 2;
  let aboveCount = 0;
  let leftCount = 0;
  if (row > firstRow || (plane == 0 ? hasAbove : hasAboveChroma)) {
    aboveCount = min(insideX, columns + countAboveRight(plane, column, row, columns));
  }
  if (column > firstColumn || (plane == 0 ? hasLeft : hasLeftChroma)) {
    leftCount = min(insideY, rows + countBelowLeft(plane, column, row, rows));
  }
  predict(plane, to, stride, columns, rows, aboveCount, leftCount, insideX, insideY);
}

/** Implements transform_block(). */
function reconstructPart(plane: i32, column: i32, row: i32, size: i32): void {
  const to = sampleAt(plane, column, row);
  if (!isInter) {
    predictPart(plane, column, row, size, to);
    if (plane == 0) {
      lumaRight = (column << 2) + (1 << wideOf(size));
      lumaBottom = (row << 2) + (1 << highOf(size));
    }
  }
  if (!skip && readCoefficients(plane, column, row, size) > 0) {
    if (isBlockLossless) addLossless(to, bandStride(plane));
    else addTransform(size, transformType, to, bandStride(plane));
  }
  markDecoded(plane, column, row, size);
}

/** Implements transform_tree() of a copied block. */
function reconstructTree(column: i32, row: i32, columns: i32, rows: i32): void {
  if (column >= miCols || blockRow - sbRow + row >= miRows) return;
  const size = <i32>load<u8>(lumaSizes + <usize>row * infoStride + column);
  const across = 31 - clz<i32>(columns) + 2;
  const down = 31 - clz<i32>(rows) + 2;
  if (across <= wideOf(size) && down <= highOf(size)) {
    reconstructPart(0, column, row, transformSize(across, down));
    return;
  }
  const halfColumns = columns < rows ? columns : columns >> 1;
  const halfRows = columns > rows ? rows : rows >> 1;
  for (let y = 0; y < rows; y += halfRows) {
    for (let x = 0; x < columns; x += halfColumns)
      reconstructTree(column + x, row + y, halfColumns, halfRows);
  }
}

/** Reconstructs the transform blocks of a plane in a part of the block. Places and sides are in units of the plane. */
function reconstructPlane(plane: i32, size: i32, column: i32, row: i32, columns: i32, rows: i32): void {
  const stepX = (1 << wideOf(size)) >> 2;
  const stepY = (1 << highOf(size)) >> 2;
  const endX = min(column + columns, miCols >> planeSubX(plane));
  const endY = min(row + rows, (miRows - blockRow + sbRow) >> planeSubY(plane));
  for (let y = row; y < endY; y += stepY) {
    for (let x = column; x < endX; x += stepX) reconstructPart(plane, x, y, size);
  }
}

/** Collects the luma that chroma is predicted from. */
function collectForChroma(size: i32): void {
  const column = blockColumn >> subX;
  const row = sbRow >> subY;
  const insideX = (lumaRight >> subX) - (column << 2);
  const insideY = (lumaBottom >> subY) - (row << 2);
  const from = sampleAt(0, column << subX, row << subY);
  collectLuma(from, bandStride(0), insideX, insideY, 1 << wideOf(size), 1 << highOf(size));
}

/** Predicts and reconstructs the block. */
export function reconstructBlock(): void {
  if (isInter) copyBlock();
  const chromaSize = hasChroma ? chromaTransform() : TX_4X4;
  const isCfl = hasChroma && !isInter && chromaMode == CFL_PRED;
  for (let y = 0; y < high; y += PART) {
    for (let x = 0; x < wide; x += PART) {
      const column = blockColumn + x;
      const row = sbRow + y;
      const columns = min(wide, PART);
      const rows = min(high, PART);
      if (isInter && !isBlockLossless) reconstructTree(column, row, columns, rows);
      else reconstructPlane(0, lumaTransform, column, row, columns, rows);
      if (!hasChroma) continue;
      const chromaColumns = max(columns >> subX, 1);
      const chromaRows = max(rows >> subY, 1);
      if (isCfl) collectForChroma(chromaSize);
      for (let plane = 1; plane < 3; plane++) {
        reconstructPlane(plane, chromaSize, column >> subX, row >> subY, chromaColumns, chromaRows);
      }
    }
  }
}
