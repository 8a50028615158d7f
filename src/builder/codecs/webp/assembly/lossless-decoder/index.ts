/**
 * A decoder of VP8L, the lossless pictures of WebP (RFC 9649, 3), in rows. It holds the last 2^20 pixels, the data of
 * its tiles, and a part of the compressed data.
 *
 * The caller creates an instance on a zeroed memory, calls `openLossless`, and then `readHead` until it returns 0 and
 * `decodeRows` until it has all rows. When one of them returns NEED_INPUT, the caller writes the next bytes of the chunk
 * at the address that `inputAddress` returns, at most `inputRoom` of them, and calls `addInput`, or `endInput` where there
 * are none.
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import {
  addInput as takeInput,
  endInput as finishInput,
  isInputEnded,
  isStarved,
  keepPlace,
  layOutInput,
  makeRoom,
  readBits,
  returnToPlace,
  roomBytes,
} from "./bits";
import { advanceHead, codedWidth, isHeadRead, startHead } from "./head";
import { decodePixels, layOutRing } from "./pixels";
import { layOutReserve } from "./reserve";
import { writeRgb, writeRgba } from "./samples";
import { finishRow, layOutTransforms } from "./transforms";
import {
  FAULT_CORRUPT,
  FAULT_OUT_OF_MEMORY,
  FAULT_TRUNCATED,
  NEED_INPUT,
  WORKING,
} from "../../decoder-status";

const SIGNATURE: u32 = 0x2f;
const SLACK: u64 = 64;

let width: u32 = 0;
let height: u32 = 0;
let channels: u32 = 0;
let batchRows: u32 = 0;
let rows: usize = 0;
let rowsWritten: u32 = 0;
let isSizeRead = false;

/** Allocates what both pictures without loss and planes of alpha take. @returns false when the memory is at its end */
export function layOutLossless(pictureWidth: u32, pictureHeight: u32, reserveBytes: u32): boolean {
  return (
    layOutInput() &&
    layOutRing(pictureWidth * pictureHeight) &&
    layOutTransforms(pictureWidth) &&
    layOutReserve(reserveBytes)
  );
}

/**
 * Allocates all the memory that a picture of this size takes.
 * @param reserve bytes for the images of its transforms and its prefix codes
 * @param samples how many are handed out of each pixel: 3 or 4
 * @param batch the most rows that are handed out at once
 * @returns 0 or a fault
 */
export function openLossless(
  pictureWidth: u32,
  pictureHeight: u32,
  reserve: u32,
  samples: u32,
  batch: u32,
): i32 {
  width = pictureWidth;
  height = pictureHeight;
  channels = samples;
  batchRows = batch;
  rows = allocate(<u64>batch * <u64>width * <u64>samples + SLACK);
  return rows && layOutLossless(width, height, reserve) ? 0 : FAULT_OUT_OF_MEMORY;
}

export function inputAddress(): usize {
  return makeRoom();
}
export function inputRoom(): usize {
  return roomBytes();
}
export function addInput(bytes: u32): void {
  takeInput(bytes);
}
export function endInput(): void {
  finishInput();
}
export function losslessRowsAddress(): usize {
  return rows;
}

/** Reads the size, which must be the one that memory was allocated for (3.4). */
function readSize(): i32 {
  keepPlace();
  const signature = readBits(8);
  const statedWidth = readBits(14) + 1;
  const statedHeight = readBits(14) + 1;
  readBits(1);
  const version = readBits(3);
  if (isStarved) {
    returnToPlace();
    return isInputEnded() ? FAULT_TRUNCATED : NEED_INPUT;
  }
  if (signature != SIGNATURE || version != 0) return FAULT_CORRUPT;
  if (statedWidth != width || statedHeight != height) return FAULT_CORRUPT;
  isSizeRead = true;
  startHead(width, height);
  return WORKING;
}

/** Reads on in what precedes the pixels. @returns 0 when all of it is read, else WORKING, NEED_INPUT or a fault */
export function readHead(): i32 {
  const status = isSizeRead ? advanceHead() : readSize();
  return status == WORKING && isSizeRead && isHeadRead() ? 0 : status;
}

/** Decodes the next rows. @returns how many are ready, NEED_INPUT or a fault */
export function decodeRows(): i32 {
  const count = min(batchRows, height - rowsWritten);
  const status = decodePixels((rowsWritten + count) * codedWidth);
  if (status < 0) return status;
  let to = rows;
  for (let i: u32 = 0; i < count; i++) {
    const pixels = finishRow(rowsWritten++, codedWidth);
    if (channels == 4) writeRgba(pixels, width, to);
    else writeRgb(pixels, width, to);
    to += <usize>(width * channels);
  }
  return count;
}
