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
/** Alpha is coded in bands of about so many pixels, whose matches reach so far back. */
const ALPHA_BAND_PIXELS = 1 << 16;
const ALPHA_REACH_BYTES = 1 << 17;
const ALPHA_TOKENS_MAX_BYTES = 1024 * 1024;
/** A token of alpha; a place whose path is chosen; a place on a chain. */
const ALPHA_TOKEN_BYTES = 4;
const ALPHA_PATH_BYTES = 8;
const ALPHA_CHAIN_BYTES = 4;
/** The codes of a group of tiles, and where the group of each tile is. */
const ALPHA_MOST_GROUPS = 12;
const ALPHA_GROUP_BYTES = 320 * 8;
const ALPHA_MOST_TILES = 1024;
/** Where chains begin. */
const ALPHA_HEADS_BYTES = 4 << 15;

const macroblocks = (samples: number): number => Math.ceil(samples / 16);

/** Room for tokens, in bytes: enough for a detailed photo, and never less than one row of macroblocks may need. */
export function webpTokenBytes(width: number, height: number, quality: number): number {
  const rowMost = macroblocks(width) * MACROBLOCK_TOKENS_MAX_BYTES;
  const perPixel = 0.12 + 12 / (112 - quality);
  const wanted = Math.max(TOKENS_MIN_BYTES, Math.ceil(width * height * perPixel));
  return Math.max(rowMost, Math.min(rowMost * macroblocks(height), TOKENS_MAX_BYTES, wanted));
}

/** The prediction's tiles have `1 << bits` pixels per side in pictures below so many pixels, else the last. */
const ALPHA_TILES = [
  { bits: 3, below: 1 << 16 },
  { bits: 4, below: 1 << 20 },
  { bits: 5, below: Infinity },
];

/** How alpha is coded: tiles of its prediction, rows at once, the bytes before them that are in reach, and room for tokens in bytes. */
export interface AlphaBand {
  readonly tileBits: number;
  readonly rows: number;
  readonly reach: number;
  readonly tokenBytes: number;
}

export function webpAlphaBand(width: number, height: number): AlphaBand {
  const pixels = width * height;
  const tileBits = ALPHA_TILES.find(({ below }) => pixels < below)?.bits ?? 0;
  const tile = 2 ** tileBits;
  const rows = Math.min(height, Math.max(1, Math.floor(ALPHA_BAND_PIXELS / width / tile)) * tile);
  const reach = Math.min(ALPHA_REACH_BYTES, 2 ** Math.ceil(Math.log2(pixels)));
  const bandBytes = ALPHA_TOKEN_BYTES * rows * width;
  const tokenBytes = Math.max(bandBytes, Math.min(ALPHA_TOKEN_BYTES * pixels, ALPHA_TOKENS_MAX_BYTES));
  return { tileBits, rows, reach, tokenBytes };
}

function alphaBytes(width: number, height: number): number {
  const { tileBits, rows, reach, tokenBytes } = webpAlphaBand(width, height);
  const bandPixels = rows * width;
  const held = 2 * (width + bandPixels) + reach + bandPixels;
  const tiles = Math.ceil(width / 2 ** tileBits) * Math.ceil(height / 2 ** tileBits);
  const groups = ALPHA_MOST_GROUPS * ALPHA_GROUP_BYTES + ALPHA_MOST_TILES;
  return (
    held +
    tiles +
    groups +
    ALPHA_HEADS_BYTES +
    ALPHA_CHAIN_BYTES * reach +
    ALPHA_PATH_BYTES * bandPixels +
    tokenBytes
  );
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
  const alpha = hasAlpha ? alphaBytes(width, height) : 0;
  const records = wide * macroblocks(height) * RECORD_BYTES;
  const tokens = webpTokenBytes(width, height, quality);
  return wholePages(MODULE_BYTES + SLACK_BYTES + staged + WEBP_OUT_BYTES + rows + alpha + records + tokens);
}
