/** What encoding JPEG in rows takes of its WebAssembly memory. */
import { CHANNELS_OF, type RowLayout, rowsPerBatch, wholePages } from "../../memory/rows.ts";

type Chroma = "420" | "444";

/** Bytes of a chunk of the file. */
export const JPEG_OUT_BYTES = 32_768;
/** Static data, tables and counts of the module, rounded up. */
const MODULE_BYTES = 40_960;
const SLACK = 64;
/** Most bytes of tokens that one block makes: its DC difference and 63 coefficients, three bytes each. */
const BLOCK_TOKENS = 192;
/** Most memory given to tokens; what makes more is coded by the statistics of its upper part. */
const MOST_TOKENS = 12 * 1024 * 1024;
/** Room for tokens that any picture has, unless it cannot fill it. */
const LEAST_TOKENS = 512 * 1024;

/**
 * Bytes of WebAssembly memory that encoding takes, exact to a page, whatever the picture shows: a picture with
 * more detail than its room for tokens holds is coded in more than one part.
 */
export function jpegEncoderPeakBytes(
  width: number,
  height: number,
  quality: number,
  chroma: Chroma,
  layout: RowLayout = "rgb",
): number {
  const channels = CHANNELS_OF[layout];
  const isColour = channels >= 3;
  const mcu = mcuSizeOf(isColour, chroma);
  const padded = Math.ceil(width / mcu) * mcu;
  const chromaPlanes = !isColour ? 0 : mcu === 16 ? 2 * (4 * padded + 2 * padded) : 2 * 8 * padded;
  const staged = rowsPerBatch(width * channels, height) * width * channels;
  const planes = padded * mcu + chromaPlanes + (channels === 4 ? 3 * width : 0) + 8 * SLACK;
  const tokens = jpegTokenBytes({ width, height, isColour, quality, chroma });
  return wholePages(MODULE_BYTES + staged + planes + JPEG_OUT_BYTES + tokens);
}

export function mcuSizeOf(isColour: boolean, chroma: Chroma): 8 | 16 {
  return isColour && chroma === "420" ? 16 : 8;
}

/** Room for tokens, in bytes: that of a detailed photo, never less than one row of MCUs may need. */
export function jpegTokenBytes(picture: {
  width: number;
  height: number;
  isColour: boolean;
  quality: number;
  chroma: Chroma;
}): number {
  const { width, height, isColour, quality, chroma } = picture;
  const mcu = mcuSizeOf(isColour, chroma);
  const blocks = mcu === 16 ? 6 : isColour ? 3 : 1;
  const rowMost = Math.ceil(width / mcu) * blocks * BLOCK_TOKENS;
  const rows = Math.ceil(height / mcu);
  const samples = width * height * (mcu === 16 ? 1.5 : isColour ? 3 : 1);
  // Photos with much grain need less.
  const perSample = quality >= 97 ? 1.2 : 0.05 + 4.5 / (104 - quality);
  const wanted = Math.max(LEAST_TOKENS, Math.ceil(samples * perSample));
  return Math.max(rowMost, Math.min(rowMost * rows, MOST_TOKENS, wanted));
}
