/** Codes a square as it was searched (AV1 specification sections 5.11.4 and 5.11.5). */
import { putSymbol } from "../coder/range-coder";
import { putChroma } from "../block/chroma";
import { chromaShift, skipCdf, txDepthCdf, txDepthCount } from "../block/context";
import { DEPTH, isTiny, putModes, setBlockSize, SKIPPED } from "../block/info";
import { putLuma } from "../block/luma";
import { codedHeight, codedWidth, planeCount } from "../block/planes";
import { putPalettes } from "../palette/put";
import { isDrawing } from "../palette/tools";
import { noteInfo } from "./block";
import { cancelIndexChange, putIndexChange } from "./delta";
import { putPartition } from "./partition-symbol";
import {
  infoAt,
  LARGEST,
  NONE,
  partitionAt,
  SPLIT,
  stripCount,
  stripHigh,
  stripWide,
  stripX,
  stripY,
  TINY,
} from "./squares";

/** Codes a square as it was chosen. */
export function putSquare(x: i32, y: i32, log2: i32): void {
  if (x >= codedWidth || y >= codedHeight) return;
  if (log2 == TINY) return putBlock(infoAt(x, y, log2, NONE), x, y, log2, log2);
  const partition = <i32>load<u8>(partitionAt(x, y, log2));
  putPartition(x, y, log2, partition);
  if (partition == SPLIT) {
    const half = 1 << (log2 - 1);
    for (let i = 0; i < 4; i++) putSquare(x + (i & 1) * half, y + (i >> 1) * half, log2 - 1);
    return;
  }
  const wide = stripWide(log2, partition);
  const high = stripHigh(log2, partition);
  for (let i = 0; i < stripCount(partition); i++) {
    const column = stripX(x, log2, partition, i);
    const row = stripY(y, log2, partition, i);
    putBlock(infoAt(column, row, log2, partition), column, row, wide, high);
  }
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
