/** A scan (ITU T.81 B.2.3): its header, its order of MCUs (A.2), restarts (F.2.2.4), and points to resume at. */
import { Component, Frame, MAX_BLOCKS_PER_MCU, MAX_COMPONENTS, componentAt } from "./frame";
import { huffmanTable } from "./huffman";
import { Bits, END_OF_FILE, Inbox, Window, fillWindow, isRestart, startSegment, unusedBits } from "./input";
import { Band, decodeAcFirst, decodeAcRefine, decodeDcFirst, decodeDcRefine } from "./progressive";
import { renderBlock } from "./render";
import { EOI, quantTable, readU16 } from "./segments";
import { BLOCK, decodeBlock } from "./sequential";
import {
  FAULT_LEFTOVER,
  FAULT_MARKER,
  FAULT_MISSING_TABLE,
  FAULT_SCAN,
  FAULT_TOO_MANY_SCANS,
  FAULT_TRUNCATED,
  NEED_INPUT,
  Work,
  fail,
} from "./status";

/** What a step of the scan answers beside NEED_INPUT and faults. */
export const ROW_DONE: i32 = 1;
export const SCAN_DONE: i32 = 2;
const GO_ON: i32 = 1;

/** Real files have about ten; more only multiplies the work a small file can ask for. */
const MAX_SCANS: i32 = 500;
/** The deepest point transform that leaves a bit of a coefficient (B.2.3). */
const MAX_SHIFT: i32 = 13;
const UNITS_A_BLOCK: i32 = 8;

const members: usize = memory.data(16, 16);

export abstract class Scan {
  static components: i32 = 0;
  static mcusWide: i32 = 0;
  static mcusHigh: i32 = 0;
  static mcuX: i32 = 0;
  static mcuY: i32 = 0;
  static blocksPerMcu: i32 = 0;
  static isRefinement: bool = false;
  static isAc: bool = false;
  static count: i32 = 0;
  /** MCUs until the next restart marker, and that marker's number. */
  static untilRestart: i32 = 0;
  static nextRestart: i32 = 0;
}

// @ts-ignore: decorator
@inline
export function scanComponent(index: i32): Component {
  return changetype<Component>(load<usize>(members + ((<usize>index) << 2)));
}

/**
 * Reads the scan header at Inbox.at and begins the scan's first segment.
 * @returns GO_ON or a fault
 */
export function beginScan(): i32 {
  if (Frame.components == 0) return fail(FAULT_SCAN);
  if (++Scan.count > MAX_SCANS) return fail(FAULT_TOO_MANY_SCANS);
  const length = readU16(Inbox.at);
  const count = <i32>load<u8>(Inbox.at, 2);
  if (length < 3 || count < 1 || count > MAX_COMPONENTS || length != 6 + 2 * count) return fail(FAULT_SCAN);
  const selectors = Inbox.at + 3;
  const parameters = selectors + <usize>(2 * count);
  const first = <i32>load<u8>(parameters);
  const last = <i32>load<u8>(parameters, 1);
  const high = (<i32>load<u8>(parameters, 2)) >> 4;
  const low = (<i32>load<u8>(parameters, 2)) & 15;
  if (Frame.progressive && !isProgression(count, first, last, high, low)) return fail(FAULT_SCAN);
  Scan.isAc = Frame.progressive && first > 0;
  Scan.isRefinement = Frame.progressive && high > 0;
  Band.first = first;
  Band.last = last;
  Band.shift = low;
  Scan.components = count;
  for (let i = 0; i < count; i++) {
    const fault = joinScan(i, load<u8>(selectors + <usize>(2 * i)), load<u8>(selectors + <usize>(2 * i), 1));
    if (fault < 0) return fault;
  }
  Inbox.at += length;
  return layOutMcus();
}

/** The progressions of G.1.1.1: DC alone or a band of one component; one bit at a time after the first. */
function isProgression(components: i32, first: i32, last: i32, high: i32, low: i32): bool {
  if (first > last || last > 63 || low > MAX_SHIFT) return false;
  if (high != 0 && high != low + 1) return false;
  return first == 0 ? last == 0 : components == 1;
}

function joinScan(index: i32, id: u32, tables: u32): i32 {
  let component = changetype<Component>(0);
  for (let i = 0; i < Frame.components; i++) if (componentAt(i).id == <i32>id) component = componentAt(i);
  if (!changetype<usize>(component)) return fail(FAULT_SCAN);
  for (let i = 0; i < index; i++) if (scanComponent(i) == component) return fail(FAULT_SCAN);
  store<usize>(members + ((<usize>index) << 2), changetype<usize>(component));
  if (tables >> 4 > 3 || (tables & 15) > 3) return fail(FAULT_SCAN);
  const needsDc = !Scan.isAc && !Scan.isRefinement;
  const needsAc = Scan.isAc || !Frame.progressive;
  component.dcTable = needsDc ? huffmanTable(false, tables >> 4, false) : 0;
  component.acTable = needsAc ? huffmanTable(true, tables & 15, !Frame.progressive) : 0;
  if ((needsDc && !component.dcTable) || (needsAc && !component.acTable)) return fail(FAULT_MISSING_TABLE);
  if (Scan.isAc) return GO_ON;
  if (!component.scanned) {
    // Tables may be restated between scans: those in force at the component's first scan count.
    const quant = quantTable(component.quantIndex);
    if (!quant) return fail(FAULT_MISSING_TABLE);
    memory.copy(component.quant, quant, 128);
    component.scanned = 1;
  }
  return GO_ON;
}

