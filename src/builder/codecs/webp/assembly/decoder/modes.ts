/** Reads how the macroblocks of a row are predicted (RFC 6386, 11.2 to 11.5). */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { MODE_PROBABILITIES } from "../shared/mode-table";
import { BLOCK_MODES, DC, HORIZONTAL, TRUE_MOTION, VERTICAL } from "../shared/predict-block";
import { getBit } from "./bool-decoder";
import { hasSkips, skipProbability } from "./frame-header";
import { hasSegmentMap, segmentProbability } from "./segments";

/**
 * Bytes of a record: luma's mode or IN_BLOCKS, chroma's mode, segment, whether it has no levels, the modes of 16
 * blocks.
 */
export const RECORD_BYTES: usize = 20;
export const CHROMA_MODE: usize = 1;
export const SEGMENT: usize = 2;
export const SKIPPED: usize = 3;
export const BLOCKS: usize = 4;
export const IN_BLOCKS: i32 = 16;

/** The records of the current row. */
export let records: usize = 0;
/** Modes of the lowest blocks in the row above, 4 per macroblock, and of the blocks to the left. */
let above: usize = 0;
const left = memory.data(4);

/** The tree of 4 x 4 modes (11.2), in pairs. An entry is the next node, or the negative of a mode. */
const TREE = memory.data<i8>([-0, 1, -1, 2, -2, 3, 4, 6, -3, 5, -4, -5, -6, 7, -7, 8, -8, -9]);

/** Allocates records and modes. @returns false when the memory is at its end */
export function layOutModes(macroblocksWide: i32): boolean {
  records = allocate(<u64>macroblocksWide * RECORD_BYTES);
  above = allocate(4 * <u64>macroblocksWide);
  return records && above ? true : false;
}

/** Reads the records of the next row from the current partition. */
export function readModes(macroblocksWide: i32): void {
  store<u32>(left, DC * 0x01010101);
  for (let x: usize = 0; x < <usize>macroblocksWide; x++) {
    const record = records + x * RECORD_BYTES;
    store<u8>(record, <u8>readSegment(), SEGMENT);
    store<u8>(record, hasSkips ? <u8>getBit(skipProbability) : 0, SKIPPED);
    const isPlane = getBit(145) != 0;
    store<u8>(record, <u8>(isPlane ? readPlaneMode(x) : IN_BLOCKS));
    if (!isPlane) readBlockModes(record + BLOCKS, above + (x << 2));
    store<u8>(record, <u8>readChromaMode(), CHROMA_MODE);
  }
}

function readSegment(): i32 {
  if (!hasSegmentMap) return 0;
  return getBit(segmentProbability(0)) ? 2 + getBit(segmentProbability(2)) : getBit(segmentProbability(1));
}

function readPlaneMode(x: usize): i32 {
  const mode = getBit(156) ? (getBit(128) ? TRUE_MOTION : HORIZONTAL) : getBit(163) ? VERTICAL : DC;
  // For its neighbours, the macroblock counts as 16 blocks of that mode.
  store<u32>(above + (x << 2), mode * 0x01010101);
  store<u32>(left, mode * 0x01010101);
  return mode;
}

function readBlockModes(out: usize, column: usize): void {
  for (let y: usize = 0; y < 4; y++) {
    let mode = <i32>load<u8>(left + y);
    for (let x: usize = 0; x < 4; x++) {
      const over = <i32>load<u8>(column + x);
      const row = MODE_PROBABILITIES + <usize>((over * BLOCK_MODES + mode) * (BLOCK_MODES - 1));
      let node = 0;
      do {
        node = <i32>load<i8>(TREE + <usize>(2 * node + getBit(load<u8>(row + <usize>node))));
      } while (node > 0);
      mode = -node;
      store<u8>(column + x, <u8>mode);
      store<u8>(out + 4 * y + x, <u8>mode);
    }
    store<u8>(left + y, <u8>mode);
  }
}

function readChromaMode(): i32 {
  if (!getBit(142)) return DC;
  if (!getBit(114)) return VERTICAL;
  return getBit(183) ? TRUE_MOTION : HORIZONTAL;
}
