/** Codes the palettes of a block. */
import { MODE, PALETTE, UV_MODE, UV_PALETTE } from "../block/info";
import { DC_PRED } from "../predict/modes";
import { chromaShift } from "../block/context";
import { chromaMap, prepareChroma } from "./chroma";
import { colours, lumaMap, prepareLuma } from "./luma";
import { putMap } from "./map";
import { putChromaPalette, putLumaPalette } from "./modes";

/** Finds the palettes of a block again, and codes them with their maps. Sizes are log2. */
export function putPalettes(info: usize, x: i32, y: i32, wide: i32, high: i32, hasChroma: boolean): void {
  const count = <i32>load<u8>(info, PALETTE);
  const chromaCount = <i32>load<u8>(info, UV_PALETTE);
  if (count) prepareLuma(x, y, wide, high, count);
  if (chromaCount) prepareChroma(x, y, wide - chromaShift, high - chromaShift, chromaCount);
  if (load<u8>(info, MODE) == DC_PRED) putLumaPalette(colours, count, x, y, wide, high);
  if (hasChroma && load<u8>(info, UV_MODE) == DC_PRED) {
    putChromaPalette(colours + 8, chromaCount, count > 0, x, y, wide, high);
  }
  if (count) putMap(lumaMap, 0, count, wide, high);
  if (chromaCount) putMap(chromaMap, 1, chromaCount, wide - chromaShift, high - chromaShift);
}
