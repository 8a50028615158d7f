/** The WebAssembly memory that encoding JPEG in rows takes. */
import { wholePages } from "../../memory/pages.ts";
import { CHANNELS_OF, type RowLayout, rowsPerBatch } from "../../memory/rows.ts";
import type { RowJpegOptions } from "./encoder-options.ts";

/** Bytes per chunk of the output. */
export const JPEG_OUT_BYTES = 32_768;
/** Static data, tables and counts of the module, rounded up. */
const MODULE_BYTES = 57_344;
const SLACK_BYTES = 64;
/** One sample of luma or chroma, which has a fraction. */
const SAMPLE_BYTES = 2;
/** Rows that are encoded together. */
const GROUP_ROWS = 16;
/**
 * Samples beside luma, Cb, Cr and the luma for halved chroma, per sample of a plane: Cb and Cr halved, before and after
 * they are sharpened, with a row from above, a row of Cb and Cr enlarged, and one that is padded.
 */
const HALVED_ROWS_SAMPLES = (4 * 9 * 0.5 + 2.5) / GROUP_ROWS;
/** The most that the tokens of one block take: 2 bytes for its DC coefficient and 3 for each of the 63 others. */
const BLOCK_TOKENS_MAX_BYTES = 191;
/** The most memory for tokens. A picture with more is encoded sequentially. */
const TOKENS_MAX_BYTES = 11 * 1024 * 1024;
/** The least memory for tokens, unless the picture cannot fill it. */
const TOKENS_MIN_BYTES = 512 * 1024;

/**
 * Returns the bytes of WebAssembly memory that encoding takes, exact to a page. They do not depend on what the picture
 * shows: one whose tokens do not fit is encoded in more than one part.
 */
export function jpegEncoderPeakBytes(
  width: number,
  height: number,
  { chroma, scale, finestScale = scale }: RowJpegOptions,
  layout: RowLayout = "rgb",
): number {
  const channels = CHANNELS_OF[layout];
  const isColour = channels >= 3;
  const isHalved = isColour && chroma !== "444";
  const stride = Math.ceil(width / GROUP_ROWS) * GROUP_ROWS;
  const samples = stride * GROUP_ROWS * (isColour ? (isHalved ? 4 + HALVED_ROWS_SAMPLES : 3) : 1);
  const flat = channels % 2 === 0 ? (channels - 1) * width : 0;
  const planes = SAMPLE_BYTES * samples + flat;
  const staged = rowsPerBatch(width * channels, height) * width * channels;
  const blocksHigh = Math.ceil(height / 8);
  const rowStarts = 4 * blocksHigh * (isColour ? (isHalved ? (chroma === "420" ? 2 : 5) : 3) : 1);
  const masks = 8 * Math.ceil(width / 8);
  const tokens = jpegTokenBytes({ width, height, channels, chroma, scale: finestScale });
  return wholePages(
    MODULE_BYTES + staged + planes + rowStarts + masks + 24 * SLACK_BYTES + JPEG_OUT_BYTES + tokens,
  );
}

/**
 * Returns the room for tokens, in bytes: enough for a detailed photograph, and never less than one group of rows may
 * need.
 * @param maxBytes the upper bound, which only the need of one group of rows exceeds
 */
export function jpegTokenBytes(
  picture: {
    width: number;
    height: number;
    channels: number;
    chroma: RowJpegOptions["chroma"];
    scale: number;
  },
  maxBytes = TOKENS_MAX_BYTES,
): number {
  const { width, height, channels, chroma, scale } = picture;
  const perPixel = channels < 3 ? 1 : chroma === "420" ? 1.5 : chroma === "444" ? 3 : 4.5;
  const across = Math.ceil(width / GROUP_ROWS) * GROUP_ROWS;
  const groupMost = Math.ceil((across * GROUP_ROWS * perPixel * BLOCK_TOKENS_MAX_BYTES) / 64);
  const groups = Math.ceil(height / GROUP_ROWS);
  // Even photographs with much grain need less than this.
  const perSample = Math.min(2, 0.05 + 0.12 / scale);
  const wanted = Math.max(TOKENS_MIN_BYTES, Math.ceil(width * height * perPixel * perSample));
  return Math.max(groupMost, Math.min(groupMost * groups, maxBytes, wanted));
}
