/** Searches for the best partition of a square, and codes it (AV1 specification section 5.11.4). */
import { BIT } from "../coder/bit-cost";
import { putSymbol } from "../coder/range-coder";
import { putChroma } from "../block/chroma";
import {
  chromaShift,
  restoreContexts,
  saveContexts,
  skipCdf,
  txDepthCdf,
  txDepthCount,
} from "../block/context";
import { markCoded } from "../block/decoded";
import { DEPTH, isTiny, MODE, putModes, setBlockSize, SKIPPED } from "../block/info";
import { putLuma } from "../block/luma";
import { codedHeight, codedWidth, planeCount, restoreBlock, saveBlock, shiftOf } from "../block/planes";
import { lambda } from "../block/quantiser";
import { putPalettes } from "../palette/put";
import { isDrawing } from "../palette/tools";
import { noteInfo, searchBlock } from "./block";
import { isWide } from "./modes";
import { cancelIndexChange, putIndexChange } from "./delta";
import { isGrain } from "./effort";
import { partitionCost, putPartition } from "./partition-symbol";
import { HORIZONTAL, infoAt, LARGEST, NONE, partitionAt, SMALLEST, SPLIT, TINY, VERTICAL } from "./squares";

/** Halves are tried where the whole square costs at most so many times what its split does. */
const NEARLY: f32 = 1.1;

/** Nor are halves tried unless so many quarters of a square, in order, together cost less than the whole of it. */
const ENOUGH: i32 = 3;

/** Luma modes that are tried in halves, besides those of the square and its quarters: DC, V, H, SMOOTH and PAETH. */
const USUAL_MODES: i32 = 0b1_0010_0000_0111;
const ALL_MODES: i32 = -1;

/** A square that is worth no more bits than this is not divided, nor is one without levels. */
const PLAIN_BITS: i32 = 24;

/** Bytes that the contexts of a square take, at most. */
const CONTEXT_BYTES: usize = 768;
/** Per size of square: contexts before and after, and the best reconstruction so far. */
const befores = memory.data(4 * 768, 16);
const afters = memory.data(4 * 768, 16);
const bests = memory.data(3 * 32 * 32 * 3 + 64 * 64 * 3, 16);

@inline
function beforeOf(log2: i32): usize {
  return befores + <usize>(log2 - SMALLEST) * CONTEXT_BYTES;
}

/** Keeps the state after the best partition so far. */
function keep(x: i32, y: i32, log2: i32): void {
  const size = 1 << log2;
  saveContexts(afters + <usize>(log2 - SMALLEST) * CONTEXT_BYTES, x, y, size, size);
  let to = bests + <usize>(log2 - SMALLEST) * 3072;
  for (let plane = 0; plane < planeCount; plane++) {
    const shift = shiftOf(plane);
    to = saveBlock(to, plane, x >> shift, y >> shift, size >> shift, size >> shift);
  }
}

function bringBack(x: i32, y: i32, log2: i32): void {
  const size = 1 << log2;
  restoreContexts(afters + <usize>(log2 - SMALLEST) * CONTEXT_BYTES, x, y, size, size);
  let from = bests + <usize>(log2 - SMALLEST) * 3072;
  for (let plane = 0; plane < planeCount; plane++) {
    const shift = shiftOf(plane);
    from = restoreBlock(from, plane, x >> shift, y >> shift, size >> shift, size >> shift);
  }
}

function startAgain(x: i32, y: i32, log2: i32): void {
  const size = 1 << log2;
  restoreContexts(beforeOf(log2), x, y, size, size);
  markCoded(x, y, size, size, false);
}

/** The luma modes that are tried in halves of a square, a bit each. */
function modesOfHalves(x: i32, y: i32, log2: i32): i32 {
  const half = 1 << (log2 - 1);
  let modes = USUAL_MODES | (1 << load<u8>(infoAt(x, y, log2, NONE), MODE));
  for (let i = 0; i < 4; i++) {
    modes |= 1 << load<u8>(infoAt(x + (i & 1) * half, y + (i >> 1) * half, log2 - 1, NONE), MODE);
  }
  return modes;
}

/**
 * Whether squares of 8 x 8 are divided: in drawings, which have edges there. At half the resolution, their blocks would
 * share chroma.
 */
@inline
function mayBeTiny(): boolean {
  return isDrawing && !isWide && (planeCount == 1 || chromaShift == 0);
}

/**
 * Chooses the partition of a square of 1 << log2, and leaves it reconstructed.
 * @returns its cost; Infinity when it is `limit` or more, and then the square may be left in any state
 */
