/**
 * The answers of a step of the JPEG decoder. This file is TypeScript and AssemblyScript at once: both sides of the
 * module import it.
 */

/** The caller hands in more bytes, or says that there are none. */
export const NEED_INPUT = 0;
/** A bounded piece of work is done. The caller calls again. */
export const CONTINUE = 1;
/** The frame header is read. The caller calls `configure` before the next step. */
export const FRAME = 2;
/** Finished rows are ready. */
export const ROWS = 3;
/** All rows were handed out. */
export const DONE = 4;

// Faults are below 0. errors.ts says what each one means.
export const FAULT_NOT_JPEG = -1;
export const FAULT_TRUNCATED = -2;
export const FAULT_SEGMENT = -3;
export const FAULT_HUFFMAN_TABLE = -4;
export const FAULT_CODE = -5;
export const FAULT_COEFFICIENTS = -6;
export const FAULT_MARKER = -7;
export const FAULT_LEFTOVER = -8;
export const FAULT_MISSING_TABLE = -9;
export const FAULT_SCAN = -10;
export const FAULT_MISSING_COMPONENT = -11;
export const FAULT_TOO_MANY_SCANS = -12;
export const FAULT_OUT_OF_MEMORY = -13;
export const FAULT_ARITHMETIC = -20;
export const FAULT_LOSSLESS = -21;
export const FAULT_HIERARCHICAL = -22;
export const FAULT_PRECISION = -23;
export const FAULT_NO_HEIGHT = -24;
export const FAULT_COMPONENTS = -25;
