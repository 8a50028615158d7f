/**
 * An encoder of AV1 still pictures for rows of 8-bit pixels. It holds one row of superblocks of 64 x 64 samples, which it
 * searches and codes from left to right, and makes the data of its tiles. The caller writes headers and container.
 */
import { allocate, highWater } from "../../../pixels/assembly/shared/arena";
import { prepareBitCosts } from "./coder/bit-cost";
import { outputPosition, setOutput } from "./coder/range-coder";
import { prepareMatrices } from "./coefficients/matrices";
import { prepareScans } from "./coefficients/scans";
import { prepareStraightScans } from "./coefficients/straight-scans";
import { layOutContexts } from "./block/context";
import {
  bandTop,
  codedHeight,
  codedWidth,
  isAllOpaque,
  isBandFull,
  layOutPlanes,
  nextBand,
  padBand,
  reconstructedAt,
  reconstructedRow,
  shiftOf,
  sourceAt,
  SUPERBLOCK,
  takeAlpha,
  takeRow,
} from "./block/planes";
import { setChroma } from "./block/quantiser";
import { enterTile, layOutTiles, leaveTile, tileAt, tileRight } from "./block/tile";
import { setAlpha } from "./block/visible";
import { setQuick } from "./search/effort";
import { codeSuperblock } from "./search/superblock";
import { isDrawing, setDrawing } from "./palette/tools";
import { prepareNetworks } from "./transform/networks";

/** Bytes that vector loops may touch past the end of a row. */
const SLACK: u64 = 64;
/** Bytes of output, more than a superblock or the end of a tile can take. */
const OUTPUT_BYTES: u64 = 65536;

let rowBytes: usize = 0;
let staging: usize = 0;
let output: usize = 0;
let column = 0;
let frameIndex = 0;
/** The tile that the output that is held is of, and whether what comes next is of another one. */
let outputTile = 0;
let isReleaseDue = false;
/** Whether this instance codes the alpha of a picture whose colour another one codes. */
let isAlpha = false;

/**
 * Allocates the memory of a picture.
 * @param channels 1 gray, 2 gray-alpha, 3 rgb, 4 rgba; alpha is left out (`codeAlpha`)
 * @param planes 1 for luma alone, else 3
 * @param chromaShift 1 for 4:2:0, 0 for 4:4:4
 * @param tileWidth width of all tiles but the last of a row, a multiple of 64; `tileHeight` likewise
 * @param baseIndex quantiser index of the frame, 1 to 255
 * @param chromaDc what is added to it for the first coefficients of chroma; `chromaAc` for the others
 * @param chromaWeight what a squared error of a sample of chroma weighs, by that of luma
 * @param matrix level of the quantisation matrices: 2, 5, or 15 for none
 * @returns false when the memory is at its end
 */
export function configure(
  width: i32,
  height: i32,
  channels: i32,
  stagedRows: i32,
  planes: i32,
  chromaShift: i32,
  tileWidth: i32,
  tileHeight: i32,
  baseIndex: i32,
  chromaDc: i32,
  chromaAc: i32,
  chromaWeight: f32,
  matrix: i32,
): boolean {
  rowBytes = <usize>width * channels;
  staging = allocate(<u64>stagedRows * <u64>rowBytes + SLACK);
  output = allocate(OUTPUT_BYTES);
  if (!staging || !output || !layOutPlanes(width, height, channels, planes, chromaShift)) return false;
  if (!layOutContexts(width, chromaShift) || !layOutTiles(tileWidth, tileHeight, baseIndex)) return false;
  prepareBitCosts();
  prepareNetworks();
  prepareScans();
  prepareStraightScans();
  prepareMatrices(matrix);
  setChroma(chromaDc, chromaAc, chromaWeight);
  frameIndex = baseIndex;
  setOutput(output);
  return true;
}

/** Says that the picture is a drawing or a screenshot, before anything is encoded. The header must say so as well. */
export function expectDrawing(): void {
  setDrawing(true);
}

/** Notes that a visitor waits for the picture, before anything is encoded. It must not be a drawing. */
export function hurry(): void {
  setQuick(true);
}

/**
 * Leaves the first bytes of memory after the module's own data to others. Before `configure`, or to take memory after it.
 * @returns their address, or 0 when the memory is at its end
 */
export function reserve(bytes: i32): usize {
  return allocate(<u64>bytes);
}

/** Makes alpha of the pixels at `rows`, where another instance has its staged rows. To be called after `configure`. */
export function codeAlpha(rows: usize): void {
  isAlpha = true;
  staging = rows;
  takeAlpha();
}

/**
 * Returns where the instance that codes alpha has the samples of a row of superblocks, for the one that codes colour.
 */
export function samples(): usize {
  return sourceAt(0, 0, bandTop);
}

/** Tells the instance that codes colour where alpha is. Each row of alpha must be taken before that of colour. */
export function seeAlpha(at: usize): void {
  setAlpha(at);
}

/** Returns whether all alpha so far is opaque. */
export function isOpaque(): boolean {
  return isAllOpaque();
}

/**
 * Exchanges the module's data with what lies at `other`. Two instances in one memory have it at the same addresses, so
 * only one of them can search and code at a time.
 */
export function exchange(other: usize): void {
  for (let at: usize = 0; at < __heap_base; at += 16) {
    const mine = v128.load(at);
    v128.store(at, v128.load(other + at));
    v128.store(other + at, mine);
  }
}

/** Returns where the caller writes rows before `push`. */
export function stagingAddress(): usize {
  return staging;
}

/** Returns where `encode` writes. */
export function outputAddress(): usize {
  return output;
}

/** Returns the bytes of memory in use. */
export function used(): usize {
  return highWater();
}

/** Takes rows `from` to `end` of the staged rows. @returns the row it stopped at: less than `end` when `encode` is due */
export function push(from: i32, end: i32): i32 {
  for (let row = from; row < end; row++) {
    if (isBandFull()) return row;
    takeRow(staging + <usize>row * rowBytes);
  }
  return end;
}

/**
 * Codes the next superblock of those whose rows are there, and after the last one the end of its tile.
 * @returns bytes of output that are held, which `heldTile` are of; -1 when more rows are due
 */
export function encode(): i32 {
  if (!isBandFull() || bandTop >= codedHeight) return -1;
  if (column == 0) padBand();
  if (column == 0 || column == tileRight) enterTile(column, bandTop);
  outputTile = tileAt(column, bandTop);
  // The ground of a drawing is flat, but viewers look at the shapes on it.
  codeSuperblock(column, bandTop, frameIndex, isDrawing || isAlpha);
  column += SUPERBLOCK;
  isReleaseDue = column >= tileRight && leaveTile(bandTop);
  if (column >= codedWidth) {
    column = 0;
    nextBand();
  }
  return <i32>(outputPosition() - output);
}

/** Returns the tile that the output that is held is of, counted along rows of tiles. */
export function heldTile(): i32 {
  return outputTile;
}

/** Forgets the output that is held. It must be before there are more than 32 KB, and where `mustRelease` says so. */
export function release(): void {
  setOutput(output);
}

/** Returns whether the output that is held must be released before the next superblock, which is in another tile. */
export function mustRelease(): boolean {
  return isReleaseDue;
}

/** Returns, for tests, where the reconstruction of the last row of superblocks begins. */
export function reconstruction(plane: i32): usize {
  return reconstructedAt(plane, 0, bandTop >> shiftOf(plane));
}

export function reconstructionStride(): usize {
  return reconstructedRow();
}
