/**
 * A JPEG encoder (ITU T.81) for rows of 8-bit pixels, in two passes: rows become quantised blocks and these a compact
 * stream of tokens, counted; once the caller has made Huffman tables of the counts, tokens become entropy-coded data.
 * Progressive, a component and a band of its spectrum after the other, if the tokens of the whole picture have room;
 * sequential if not. Markers are the caller's.
 */
import { allocate, highWater } from "../../../../pixels/assembly/shared/arena";
import { countEndRun, countsOf } from "./band";
import { CODES_BYTES, flushBits, writePosition, writeTo } from "./bit-writer";
import {
  COMPONENT_BYTES,
  Component,
  TABLE_BYTES,
  bandOf,
  dcCountsOf,
  encodeRow,
  learnRates,
  prepareComponent,
} from "./component";
import { maskBytes, prepareMasks } from "./masking";
import {
  GROUP_ROWS,
  cbRows,
  clearRows,
  crRows,
  halvedCbRows,
  halvedCrRows,
  isFull,
  layOutPlanes,
  lostChroma,
  lumaRows,
  padRows,
  rowsHeld,
  stride,
  takeRow,
} from "./planes";
import { SAMPLE_BYTES } from "./samples";
import { beginScan, emitScan, isScanDone } from "./scan";
import { SEQUENTIAL_COUNTS_BYTES, beginSequential, countSequential, emitSequential } from "./sequential";
import { MOST_BLOCK_TOKENS, prepareTokens } from "./tokens";

/** Bytes that the vector loops may touch past the end of a row. */
const SLACK: u64 = 64;

/** Luma, then both of chroma halved, then both at full size. */
const COMPONENTS: i32 = 5;

let width = 0;
let rowBytes = 0;
let isColour = false;
/** Which of the chroma components are encoded. */
let hasHalved = false;
let hasFull = false;

let staging: usize = 0;
let components: usize = 0;
let tables: usize = 0;
let sequentialCounts: usize = 0;
let codes: usize = 0;

let tokens: usize = 0;
let tokensEnd: usize = 0;
let nextToken: usize = 0;
let output: usize = 0;
let outputBytes = 0;

@inline
function componentAt(index: i32): Component {
  return changetype<Component>(components + <usize>index * COMPONENT_BYTES);
}

@inline
function isEncoded(index: i32): boolean {
  return index == 0 || (isColour && (index < 3 ? hasHalved : hasFull));
}

/**
 * Lays out the job.
 * @param channels 1 gray, 2 gray-alpha, 3 rgb, 4 rgba; alpha is flattened on white
 * @param halved, full whether chroma is encoded at half the width and height (4:2:0), at full size, or both
 * @param tokenBytes room for tokens; at least that of one group of rows
 * @returns false when the memory is at its end
 */
export function configure(
  pictureWidth: i32,
  height: i32,
  channels: i32,
  halved: boolean,
  full: boolean,
  stagedRows: i32,
  tokenBytes: i32,
  outBytes: i32,
): boolean {
  width = pictureWidth;
  rowBytes = width * channels;
  isColour = channels >= 3;
  hasHalved = halved;
  hasFull = full;
  outputBytes = outBytes;
  staging = allocate(<u64>stagedRows * <u64>rowBytes + SLACK);
  const hasPlanes = layOutPlanes(width, channels, halved);
  components = allocate(<u64>COMPONENTS * <u64>COMPONENT_BYTES);
  tables = allocate(3 * TABLE_BYTES);
  sequentialCounts = allocate(SEQUENTIAL_COUNTS_BYTES);
  codes = allocate(4 * CODES_BYTES);
  output = allocate(outBytes);
  tokens = allocate(tokenBytes);
  if (!staging || !hasPlanes || !components || !tables || !codes || !output || !tokens) return false;
  nextToken = tokens;
  tokensEnd = tokens + tokenBytes;
  for (let i = 0; i < COMPONENTS; i++) {
    if (isEncoded(i) && !layOut(i, height)) return false;
  }
  return true;
}

/** Makes room for where the rows of a component begin. */
function layOut(index: i32, height: i32): boolean {
  const component = componentAt(index);
  const size = index == 1 || index == 2 ? 16 : 8;
  component.blocksWide = (width + size - 1) / size;
  component.blocksHigh = (height + size - 1) / size;
  component.isLuma = index == 0 ? 1 : 0;
  component.isHalved = size == 16 ? 1 : 0;
  component.rowStarts = allocate(<u64>component.blocksHigh * 4);
  return component.rowStarts != 0;
}

/** Where the caller writes rows before `push`. */
export function stagingAddress(): usize {
  return staging;
}

/** The table of luma, Cb or Cr: steps and weights are written before `prepare`. */
export function tableAddress(index: i32): usize {
  return tables + <usize>index * TABLE_BYTES;
}

/** Codes and lengths (u32 each) of 256 symbols: of the scan under way, or of the four tables of a sequential file. */
export function codesAddress(): usize {
  return codes;
}

/** Where data is written. */
export function outputAddress(): usize {
  return output;
}

/** Bytes of memory in use. */
export function used(): usize {
  return highWater();
}

