/** What encoding JPEG in rows takes of its WebAssembly memory. */
import { wholePages } from "../../memory/pages.ts";
import { CHANNELS_OF, type RowLayout, rowsPerBatch } from "../../memory/rows.ts";
import type { RowJpegOptions } from "./encoder-options.ts";

/** Bytes of a chunk of the file. */
export const JPEG_OUT_BYTES = 32_768;
/** Static data, tables and counts of the module, rounded up. */
const MODULE_BYTES = 57_344;
const SLACK = 64;
/** A sample of luma or chroma, with its fraction. */
const SAMPLE_BYTES = 2;
/** Rows that are encoded together. */
const GROUP_ROWS = 16;
/** Most bytes of tokens that one block makes: its DC coefficient in two, and 63 others in three each. */
const BLOCK_TOKENS = 191;
/** Most memory given to tokens; a picture that makes more is coded sequentially. */
const MOST_TOKENS = 11 * 1024 * 1024;
/** Room for tokens that any picture has, unless it cannot fill it. */
const LEAST_TOKENS = 512 * 1024;

/**
 * Bytes of WebAssembly memory that encoding takes, exact to a page, whatever the picture shows: a picture with
 * more detail than its room for tokens holds is coded in more than one part.
 */
export function jpegEncoderPeakBytes(
  width: number,
  height: number,
  { chroma, scale }: RowJpegOptions,
  layout: RowLayout = "rgb",
): number {
  const channels = CHANNELS_OF[layout];
  const isColour = channels >= 3;
  const isHalved = isColour && chroma !== "444";
  const stride = Math.ceil(width / GROUP_ROWS) * GROUP_ROWS;
  const samples = stride * GROUP_ROWS * (isColour ? (isHalved ? 3.5 : 3) : 1);
  const flat = channels % 2 === 0 ? (channels - 1) * width : 0;
  const planes = SAMPLE_BYTES * samples + flat;
  const staged = rowsPerBatch(width * channels, height) * width * channels;
  const blocksHigh = Math.ceil(height / 8);
  const rowStarts = 4 * blocksHigh * (isColour ? (isHalved ? (chroma === "420" ? 2 : 4) : 3) : 1);
  const masks = 8 * Math.ceil(width / 8);
  const tokens = jpegTokenBytes({ width, height, channels, chroma, scale });
  return wholePages(
    MODULE_BYTES + staged + planes + rowStarts + masks + 16 * SLACK + JPEG_OUT_BYTES + tokens,
  );
}

/**
 * Room for tokens, in bytes: that of a detailed photograph, never less than one group of rows may need.
 * @param most what it is at most but for that
 */
export function jpegTokenBytes(
  picture: {
    width: number;
    height: number;
    channels: number;
    chroma: RowJpegOptions["chroma"];
    scale: number;
  },
  most = MOST_TOKENS,
): number {
  const { width, height, channels, chroma, scale } = picture;
  const perPixel = channels < 3 ? 1 : chroma === "420" ? 1.5 : chroma === "444" ? 3 : 3.5;
  const across = Math.ceil(width / GROUP_ROWS) * GROUP_ROWS;
  const groupMost = Math.ceil((across * GROUP_ROWS * perPixel * BLOCK_TOKENS) / 64);
  const groups = Math.ceil(height / GROUP_ROWS);
  // Photographs with much grain need less.
  const perSample = Math.min(2, 0.05 + 0.12 / scale);
  const wanted = Math.max(LEAST_TOKENS, Math.ceil(width * height * perPixel * perSample));
  return Math.max(groupMost, Math.min(groupMost * groups, most, wanted));
}
