/** The chunk tRNS: PNG 3rd edition section 11.3.1.1. */
import type { PngFacts } from "../../model/facts.ts";

/** The longest content: an alpha for each entry of a palette. */
export const TRANSPARENCY_MAX_BYTES = 256;
/** One colour, of 16 bits per sample. */
const KEY_BYTES = { gray: 2, rgb: 6 } as const;

/**
 * Returns whether a chunk tRNS of `bytes` bytes counts. One that does not fit its colour type or the palette before it
 * is ignored, as in browsers and libvips.
 * @param paletteEntries entries of the palette before it; 0 when there is none
 */
export function isUsableTransparency(
  colourType: PngFacts["colourType"],
  bytes: number,
  paletteEntries: number,
): boolean {
  if (colourType === 3) return bytes >= 1 && bytes <= paletteEntries;
  if (colourType === 0) return bytes === KEY_BYTES.gray;
  return colourType === 2 && bytes === KEY_BYTES.rgb;
}
