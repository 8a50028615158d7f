/**
 * A decoder of AV1 still pictures, in rows of superblocks (README.md). It holds the item's bytes and some such rows.
 *
 * The caller creates an instance on a memory, makes it begin at an address from which on the memory is zero (`startAt`), calls
 * `begin` and `layOut`, and then `decodeRow` until `rowsLeft` is 0. One more instance holds the file and the bands of rows
 * that are converted to RGB (rgb/).
 */
import { allocate, highWater as arenaHighWater } from "../../../../pixels/assembly/shared/arena";
import { FAULT_OUT_OF_MEMORY } from "../../decoder-status";
import { DCT, listOf, prepareNetworks } from "../transform/networks";
import { advanceInfo, infoBytes, layOutInfo } from "./blocks/info";
import { contextBytes, layOutContexts } from "./blocks/contexts";
import { layOutRestoration, restorationBytes } from "./blocks/restoration";
import { decodeSuperblockRow, startsTiles } from "./blocks/superblock-row";
import { layOutTiles, tileStateBytes } from "./blocks/tile";
import { allowIntraBlockCopy, frameHeight, sbRows, upscaledWidth } from "./headers/frame";
import {
  filterBytes,
  filterRow,
  finishedAddress,
  finishedStride,
  hasFilters,
  layOutFilters,
} from "./filters/index";
import { layOutHeaders, readConfiguration, readItem } from "./headers/obu";
import {
  bitDepth as sampleBits,
  isFullRange,
  matrixCoefficients,
  planeCount,
  sbSize,
  subX,
  subY,
} from "./headers/sequence";
import { rowStart, tileRows } from "./headers/tiles";
import { advanceBand, bandAddress, bandBytes, bandStride, layOutBand } from "./planes";
import { layOutMatrices, matrixBytes } from "./residual/dequantise";
import { prepareScans } from "./residual/scans";
import { bandOf, layOutBands, strideOf } from "./rgb/bands";
import { convertRows, layOutConversion, setFactor } from "./rgb/convert";

/** Rows of luma that filters hold back. */
const HELD_BACK: i32 = 8;

let nextRow: i32 = 0;
/** Whether rows pass through filters. */
let isFiltered = false;

/** Allocates memory for a file or an item. @returns its address, or 0 when the memory is at its end */
export function allocateItem(bytes: u32): usize {
  return allocate(<u64>bytes);
}

/** Leaves the memory below an address to other instances. @returns false when the memory is at its end */
export function startAt(address: usize): boolean {
  const used = arenaHighWater();
  return address <= used || allocate(<u64>(address - used)) != 0;
}

/**
 * Reads the headers.
 * @param configuration the address of the OBUs in the item's configuration
 * @param layer the spatial layer to show; -1 for the highest of the operating point
 * @returns 0 or a fault
 */
export function begin(
  configuration: usize,
  configurationBytes: u32,
  at: usize,
  bytes: u32,
  operatingPoint: i32,
  layer: i32,
): i32 {
  if (!layOutHeaders()) return FAULT_OUT_OF_MEMORY;
  readConfiguration(configuration, configuration + configurationBytes, operatingPoint);
  return readItem(at, at + bytes, operatingPoint, layer);
}

/** Returns the rows of superblocks that are held at once. */
function heldRows(): i32 {
  if (!allowIntraBlockCopy) return 1;
  let most = 0;
  for (let row = 0; row < tileRows; row++) most = max(most, rowStart(row + 1) - rowStart(row));
  return most;
}

/** Returns the bytes that `layOut` allocates, after `begin`. */
export function layOutBytes(): f64 {
  const blocks = infoBytes() + contextBytes() + restorationBytes() + tileStateBytes() + matrixBytes();
  return <f64>(blocks + bandBytes(heldRows()) + (hasFilters() ? filterBytes() : 0));
}

/** Allocates the memory of the rows. @returns 0 or a fault */
export function layOut(): i32 {
  // Another instance in the same memory may have prepared the tables.
  if (load<u32>(listOf(DCT, 2, 0)) == 0) {
    prepareNetworks();
    prepareScans();
  }
  nextRow = 0;
  isFiltered = hasFilters();
  if (!layOutTiles() || !layOutContexts() || !layOutInfo()) return FAULT_OUT_OF_MEMORY;
  if (!layOutRestoration() || !layOutMatrices() || !layOutBand(heldRows())) return FAULT_OUT_OF_MEMORY;
  return isFiltered && !layOutFilters() ? FAULT_OUT_OF_MEMORY : 0;
}

/** Decodes one more row of superblocks. @returns how many rows of luma are ready, or a fault */
export function decodeRow(): i32 {
  if (nextRow > 0) {
    advanceBand(startsTiles(nextRow));
    advanceInfo();
  }
  const fault = decodeSuperblockRow(nextRow);
  if (fault < 0) return fault;
  const ready = isFiltered ? filterRow(nextRow) : min(sbSize, frameHeight - nextRow * sbSize);
  nextRow++;
  return ready;
}

/** Returns the most rows that a call of `decodeRow` makes ready. */
export function mostRows(): i32 {
  return sbSize + HELD_BACK;
}

/** Returns the rows of superblocks that are still to be decoded. */
export function rowsLeft(): i32 {
  return sbRows - nextRow;
}

/** Returns the address of the first sample (u16) of a plane in the rows that `decodeRow` made ready. */
export function rowsAddress(plane: i32): usize {
  return isFiltered ? finishedAddress(plane) : bandAddress(plane);
}

/** Returns the bytes from one row of a plane to the next. */
export function rowsStride(plane: i32): usize {
  return isFiltered ? finishedStride(plane) : bandStride(plane);
}

export function width(): i32 {
  return upscaledWidth;
}
export function height(): i32 {
  return frameHeight;
}
export function bitDepth(): i32 {
  return sampleBits;
}
export function planes(): i32 {
  return planeCount;
}
/** Returns 1 where chroma has half as many columns. */
export function chromaShiftX(): i32 {
  return subX;
}
export function chromaShiftY(): i32 {
  return subY;
}
/** Returns matrix_coefficients of the stream. */
export function matrix(): i32 {
  return matrixCoefficients;
}
/** Returns color_range of the stream. */
export function fullRange(): i32 {
  return i32(isFullRange);
}

/** Returns the address of a row of a plane (3 is alpha) in the bands. */
export function bandRow(plane: i32, row: i32): usize {
  return bandOf(plane) + <usize>row * strideOf(plane);
}

/** Allocates bands of a picture, and the rows that are handed out. @returns 0 or a fault */
export function layOutRgb(
  pictureWidth: i32,
  heldRows: i32,
  planes: i32,
  chromaX: i32,
  chromaY: i32,
  withAlpha: i32,
  premultiplied: i32,
  outRows: i32,
  outColumns: i32,
): i32 {
  const fits =
    layOutBands(pictureWidth, heldRows, planes, chromaX, chromaY, withAlpha) &&
    layOutConversion(outRows, outColumns, premultiplied);
  return fits ? 0 : FAULT_OUT_OF_MEMORY;
}

export { convertRows, setFactor };

export function highWater(): usize {
  return arenaHighWater();
}
