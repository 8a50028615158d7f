/** The second pass over macroblocks: codes tokens, and then records, as partitions of the file. */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { putBit } from "./bool-coder";
import { emitBlock, hadLevels } from "./emit";
import { clearContexts, CONTEXT_BYTES, DC_CONTEXT, recordOf, skipped } from "../blocks/macroblock";
import { IN_BLOCKS, putModes, SEGMENT_SHIFT, SKIPPED } from "./modes";
import { segmentTree } from "../blocks/segments";
import { CHROMA, LUMA, LUMA_AC, LUMA_DC } from "./tokens";

let macroblocksWide = 0;
let above: usize = 0;
let aboveModes: usize = 0;
const left = memory.data(16);
const leftModes = memory.data(4);
let column = 0;

/** Allocates the flags of the row above. @returns false when the memory is at its end */
export function layOutSecondPass(wide: i32): boolean {
  macroblocksWide = wide;
  above = allocate(<u64>wide * CONTEXT_BYTES);
  aboveModes = allocate(<u64>wide * 4);
  return above && aboveModes ? true : false;
}

function emitWith(tokens: usize, kind: i32, first: i32, up: usize, side: usize): usize {
  const next = emitBlock(tokens, kind, first, <i32>load<u8>(up) + <i32>load<u8>(side));
  const has: u8 = hadLevels ? 1 : 0;
  store<u8>(up, has);
  store<u8>(side, has);
  return next;
}

/** Codes the levels of the `index`-th macroblock. @returns the address of the next one's tokens */
export function emitMacroblock(index: i32, tokens: usize): usize {
  if (column == 0) memory.fill(left, 0, CONTEXT_BYTES);
  const up = above + <usize>column * CONTEXT_BYTES;
  if (++column == macroblocksWide) column = 0;
  const first = <i32>load<u8>(recordOf(index));
  const isInBlocks = (first & IN_BLOCKS) != 0;
  if (first & SKIPPED) {
    clearContexts(up, left, isInBlocks);
    return tokens;
  }
  if (!isInBlocks) tokens = emitWith(tokens, LUMA_DC, 0, up + DC_CONTEXT, left + DC_CONTEXT);
  for (let i: usize = 0; i < 16; i++) {
    tokens = emitWith(tokens, isInBlocks ? LUMA : LUMA_AC, isInBlocks ? 0 : 1, up + (i & 3), left + (i >> 2));
  }
  for (let from: usize = 4; from < 8; from += 2) {
    for (let i: usize = 0; i < 4; i++) {
      tokens = emitWith(tokens, CHROMA, 0, up + from + (i & 1), left + from + (i >> 1));
    }
  }
  return tokens;
}

/** Returns the probability, of 256, that a macroblock has levels (9.11). */
export function skipProbability(count: i32): i32 {
  return max(1, min(255, <i32>((<i64>(count - skipped) * 256) / count)));
}

/** Codes the modes of the `index`-th macroblock (19.3). */
export function emitModes(index: i32, count: i32): void {
  const x = index % macroblocksWide;
  if (x == 0) store<u32>(leftModes, 0);
  const record = recordOf(index);
  const first = <i32>load<u8>(record);
  const segment = first >> SEGMENT_SHIFT;
  putBit(segment > 1, segmentTree(0));
  putBit((segment & 1) != 0, segmentTree(1 + (segment >> 1)));
  putBit((first & SKIPPED) != 0, skipProbability(count));
  putModes(record, aboveModes + ((<usize>x) << 2), leftModes);
}
