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
const TOKENS_MAX_BYTES = 7 * 1024 * 1024;
const TOKENS_MIN_BYTES = 512 * 1024;
/** Alpha, and a picture without loss, is coded in bands of about so many pixels, whose matches reach so far back. */
const BAND_PIXELS = 1 << 16;
const ALPHA_REACH = 1 << 17;
/** A drawing repeats itself farther away. */
const LOSSLESS_REACH = 1 << 18;
const ALPHA_TOKENS_MAX_BYTES = 1024 * 1024;
/** A token of alpha; a pixel whose path is chosen; a pixel on a chain. */
const ALPHA_TOKEN_BYTES = 4;
const PATH_BYTES = 8;
const CHAIN_BYTES = 4;
/** The codes of a group of tiles, and where the group of each tile is. */
const MOST_GROUPS = 12;
const MOST_TILES = 1024;
/** Symbols of an image of alpha and of one in colour, and of each its code or what it costs. */
const ALPHA_SYMBOLS = 320;
const COLOUR_SYMBOLS = 2112;
const CODE_BYTES = 8;
const COST_BYTES = 4;
/** Where chains begin. */
const HEADS_BYTES = 4 << 15;

/** Tokens of a picture without loss: of a small picture all there may be, of a large one one per four pixels. */
const LOSSLESS_TOKEN_BYTES = 8;
const LOSSLESS_TOKENS_MIN_BYTES = 512 * 1024;
const LOSSLESS_TOKENS_PER_PIXEL_BYTES = 2;
/** Larger pictures are not tried without loss: every pixel is held, and bands of wide pictures are large. */
export const WEBP_LOSSLESS_MAX = { pixels: 1 << 21, width: 4096 } as const;
/** Colours with their hash table, the cache, and counts of symbols, of samples, and of residuals with their costs. */
const LOSSLESS_TABLES_BYTES = 3 * 32_768 + 4096 + 2 * 4 * COLOUR_SYMBOLS + 16_384 + 8192 + 4096 + 256;
/** Three rows of pixels, and the one of them that is rounded. */
const LOSSLESS_ROWS_BYTES = 4 * 4;
/** How a tile is predicted, and its factors of colours. */
const LOSSLESS_TILE_BYTES = 1 + 4;
/** The number of a pixel's colour; its colour, its value, and its place in the cache. */
const LOSSLESS_HELD_BYTES = 2;
const LOSSLESS_BAND_BYTES = 4 + 4 + 2;

const macroblocks = (samples: number): number => Math.ceil(samples / 16);

/**
 * Returns the room for tokens, in bytes: enough for a detailed photo, and never less than one row of macroblocks may
 * need.
 */
export function webpTokenBytes(width: number, height: number, quality: number): number {
  const rowMost = macroblocks(width) * MACROBLOCK_TOKENS_MAX_BYTES;
  const perPixel = 0.12 + 12 / (112 - quality);
  const wanted = Math.max(TOKENS_MIN_BYTES, Math.ceil(width * height * perPixel));
  return Math.max(rowMost, Math.min(rowMost * macroblocks(height), TOKENS_MAX_BYTES, wanted));
}

/** The prediction's tiles have `1 << bits` pixels per side in pictures below so many pixels, else the last. */
const BAND_TILES = [
  { bits: 3, below: 1 << 16 },
  { bits: 4, below: 1 << 20 },
  { bits: 5, below: Infinity },
];

/**
 * How alpha is coded, and a picture without loss: tiles of the prediction, rows at once, the pixels before them that are
 * in reach, and room for the tokens of alpha in bytes.
 */
export interface Band {
  readonly tileBits: number;
  readonly rows: number;
  readonly reach: number;
  readonly tokenBytes: number;
}

