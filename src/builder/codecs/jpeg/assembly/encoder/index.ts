/**
 * A JPEG encoder (ITU T.81) for rows of 8-bit pixels, in two passes. In the first, rows become quantised blocks, and
 * these become a compact stream of tokens whose symbols are counted. The caller makes Huffman tables from the counts.
 * In the second pass, tokens become entropy-coded data. The caller writes the markers.
 *
 * The file is progressive, one scan per component and band of its spectrum, if the tokens of the whole picture fit
 * their room; else it is sequential. The caller calls `configure`, writes the tables, calls `prepare`, then writes
 * rows to staging and calls `push`.
 */
import { highWater } from "../../../../pixels/assembly/shared/arena";
import { countEndRun, countsOf } from "./band";
import { flushBits, writePosition, writeTo } from "./bit-writer";
import { bandOf, dcCountsOf } from "./component";
import { clearTokens } from "./groups";
import {
  codes,
  componentAt,
  configure as configureJob,
  isColour,
  output,
  outputBytes,
  sequentialCounts,
  settleChroma,
  staging,
  tableAt,
} from "./job";
import { lostChroma } from "./halved";
import { stride } from "./planes";
import { beginScan, countScan, emitScan, isScanDone } from "./scan";
import { beginSequential, countSequential, emitSequential } from "./sequential";

export { finish, push } from "./groups";
export { prepare } from "./job";

/** Allocates the memory of a picture. See `configure` of job.ts. */
export function configure(
  width: i32,
  height: i32,
  channels: i32,
  halved: boolean,
  full: boolean,
  stagedRows: i32,
  tokenBytes: i32,
  outBytes: i32,
): boolean {
  if (!configureJob(width, height, channels, halved, full, stagedRows, tokenBytes, outBytes)) return false;
  clearTokens();
  return true;
}

/** Returns where the caller writes rows before `push`. */
export function stagingAddress(): usize {
  return staging;
}

/** Returns the table of luma (0), Cb (1) or Cr (2). The caller writes its steps and weights before `prepare`. */
export function tableAddress(index: i32): usize {
  return tableAt(index);
}

/**
 * Returns where the caller writes codes and lengths (u32 each) of 256 symbols: of the scan that it opens next, or of
 * the four tables of a sequential file.
 */
export function codesAddress(): usize {
  return codes;
}

/** Returns where the functions that emit write their bytes. */
export function outputAddress(): usize {
  return output;
}

/** Returns the bytes of memory in use. */
export function used(): usize {
  return highWater();
}

/** Returns the mean squared error of a chroma sample at full size that halving causes, over the rows so far. */
export function meanLostChroma(rows: i32): f64 {
  return lostChroma / (2 * <f64>stride * <f64>rows);
}

/** Address of the counts (u32) of DC sizes of a component. */
export function dcCountsAddress(index: i32): usize {
  return dcCountsOf(componentAt(index));
}

/** Address of the counts (u32) of the symbols of a band, its last run included. */
export function acCountsAddress(index: i32, band: i32): usize {
  countEndRun(bandOf(componentAt(index), band));
  return countsOf(bandOf(componentAt(index), band));
}

/** Begins a scan of a progressive file, once its codes are written. DC coefficients are from 0 to 0. */
export function openScan(index: i32, from: i32, to: i32): void {
  beginScan(componentAt(index), from, to);
}

/** Counts the symbols of the next part of the scan at `countsAddress`. @returns false when all are counted */
export function countPart(): boolean {
  return countScan(sequentialCounts);
}

/** Codes the next part of the scan. @returns bytes written */
export function emit(): i32 {
  return <i32>emitScan(codes, output, outputBytes);
}

/** Returns whether the whole scan is coded, up to the bits that `flush` writes. */
export function isDone(): boolean {
  return isScanDone();
}

/**
 * Returns four tables of counts (u32): DC and AC of luma, then of chroma. A scan of one component is counted in the
 * first.
 */
export function countsAddress(): usize {
  return sequentialCounts;
}

/**
 * Begins a scan of all components. Unless it has DC coefficients alone, it makes the file sequential: the rows that are
 * encoded already, and all that follow.
 * @param halved whether its chroma is halved
 */
export function openAll(halved: boolean, dcOnly: boolean): void {
  settleChroma(halved);
  const luma = isColour && halved ? 5 : 0;
  const cb = isColour ? changetype<usize>(componentAt(halved ? 1 : 3)) : 0;
  const cr = isColour ? changetype<usize>(componentAt(halved ? 2 : 4)) : 0;
  beginSequential(componentAt(luma), cb, cr, dcOnly);
}

/** Counts the next tokens for a scan of all components. @returns false when all are counted */
export function countRows(): boolean {
  return countSequential(sequentialCounts);
}

/** Codes the next tokens of a scan of all components. @returns bytes written; 0 when all are coded */
export function emitRows(): i32 {
  return <i32>emitSequential(codes, output, outputBytes);
}

/** Frees the room of all tokens. */
export function freeTokens(): void {
  clearTokens();
}

/** Writes the bits of the last, incomplete byte. @returns bytes written */
export function flush(): i32 {
  writeTo(output);
  flushBits();
  return <i32>(writePosition() - output);
}
