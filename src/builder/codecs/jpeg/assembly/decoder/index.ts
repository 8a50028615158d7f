/**
 * A streaming JPEG decoder that reads at a DCT scale and hands out rows at the output size.
 *
 * The caller creates an instance on a zeroed memory, calls `begin`, then `step` over and over, doing what each
 * step's answer asks for (status.ts). Each step is bounded: one row of MCUs, one window of input or one batch
 * of rows. All state lives between steps, so a caller may stop anywhere.
 */
import { highWater as arenaHighWater } from "../../../../pixels/assembly/shared/arena";
import { renderBand } from "./coefficient-band";
import { colourOf } from "./colour";
import { Frame, componentAt } from "./frame";
import { allocateHuffman } from "./huffman";
import { Inbox, allocateInput, makeRoom } from "./input";
import { END_OF_FILE } from "./input";
import {
  STORE_COEFFICIENTS,
  STORE_NOTHING,
  STORE_PLANES,
} from "../../../../../image/formats/jpeg/decoder-constants";
import { layOut } from "./layout";
import { Rows, isRowReady, writeRows } from "./rows";
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
import { Turn, setTurn, transposeFrame } from "./turn";
import { initialiseZigzag } from "./zigzag";

/** What the next step does. */
const READ_SEGMENTS: i32 = 0;
const AWAIT_LAYOUT: i32 = 1;
const DECODE_SCAN: i32 = 2;
/** Everything is decoded: samples wait in planes, or coefficients are rendered band by band. */
const RENDER: i32 = 3;

let phase: i32 = READ_SEGMENTS;
let storage: i32 = STORE_NOTHING;
let bandsRendered: i32 = 0;
let rowsReady: i32 = 0;

/** @returns 0, or a fault when not even the fixed buffers fit */
export function begin(): i32 {
  initialiseZigzag();
  return allocateInput() && allocateHuffman() ? 0 : fail(FAULT_OUT_OF_MEMORY);
}

/** Bytes that may be written at `inputAddress()` now. */
export function inputRoom(): i32 {
  return makeRoom();
}
export function inputAddress(): usize {
  return Inbox.end;
}
/** `bytes` were written. */
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
/** One of STORE_*. */
export function storageKind(): i32 {
  return storage;
}
/** One of COLOUR_*. */
export function colour(): i32 {
  return colourOf();
}

/** After a step's ROWS: where they are, and how many. */
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
 * Sets the output size, upright, and the samples per block side (8, 4, 2 or 1) that each component is decoded to.
 * @param orientation that rows are given upright of, as EXIF counts; where coefficients are not stored, 1 or 2
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
  setTurn(orientation);
  componentAt(0).size = s0;
  if (Frame.components > 1) {
    componentAt(1).size = s1;
    componentAt(2).size = s2;
  }
  if (Frame.components > 3) componentAt(3).size = s3;
  if (Turn.transposed) transposeFrame();
  if (!layOut(outWidth, outHeight, storage)) return fail(FAULT_OUT_OF_MEMORY);
  // It is read as it is coded.
  if (Turn.transposed) transposeFrame();
  phase = isUseless() ? READ_SEGMENTS : DECODE_SCAN;
  return 0;
}

/** @returns NEED_INPUT, CONTINUE, FRAME, ROWS, DONE or a fault; after a fault always the same one */
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
  if (phase == READ_SEGMENTS) return readOn();
  if (phase == DECODE_SCAN) return decodeOn();
  if (storage != STORE_COEFFICIENTS || bandsRendered == Frame.mcusHigh) return DONE;
  renderBand(Turn.upwards ? Frame.mcusHigh - 1 - bandsRendered : bandsRendered);
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
  if (!isUseless()) phase = DECODE_SCAN;
  return CONTINUE;
}

/** An AC scan says nothing about a component that is read at one sample a block. */
function isUseless(): boolean {
  return Scan.isAc && scanComponent(0).size == 1;
}

function decodeOn(): i32 {
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
  for (let i = 0; i < Frame.components; i++) componentAt(i).rowsDone = componentAt(i).ringRows;
}

/** Only the end-of-image marker says that no more scans would have come. */
function finishFile(marker: i32): i32 {
  if (marker == END_OF_FILE) return fail(FAULT_TRUNCATED);
  if (Frame.components == 0 || !hasAllComponents()) return fail(FAULT_MISSING_COMPONENT);
  if (Turn.transposed) transposeFrame();
  phase = RENDER;
  return CONTINUE;
}