export function searchPartition(x: i32, y: i32, log2: i32, limit: f32): f32 {
  if (x >= codedWidth || y >= codedHeight) return 0;
  if (log2 == TINY) return searchBlock(infoAt(x, y, log2, NONE), x, y, log2, log2, ALL_MODES, limit);
  const size = 1 << log2;
  const half = size >> 1;
  const isWhole = x + size <= codedWidth && y + size <= codedHeight;
  let best = limit;
  let unsplit: f32 = 0;
  let choice = SPLIT;
  let isLive = false;
  let quarters = isDrawing ? ENOUGH : 0;
  let leastQuarter: f32 = Infinity;
  saveContexts(beforeOf(log2), x, y, size, size);
  if (isWhole) {
    const rate = lambda * <f32>partitionCost(x, y, log2, NONE);
    unsplit =
      rate + searchBlock(infoAt(x, y, log2, NONE), x, y, log2, log2, ALL_MODES, limit * NEARLY - rate);
    isLive = unsplit < limit;
    if (isLive) {
      best = unsplit;
      choice = NONE;
    }
  }
  const isDone =
    isLive && (load<u8>(infoAt(x, y, log2, NONE), SKIPPED) != 0 || best < lambda * <f32>(PLAIN_BITS * BIT));
  const mayDivide = log2 > SMALLEST || mayBeTiny();
  if (mayDivide && !isDone) {
    if (isLive) keep(x, y, log2);
    startAgain(x, y, log2);
    let cost = lambda * <f32>partitionCost(x, y, log2, SPLIT);
    for (let i = 0; i < 4 && cost < best; i++) {
      const quarter = searchPartition(x + (i & 1) * half, y + (i >> 1) * half, log2 - 1, best - cost);
      cost += quarter;
      leastQuarter = min(leastQuarter, quarter);
      if (cost < best) quarters++;
    }
    isLive = cost < best;
    if (isLive) {
      best = cost;
      choice = SPLIT;
    }
  }
  const mayHalve = isWhole && mayDivide && log2 < LARGEST && !isDone && !isGrain(leastQuarter, 2 * log2 - 2);
  if (mayHalve && quarters >= ENOUGH && unsplit <= best * NEARLY) {
    const modes = isDrawing ? ALL_MODES : modesOfHalves(x, y, log2);
    for (let partition = HORIZONTAL; partition <= VERTICAL; partition++) {
      if (isLive) keep(x, y, log2);
      startAgain(x, y, log2);
      const right = partition == VERTICAL ? half : 0;
      const down = half - right;
      const wide = partition == VERTICAL ? log2 - 1 : log2;
      const high = partition == HORIZONTAL ? log2 - 1 : log2;
      let cost = lambda * <f32>partitionCost(x, y, log2, partition);
      cost += searchBlock(infoAt(x, y, log2, partition), x, y, wide, high, modes, best - cost);
      if (cost < best) {
        const info = infoAt(x + right, y + down, log2, partition);
        cost += searchBlock(info, x + right, y + down, wide, high, modes, best - cost);
      }
      isLive = cost < best;
      if (isLive) {
        best = cost;
        choice = partition;
      }
    }
  }
  if (best >= limit) return Infinity;
  if (!isLive) {
    bringBack(x, y, log2);
    markCoded(x, y, size, size, true);
  }
  store<u8>(partitionAt(x, y, log2), choice);
  return best;
}

/** Codes a square as it was chosen. */
export function putSquare(x: i32, y: i32, log2: i32): void {
  if (x >= codedWidth || y >= codedHeight) return;
  if (log2 == TINY) return putBlock(infoAt(x, y, log2, NONE), x, y, log2, log2);
  const half = 1 << (log2 - 1);
  const partition = <i32>load<u8>(partitionAt(x, y, log2));
  putPartition(x, y, log2, partition);
  if (partition == SPLIT) {
    for (let i = 0; i < 4; i++) putSquare(x + (i & 1) * half, y + (i >> 1) * half, log2 - 1);
    return;
  }
  const wide = partition == VERTICAL ? log2 - 1 : log2;
  const high = partition == HORIZONTAL ? log2 - 1 : log2;
  putBlock(infoAt(x, y, log2, partition), x, y, wide, high);
  if (partition == NONE) return;
  const right = partition == VERTICAL ? half : 0;
  const down = half - right;
  putBlock(infoAt(x + right, y + down, log2, partition), x + right, y + down, wide, high);
}

function putBlock(info: usize, x: i32, y: i32, wide: i32, high: i32): void {
  const isSkipped = load<u8>(info, SKIPPED) != 0;
  putSymbol(skipCdf(x, y), i32(isSkipped), 2);
  // A superblock in one block without levels says no index.
  if (isSkipped && wide == LARGEST) cancelIndexChange();
  else putIndexChange();
  setBlockSize(wide, high);
  putModes(info, x, y, planeCount > 1);
  if (isDrawing && !isTiny) putPalettes(info, x, y, wide, high, planeCount > 1);
  const depths = txDepthCount(wide, high);
  if (depths > 1) putSymbol(txDepthCdf(x, y, wide, high), load<u8>(info, DEPTH), depths);
  putLuma(info, x, y, wide, high, isSkipped);
  if (planeCount > 1) putChroma(info, x, y, wide - chromaShift, high - chromaShift, isSkipped);
  noteInfo(info, x, y, wide, high);
}

/** Restores what came before the search of a square, so that it can be coded. */
export function prepareToPut(x: i32, y: i32, log2: i32): void {
  const right = min(1 << log2, codedWidth - x);
  const down = min(1 << log2, codedHeight - y);
  if (right <= 0 || down <= 0) return;
  startAgain(x, y, log2);
}
