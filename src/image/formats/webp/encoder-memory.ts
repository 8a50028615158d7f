/** The WebAssembly memory that encoding WebP in rows takes. */
import { CHANNELS_OF, type RowLayout, rowsPerBatch } from "../../memory/rows.ts";
import { wholePages } from "../../memory/pages.ts";

/** Bytes per chunk of the output. */
export const WEBP_OUT_BYTES = 32_768;
/** Static data and tables of the module, rounded up. */
const MODULE_BYTES = 53_248;
/** Quantisers, the current macroblock, alignment, and room for vectors past the end of buffers. */
const SLACK_BYTES = 4096;
/** The most that the tokens of one macroblock take: 25 blocks of 16 levels, 3 bytes each. */
const MACROBLOCK_TOKENS_MAX_BYTES = 1200;
/** Size of the record of decisions that is kept for each macroblock until the end. */
const RECORD_BYTES = 9;
/** The most memory for tokens. A picture with more is coded with the statistics of its upper part. */
const TOKENS_MAX_BYTES = 8 * 1024 * 1024;
const TOKENS_MIN_BYTES = 512 * 1024;
const ALPHA_TOKENS_MAX_BYTES = 1024 * 1024;

const macroblocks = (samples: number): number => Math.ceil(samples / 16);

/** Room for tokens, in bytes: enough for a detailed photo, and never less than one row of macroblocks may need. */
export function webpTokenBytes(width: number, height: number, quality: number): number {
  const rowMost = macroblocks(width) * MACROBLOCK_TOKENS_MAX_BYTES;
  const perPixel = 0.12 + 12 / (112 - quality);
  const wanted = Math.max(TOKENS_MIN_BYTES, Math.ceil(width * height * perPixel));
  return Math.max(rowMost, Math.min(rowMost * macroblocks(height), TOKENS_MAX_BYTES, wanted));
}

/** Room for the tokens of alpha, in bytes: a quarter of what noise needs. */
export function webpAlphaTokenBytes(width: number, height: number): number {
  return Math.max(2 * width, Math.min(Math.ceil((width * height) / 2), ALPHA_TOKENS_MAX_BYTES));
}

/**
 * Bytes of WebAssembly memory that encoding takes, exact to a page, whatever the picture shows. The file is not
 * included: JavaScript holds its chunks until the last one.
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
  // Per macroblock: ten rows of both chroma planes, four rows of pixels, and the chroma sums of one row.
  const colour = channels >= 3 ? 2 * 10 * 8 + 4 * 16 * channels + 2 * 2 * 8 : 0;
  // Rows of luma, the rows above, and the contexts and modes above for each pass.
  const rows = wide * (16 * 16 + colour + 32 + 40 + (hasAlpha ? 6 : 0));
  const alpha = hasAlpha ? 3 * width + webpAlphaTokenBytes(width, height) : 0;
  const records = wide * macroblocks(height) * RECORD_BYTES;
  const tokens = webpTokenBytes(width, height, quality);
  return wholePages(MODULE_BYTES + SLACK_BYTES + staged + WEBP_OUT_BYTES + rows + alpha + records + tokens);
}
