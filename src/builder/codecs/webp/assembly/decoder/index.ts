/**
 * A decoder of VP8 key frames (RFC 6386), the lossy pictures of WebP. It hands out rows of RGB with the same pixels as
 * libwebp's, or of RGBA with the alpha of the file. It holds the compressed file and 32 rows.
 *
 * The caller creates an instance on a zeroed memory, writes the file at the address that `allocateFile` returns, calls
 * `begin`, and then calls `decodeRow` once per row of macroblocks. For RGBA it calls `beginAlpha` after `begin`, then
 * `readAlphaHead` until that returns 0, and `decodeRowWithAlpha` in place of `decodeRow`.
 *
 * The same module decodes pictures without loss (../lossless-decoder/index.ts).
 */
export {
  addInput,
  decodeRows,
  endInput,
  inputAddress,
  inputRoom,
  losslessRowsAddress,
  openLossless,
  readHead,
} from "../lossless-decoder/index";
export { joinedRowsAddress, readAlphaHead } from "../lossless-decoder/alpha";
import { joinRows, openAlpha, openOpaque } from "../lossless-decoder/alpha";
import { allocate, highWater as arenaHighWater } from "../../../../pixels/assembly/shared/arena";
import { keepBelow, layOutWork, moveTo } from "../shared/work";
import { enterPartition, isExhausted, leavePartition } from "./bool-decoder";
import { layOutColour, writePair, writeSingle } from "./colour";
import {
  hasSkips,
  height as frameHeight,
  LEVELS,
  MODES,
  partitionMask,
  readFrameHeader,
  width as frameWidth,
} from "./frame-header";
import { clearCoefficients, coded, layOutLevels, readLevels, skipLevels, startRow } from "./levels";
import { filterRow, layOutFilters, noteFilter } from "./loop-filter";
import { IN_BLOCKS, layOutModes, readModes, RECORD_BYTES, records, SEGMENT, SKIPPED } from "./modes";
import {
  cbRows,
  chromaStride,
  crRows,
  layOutPlanes,
  lumaRows,
  lumaStride,
  moveUp,
  takeMacroblock,
} from "./planes";
import { reconstruct } from "./reconstruct";
import { FAULT_OUT_OF_MEMORY, FAULT_TRUNCATED } from "../../decoder-status";

/** Rows that cannot be finished yet, because the next row of macroblocks is needed for loop filter and upsampling. */
const HELD_BACK: i32 = 9;
/** Most rows that one row of macroblocks finishes: its own 16, and 9 that were held back. */
const MOST_ROWS: u64 = 25;
const SLACK: u64 = 64;

let macroblocksWide = 0;
let macroblocksHigh = 0;
let rowsDecoded = 0;
let rowsWritten = 0;
let rowBytes: u32 = 0;
let rows: usize = 0;

/** Leaves the memory below an address to others. @returns false when the memory is at its end */
export function startAt(address: usize): boolean {
  const used = arenaHighWater();
  return address <= used || allocate(<u64>(address - used)) != 0;
}

/** Allocates memory for the file. @returns its address, or 0 when the memory is at its end */
export function allocateFile(bytes: u32): usize {
  return allocate(<u64>bytes);
}

/** Reads the header of the frame at `at`, and allocates the memory. @returns 0 or a fault */
export function begin(at: usize, bytes: u32): i32 {
  const fault = readFrameHeader(at, at + bytes);
  if (fault < 0) return fault;
  macroblocksWide = (frameWidth + 15) >> 4;
  macroblocksHigh = (frameHeight + 15) >> 4;
  rows = allocate(MOST_ROWS * 3 * <u64>frameWidth + SLACK);
  const fits =
    rows &&
    layOutWork(macroblocksWide) &&
    layOutModes(macroblocksWide) &&
    layOutLevels(macroblocksWide) &&
    layOutFilters(macroblocksWide) &&
    layOutPlanes(macroblocksWide) &&
    layOutColour(frameWidth);
  return fits ? 0 : FAULT_OUT_OF_MEMORY;
}

