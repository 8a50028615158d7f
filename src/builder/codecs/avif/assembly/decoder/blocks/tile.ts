/**
 * The tile that is being decoded. Tiles beside each other take turns, one row of superblocks each, so the state of a
 * tile stands in a record of its own.
 */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { miCols, miRows } from "../headers/frame";
import { tileBytes, tileData } from "../headers/obu";
import { baseIndex } from "../headers/quantisation";
import { sbSize } from "../headers/sequence";
import { columnStart, rowStart, tileColumns } from "../headers/tiles";
import { writeDefaults } from "../symbols/cdfs";
import { DECODER_BYTES, restoreDecoder, saveDecoder, startDecoder } from "../symbols/decoder";
import { CDF_BYTES } from "../tables/cdf-layout";
import { clearAbove, clearLeft } from "./contexts";
import { resetReferences, RESTORATION_BYTES } from "./restoration-references";

/** The tile's edges in units of 4 samples, within the frame. */
export let tileLeft: i32 = 0;
export let tileRight: i32 = 0;
export let tileTop: i32 = 0;
export let tileBottom: i32 = 0;

/** A record: state of the symbol decoder, quantiser index, changes of deblocking levels, references of restoration. */
const INDEX: usize = DECODER_BYTES;
const LEVEL_DELTAS: usize = INDEX + 4;
const REFERENCES: usize = LEVEL_DELTAS + 4;
const RECORD_BYTES: usize = (REFERENCES + RESTORATION_BYTES + 15) & ~15;

let records: usize = 0;
let record: usize = 0;

export function tileStateBytes(): u64 {
  return <u64>tileColumns * (RECORD_BYTES + CDF_BYTES) + 64;
}

export function layOutTiles(): boolean {
  records = allocate(tileStateBytes());
  return records != 0;
}

/** Returns the quantiser index of blocks, from which changes go on. */
@inline
export function currentIndex(): i32 {
  return load<i32>(record, INDEX);
}

@inline
export function setCurrentIndex(index: i32): void {
  store<i32>(record, index, INDEX);
}

/** Returns the change of deblocking level `i`. */
@inline
export function levelDelta(i: i32): i32 {
  return load<i8>(record + i, LEVEL_DELTAS);
}

@inline
export function setLevelDelta(i: i32, delta: i32): void {
  store<i8>(record + i, <i8>delta, LEVEL_DELTAS);
}

/** Returns the references of the parameters of loop restoration. */
@inline
export function restorationReferences(): usize {
  return record + REFERENCES;
}

/** Goes to a tile, for one row of superblocks. @param startsTile whether it is the tile's first */
export function enterTile(row: i32, column: i32, startsTile: boolean): void {
  const shift = sbSize == 128 ? 5 : 4;
  tileLeft = columnStart(column) << shift;
  tileRight = min(columnStart(column + 1) << shift, miCols);
  tileTop = rowStart(row) << shift;
  tileBottom = min(rowStart(row + 1) << shift, miRows);
  record = records + <usize>column * RECORD_BYTES;
  const tables = records + <usize>tileColumns * RECORD_BYTES + <usize>column * CDF_BYTES;
  if (startsTile) {
    const tile = row * tileColumns + column;
    startDecoder(record, tileData(tile), tileBytes(tile));
    writeDefaults(tables, baseIndex);
    setCurrentIndex(baseIndex);
    store<u32>(record, 0, LEVEL_DELTAS);
    resetReferences(record + REFERENCES);
    clearAbove(tileLeft, columnStart(column + 1) << shift);
  }
  restoreDecoder(record, tables);
  clearLeft();
}

/** Puts the tile aside. */
export function leaveTile(): void {
  saveDecoder(record);
}
