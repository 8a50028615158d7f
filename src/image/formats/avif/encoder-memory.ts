/** The WebAssembly memory that encoding AVIF in rows takes, and the pictures for which it is possible. */
import { wholePages } from "../../memory/pages.ts";
import { CHANNELS_OF, type RowLayout, rowsPerBatch } from "../../memory/rows.ts";

/** Static data and tables of the module, rounded up. */
const MODULE_BYTES = 249_856;
/** Bytes of output that are held at once; one superblock may need all of them. */
const OUTPUT_BYTES = 65_536;
const SUPERBLOCK = 64;
/** Bytes after and before each row of samples, in the picture and in its reconstruction. */
const ROW_SLACK_BYTES = 96;
const ROW_LEAD_BYTES = 16;
/** Bytes of contexts per 4 samples of the edge above. */
const RECORD_BYTES = 16;

/** Limits of a tile (AV1 specification section 3): its width in pixels, and its number of superblocks. */
const TILE_MAX_WIDTH = 4096;
const TILE_MAX_SUPERBLOCKS = (4096 * 2304) / SUPERBLOCK ** 2;

/** Whether a picture fits one tile: the encoder makes no more than one. */
export const fitsAvifRows = (width: number, height: number): boolean =>
  width <= TILE_MAX_WIDTH &&
  Math.ceil(width / SUPERBLOCK) * Math.ceil(height / SUPERBLOCK) <= TILE_MAX_SUPERBLOCKS;

/** Bytes of WebAssembly memory that encoding takes, within a page, whatever the picture shows. Excludes the file. */
export function avifEncoderPeakBytes(width: number, height: number, layout: RowLayout): number {
  const channels = CHANNELS_OF[layout];
  const staged = rowsPerBatch(width * channels, height) * width * channels;
  const coded = 8 * Math.ceil(width / 8) + ROW_SLACK_BYTES;
  const planes = 2 * 3 * (coded + ROW_LEAD_BYTES) * (SUPERBLOCK + 1);
  // A row without alpha, and two rows of chroma at full resolution.
  const colour = 3 * coded + 4 * coded;
  const contexts = (Math.ceil(width / 4) + SUPERBLOCK / 4) * RECORD_BYTES;
  return wholePages(MODULE_BYTES + staged + OUTPUT_BYTES + planes + colour + contexts);
}
