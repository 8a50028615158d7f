/** The memory that decoding WebP in rows takes (codecs/webp/assembly). */
import { CHANNELS_OF, type RowLayout, rowsPerBatch } from "../../memory/rows.ts";
import type { WebpFacts } from "../../model/facts.ts";
import type { Size } from "../../geometry/size.ts";

/** Static data of the module, rounded up. */
const MODULE_BYTES = 49_152;
/** The alignment of every block of memory, in bytes. */
const ALIGNMENT = 16;
/** Room for vectors that are read and written past the end of rows. */
const SLACK_BYTES = 64;
/** The most rows that one row of macroblocks completes (codecs/webp/assembly/decoder/index.ts). */
const FREED_MAX_ROWS = 25;

/** The part of a lossless chunk that is held, and zeros past its end. */
const INPUT_BYTES = 65_536 + 64;
/** The pixels that are held: no match reaches farther back. Images of a tiny picture are decoded in this room too. */
const RING_PIXELS = { most: 2 ** 20, fewest: 256 } as const;
/** Tiles are squares of at least so many pixels a side. */
const TILE_MIN_SIDE_PIXELS = 4;
/** How a tile is predicted, its factors of colours, and its group of prefix codes. */
const TILE_BYTES = 1 + 3 + 2;
/** The most that a group takes: tables of 5004 entries of 2 bytes for its codes, its record, and alignment. */
const GROUP_MAX_BYTES = 10_240;
/**
 * Room for all groups. libwebp's encoder makes at most 2600 of them. Room that the images leave is used too: they take
 * all of it only with tiles of the least size.
 */
const GROUPS_MAX_BYTES = { lossless: 8 * 2 ** 20, alpha: 2 ** 20 } as const;

const blocksBytes = (blocks: readonly number[]): number =>
  blocks.reduce((sum, bytes) => sum + Math.ceil(bytes / ALIGNMENT) * ALIGNMENT, 0);

function reserveBytes({ width, height }: Size, groupsMaxBytes: number): number {
  const tiles = Math.ceil(width / TILE_MIN_SIDE_PIXELS) * Math.ceil(height / TILE_MIN_SIDE_PIXELS);
  return tiles * TILE_BYTES + Math.min(groupsMaxBytes, tiles * GROUP_MAX_BYTES);
}

/** Returns the bytes for the images of a file's transforms and its prefix codes, which only the file tells. */
export const webpLosslessReserveBytes = (size: Size): number => reserveBytes(size, GROUPS_MAX_BYTES.lossless);
export const webpAlphaReserveBytes = (size: Size): number => reserveBytes(size, GROUPS_MAX_BYTES.alpha);

/** Returns the rows of a lossless picture that are handed out at once. */
export const webpBatchRows = ({ width, height }: Size, layout: RowLayout): number =>
  rowsPerBatch(width * CHANNELS_OF[layout], height);

/** Returns the blocks of memory that lossless pictures and planes of alpha take alike. */
function vp8lBlocks({ width, height }: Size, reserve: number): number[] {
  const pixels = Math.min(RING_PIXELS.most, Math.max(RING_PIXELS.fewest, width * height));
  const row = 4 * width + SLACK_BYTES;
  return [INPUT_BYTES, 4 * pixels + SLACK_BYTES, row, row, reserve];
}

type DecodedFacts = Pick<WebpFacts, "codedWidth" | "codedHeight" | "hasAlpha">;

const sizeOf = ({ codedWidth: width, codedHeight: height }: DecodedFacts): Size => ({ width, height });

/** Returns the bytes of the arena that a lossless picture takes. The file passes through it. */
export function losslessDecoderPeakBytes(facts: DecodedFacts): number {
  const size = sizeOf(facts);
  const layout = facts.hasAlpha ? "rgba" : "rgb";
  const rows = webpBatchRows(size, layout) * CHANNELS_OF[layout] * size.width + SLACK_BYTES;
  return MODULE_BYTES + blocksBytes([rows, ...vp8lBlocks(size, webpLosslessReserveBytes(size))]);
}

/**
 * Returns the bytes of the arena that a lossy picture takes: the file, buffers that depend on the width, and the alpha.
 */
export function vp8DecoderPeakBytes(facts: DecodedFacts, fileBytes: number): number {
  const size = sizeOf(facts);
  const { width } = size;
  const wide = Math.ceil(width / 16);
  const blocks = [
    fileBytes,
    FREED_MAX_ROWS * 3 * width + SLACK_BYTES,
    // The current macroblock (17 and 9 rows of 32 bytes), and the samples above the next row of macroblocks.
    17 * 32,
    9 * 32,
    16 * wide + 16,
    8 * wide + 16,
    8 * wide + 16,
    // Records, and per macroblock of the row above: modes, levels and filters.
    20 * wide,
    4 * wide,
    2 * wide,
    4 * wide,
    // The planes Y, U and V.
    32 * 16 * wide + SLACK_BYTES,
    16 * 8 * wide + SLACK_BYTES,
    16 * 8 * wide + SLACK_BYTES,
    // Upsampled chroma of two rows.
    ...Array<number>(4).fill(width + SLACK_BYTES),
  ];
  return MODULE_BYTES + blocksBytes(facts.hasAlpha ? [...blocks, ...alphaBlocks(size)] : blocks);
}

/** Returns the bytes of two rows of alpha, of rows of RGBA, and of a lossless plane. */
function alphaBlocks(size: Size): number[] {
  const row = size.width + SLACK_BYTES;
  const joined = FREED_MAX_ROWS * 4 * size.width + SLACK_BYTES;
  return [row, row, joined, ...vp8lBlocks(size, webpAlphaReserveBytes(size))];
}

/** How often the bytes of a frame are held: as they were read, and in the decoder. */
export const FRAME_COPIES = 2;

/**
 * Returns the bytes of the arena that the decoder of a frame takes, with `fileBytes` of the largest frame. A file that is not
 * lossless throughout may have lossless frames too.
 */
export const webpFrameBytes = (facts: WebpFacts, fileBytes: number): number =>
  Math.max(
    losslessDecoderPeakBytes({ ...facts, hasAlpha: true }),
    facts.lossless ? 0 : vp8DecoderPeakBytes(facts, fileBytes),
  );
