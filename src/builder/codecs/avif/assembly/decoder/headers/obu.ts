/** Walks the OBUs of an item (AV1 specification section 5.3), to the frame that is shown and the data of its tiles. */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import {
  FAULT_CORRUPT,
  FAULT_OUT_OF_MEMORY,
  FAULT_TRUNCATED,
  FAULT_UNSUPPORTED,
} from "../../../decoder-status";
import { alignToByte, hasOverrun, openBits, readBits, readFlag } from "./bits";
import { isShown, readFrame } from "./frame";
import { placeFilters, FILTER_TABLE_BYTES } from "./filter-params";
import { GRAIN_BYTES, placeGrain } from "./grain";
import { placeSegments, SEGMENT_TABLE_BYTES } from "./quantisation";
import { chosenLayers, hasSequence, placePoints, POINT_TABLE_BYTES, readSequence } from "./sequence";
import {
  placeTiles,
  TILE_TABLE_BYTES,
  tileColumns,
  tileColumnsLog2,
  tileRows,
  tileRowsLog2,
  tileSizeBytes,
} from "./tiles";

const SEQUENCE_HEADER: i32 = 1;
const TEMPORAL_DELIMITER: i32 = 2;
const FRAME_HEADER: i32 = 3;
const TILE_GROUP: i32 = 4;
const FRAME: i32 = 6;
const TILE_LIST: i32 = 8;

/** Address and bytes (u32 each) of the data of each tile. */
let tileTable: usize = 0;
let tilesSeen: i32 = 0;

export function tileData(tile: i32): usize {
  return load<u32>(tileTable + ((<usize>tile) << 3));
}

export function tileBytes(tile: i32): u32 {
  return load<u32>(tileTable + ((<usize>tile) << 3), 4);
}

/** Allocates what headers are read to. */
export function layOutHeaders(): boolean {
  const total = POINT_TABLE_BYTES + TILE_TABLE_BYTES + SEGMENT_TABLE_BYTES + FILTER_TABLE_BYTES + GRAIN_BYTES;
  let at = allocate(total);
  if (!at) return false;
  placePoints(at);
  at += <usize>POINT_TABLE_BYTES;
  placeTiles(at);
  at += <usize>TILE_TABLE_BYTES;
  placeSegments(at);
  at += <usize>SEGMENT_TABLE_BYTES;
  placeFilters(at);
  placeGrain(at + <usize>FILTER_TABLE_BYTES);
  return true;
}

/** The header of the OBU that `openObu` read. */
let type: i32 = 0;
let temporalId: i32 = 0;
let spatialId: i32 = 0;
let hasExtension = false;
let payload: usize = 0;
let payloadEnd: usize = 0;

/** Reads the header and size of the OBU at `at`. @returns 0 or a fault */
function openObu(at: usize, end: usize): i32 {
  openBits(at, end);
  if (readFlag()) return FAULT_CORRUPT;
  type = readBits(4);
  hasExtension = readFlag();
  const hasSize = readFlag();
  readFlag();
  temporalId = 0;
  spatialId = 0;
  if (hasExtension) {
    temporalId = readBits(3);
    spatialId = readBits(2);
    readBits(3);
  }
  let size: u64 = 0;
  if (hasSize) {
    for (let i = 0; i < 8; i++) {
      const byte = readBits(8);
      size |= (<u64>(byte & 0x7f)) << (7 * i);
      if (byte < 0x80) break;
    }
  }
  payload = alignToByte();
  if (hasOverrun) return FAULT_TRUNCATED;
  if (!hasSize) size = end - payload;
  if (size > <u64>(end - payload)) return FAULT_TRUNCATED;
  payloadEnd = payload + <usize>size;
  return 0;
}

/** Returns whether the OBU belongs to the operating point (section 5.3.1). */
function isInPoint(): boolean {
  if (chosenLayers == 0 || !hasExtension) return true;
  return ((chosenLayers >> temporalId) & 1) != 0 && ((chosenLayers >> (spatialId + 8)) & 1) != 0;
}

/** Returns the spatial layer that is shown: `layer`, or the highest of the operating point; -1 for any. */
function shownLayer(layer: i32): i32 {
  if (layer >= 0) return layer;
  const spatial = chosenLayers >> 8;
  return spatial == 0 ? -1 : 31 - clz<i32>(spatial);
}

