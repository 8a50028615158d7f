/**
 * A streaming JPEG decoder. It decodes at a DCT scale and hands out rows at the output size.
 *
 * The caller creates an instance on a zeroed memory and calls `begin`. Then it calls `step` repeatedly and does what
 * each answer asks for (../../decoder-status.ts). Each step is bounded: one row of MCUs, one window of input or one
 * batch of rows. A caller may stop after any step.
 */
import { highWater as arenaHighWater } from "../../../../pixels/assembly/shared/arena";
import { renderBand } from "./coefficient-band";
import { colourOf } from "./colour";
import { Crop, Frame, componentAt } from "./frame";
import { allocateHuffman } from "./huffman";
import { Inbox, allocateInput, makeRoom } from "./input";
import { END_OF_FILE } from "./input";
import {
  STORE_COEFFICIENTS,
  STORE_NOTHING,
  STORE_PLANES,
} from "../../../../../image/formats/jpeg/decoder-constants";
import { layOut } from "./layout";
import { Rows, areAllWritten, isRowReady, writeRows } from "./rows";
import { ROW_DONE, SCAN_DONE, decodeMcuRow } from "./scan";
import { Scan, beginScan, scanComponent } from "./scan-header";
import { SOS, readSegments } from "./segments";
import {
  CONTINUE,
  DONE,
  FAULT_MISSING_COMPONENT,
  FAULT_OUT_OF_MEMORY,
  FAULT_TRUNCATED,
  FRAME,
  Fault,
  ROWS,
  Work,
  fail,
} from "./status";
import { Orientation, setOrientation, transposeFrame } from "./orient";
import { initialiseZigzag } from "./zigzag";

/** The phases of decoding, by which the next step is chosen. */
const READ_SEGMENTS: i32 = 0;
const AWAIT_LAYOUT: i32 = 1;
const DECODE_SCAN: i32 = 2;
/** All scans are read. Samples are in planes, or coefficients are rendered one row of MCUs at a time. */
const RENDER: i32 = 3;

let phase: i32 = READ_SEGMENTS;
let storage: i32 = STORE_NOTHING;
let bandsRendered: i32 = 0;
let rowsReady: i32 = 0;

/** Allocates the buffers whose size is fixed. @returns 0 or a fault */
export function begin(): i32 {
  initialiseZigzag();
  return allocateInput() && allocateHuffman() ? 0 : fail(FAULT_OUT_OF_MEMORY);
}

/** Returns the bytes that may be written at `inputAddress()` now. */
export function inputRoom(): i32 {
  return makeRoom();
}
export function inputAddress(): usize {
  return Inbox.end;
}
/** Accepts `bytes` that the caller has written at `inputAddress()`. */
export function acceptInput(bytes: i32): void {
  Inbox.end += <usize>bytes;
}
export function endInput(): void {
  Inbox.finished = true;
}

export function frameWidth(): i32 {
  return Frame.width;
}
export function frameHeight(): i32 {
  return Frame.height;
}
export function frameComponents(): i32 {
  return Frame.components;
}
export function componentH(index: i32): i32 {
  return componentAt(index).h;
}
export function componentV(index: i32): i32 {
  return componentAt(index).v;
}
/** Returns what is stored of the whole picture before its first row: one of STORE_*. */
export function storageKind(): i32 {
  return storage;
}
/** Returns the colour model: one of COLOUR_*. */
export function colour(): i32 {
  return colourOf();
}

/** Returns the address of the rows after `step` has answered ROWS. */
export function rowsAddress(): usize {
  return Rows.batch;
}
export function rowCount(): i32 {
  return rowsReady;
}
export function workUnits(): f64 {
  return <f64>Work.units;
}
export function highWater(): usize {
  return arenaHighWater();
}

/**
 * Sets the part of the picture that is handed out, in pixels of the frame as transposed but not mirrored. Call it before
 * `configure`; without it the whole picture is handed out.
 */
export function crop(left: i32, top: i32, width: i32, height: i32): void {
  Crop.left = left;
  Crop.top = top;
  Crop.width = width;
  Crop.height = height;
}