export function webpBand(width: number, height: number, mayBeLossless = false): Band {
  const pixels = width * height;
  const tileBits = BAND_TILES.find(({ below }) => pixels < below)?.bits ?? 0;
  const tile = 2 ** tileBits;
  const rows = Math.min(height, Math.max(1, Math.floor(BAND_PIXELS / width / tile)) * tile);
  const reach = Math.min(mayBeLossless ? LOSSLESS_REACH : ALPHA_REACH, 2 ** Math.ceil(Math.log2(pixels)));
  const bandBytes = ALPHA_TOKEN_BYTES * rows * width;
  const tokenBytes = Math.max(bandBytes, Math.min(ALPHA_TOKEN_BYTES * pixels, ALPHA_TOKENS_MAX_BYTES));
  return { tileBits, rows, reach, tokenBytes };
}

/**
 * Returns the room for tokens of a picture without loss, in bytes. A picture that needs more takes fewer bytes with
 * loss.
 */
export const webpLosslessTokenBytes = (width: number, height: number): number =>
  Math.max(
    Math.min(LOSSLESS_TOKENS_MIN_BYTES, LOSSLESS_TOKEN_BYTES * width * height),
    LOSSLESS_TOKENS_PER_PIXEL_BYTES * width * height,
  );

const tilesOf = (width: number, height: number, tileBits: number): number =>
  Math.ceil(width / 2 ** tileBits) * Math.ceil(height / 2 ** tileBits);

/** Returns the bytes that coding alpha takes, besides those that images in green and in colour have in common. */
function alphaBytes(width: number, height: number, { tileBits, rows, reach, tokenBytes }: Band): number {
  const bandPixels = rows * width;
  return 2 * (width + bandPixels) + reach + bandPixels + tilesOf(width, height, tileBits) + tokenBytes;
}

function losslessBytes(width: number, height: number, { tileBits, rows, reach }: Band): number {
  const held = LOSSLESS_HELD_BYTES * width * height + 4 * (reach + width) + LOSSLESS_ROWS_BYTES * width;
  return (
    held +
    LOSSLESS_BAND_BYTES * rows * width +
    LOSSLESS_TABLES_BYTES +
    LOSSLESS_TILE_BYTES * tilesOf(width, height, tileBits) +
    webpLosslessTokenBytes(width, height)
  );
}

/** Returns the bytes of the tables that find the tokens of an image, and write them. */
function imageBytes(width: number, { rows, reach }: Band, symbols: number): number {
  const codes = MOST_GROUPS * CODE_BYTES * symbols + MOST_TILES + COST_BYTES * symbols;
  return codes + HEADS_BYTES + CHAIN_BYTES * reach + PATH_BYTES * rows * width;
}

/**
 * Returns the bytes of WebAssembly memory that encoding takes, exact to a page, whatever the picture shows. The file is
 * not included: JavaScript holds its chunks until the last one.
 */
export function webpEncoderPeakBytes(
  width: number,
  height: number,
  quality: number,
  hasAlpha: boolean,
  layout: RowLayout = hasAlpha ? "rgba" : "rgb",
  mayBeLossless = false,
): number {
  const channels = CHANNELS_OF[layout];
  const wide = macroblocks(width);
  const staged = rowsPerBatch(width * channels, height) * width * channels;
  // Per macroblock: ten rows of both chroma planes, three of their means, six rows of pixels, and the chroma sums of one
  // row.
  const colour = channels >= 3 ? 2 * (10 + 3) * 8 + 6 * 16 * channels + 2 * 2 * 8 : 0;
  // Rows of luma, the rows above, and the contexts and modes above for each pass.
  const rows = wide * (16 * 16 + colour + 32 + 40 + (hasAlpha ? 6 : 0));
  const band = webpBand(width, height, mayBeLossless);
  const alpha = hasAlpha ? alphaBytes(width, height, band) : 0;
  const lossless = mayBeLossless ? losslessBytes(width, height, band) : 0;
  const symbols = mayBeLossless ? COLOUR_SYMBOLS : ALPHA_SYMBOLS;
  const image = hasAlpha || mayBeLossless ? imageBytes(width, band, symbols) : 0;
  const records = wide * macroblocks(height) * RECORD_BYTES;
  const tokens = webpTokenBytes(width, height, quality);
  const fixed = MODULE_BYTES + SLACK_BYTES + WEBP_OUT_BYTES;
  return wholePages(fixed + staged + rows + alpha + lossless + image + records + tokens);
}