/** Implements tile_group_obu(): notes where the data of tiles lies. */
function readTileGroup(at: usize): i32 {
  const count = tileColumns * tileRows;
  openBits(at, payloadEnd);
  let first = 0;
  let last = count - 1;
  if (count > 1 && readFlag()) {
    first = readBits(tileColumnsLog2 + tileRowsLog2);
    last = readBits(tileColumnsLog2 + tileRowsLog2);
  }
  let next = alignToByte();
  if (hasOverrun) return FAULT_TRUNCATED;
  if (first != tilesSeen || last < first || last >= count) return FAULT_CORRUPT;
  for (let tile = first; tile <= last; tile++) {
    let size = payloadEnd - next;
    if (tile < last) {
      if (size < <usize>tileSizeBytes) return FAULT_TRUNCATED;
      let stated: u64 = 1;
      for (let i = 0; i < tileSizeBytes; i++) stated += (<u64>load<u8>(next + i)) << (8 * i);
      next += tileSizeBytes;
      if (stated > <u64>(payloadEnd - next)) return FAULT_TRUNCATED;
      size = <usize>stated;
    }
    if (size == 0) return FAULT_TRUNCATED;
    const entry = tileTable + ((<usize>tile) << 3);
    store<u32>(entry, <u32>next);
    store<u32>(entry, <u32>size, 4);
    next += size;
  }
  tilesSeen = last + 1;
  return 0;
}

/** Reads the sequence header in the configuration of an item, where there is one. */
export function readConfiguration(from: usize, end: usize, operatingPoint: i32): void {
  for (let at = from; at < end; at = payloadEnd) {
    if (openObu(at, end) < 0) return;
    if (type == SEQUENCE_HEADER && readSequence(operatingPoint) < 0) return;
  }
}

/**
 * Reads OBUs up to the last tile of the frame that is shown.
 * @param layer the spatial layer to show; -1 for the highest of the operating point
 * @returns 0 or a fault
 */
export function readItem(from: usize, end: usize, operatingPoint: i32, layer: i32): i32 {
  /** Whether tile groups belong to the frame that is shown. */
  let isChosen = false;
  let hasStarted = false;
  for (let at = from; at < end; at = payloadEnd) {
    const fault = openObu(at, end);
    // Data after a whole picture are not needed.
    if (fault < 0) return isChosen && tilesSeen == tileColumns * tileRows ? 0 : fault;
    if (type == TILE_LIST) return FAULT_UNSUPPORTED;
    if (type == SEQUENCE_HEADER && !isChosen) {
      const sequenceFault = readSequence(operatingPoint);
      if (sequenceFault < 0) return sequenceFault;
      continue;
    }
    if (type == TEMPORAL_DELIMITER && hasStarted) break;
    if (!isInPoint()) continue;
    if (type == FRAME_HEADER || type == FRAME) {
      hasStarted = true;
      if (!hasSequence) return FAULT_CORRUPT;
      const shown = shownLayer(layer);
      if (hasExtension && shown >= 0 && spatialId != shown) continue;
      // If there are several frames, the last one is shown, which is predicted from the others.
      if (isChosen) return FAULT_UNSUPPORTED;
      const headerFault = readFrame(temporalId, spatialId);
      if (headerFault < 0) return headerFault;
      if (!isShown) return FAULT_UNSUPPORTED;
      isChosen = true;
      tilesSeen = 0;
      tileTable = allocate((<u64>(tileColumns * tileRows)) << 3);
      if (!tileTable) return FAULT_OUT_OF_MEMORY;
      if (type == FRAME) {
        const groupFault = readTileGroup(alignToByte());
        if (groupFault < 0) return groupFault;
      }
    } else if (type == TILE_GROUP && isChosen) {
      const groupFault = readTileGroup(payload);
      if (groupFault < 0) return groupFault;
    }
  }
  if (isChosen) return tilesSeen == tileColumns * tileRows ? 0 : FAULT_TRUNCATED;
  return hasStarted ? FAULT_UNSUPPORTED : FAULT_CORRUPT;
}
