/** What encoding WebP in rows takes of its WebAssembly memory. */
import { CHANNELS_OF, type RowLayout, rowsPerBatch } from "../../memory/rows.ts";
import { wholePages } from "../../memory/pages.ts";

/** Bytes of a chunk of the file. */
export const WEBP_OUT_BYTES = 32_768;
/** Static data and tables of the module, rounded up. */
const MODULE_BYTES = 53_248;
/** Quantisers, the macroblock at work, and what is lost to alignment and kept free for vectors. */
const SLACK = 4096;
/** Most bytes of tokens that one macroblock makes: 25 blocks of 16 levels, three bytes each. */
const MACROBLOCK_TOKENS = 1200;
/** A record of decisions, kept for each macroblock until the end. */
const RECORD_BYTES = 9;
/** Most memory given to tokens; what makes more is coded by the statistics of its upper part. */
const MOST_TOKENS = 8 * 1024 * 1024;
const LEAST_TOKENS = 512 * 1024;
const MOST_ALPHA_TOKENS = 1024 * 1024;

const macroblocks = (samples: number): number => Math.ceil(samples / 16);

/** Room for tokens, in bytes: that of a detailed photo, never less than one row of macroblocks may need. */
export function webpTokenBytes(width: number, height: number, quality: number): number {
  const rowMost = macroblocks(width) * MACROBLOCK_TOKENS;
  const perPixel = 0.12 + 12 / (112 - quality);
  const wanted = Math.max(LEAST_TOKENS, Math.ceil(width * height * perPixel));
  return Math.max(rowMost, Math.min(rowMost * macroblocks(height), MOST_TOKENS, wanted));
}

/** Room for alpha's tokens, in bytes: a quarter of what noise makes. */
export function webpAlphaTokenBytes(width: number, height: number): number {
  return Math.max(2 * width, Math.min(Math.ceil((width * height) / 2), MOST_ALPHA_TOKENS));
}

/**
 * Bytes of WebAssembly memory that encoding takes, exact to a page, whatever the picture shows. The file comes on
 * top: its chunks are JavaScript's until the last is there.
 */
export function webpEncoderPeakBytes(
  width: number,
  height: number,
  quality: number,
  hasAlpha: boolean,
  layout: RowLayout = hasAlpha ? "rgba" : "rgb",
): number {
  const channels = CHANNELS_OF[layout];
  const wide = macroblocks(width);
  const staged = rowsPerBatch(width * channels, height) * width * channels;
  // Ten rows of chroma, two pairs of rows of pixels, and chroma sums of one row.
  const colour = channels >= 3 ? 2 * 10 * 8 + 4 * 16 * channels + 2 * 2 * 8 : 0;
  // Rows of luma; those above; contexts and modes above, for each pass.
  const rows = wide * (16 * 16 + colour + 32 + 40 + (hasAlpha ? 6 : 0));
  const alpha = hasAlpha ? 3 * width + webpAlphaTokenBytes(width, height) : 0;
  const records = wide * macroblocks(height) * RECORD_BYTES;
  const tokens = webpTokenBytes(width, height, quality);
  return wholePages(MODULE_BYTES + SLACK + staged + WEBP_OUT_BYTES + rows + alpha + records + tokens);
}