/**
 * Sets the size of the output as displayed, and the samples per block side (8, 4, 2 or 1) at which each component is
 * decoded.
 * @param orientation EXIF orientation of the file, which is undone; only 1 or 2 where coefficients are not stored
 * @returns 0 or a fault
 */
export function configure(
  outWidth: i32,
  outHeight: i32,
  orientation: i32,
  s0: i32,
  s1: i32,
  s2: i32,
  s3: i32,
): i32 {
  setOrientation(orientation);
  componentAt(0).size = s0;
  if (Frame.components > 1) {
    componentAt(1).size = s1;
    componentAt(2).size = s2;
  }
  if (Frame.components > 3) componentAt(3).size = s3;
  if (Orientation.transposed) transposeFrame();
  if (Crop.width == 0) crop(0, 0, Frame.width, Frame.height);
  if (!layOut(outWidth, outHeight, storage)) return fail(FAULT_OUT_OF_MEMORY);
  // The file is still read as it is coded, so the frame is transposed back.
  if (Orientation.transposed) transposeFrame();
  phase = canSkipScan() ? READ_SEGMENTS : DECODE_SCAN;
  return 0;
}

/**
 * Does the next bounded piece of work.
 * @returns NEED_INPUT, CONTINUE, FRAME, ROWS, DONE or a fault; after a fault always the same one
 */
export function step(): i32 {
  const status = Fault.code == 0 ? advance() : 0;
  return Fault.code != 0 ? Fault.code : status;
}

function advance(): i32 {
  if (phase == AWAIT_LAYOUT) return FRAME;
  if (isRowReady()) {
    rowsReady = writeRows();
    return ROWS;
  }
  if (areAllWritten()) return DONE;
  if (phase == READ_SEGMENTS) return readOn();
  if (phase == DECODE_SCAN) return decodeNext();
  if (storage != STORE_COEFFICIENTS || bandsRendered == Frame.mcusHigh) return DONE;
  renderBand(Orientation.upwards ? Frame.mcusHigh - 1 - bandsRendered : bandsRendered);
  bandsRendered++;
  return CONTINUE;
}

function readOn(): i32 {
  const marker = readSegments();
  if (marker <= 0) return marker;
  if (marker != SOS) return finishFile(marker);
  const isFirst = Scan.count == 0;
  const fault = beginScan();
  if (fault < 0) return fault;
  if (isFirst) {
    if (Frame.progressive) storage = STORE_COEFFICIENTS;
    else if (Scan.components < Frame.components) storage = STORE_PLANES;
    phase = AWAIT_LAYOUT;
    return FRAME;
  }
  if (!canSkipScan()) phase = DECODE_SCAN;
  return CONTINUE;
}

/** Returns whether the scan can be skipped: AC coefficients do not matter to a component with one sample per block. */
function canSkipScan(): boolean {
  return Scan.isAc && scanComponent(0).size == 1;
}

function decodeNext(): i32 {
  const status = decodeMcuRow();
  if (status != ROW_DONE && status != SCAN_DONE) return status;
  if (storage == STORE_NOTHING) {
    for (let i = 0; i < Frame.components; i++) componentAt(i).rowsDone += componentAt(i).bandRows;
    if (status == SCAN_DONE) phase = RENDER;
  } else if (status == SCAN_DONE) {
    phase = storage == STORE_PLANES && hasAllComponents() ? RENDER : READ_SEGMENTS;
    if (phase == RENDER) releasePlanes();
  }
  return CONTINUE;
}

function hasAllComponents(): boolean {
  for (let i = 0; i < Frame.components; i++) if (!componentAt(i).scanned) return false;
  return true;
}

function releasePlanes(): void {
  for (let i = 0; i < Frame.components; i++) componentAt(i).rowsDone = componentAt(i).paddedHeight;
}

/** Ends the reading of a file whose scans are stored. Without an end-of-image marker, further scans are missing. */
function finishFile(marker: i32): i32 {
  if (marker == END_OF_FILE) return fail(FAULT_TRUNCATED);
  if (Frame.components == 0 || !hasAllComponents()) return fail(FAULT_MISSING_COMPONENT);
  if (Orientation.transposed) transposeFrame();
  phase = RENDER;
  return CONTINUE;
}
