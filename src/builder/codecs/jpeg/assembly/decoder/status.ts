/**
 * What a call into the module answers. The numbers are its interface to rows/jpeg-decoder.ts, which turns
 * faults into named errors. Every fault is kept in one place: the first one wins.
 */

/** Hand in more bytes, or say that there are none. */
export const NEED_INPUT: i32 = 0;
/** A bounded piece of work is done; call again. */
export const CONTINUE: i32 = 1;
/** The frame header is read: call `configure` before the next step. */
export const FRAME: i32 = 2;
/** Finished rows are ready. */
export const ROWS: i32 = 3;
/** All rows were handed out. */
export const DONE: i32 = 4;

export const FAULT_NOT_JPEG: i32 = -1;
export const FAULT_TRUNCATED: i32 = -2;
export const FAULT_SEGMENT: i32 = -3;
export const FAULT_HUFFMAN_TABLE: i32 = -4;
export const FAULT_CODE: i32 = -5;
export const FAULT_COEFFICIENTS: i32 = -6;
export const FAULT_MARKER: i32 = -7;
export const FAULT_LEFTOVER: i32 = -8;
export const FAULT_MISSING_TABLE: i32 = -9;
export const FAULT_SCAN: i32 = -10;
export const FAULT_MISSING_COMPONENT: i32 = -11;
export const FAULT_TOO_MANY_SCANS: i32 = -12;
export const FAULT_OUT_OF_MEMORY: i32 = -13;
export const FAULT_ARITHMETIC: i32 = -20;
export const FAULT_LOSSLESS: i32 = -21;
export const FAULT_HIERARCHICAL: i32 = -22;
export const FAULT_PRECISION: i32 = -23;
export const FAULT_NO_HEIGHT: i32 = -24;
export const FAULT_COMPONENTS: i32 = -25;

export abstract class Fault {
  /** The first fault met, or 0. Hot loops set it and run on; it is looked at before anything is handed out. */
  static code: i32 = 0;
}

/** Records a fault and returns the one that counts. */
export function fail(code: i32): i32 {
  if (Fault.code == 0) Fault.code = code;
  return Fault.code;
}

/**
 * Work done so far, one to two nanoseconds a unit on a server's processor of 2024. A deployed Worker's clock stands still
 * while it computes, so the caller gives the event loop its turns by this count.
 */
export abstract class Work {
  static units: u64 = 0;
}
