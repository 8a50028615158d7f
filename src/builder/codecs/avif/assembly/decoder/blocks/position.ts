/** Where the block that is being decoded lies, and which neighbours it has (decode_block, section 5.11.5). */
import { planeCount, sbSize, subX, subY } from "../headers/sequence";
import { heightLog2, widthLog2 } from "../tables/block-sizes";
import { tileLeft, tileTop } from "./tile";

/** In units of 4 samples of luma. */
export let blockRow: i32 = 0;
export let blockColumn: i32 = 0;
export let size: i32 = 0;
export let wideLog2: i32 = 0;
export let highLog2: i32 = 0;
export let wide: i32 = 1;
export let high: i32 = 1;
/** The row within the superblock. */
export let sbRow: i32 = 0;
export let hasChroma = false;
export let hasAbove = false;
export let hasLeft = false;
export let hasAboveChroma = false;
export let hasLeftChroma = false;

export function placeBlock(row: i32, column: i32, blockSize: i32): void {
  blockRow = row;
  blockColumn = column;
  size = blockSize;
  wideLog2 = widthLog2(blockSize);
  highLog2 = heightLog2(blockSize);
  wide = 1 << wideLog2;
  high = 1 << highLog2;
  sbRow = row & ((sbSize >> 2) - 1);
  hasAbove = row > tileTop;
  hasLeft = column > tileLeft;
  const isNarrow = subX != 0 && wide == 1;
  const isFlat = subY != 0 && high == 1;
  hasChroma = planeCount > 1 && !(isNarrow && (column & 1) == 0) && !(isFlat && (row & 1) == 0);
  hasAboveChroma = hasChroma && (isFlat ? row - 2 >= tileTop : hasAbove);
  hasLeftChroma = hasChroma && (isNarrow ? column - 2 >= tileLeft : hasLeft);
}
