/** A scan's header (ITU T.81 B.2.3) and its order of MCUs (A.2). */
import { Component, Frame, MAX_BLOCKS_PER_MCU, MAX_COMPONENTS, componentAt } from "./frame";
import { huffmanTable } from "./huffman";
import { Inbox, Window, startSegment } from "./input";
import { Band } from "./progressive/progressive-dc";
import { quantTable, readU16 } from "./segments";
import { FAULT_MISSING_TABLE, FAULT_SCAN, FAULT_TOO_MANY_SCANS, fail } from "./status";

/** The next MCU can be decoded. */
export const GO_ON: i32 = 1;

/** Real files have about ten scans. The limit bounds the work that a small file can ask for. */
const MAX_SCANS: i32 = 500;
/** The largest point transform (B.2.3) that leaves a bit of a coefficient. */
const MAX_SHIFT: i32 = 13;

const REFINEMENT_UNITS_PER_BYTE: i32 = 4;

const members: usize = memory.data(16, 16);

export abstract class Scan {
  static components: i32 = 0;
  static mcusWide: i32 = 0;
  static mcusHigh: i32 = 0;
  static mcuX: i32 = 0;
  static mcuY: i32 = 0;
  static blocksPerMcu: i32 = 0;
  static isRefinement: boolean = false;
  static isAc: boolean = false;
  static count: i32 = 0;
  /** The number of MCUs until the next restart marker, and that marker's number. */
  static untilRestart: i32 = 0;
  static nextRestart: i32 = 0;
}

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
  Window.unitsPerByte = Scan.isRefinement ? REFINEMENT_UNITS_PER_BYTE : 1;
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

/**
 * Returns whether G.1.1.1 allows the scan: DC alone, or a band of one component; after the first scan, one bit each.
 */
function isProgression(components: i32, first: i32, last: i32, high: i32, low: i32): boolean {
  if (first > last || last > 63 || low > MAX_SHIFT) return false;
  if (high != 0 && high != low + 1) return false;
  return first == 0 ? last == 0 : components == 1;
}

/**
 * Returns the first component with this id that is not in the scan yet: some cameras give all components one id. 0 for
 * none.
 */
function nextComponent(members: i32, id: u32): Component {
  for (let i = 0; i < Frame.components; i++) {
    const component = componentAt(i);
    if (component.id != <i32>id) continue;
    let isMember = false;
    for (let j = 0; j < members; j++) if (scanComponent(j) == component) isMember = true;
    if (!isMember) return component;
  }
  return changetype<Component>(0);
}

function joinScan(index: i32, id: u32, tables: u32): i32 {
  const component = nextComponent(index, id);
  if (!changetype<usize>(component)) return fail(FAULT_SCAN);
  store<usize>(members + ((<usize>index) << 2), changetype<usize>(component));
  if (tables >> 4 > 3 || (tables & 15) > 3) return fail(FAULT_SCAN);
  const needsDc = !Scan.isAc && !Scan.isRefinement;
  const needsAc = Scan.isAc || !Frame.progressive;
  component.dcTable = needsDc ? huffmanTable(false, tables >> 4, false) : 0;
  component.acTable = needsAc ? huffmanTable(true, tables & 15, !Frame.progressive) : 0;
  if ((needsDc && !component.dcTable) || (needsAc && !component.acTable)) return fail(FAULT_MISSING_TABLE);
  if (Scan.isAc) return GO_ON;
  if (!component.scanned) {
    // Tables may be redefined between scans. Those in force at the component's first scan apply.
    const quant = quantTable(component.quantIndex);
    if (!quant) return fail(FAULT_MISSING_TABLE);
    memory.copy(component.quant, quant, 128);
    component.scanned = 1;
  }
  return GO_ON;
}

/** Counts MCUs. In a scan of one component an MCU is one block; else it has blocks of each component (A.2.2, A.2.3). */
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

/** Begins the data that ends at the next restart marker (F.2.1.3.1). */
export function beginInterval(): void {
  startSegment();
  Scan.untilRestart = Frame.restartInterval;
  Band.endRun = 0;
  for (let i = 0; i < Scan.components; i++) scanComponent(i).prediction = 0;
}
