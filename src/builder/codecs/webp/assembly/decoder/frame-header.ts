/** Reads everything before the macroblocks (RFC 6386, 9 and 19.2), and finds the partitions (9.5). */
import { DEFAULT_PROBABILITIES, UPDATE_PROBABILITIES } from "../shared/coefficient-tables";
import {
  enterPartition,
  getBit,
  getFlag,
  getLiteral,
  isExhausted,
  leavePartition,
  openPartition,
} from "./bool-decoder";
import { readFilters, readQuantisers, readSegments } from "./segments";
import { FAULT_CORRUPT, FAULT_TRUNCATED } from "../../decoder-status";

/** Index of the partition of header and modes. Those of levels follow. */
export const MODES: i32 = 0;
export const LEVELS: i32 = 1;

const TAG_BYTES: usize = 10;
const PROBABILITIES: usize = 4 * 8 * 3 * 11;

export let width = 0;
export let height = 0;
/** Number of partitions of levels minus 1: 0, 1, 3 or 7. Rows of macroblocks use them in rotation. */
export let partitionMask = 0;
/** Whether macroblocks have a flag for "no levels", and the probability that it is not set. */
export let hasSkips = false;
export let skipProbability: u32 = 0;
/** Probabilities of coefficient tokens, as [kind][band][context][branch] (13). */
export const probabilities = memory.data(4 * 8 * 3 * 11);

@inline
function load24(at: usize): usize {
  return (<usize>load<u16>(at)) | ((<usize>load<u8>(at, 2)) << 16);
}

/** Reads the frame from `at` to `end`. @returns 0 or a fault */
export function readFrameHeader(at: usize, end: usize): i32 {
  if (at + TAG_BYTES > end) return FAULT_TRUNCATED;
  const tag = load24(at);
  const isKey = (tag & 1) == 0;
  const isShown = ((tag >> 4) & 1) == 1;
  if (!isKey || ((tag >> 1) & 7) > 3 || !isShown) return FAULT_CORRUPT;
  if (load24(at + 3) != 0x2a019d) return FAULT_CORRUPT;
  width = (<i32>load<u16>(at, 6)) & 0x3fff;
  height = (<i32>load<u16>(at, 8)) & 0x3fff;
  if (width == 0 || height == 0) return FAULT_CORRUPT;
  const first = at + TAG_BYTES;
  const levels = first + (tag >> 5);
  if (levels > end) return FAULT_TRUNCATED;
  openPartition(MODES, first, levels);
  enterPartition(MODES);
  getFlag(); // color_space
  getFlag(); // clamping_type: samples are clamped in any case
  readSegments();
  readFilters();
  const count = 1 << getLiteral(2);
  readQuantisers();
  getFlag(); // refresh_entropy_probs: there is no next frame
  readProbabilities();
  hasSkips = getFlag();
  skipProbability = hasSkips ? <u32>getLiteral(8) : 0;
  leavePartition(MODES);
  if (isExhausted) return FAULT_TRUNCATED;
  return openLevels(levels, end, count);
}

function readProbabilities(): void {
  for (let i: usize = 0; i < PROBABILITIES; i++) {
    const isNew = getBit(load<u8>(UPDATE_PROBABILITIES + i));
    store<u8>(probabilities + i, isNew ? <u8>getLiteral(8) : load<u8>(DEFAULT_PROBABILITIES + i));
  }
}

/**
 * Sets up the partitions of levels. The lengths of all but the last precede the first of them. A partition that would
 * reach past the end of the frame ends there, but the last one must not be empty. This is what libwebp accepts
 * (src/dec/vp8_dec.c, ParsePartitions).
 */
function openLevels(at: usize, end: usize, count: i32): i32 {
  partitionMask = count - 1;
  let begin = at + 3 * <usize>partitionMask;
  if (begin > end) return FAULT_TRUNCATED;
  for (let i = 0; i < partitionMask; i++) {
    const next = min(end, begin + load24(at + 3 * <usize>i));
    openPartition(LEVELS + i, begin, next);
    begin = next;
  }
  if (begin >= end) return FAULT_TRUNCATED;
  openPartition(LEVELS + partitionMask, begin, end);
  return 0;
}