export function width(): i32 {
  return frameWidth;
}
export function height(): i32 {
  return frameHeight;
}
export function rowsAddress(): usize {
  return rows;
}
export function highWater(): usize {
  return arenaHighWater();
}

/** Returns the bytes of partitions that were loaded for the last row of macroblocks. */
export function bytesOfRow(): u32 {
  return rowBytes;
}

/** Decodes one more row of macroblocks. @returns how many rows of pixels are ready, or a fault */
export function decodeRow(): i32 {
  const y = rowsDecoded;
  enterPartition(MODES);
  readModes(macroblocksWide);
  rowBytes = leavePartition(MODES);
  if (isExhausted) return FAULT_TRUNCATED;
  const partition = LEVELS + (y & partitionMask);
  enterPartition(partition);
  startRow();
  for (let x = 0; x < macroblocksWide; x++) decodeMacroblock(x, y);
  rowBytes += leavePartition(partition);
  if (isExhausted) return FAULT_TRUNCATED;
  filterRow(macroblocksWide, y == 0);
  const end = y + 1 == macroblocksHigh ? frameHeight : 16 * (y + 1) - HELD_BACK;
  const count = writeRows(y, end);
  moveUp();
  rowsDecoded++;
  return count;
}

/**
 * Prepares rows of RGBA, with the alpha of the chunk at `at`, or opaque where there are no `bytes`.
 * @param reserve bytes for the images of its transforms and its prefix codes
 * @returns WORKING, or 0 if there is no chunk, or a fault
 */
export function beginAlpha(at: usize, bytes: u32, reserve: u32): i32 {
  return at
    ? openAlpha(frameWidth, frameHeight, <u32>MOST_ROWS, at, bytes, reserve)
    : openOpaque(frameWidth, frameHeight, <u32>MOST_ROWS);
}

/** Decodes as `decodeRow` does, with rows of RGBA. */
export function decodeRowWithAlpha(): i32 {
  const count = decodeRow();
  return count < 0 ? count : joinRows(rows, count);
}

function decodeMacroblock(x: i32, y: i32): void {
  const record = records + <usize>x * RECORD_BYTES;
  const inBlocks = load<u8>(record) == IN_BLOCKS;
  const segment = <i32>load<u8>(record, SEGMENT);
  if (hasSkips && load<u8>(record, SKIPPED)) skipLevels(x, inBlocks);
  else readLevels(x, segment, inBlocks);
  moveTo(x, y);
  reconstruct(record, y > 0, x > 0);
  keepBelow(x);
  takeMacroblock(x);
  noteFilter(x, segment, inBlocks, coded != 0);
  // A second-order block may have written DCs of blocks that have no other coefficients.
  if (!load<u8>(record, SKIPPED)) clearCoefficients();
}

/** Writes the rows of pixels from `rowsWritten` to `end`. The current row of macroblocks is the `y`-th. */
function writeRows(y: i32, end: i32): i32 {
  const start = rowsWritten;
  const outStride = <usize>frameWidth * 3;
  const base = 16 * y;
  let out = rows;
  let row = start;
  if (row == 0) {
    writeSingle(lumaRows, cbRows, crRows, out);
    out += outStride;
    row = 1;
  }
  for (; row + 1 < end; row += 2) {
    const upper = lumaRows + <usize>(row - base) * lumaStride;
    const above = <usize>((row >> 1) - (base >> 1)) * chromaStride;
    const cb = cbRows + above;
    const cr = crRows + above;
    writePair(upper, upper + lumaStride, cb, cb + chromaStride, cr, cr + chromaStride, out);
    out += 2 * outStride;
  }
  if (row < end) {
    const above = <usize>((row >> 1) - (base >> 1)) * chromaStride;
    writeSingle(lumaRows + <usize>(row - base) * lumaStride, cbRows + above, crRows + above, out);
  }
  rowsWritten = end;
  return end - start;
}
