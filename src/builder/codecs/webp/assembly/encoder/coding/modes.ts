/**
 * The prediction modes of macroblocks, and their coding as booleans (RFC 6386, 11.2 to 11.5). They are stored, nine
 * bytes per macroblock, until all are chosen, because they precede the levels in the file.
 */
import { MODE_PROBABILITIES } from "../../shared/mode-table";
import { BLOCK_MODES, DC, HORIZONTAL, TRUE_MOTION, VERTICAL } from "../../shared/predict-block";
import { bitCost } from "./bit-cost";
import { putBit } from "./bool-coder";

/**
 * Bytes of a record: how the macroblock is coded, and for IN_BLOCKS 16 modes, two per byte, the first in the low
 * half.
 */
export const RECORD_BYTES: usize = 9;
/** The first byte of a record has luma's mode in bits 0 and 1, chroma's in bits 2 and 3, and the flags below. */
export const CHROMA_SHIFT: i32 = 2;
/** Flag: luma is predicted in blocks of 4 x 4. */
export const IN_BLOCKS: i32 = 16;
/** Flag: the macroblock has no levels. */
export const SKIPPED: i32 = 32;
/** The segment is in the two highest bits. */
export const SEGMENT_SHIFT: i32 = 6;

/** Cost (u16) of a 4 x 4 mode, as [above][left][mode]. */
const blockModeCosts = memory.data(10 * 10 * 10 * 2);

/** Probability, of 256, that luma is predicted in blocks (11.2). */
const IS_PLANE: i32 = 145;

/**
 * The path to each 4 x 4 mode in its tree (11.2), as a list of branches, plus 16 where the 1 is taken; -1 after the
 * last.
 */
const MOST_STEPS: i32 = 7;
const STEPS = memory.data<i8>([
  0, -1, -1, -1, -1, -1, -1, 16, 1, -1, -1, -1, -1, -1, 16, 17, 2, -1, -1, -1, -1, 16, 17, 18, 3, 4, -1, -1,
  16, 17, 18, 3, 20, 5, -1, 16, 17, 18, 3, 20, 21, -1, 16, 17, 18, 19, 6, -1, -1, 16, 17, 18, 19, 22, 7, -1,
  16, 17, 18, 19, 22, 23, 8, 16, 17, 18, 19, 22, 23, 24,
]);

@inline
function probabilitiesOf(above: i32, left: i32): usize {
  return MODE_PROBABILITIES + <usize>((above * BLOCK_MODES + left) * (BLOCK_MODES - 1));
}

/** Returns the address of the costs (u16) of the modes of a block with these neighbours. */
@inline
export function blockModeCostsAt(above: i32, left: i32): usize {
  return blockModeCosts + <usize>((above * BLOCK_MODES + left) * BLOCK_MODES * 2);
}

/** Fills the table of costs. Must be called once. */
export function prepareModeCosts(): void {
  for (let above = 0; above < BLOCK_MODES; above++) {
    for (let left = 0; left < BLOCK_MODES; left++) {
      const p = probabilitiesOf(above, left);
      for (let mode = 0; mode < BLOCK_MODES; mode++) {
        let sum = 0;
        for (let step = 0; step < MOST_STEPS; step++) {
          const branch = <i32>load<i8>(STEPS + <usize>(mode * MOST_STEPS + step));
          if (branch >= 0) sum += bitCost(branch >= 16, load<u8>(p + (branch & 15)));
        }
        store<u16>(blockModeCostsAt(above, left) + ((<usize>mode) << 1), <u16>sum);
      }
    }
  }
}

/** Returns the cost of predicting luma as one plane, in 1/256 bits. */
export function planeModeCost(mode: i32): i32 {
  const isSecond = mode == TRUE_MOTION || mode == HORIZONTAL;
  const second = isSecond ? bitCost(mode == TRUE_MOTION, 128) : bitCost(mode == VERTICAL, 163);
  return bitCost(true, IS_PLANE) + bitCost(isSecond, 156) + second;
}

/** Returns the cost of the flag that luma is predicted in blocks, in 1/256 bits. */
export function inBlocksCost(): i32 {
  return bitCost(false, IS_PLANE);
}

export function chromaModeCost(mode: i32): i32 {
  if (mode == DC) return bitCost(false, 142);
  if (mode == VERTICAL) return bitCost(true, 142) + bitCost(false, 114);
  return bitCost(true, 142) + bitCost(true, 114) + bitCost(mode == TRUE_MOTION, 183);
}

function putBlockMode(mode: i32, above: i32, left: i32): void {
  const p = probabilitiesOf(above, left);
  for (let step = 0; step < MOST_STEPS; step++) {
    const branch = <i32>load<i8>(STEPS + <usize>(mode * MOST_STEPS + step));
    if (branch < 0) return;
    putBit(branch >= 16, load<u8>(p + (branch & 15)));
  }
}

/**
 * Codes the modes of one macroblock.
 * @param above, left modes of the four blocks on that side, which are replaced by this macroblock's
 */
export function putModes(record: usize, above: usize, left: usize): void {
  const first = <i32>load<u8>(record);
  if (first & IN_BLOCKS) {
    putBit(false, IS_PLANE);
    for (let i = 0; i < 16; i++) {
      const mode = ((<i32>load<u8>(record + 1 + (i >> 1))) >> ((i & 1) << 2)) & 15;
      putBlockMode(mode, load<u8>(above + (i & 3)), load<u8>(left + (i >> 2)));
      store<u8>(above + (i & 3), <u8>mode);
      store<u8>(left + (i >> 2), <u8>mode);
    }
  } else {
    const mode = first & 3;
    const isSecond = mode == TRUE_MOTION || mode == HORIZONTAL;
    putBit(true, IS_PLANE);
    putBit(isSecond, 156);
    if (isSecond) putBit(mode == TRUE_MOTION, 128);
    else putBit(mode == VERTICAL, 163);
    // A plane mode counts as the block mode of the same name (11.3), which has the same number.
    memory.fill(above, <u8>mode, 4);
    memory.fill(left, <u8>mode, 4);
  }
  const chroma = (first >> CHROMA_SHIFT) & 3;
  putBit(chroma != DC, 142);
  if (chroma == DC) return;
  putBit(chroma != VERTICAL, 114);
  if (chroma != VERTICAL) putBit(chroma == TRUE_MOTION, 183);
}
