/**
 * Decodes the alpha of a lossy picture (RFC 9649, 2.7.1.2) in rows, beside the rows of colour. The chunk is in memory as a
 * whole; if it is compressed, it is a picture without loss that has no header, and alpha is its green.
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { addInput, endInput, makeRoom, roomBytes } from "./bits";
import { advanceHead, codedWidth, isHeadRead, startHead } from "./head";
import { layOutLossless } from "./index";
import { decodePixels } from "./pixels";
import { joinAlpha, writeGreen } from "./samples";
import { finishRow } from "./transforms";
import {
  FAULT_CORRUPT,
  FAULT_OUT_OF_MEMORY,
  FAULT_TRUNCATED,
  NEED_INPUT,
  WORKING,
} from "../../decoder-status";

const HEADER_BYTES: u32 = 1;
const COMPRESSED: u32 = 1;
const HORIZONTAL: u32 = 1;
const VERTICAL: u32 = 2;
const GRADIENT: u32 = 3;
const OPAQUE: u8 = 255;
const SLACK: u64 = 64;

let width: u32 = 0;
let height: u32 = 0;
let isCompressed = false;
let filter: u32 = 0;
/** The data that are not decoded yet, or not in the reader's buffer. */
let at: usize = 0;
let end: usize = 0;
let rowsRead: u32 = 0;
/** The last row, and the one before. */
let row: usize = 0;
let above: usize = 0;
let out: usize = 0;

/** Allocates rows of RGBA. @returns false when the memory is at its end */
function layOut(pictureWidth: u32, pictureHeight: u32, batch: u32): boolean {
  width = pictureWidth;
  height = pictureHeight;
  row = allocate(<u64>width + SLACK);
  above = allocate(<u64>width + SLACK);
  out = allocate(4 * <u64>batch * <u64>width + SLACK);
  return row && above && out ? true : false;
}

/** Prepares rows whose pixels are all opaque, for a file that has no chunk of alpha. @returns 0 or a fault */
export function openOpaque(pictureWidth: u32, pictureHeight: u32, batch: u32): i32 {
  if (!layOut(pictureWidth, pictureHeight, batch)) return FAULT_OUT_OF_MEMORY;
  memory.fill(row, OPAQUE, width);
  return 0;
}

/** Prepares the alpha whose chunk is at `from`. @returns WORKING or a fault */
export function openAlpha(
  pictureWidth: u32,
  pictureHeight: u32,
  batch: u32,
  from: usize,
  bytes: u32,
  reserve: u32,
): i32 {
  if (!layOut(pictureWidth, pictureHeight, batch)) return FAULT_OUT_OF_MEMORY;
  if (bytes <= HEADER_BYTES) return FAULT_TRUNCATED;
  const header = <u32>load<u8>(from);
  const method = header & 3;
  filter = (header >> 2) & 3;
  const preprocessing = (header >> 4) & 3;
  // libwebp refuses the higher values of both, and reserved bits, and so do browsers.
  if (method > COMPRESSED || preprocessing > 1 || header >> 6) return FAULT_CORRUPT;
  isCompressed = method == COMPRESSED;
  at = from + HEADER_BYTES;
  end = from + bytes;
  if (!isCompressed) return <u64>(end - at) < <u64>width * <u64>height ? FAULT_TRUNCATED : WORKING;
  if (!layOutLossless(width, height, reserve)) return FAULT_OUT_OF_MEMORY;
  startHead(width, height);
  return WORKING;
}

export function joinedRowsAddress(): usize {
  return out;
}

/** Hands the next data to the reader. */
function feed(): void {
  const to = makeRoom();
  const bytes = min(roomBytes(), end - at);
  memory.copy(to, at, bytes);
  addInput(bytes);
  at += bytes;
  if (at == end) endInput();
}

/** Reads on in what precedes alpha. @returns 0 when all of it is read, else WORKING or a fault */
export function readAlphaHead(): i32 {
  if (!isCompressed) return 0;
  let status = advanceHead();
  if (status == NEED_INPUT) {
    feed();
    status = WORKING;
  }
  return status == WORKING && isHeadRead() ? 0 : status;
}

/** Decodes the pixels of `count` more rows. @returns 0 or a fault */
function decode(count: u32): i32 {
  const goal = (rowsRead + count) * codedWidth;
  let status = decodePixels(goal);
  while (status == NEED_INPUT) {
    feed();
    status = decodePixels(goal);
  }
  return status;
}

/** Takes alpha from the row as it is coded, the neighbours that it was predicted from added. */
function unfilter(coded: usize): void {
  if (filter == 0) {
    memory.copy(row, coded, width);
    return;
  }
  if (rowsRead == 0 || filter == HORIZONTAL) {
    let left = rowsRead == 0 ? 0 : <u32>load<u8>(above);
    for (let x: usize = 0; x < <usize>width; x++) {
      left = (left + load<u8>(coded + x)) & 255;
      store<u8>(row + x, <u8>left);
    }
    return;
  }
  if (filter == VERTICAL) {
    for (let x: usize = 0; x < <usize>width; x += 16) {
      v128.store(row + x, i8x16.add(v128.load(above + x), v128.load(coded + x)));
    }
    return;
  }
  assert(filter == GRADIENT);
  let left = <i32>load<u8>(above);
  let corner = left;
  for (let x: usize = 0; x < <usize>width; x++) {
    const upper = <i32>load<u8>(above + x);
    const predicted = min(max(left + upper - corner, 0), 255);
    left = (predicted + load<u8>(coded + x)) & 255;
    corner = upper;
    store<u8>(row + x, <u8>left);
  }
}

/** Reads the next row of alpha into `row`. */
function nextRow(): void {
  const last = above;
  above = row;
  row = last;
  if (isCompressed) {
    // The row is unfiltered where it is written.
    writeGreen(finishRow(rowsRead, codedWidth), width, row);
    unfilter(row);
  } else {
    unfilter(at);
    at += width;
  }
  rowsRead++;
}

/** Joins `count` rows of RGB with the next rows of alpha. @returns `count` or a fault */
export function joinRows(rgb: usize, count: u32): i32 {
  const hasAlpha = end != 0;
  const fault = isCompressed ? decode(count) : 0;
  if (fault < 0) return fault;
  for (let i: u32 = 0; i < count; i++) {
    if (hasAlpha) nextRow();
    joinAlpha(rgb + 3 * <usize>(i * width), row, width, out + 4 * <usize>(i * width));
  }
  return count;
}
