/** Searches for the best partition of a square (AV1 specification section 5.11.4). */
import { BIT } from "../coder/bit-cost";
import { chromaShift, restoreContexts, saveContexts } from "../block/context";
import { markCoded } from "../block/decoded";
import { MODE, SKIPPED } from "../block/info";
import { codedHeight, codedWidth, planeCount, restoreBlock, saveBlock, shiftOf } from "../block/planes";
import { lambda } from "../block/quantiser";
import { isDrawing } from "../palette/tools";
import { searchBlock } from "./block";
import { isWide } from "./modes";
import { isGrain } from "./effort";
import { partitionCost } from "./partition-symbol";
import {
  HORIZONTAL,
  HORIZONTAL_4,
  infoAt,
  LARGEST,
  NONE,
  partitionAt,
  SMALLEST,
  SPLIT,
  stripCount,
  stripHigh,
  stripWide,
  stripX,
  stripY,
  TINY,
} from "./squares";

/** Halves are tried where the whole square costs at most so many times what its split does. */
const NEARLY: f32 = 1.1;
const NEARLY_IN_DRAWINGS: f32 = 1.5;

/** Nor are halves tried unless so many quarters of a square, in order, together cost less than the whole of it. */
const ENOUGH: i32 = 3;

/** Luma modes that are tried in halves, besides those of the square and its quarters: DC, V, H, SMOOTH and PAETH. */
const USUAL_MODES: i32 = 0b1_0010_0000_0111;
const ALL_MODES: i32 = -1;

/** A square that is worth no more bits than this is not divided, nor is one without levels. */
const PLAIN_BITS: i32 = 24;

/** Bytes that the contexts of a square take, at most. */
const CONTEXT_BYTES: usize = 1024;
/** Bytes that the best reconstruction of a square takes, at most: three planes of the largest square, and of all others. */
const LARGEST_BEST_BYTES: usize = 3 * 64 * 64;
const BEST_BYTES: usize = 3 * 32 * 32;
/** Per size of square: contexts before and after, and the best reconstruction so far. */
const befores = memory.data(4 * 1024, 16);
const afters = memory.data(4 * 1024, 16);
const bests = memory.data(3 * BEST_BYTES + LARGEST_BEST_BYTES, 16);

@inline
function beforeOf(log2: i32): usize {
  return befores + <usize>(log2 - SMALLEST) * CONTEXT_BYTES;
}

/** Keeps the state after the best partition so far. */
function keep(x: i32, y: i32, log2: i32): void {
  const size = 1 << log2;
  saveContexts(afters + <usize>(log2 - SMALLEST) * CONTEXT_BYTES, x, y, size, size);
  let to = bests + <usize>(log2 - SMALLEST) * BEST_BYTES;
  for (let plane = 0; plane < planeCount; plane++) {
    const shift = shiftOf(plane);
    to = saveBlock(to, plane, x >> shift, y >> shift, size >> shift, size >> shift);
  }
}

function bringBack(x: i32, y: i32, log2: i32): void {
  const size = 1 << log2;
  restoreContexts(afters + <usize>(log2 - SMALLEST) * CONTEXT_BYTES, x, y, size, size);
  let from = bests + <usize>(log2 - SMALLEST) * BEST_BYTES;
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

/** Returns the luma modes that are tried in halves of a square, a bit each. */
function modesOfHalves(x: i32, y: i32, log2: i32): i32 {
  const half = 1 << (log2 - 1);
  let modes = USUAL_MODES | (1 << load<u8>(infoAt(x, y, log2, NONE), MODE));
  for (let i = 0; i < 4; i++) {
    modes |= 1 << load<u8>(infoAt(x + (i & 1) * half, y + (i >> 1) * half, log2 - 1, NONE), MODE);
  }
  return modes;
}

/**
 * Returns whether squares of 8 x 8 are divided: in drawings, which have edges there. At half the resolution, their
 * blocks would share chroma.
 */
@inline
function mayBeTiny(): boolean {
  return isDrawing && !isWide && (planeCount == 1 || chromaShift == 0);
}

/** Searches the halves of a square, or its quarters from side to side. @returns the cost; at least `limit` if given up */
function searchStrips(x: i32, y: i32, log2: i32, partition: i32, modes: i32, limit: f32): f32 {
  const wide = stripWide(log2, partition);
  const high = stripHigh(log2, partition);
  let cost = lambda * <f32>partitionCost(x, y, log2, partition);
  for (let i = 0; i < stripCount(partition) && cost < limit; i++) {
    const column = stripX(x, log2, partition, i);
    const row = stripY(y, log2, partition, i);
    cost += searchBlock(infoAt(column, row, log2, partition), column, row, wide, high, modes, limit - cost);
  }
  return cost;
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
  const nearly = isDrawing ? NEARLY_IN_DRAWINGS : NEARLY;
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
      rate + searchBlock(infoAt(x, y, log2, NONE), x, y, log2, log2, ALL_MODES, limit * nearly - rate);
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
  if (mayHalve && quarters >= ENOUGH && unsplit <= best * nearly) {
    const modes = isDrawing ? ALL_MODES : modesOfHalves(x, y, log2);
    for (let i = 0, count = mayBeTiny() && log2 > SMALLEST ? 4 : 2; i < count; i++) {
      const partition = i < 2 ? HORIZONTAL + i : HORIZONTAL_4 + i - 2;
      if (isLive) keep(x, y, log2);
      startAgain(x, y, log2);
      const cost = searchStrips(x, y, log2, partition, modes, best);
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

/** Restores what came before the search of a square, so that it can be coded. */
export function prepareToPut(x: i32, y: i32, log2: i32): void {
  const right = min(1 << log2, codedWidth - x);
  const down = min(1 << log2, codedHeight - y);
  if (right <= 0 || down <= 0) return;
  startAgain(x, y, log2);
}
