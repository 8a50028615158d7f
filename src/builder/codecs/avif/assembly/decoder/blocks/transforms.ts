/** Reads the sizes of a block's transforms (AV1 specification sections 5.11.15 to 5.11.17). */
import { choosesTransforms, miCols, miRows } from "../headers/frame";
import { subX, subY } from "../headers/sequence";
import { cdfs, readSymbol2, readSymbol4 } from "../symbols/decoder";
import { deepestDivision, largestTransform } from "../tables/block-sizes";
import { TX_DEPTH_16, TX_DEPTH_32, TX_DEPTH_64, TX_DEPTH_8, TX_SPLIT } from "../tables/cdf-layout";
import { dividedTransform, highOf, transformSize, TX_4X4, TX_64X64, wideOf } from "../tables/transform-sizes";
import { aboveEntry, aboveValue, INTER, leftEntry, leftValue, TRANSFORM, WIDTH } from "./contexts";
import { fillArea, fillRun, infoStride, lumaSizes } from "./info";
import { isInter } from "./modes";
import {
  blockColumn,
  blockRow,
  hasAbove,
  hasLeft,
  high,
  highLog2,
  sbRow,
  size,
  wide,
  wideLog2,
} from "./position";
import { isBlockLossless, skip } from "./segment";

const MOST_DIVISIONS: i32 = 2;

/** The size of the block's transforms of luma; the last one with intra block copy, where sizes stand in `lumaSizes`. */
export let lumaTransform: i32 = 0;

/** Returns the samples that a neighbour's transform, or the whole block if it is copied, has along the edge. */
function alongAbove(): i32 {
  if (!hasAbove) return 0;
  const isCopied = aboveValue(INTER, blockColumn) != 0;
  return isCopied ? 4 << aboveValue(WIDTH, blockColumn) : aboveValue(TRANSFORM, blockColumn);
}

function alongLeft(): i32 {
  if (!hasLeft) return 0;
  return leftValue(INTER, sbRow) ? 4 << leftValue(WIDTH, sbRow) : leftValue(TRANSFORM, sbRow);
}

/** Implements read_tx_size(). */
function readSize(mayDivide: boolean): void {
  lumaTransform = TX_4X4;
  if (isBlockLossless) return;
  lumaTransform = largestTransform(size);
  if (size == 0 || !mayDivide || !choosesTransforms) return;
  const context =
    i32(alongAbove() >= 1 << wideOf(lumaTransform)) + i32(alongLeft() >= 1 << highOf(lumaTransform));
  const depth = deepestDivision(size);
  let divisions = 0;
  if (depth < 2) divisions = readSymbol2(cdfs + TX_DEPTH_8 + ((<usize>context) << 2));
  else {
    const table = depth == 4 ? TX_DEPTH_64 : depth == 3 ? TX_DEPTH_32 : TX_DEPTH_16;
    divisions = readSymbol4(cdfs + table + ((<usize>context) << 3), 3);
  }
  for (; divisions > 0; divisions--) lumaTransform = dividedTransform(lumaTransform);
}

/** Implements read_var_tx_size(). */
function readTree(row: i32, column: i32, transform: i32, depth: i32): void {
  if (row >= miRows || column >= miCols) return;
  const across = wideOf(transform);
  const down = highOf(transform);
  const left = sbRow + row - blockRow;
  if (transform != TX_4X4 && depth < MOST_DIVISIONS) {
    const isShort =
      i32(aboveValue(TRANSFORM, column) < 1 << across) + i32(leftValue(TRANSFORM, left) < 1 << down);
    const largest = min(max(wideLog2, highLog2), TX_64X64);
    const context = i32(max(across, down) - 2 != largest) * 3 + (TX_64X64 - largest) * 6 + isShort;
    if (readSymbol2(cdfs + TX_SPLIT + ((<usize>context) << 2))) {
      const part = dividedTransform(transform);
      const stepX = 1 << (wideOf(part) - 2);
      const stepY = 1 << (highOf(part) - 2);
      for (let y = 0; y < 1 << (down - 2); y += stepY) {
        for (let x = 0; x < 1 << (across - 2); x += stepX) readTree(row + y, column + x, part, depth + 1);
      }
      return;
    }
  }
  lumaTransform = transform;
  const columns = 1 << (across - 2);
  const rows = 1 << (down - 2);
  fillArea(lumaSizes + <usize>left * infoStride + column, <u8>transform, columns, rows);
  fillRun(aboveEntry(TRANSFORM, column), <u8>((<i32>1) << across), columns);
  fillRun(leftEntry(TRANSFORM, left), <u8>((<i32>1) << down), rows);
}

/** Implements read_block_tx_size(), and leaves the sizes to later blocks. */
export function readTransforms(): void {
  if (choosesTransforms && size > 0 && isInter && !skip && !isBlockLossless) {
    const largest = largestTransform(size);
    const stepX = 1 << (wideOf(largest) - 2);
    const stepY = 1 << (highOf(largest) - 2);
    for (let y = 0; y < high; y += stepY) {
      for (let x = 0; x < wide; x += stepX) readTree(blockRow + y, blockColumn + x, largest, 0);
    }
    return;
  }
  readSize(!skip || !isInter);
  fillArea(lumaSizes + <usize>sbRow * infoStride + blockColumn, <u8>lumaTransform, wide, high);
  const isWhole = skip && isInter;
  const across: i32 = isWhole ? 4 << wideLog2 : 1 << wideOf(lumaTransform);
  const down: i32 = isWhole ? 4 << highLog2 : 1 << highOf(lumaTransform);
  fillRun(aboveEntry(TRANSFORM, blockColumn), <u8>across, wide);
  fillRun(leftEntry(TRANSFORM, sbRow), <u8>down, high);
}

/** Implements get_tx_size() of chroma. */
export function chromaTransform(): i32 {
  if (isBlockLossless) return TX_4X4;
  const across = min(max(wideLog2 - subX, 0) + 2, 5);
  const down = min(max(highLog2 - subY, 0) + 2, 5);
  return transformSize(across, down);
}
