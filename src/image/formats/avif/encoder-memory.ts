/** The WebAssembly memory that encoding AVIF in rows takes. */
import { wholePages } from "../../memory/pages.ts";
import { CHANNELS_OF, type RowLayout, rowsPerBatch } from "../../memory/rows.ts";

/** Static data and tables of the module, rounded up. */
const MODULE_BYTES = 425_984;
/** Bytes of output that are held at once; one superblock may need all of them. */
const OUTPUT_BYTES = 65_536;
const SUPERBLOCK = 64;
/** Bytes after and before each row of samples, in the picture and in its reconstruction. */
const ROW_SLACK_BYTES = 96;
const ROW_LEAD_BYTES = 16;
/** Bytes of contexts per 4 samples of the edge above. */
const RECORD_BYTES = 16;
/** Width up to which a frame has no tiles beside each other (AV1 specification section 3). */
const TILE_MAX_WIDTH = 4096;
/** Bytes that are put aside of each tile beside others. */
const TILE_STATE_BYTES = 10_096;

/**
 * Returns the bytes of WebAssembly memory that encoding takes, within a page, whatever the picture shows. Excludes the
 * file.
 */
export function avifEncoderPeakBytes(width: number, height: number, layout: RowLayout): number {
  const channels = CHANNELS_OF[layout];
  const staged = rowsPerBatch(width * channels, height) * width * channels;
  const isGray = layout === "gray" || layout === "gray-alpha";
  const colour = instanceBytes(width, isGray ? 1 : 3);
  // A second instance, for which the data of the first one is put aside.
  const alpha = layout === "rgba" || layout === "gray-alpha" ? instanceBytes(width, 1) : 0;
  return wholePages(staged + colour + alpha);
}

function instanceBytes(width: number, planeCount: 1 | 3): number {
  const coded = 8 * Math.ceil(width / 8) + ROW_SLACK_BYTES;
  const planes = 2 * planeCount * (coded + ROW_LEAD_BYTES) * (SUPERBLOCK + 1);
  // A row without alpha, and two rows of chroma at full resolution.
  const colour = planeCount === 3 ? 3 * coded + 4 * coded : 0;
  const contexts = (Math.ceil(width / 4) + SUPERBLOCK / 4) * RECORD_BYTES;
  return MODULE_BYTES + OUTPUT_BYTES + planes + colour + contexts + tileStateBytes(width);
}

/** Returns the bytes of the states of tiles. The number of tiles beside each other is a power of two. */
const tileStateBytes = (width: number): number =>
  width > TILE_MAX_WIDTH ? TILE_STATE_BYTES * 2 ** Math.ceil(Math.log2(width / TILE_MAX_WIDTH)) : 0;
