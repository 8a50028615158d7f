/** Decodes one block (AV1 specification section 5.11.5). */
import { loopFilterLevelH, loopFilterLevelV } from "../headers/filter-params";
import { allowIntraBlockCopy, allowScreenTools } from "../headers/frame";
import { hasSegments } from "../headers/quantisation";
import { subX, subY } from "../headers/sequence";
import { reconstructBlock } from "../residual/residual";
import {
  clearCoefficients,
  INTER,
  MODE,
  setBoth,
  SKIP,
  UV_MODE,
  WIDTH,
  aboveEntry,
  leftEntry,
} from "./contexts";
import { chromaSizes, fillArea, fillRun, fillWords, infoStride, levels, segments, skips } from "./info";
import { blockLevels } from "./levels";
import { chromaMode, isInter, lumaMode, readModes } from "./modes";
import { keepMotion } from "./motion";
import { keepPalettes } from "./palette";
import { readMaps } from "./palette-map";
import { blockColumn, hasChroma, high, highLog2, placeBlock, sbRow, wide, wideLog2 } from "./position";
import { segment, skip } from "./segment";
import { chromaTransform, readTransforms } from "./transforms";

/** Leaves what the filters and later blocks look at. */
function keepBlock(): void {
  const entry = <usize>sbRow * infoStride + blockColumn;
  fillRun(aboveEntry(WIDTH, blockColumn), <u8>wideLog2, wide);
  fillRun(leftEntry(WIDTH, sbRow), <u8>highLog2, high);
  setBoth(MODE, blockColumn, sbRow, high, wide, lumaMode);
  setBoth(SKIP, blockColumn, sbRow, high, wide, i32(skip));
  if (hasChroma) {
    setBoth(UV_MODE, blockColumn, sbRow, high, wide, chromaMode);
    fillArea(chromaSizes + entry, <u8>chromaTransform(), wide, high);
  }
  if (allowScreenTools) keepPalettes();
  if (allowIntraBlockCopy) {
    setBoth(INTER, blockColumn, sbRow, high, wide, i32(isInter));
    keepMotion(isInter);
  }
  fillArea(skips + entry, u8(skip), wide, high);
  if ((loopFilterLevelV | loopFilterLevelH) != 0) fillWords(levels + (entry << 2), blockLevels(), wide, high);
}

/** Implements decode_block(). */
export function decodeBlock(row: i32, column: i32, size: i32): boolean {
  placeBlock(row, column, size);
  // In 4:2:2, blocks that are taller than wide have no size of chroma.
  if (subX && !subY && highLog2 > wideLog2) return false;
  if (!readModes()) return false;
  readMaps();
  readTransforms();
  if (skip) clearCoefficients(blockColumn, sbRow, wide, high, hasChroma);
  if (hasSegments) fillArea(segments + <usize>sbRow * infoStride + blockColumn, <u8>segment, wide, high);
  reconstructBlock();
  keepBlock();
  return true;
}
