/** Searches and codes a superblock. */
import { refreshLevelCosts } from "../coefficients/costs";
import { forgetEndCosts } from "../coefficients/end";
import { startSuperblock } from "../block/decoded";
import { fillHiddenSquare, fillMixedSquare } from "../block/hidden";
import { codedHeight, codedWidth, SUPERBLOCK } from "../block/planes";
import { tileBottom, tileRight } from "../block/tile";
import { hasAlpha } from "../block/visible";
import { mostVariance, SMOOTH_VARIANCE, superblockIndex } from "./activity";
import { changeIndex } from "./delta";
import { isDrawing } from "../palette/tools";
import { isQuick } from "./effort";
import { searchWidely } from "./modes";
import { prepareToPut, searchPartition } from "./partition";
import { putPartition } from "./partition-symbol";
import { putSquare } from "./put";
import { codeQuickly } from "./quick";
import { SPLIT } from "./squares";

/** Log2 of the sides of a superblock, and of the squares that most of them are searched as. */
const WHOLE: i32 = 6;
const PART: i32 = 5;

/**
 * Searches and codes the superblock at (x, y).
 * @param frameIndex quantiser index of the frame @param isEven whether the superblock has the same
 */
export function codeSuperblock(x: i32, y: i32, frameIndex: i32, isEven: boolean): void {
  if (hasAlpha()) for (let i = 0; i < 4; i++) fillMixedSquare(x + (i & 1) * 32, y + (i >> 1) * 32);
  changeIndex(isEven ? frameIndex : superblockIndex(x, y, frameIndex));
  refreshLevelCosts();
  startSuperblock((tileRight - x) >> 2, (tileBottom - y) >> 2);
  const isPlain = isSmooth(x, y);
  const isWhole = x + SUPERBLOCK <= codedWidth && y + SUPERBLOCK <= codedHeight;
  searchWidely(isPlain && (isWhole || isDrawing));
  if (isPlain && isWhole) return codeSearched(x, y, WHOLE);
  putPartition(x, y, WHOLE, SPLIT);
  for (let i = 0; i < 4; i++) {
    const column = x + (i & 1) * 32;
    const row = y + (i >> 1) * 32;
    if (hasAlpha()) fillHiddenSquare(column, row);
    if (isQuick) {
      forgetEndCosts();
      codeQuickly(column, row);
    } else codeSearched(column, row, PART);
  }
}

/** Searches a square, and codes it. */
function codeSearched(x: i32, y: i32, log2: i32): void {
  forgetEndCosts();
  searchPartition(x, y, log2, Infinity);
  prepareToPut(x, y, log2);
  putSquare(x, y, log2);
}

/** Returns whether the superblock shows little. Then it may be one block where all of it can be seen. */
function isSmooth(x: i32, y: i32): boolean {
  return !isQuick && !hasAlpha() && mostVariance(x, y) <= SMOOTH_VARIANCE;
}