/** One component alone goes by its own blocks, several go by MCUs (A.2.2, A.2.3). */
function layOutMcus(): i32 {
  const single = Scan.components == 1;
  Scan.mcusWide = single ? scanComponent(0).blocksWide : Frame.mcusWide;
  Scan.mcusHigh = single ? scanComponent(0).blocksHigh : Frame.mcusHigh;
  Scan.blocksPerMcu = 0;
  for (let i = 0; i < Scan.components; i++) {
    const component = scanComponent(i);
    component.across = single ? 1 : component.h;
    component.down = single ? 1 : component.v;
    Scan.blocksPerMcu += component.across * component.down;
  }
  if (Scan.blocksPerMcu > MAX_BLOCKS_PER_MCU) return fail(FAULT_SCAN);
  Scan.mcuX = 0;
  Scan.mcuY = 0;
  Scan.nextRestart = 0;
  beginInterval();
  return GO_ON;
}

function beginInterval(): void {
  startSegment();
  Scan.untilRestart = Frame.restartInterval;
  Band.endRun = 0;
  for (let i = 0; i < Scan.components; i++) scanComponent(i).prediction = 0;
}

/** Sees to it that one more MCU can be read. @returns GO_ON, NEED_INPUT or a fault */
function ensureInput(): i32 {
  if (Bits.pointer <= Window.limit) return GO_ON;
  fillWindow();
  if (Bits.pointer <= Window.limit) return GO_ON;
  return Window.marker == 0 ? NEED_INPUT : fail(endedEarly());
}

function endedEarly(): i32 {
  return Window.marker == END_OF_FILE || Window.marker == EOI ? FAULT_TRUNCATED : FAULT_MARKER;
}

/** Passes the restart marker that has to come next (F.2.2.4). @returns GO_ON, NEED_INPUT or a fault */
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
 * Decodes up to the end of the current row of MCUs.
 * @returns ROW_DONE, SCAN_DONE, NEED_INPUT or a fault; call again to go on where it stopped
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
  Work.units += <u64>((Scan.mcuX - from) * Scan.blocksPerMcu * UNITS_A_BLOCK);
  if (status != GO_ON) return status;
  Scan.mcuX = 0;
  Scan.mcuY++;
  if (Scan.mcuY < Scan.mcusHigh) return ROW_DONE;
  return unusedBits() < 0 ? fail(endedEarly()) : SCAN_DONE;
}

/** Finds where in their rings the samples of this row of MCUs go. */
function placeBands(): void {
  for (let i = 0; i < Scan.components; i++) {
    const component = scanComponent(i);
    if (component.ringRows == 0) continue;
    const row = (Scan.mcuY * component.down * component.size) % component.ringRows;
    component.bandTop = component.samples + <usize>row * <usize>component.stride;
  }
}

/** One MCU of a sequential scan, from bits to samples. */
function decodeMcu(): void {
  for (let i = 0; i < Scan.components; i++) {
    const component = scanComponent(i);
    const size = component.size;
    const stride = <usize>component.stride;
    const across = component.across;
    const down = component.down;
    const quant = component.quant;
    let row = component.bandTop + <usize>(Scan.mcuX * across * size);
    for (let y = 0; y < down; y++, row += stride * <usize>size) {
      for (let x = 0; x < across; x++) {
        const last = decodeBlock(component);
        renderBlock(size, BLOCK, quant, row + <usize>(x * size), stride, last);
      }
    }
  }
}

/** One MCU of a DC scan. */
function decodeDcMcu(): void {
  for (let i = 0; i < Scan.components; i++) {
    const component = scanComponent(i);
    const across = component.across;
    const down = component.down;
    for (let y = 0; y < down; y++) {
      const block = (Scan.mcuY * down + y) * component.paddedBlocksWide + Scan.mcuX * across;
      for (let x = 0; x < across; x++) {
        const at = component.coefficients + <usize>(block + x) * <usize>component.coefficientBytes;
        if (Scan.isRefinement) decodeDcRefine(at);
        else decodeDcFirst(component, at);
      }
    }
  }
}

/** Blocks of an AC scan up to the end of the row or the next restart, or until the window runs low. */
function decodeBandMcus(): i32 {
  const component = scanComponent(0);
  let blocks = Scan.mcusWide - Scan.mcuX;
  if (Frame.restartInterval != 0) blocks = min<i32>(blocks, Scan.untilRestart);
  const block = <usize>(Scan.mcuY * component.paddedBlocksWide + Scan.mcuX);
  return Scan.isRefinement
    ? decodeAcRefine(component, block, blocks)
    : decodeAcFirst(component, block, blocks);
}
