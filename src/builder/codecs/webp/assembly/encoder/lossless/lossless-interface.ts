/** The caller's side of the coder without loss. */
import { colourModes } from "./lossless-predict";
import { colourCount, colourTable, isTranslucent } from "./lossless-pixels";
import { crossFactors } from "./lossless-cross";
import { cacheBits } from "./lossless-band";
import { colourTokens, nextColourToken } from "./lossless-tokens";
import { bundleBits, codedWidth, hasPalette, isGreenSubtracted, isPredicted } from "./lossless-transform";
import { groupCodes, tileGroups } from "../symbols/symbol-writer";
export { startColours } from "./lossless-emit";
export { codeNextBand as codeLossless, startBands as startLossless } from "./lossless-tokens";

/** Returns the address of the tokens of the picture (two u32 each). */
export function colourTokensAddress(): usize {
  return colourTokens;
}

export function colourTokensEnd(): usize {
  return nextColourToken;
}

/** Returns the number of colours of the palette; 0 if there is none. */
export function paletteColours(): i32 {
  return hasPalette ? colourCount : 0;
}

/** Returns the address of the colours of the palette (u32). */
export function paletteAddress(): usize {
  return colourTable();
}

/** Returns how many numbers of the palette share a pixel, as a shift. */
export function paletteBundleBits(): i32 {
  return bundleBits;
}

export function hasGreenSubtracted(): boolean {
  return isGreenSubtracted;
}

/** Returns the address of the predictions of tiles (u8); 0 if none is predicted. */
export function colourModesAddress(): usize {
  return isPredicted ? colourModes : 0;
}

/** Returns the address of the factors of red and blue of each tile (u32); 0 if there are none. */
export function crossFactorsAddress(): usize {
  return isPredicted ? crossFactors : 0;
}

export function colourCacheBits(): i32 {
  return <i32>cacheBits;
}

/** Returns the width of the image that the tokens code. */
export function losslessWidth(): i32 {
  return codedWidth;
}

export function hasTranslucentColour(): boolean {
  return isTranslucent;
}

/**
 * Returns the address of the group of each tile (u8), of alpha or of the picture. The caller writes them before the
 * tokens are written.
 */
export function tileGroupsAddress(): usize {
  return tileGroups;
}

/** Codes and lengths (u32 each) of the symbols of each group. The caller writes them before the tokens are written. */
export function groupCodesAddress(): usize {
  return groupCodes;
}
