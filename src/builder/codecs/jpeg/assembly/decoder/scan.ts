/** Decodes the data of a scan: MCUs in order, and restarts (ITU T.81 F.2.2.4). Decoding can stop and resume. */
import { Component, Frame } from "./frame";
import { Bits, END_OF_FILE, Window, fillWindow, isRestart, unusedBits } from "./input";
import { HISTORY_BYTES, decodeAcFirst } from "./progressive/progressive-ac";
import { decodeDcFirst, decodeDcRefine } from "./progressive/progressive-dc";
import { decodeAcRefine } from "./progressive/progressive-refine";
import { renderBlock } from "./render";
import { GO_ON, Scan, beginInterval, scanComponent } from "./scan-header";
import { EOI } from "./segments";
import { BLOCK, decodeBlock } from "./sequential";
import { FAULT_LEFTOVER, FAULT_MARKER, FAULT_TRUNCATED, NEED_INPUT, Work, fail } from "./status";
import { codedColumns, codedFirstColumn, codedFirstRow, codedRows } from "./orient";

/** The answers of `decodeMcuRow` beside NEED_INPUT and faults. */
export const ROW_DONE: i32 = 1;
export const SCAN_DONE: i32 = 2;

const UNITS_PER_BLOCK: i32 = 8;
/** Where the coefficients of blocks outside the crop are written. */
const NOWHERE: usize = memory.data(128, 16);

/** Makes sure that one more MCU can be read. @returns GO_ON, NEED_INPUT or a fault */
function ensureInput(): i32 {
  if (Bits.pointer >= Window.limit) return GO_ON;
  fillWindow();
  if (Bits.pointer >= Window.limit) return GO_ON;
  return Window.marker == 0 ? NEED_INPUT : fail(endedEarly());
}

function endedEarly(): i32 {
  return Window.marker == END_OF_FILE || Window.marker == EOI ? FAULT_TRUNCATED : FAULT_MARKER;
}

/** Passes the restart marker that must follow (F.2.2.4). @returns GO_ON, NEED_INPUT or a fault */
function passRestart(): i32 {
  fillWindow();
  const unused = unusedBits();
  if (unused < 0) return fail(endedEarly());
  if (unused >= 8) return fail(FAULT_LEFTOVER);
  if (Window.marker == 0) return NEED_INPUT;
  if (!isRestart(Window.marker) || (Window.marker & 7) != Scan.nextRestart) return fail(endedEarly());
  Scan.nextRestart = (Scan.nextRestart + 1) & 7;
  beginInterval();
  return GO_ON;
}

/**
 * Decodes up to the end of the current row of MCUs. A later call continues where this one stopped.
 * @returns ROW_DONE, SCAN_DONE, NEED_INPUT or a fault
 */
export function decodeMcuRow(): i32 {
  const from = Scan.mcuX;
  if (from == 0) placeBands();
  let status = GO_ON;
  while (Scan.mcuX < Scan.mcusWide) {
    if (Frame.restartInterval != 0 && Scan.untilRestart == 0) {
      status = passRestart();
      if (status != GO_ON) break;
    }
    status = ensureInput();
    if (status != GO_ON) break;
    const mcus = Scan.isAc ? decodeBandMcus() : 1;
    if (!Frame.progressive) decodeMcu();
    else if (!Scan.isAc) decodeDcMcu();
    Scan.mcuX += mcus;
    Scan.untilRestart -= mcus;
  }
  Work.units += <u64>((Scan.mcuX - from) * Scan.blocksPerMcu * UNITS_PER_BLOCK);
  if (status != GO_ON) return status;
  Scan.mcuX = 0;
  Scan.mcuY++;
  if (Scan.mcuY < Scan.mcusHigh) return ROW_DONE;
  return unusedBits() < 0 ? fail(endedEarly()) : SCAN_DONE;
}

/** Sets where in the rings the samples of this row of MCUs are written: 0 for a row outside the crop. */
function placeBands(): void {
  for (let i = 0; i < Scan.components; i++) {
    const component = scanComponent(i);
    component.bandTop = 0;
    if (component.ringRows == 0 || !isRowKept(component)) continue;
    const row = (Scan.mcuY * component.down * component.size) % component.ringRows;
    component.bandTop = component.samples + <usize>row * <usize>component.stride;
  }
}

/** Returns whether the crop needs this row of MCUs. The stored blocks are whole MCUs. */
@inline
function isRowKept(component: Component): boolean {
  const row = Scan.mcuY * component.down - codedFirstRow(component);
  return row >= 0 && row < codedRows(component);
}

/** Decodes one MCU of a sequential scan to samples. Blocks outside the crop are read and dropped. */
function decodeMcu(): void {
  for (let i = 0; i < Scan.components; i++) {
    const component = scanComponent(i);
    const across = component.across;
    const down = component.down;
    const column = Scan.mcuX * across - component.firstColumn;
    if (component.bandTop == 0 || column < 0 || column >= component.columns) {
      for (let block = across * down; block > 0; block--) decodeBlock(component, 0);
      continue;
    }
    const size = component.size;
    const stride = <usize>component.stride;
    const quant = component.quant;
    const lastUseful = component.lastUseful;
    let row = component.bandTop + <usize>(column * size);
    for (let y = 0; y < down; y++, row += stride * <usize>size) {
      for (let x = 0; x < across; x++) {
        const last = decodeBlock(component, lastUseful);
        renderBlock(size, BLOCK, quant, row + <usize>(x * size), stride, last);
      }
    }
  }
}

/** Decodes one MCU of a DC scan. */
function decodeDcMcu(): void {
  for (let i = 0; i < Scan.components; i++) {
    const component = scanComponent(i);
    const across = component.across;
    const down = component.down;
    const columns = codedColumns(component);
    const column = Scan.mcuX * across - codedFirstColumn(component);
    const isKept = isRowKept(component) && column >= 0 && column < columns;
    const firstRow = Scan.mcuY * down - codedFirstRow(component);
    for (let y = 0; y < down; y++) {
      const block = (firstRow + y) * columns + column;
      for (let x = 0; x < across; x++) {
        const at = isKept
          ? component.coefficients + <usize>(block + x) * <usize>component.coefficientBytes
          : NOWHERE;
        if (Scan.isRefinement) decodeDcRefine(at);
        else decodeDcFirst(component, at);
      }
    }
  }
}

/**
 * Decodes blocks of an AC scan up to a border of the crop, the end of the row or the next restart, or until the window
 * runs low.
 */
function decodeBandMcus(): i32 {
  const component = scanComponent(0);
  let blocks = Scan.mcusWide - Scan.mcuX;
  if (Frame.restartInterval != 0) blocks = min<i32>(blocks, Scan.untilRestart);
  const columns = codedColumns(component);
  const column = Scan.mcuX - codedFirstColumn(component);
  const isKept = isRowKept(component) && column >= 0 && column < columns;
  if (isKept) blocks = min<i32>(blocks, columns - column);
  else if (column < 0) blocks = min<i32>(blocks, -column);
  const row = Scan.mcuY - codedFirstRow(component);
  const bytes = isKept ? component.coefficientBytes : 0;
  const coefficients = isKept
    ? component.coefficients + <usize>(row * columns + column) * <usize>bytes
    : NOWHERE;
  const block = <usize>(Scan.mcuY * component.paddedBlocksWide + Scan.mcuX);
  const history = component.history + block * HISTORY_BYTES;
  return Scan.isRefinement
    ? decodeAcRefine(component, coefficients, bytes, history, blocks)
    : decodeAcFirst(component, coefficients, bytes, history, blocks);
}