/** Mean over the samples of chroma of the squares of what halving takes away. */
export function meanLostChroma(rows: i32): f64 {
  return lostChroma / (2 * <f64>stride * <f64>rows);
}

/**
 * To be called once the tables are written.
 * @param lumaLambda, chromaLambda what a bit weighs against a squared error of one level
 * @param maskAdded, maskPower see `prepareMasks`
 * @returns false when the memory is at its end
 */
export function prepare(lumaLambda: f32, chromaLambda: f32, maskAdded: f32, maskPower: f32): boolean {
  prepareTokens();
  const across = componentAt(0).blocksWide;
  const room = allocate(maskBytes(across));
  if (!room) return false;
  prepareMasks(room, across, maskAdded, maskPower);
  for (let i = 0; i < COMPONENTS; i++) {
    if (!isEncoded(i)) continue;
    const component = componentAt(i);
    component.lambda = i == 0 ? lumaLambda : chromaLambda;
    prepareComponent(component, tableAddress(i == 0 ? 0 : 2 - (i & 1)));
  }
  return true;
}

/**
 * Encodes rows `from` to `count` of staging to tokens.
 * @returns the row it stopped at: `count`, or less when the tokens must be emitted first
 */
export function push(from: i32, count: i32): i32 {
  for (let row = from; row < count; row++) {
    if (isFull() && !encodeGroup()) return row;
    takeRow(staging + <usize>row * <usize>rowBytes);
  }
  return count;
}

/** Encodes what is held, the last row repeated to a whole group. @returns false when tokens must be emitted first */
export function finish(): boolean {
  if (rowsHeld == 0) return true;
  padRows();
  return encodeGroup();
}

/** The most that the tokens of one group may take. */
function mostGroupTokens(): usize {
  let blocks = 0;
  for (let i = 0; i < COMPONENTS; i++) {
    if (isEncoded(i)) blocks += componentAt(i).blocksWide * (i == 1 || i == 2 ? 1 : 2);
  }
  return <usize>(blocks * MOST_BLOCK_TOKENS);
}

/** Encodes the planes. @returns false when there is no room for their tokens */
function encodeGroup(): boolean {
  if (nextToken + mostGroupTokens() > tokensEnd) return false;
  clearRows();
  encodePlane(0, lumaRows, stride * SAMPLE_BYTES);
  if (!isColour) return true;
  if (hasHalved) {
    encodePlane(1, halvedCbRows, (stride >> 1) * SAMPLE_BYTES);
    encodePlane(2, halvedCrRows, (stride >> 1) * SAMPLE_BYTES);
  }
  if (hasFull) {
    encodePlane(3, cbRows, stride * SAMPLE_BYTES);
    encodePlane(4, crRows, stride * SAMPLE_BYTES);
  }
  return true;
}

/** Encodes the rows of blocks of one plane that are within the picture. */
function encodePlane(index: i32, samples: usize, bytes: i32): void {
  const component = componentAt(index);
  const rows = component.isHalved ? 1 : GROUP_ROWS / 8;
  for (let row = 0; row < rows && component.rowsDone < component.blocksHigh; row++) {
    nextToken = encodeRow(component, samples + <usize>(8 * row * bytes), bytes, nextToken);
  }
  learnRates(component);
}

/** Counts (u32) of the sizes of DC differences. */
export function dcCountsAddress(index: i32): usize {
  return dcCountsOf(componentAt(index));
}

/** Counts (u32) of the symbols of a band, to the last. */
export function acCountsAddress(index: i32, band: i32): usize {
  countEndRun(bandOf(componentAt(index), band));
  return countsOf(bandOf(componentAt(index), band));
}

/** Begins a scan of a progressive file, once its codes are written: from 0 to 0 for DC coefficients. */
export function openScan(index: i32, from: i32, to: i32): void {
  beginScan(componentAt(index), from, to);
}

/** Codes a part of the scan. @returns bytes written */
export function emit(): i32 {
  return <i32>emitScan(codes, output, outputBytes);
}

/** Whether all of the scan is coded but what `flush` writes. */
export function isDone(): boolean {
  return isScanDone();
}

/**
 * Turns to a sequential file, of what is there and what follows.
 * @param halved which chroma it has
 * @returns the address of four tables of counts (u32): DC and AC of luma, then of chroma
 */
export function turnSequential(halved: boolean): usize {
  hasHalved = halved;
  hasFull = !halved;
  const cb = isColour ? changetype<usize>(componentAt(halved ? 1 : 3)) : 0;
  const cr = isColour ? changetype<usize>(componentAt(halved ? 2 : 4)) : 0;
  beginSequential(componentAt(0), cb, cr);
  return sequentialCounts;
}

/** Counts a part of the tokens that are there. @returns false when all are counted */
export function countRows(): boolean {
  return countSequential(sequentialCounts);
}

/** Codes a part of the tokens that are there. @returns bytes written; 0 when their room is free again */
export function emitRows(): i32 {
  const bytes = emitSequential(codes, output, outputBytes);
  if (bytes == 0) nextToken = tokens;
  return <i32>bytes;
}

/** Writes what is left of the last byte. @returns bytes written */
export function flush(): i32 {
  writeTo(output);
  flushBits();
  return <i32>(writePosition() - output);
}
