/** Divides a superblock into blocks (AV1 specification section 5.11.4). */
import { miCols, miRows } from "../headers/frame";
import { sbSize } from "../headers/sequence";
import { cdfs, readChance, readSymbol4 } from "../symbols/decoder";
import { readSymbol16, readSymbol8 } from "../symbols/wide";
import { blockSize } from "../tables/block-sizes";
import { PARTITION_128, PARTITION_16, PARTITION_32, PARTITION_64, PARTITION_8 } from "../tables/cdf-layout";
import { decodeBlock } from "./block";
import { aboveValue, leftValue, WIDTH } from "./contexts";

const NONE: i32 = 0;
const HORZ: i32 = 1;
const VERT: i32 = 2;
const SPLIT: i32 = 3;
const HORZ_A: i32 = 4;
const HORZ_B: i32 = 5;
const VERT_A: i32 = 6;
const VERT_B: i32 = 7;
const HORZ_4: i32 = 8;
const VERT_4: i32 = 9;

/** Returns the distribution of partitions of blocks of 4 << log2 samples in a context. */
@inline
function tableOf(log2: i32, context: usize): usize {
  if (log2 == 1) return cdfs + PARTITION_8 + (context << 3);
  if (log2 == 5) return cdfs + PARTITION_128 + (context << 4);
  return cdfs + (log2 == 2 ? PARTITION_16 : log2 == 3 ? PARTITION_32 : PARTITION_64) + (context << 5);
}

/** Returns the chance of a partition, in 32768ths. @param last the last partition there is */
@inline
function chanceOf(cdf: usize, partition: i32, last: i32): u32 {
  const at = cdf + ((<usize>partition) << 1);
  return <u32>load<u16>(at - 2) - (partition == last ? 0 : <u32>load<u16>(at));
}

/** Reads whether a block at the edge of the frame is divided: split_or_horz and split_or_vert. */
function readSplit(cdf: usize, log2: i32, isBottom: boolean): boolean {
  const last = log2 == 5 ? VERT_B : VERT_4;
  let chance = chanceOf(cdf, SPLIT, last) + chanceOf(cdf, HORZ_A, last) + chanceOf(cdf, VERT_A, last);
  if (isBottom) {
    chance += chanceOf(cdf, VERT, last) + chanceOf(cdf, VERT_B, last);
    if (log2 != 5) chance += chanceOf(cdf, VERT_4, last);
  } else {
    chance += chanceOf(cdf, HORZ, last) + chanceOf(cdf, HORZ_B, last);
    if (log2 != 5) chance += chanceOf(cdf, HORZ_4, last);
  }
  return readChance(chance) != 0;
}

function readPartition(row: i32, column: i32, log2: i32, hasRows: boolean, hasColumns: boolean): i32 {
  if (!hasRows && !hasColumns) return SPLIT;
  const left = row & ((sbSize >> 2) - 1);
  const context = i32(aboveValue(WIDTH, column) < log2) + 2 * i32(leftValue(WIDTH, left) < log2);
  const cdf = tableOf(log2, context);
  if (!hasRows) return readSplit(cdf, log2, true) ? SPLIT : HORZ;
  if (!hasColumns) return readSplit(cdf, log2, false) ? SPLIT : VERT;
  return log2 == 1 ? readSymbol4(cdf, 4) : log2 == 5 ? readSymbol8(cdf, 8) : readSymbol16(cdf, 10);
}

/** Decodes four blocks that divide one in one direction. */
function decodeStrips(row: i32, column: i32, size: i32, stepY: i32, stepX: i32): boolean {
  for (let i = 0; i < 4; i++) {
    if (row >= miRows || column >= miCols) return true;
    if (!decodeBlock(row, column, size)) return false;
    row += stepY;
    column += stepX;
  }
  return true;
}

/**
 * Implements decode_partition() of a block of 4 << log2 samples.
 * @returns false when the data is damaged
 */
export function decodePartition(row: i32, column: i32, log2: i32): boolean {
  if (row >= miRows || column >= miCols) return true;
  if (log2 == 0) return decodeBlock(row, column, 0);
  const half = (1 << log2) >> 1;
  const hasRows = row + half < miRows;
  const hasColumns = column + half < miCols;
  const below = row + half;
  const right = column + half;
  const small = blockSize(log2 - 1, log2 - 1);
  const flat = blockSize(log2, log2 - 1);
  const tall = blockSize(log2 - 1, log2);
  switch (readPartition(row, column, log2, hasRows, hasColumns)) {
    case NONE:
      return decodeBlock(row, column, blockSize(log2, log2));
    case HORZ:
      return decodeBlock(row, column, flat) && (!hasRows || decodeBlock(below, column, flat));
    case VERT:
      return decodeBlock(row, column, tall) && (!hasColumns || decodeBlock(row, right, tall));
    case SPLIT:
      return (
        decodePartition(row, column, log2 - 1) &&
        decodePartition(row, right, log2 - 1) &&
        decodePartition(below, column, log2 - 1) &&
        decodePartition(below, right, log2 - 1)
      );
    case HORZ_A:
      return (
        decodeBlock(row, column, small) && decodeBlock(row, right, small) && decodeBlock(below, column, flat)
      );
    case HORZ_B:
      return (
        decodeBlock(row, column, flat) &&
        decodeBlock(below, column, small) &&
        decodeBlock(below, right, small)
      );
    case VERT_A:
      return (
        decodeBlock(row, column, small) && decodeBlock(below, column, small) && decodeBlock(row, right, tall)
      );
    case VERT_B:
      return (
        decodeBlock(row, column, tall) && decodeBlock(row, right, small) && decodeBlock(below, right, small)
      );
    case HORZ_4:
      return decodeStrips(row, column, blockSize(log2, log2 - 2), half >> 1, 0);
    default:
      return decodeStrips(row, column, blockSize(log2 - 2, log2), 0, half >> 1);
  }
}
