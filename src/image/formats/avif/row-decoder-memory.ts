/**
 * The arena that our decoder of AVIF takes, which works in rows. The formulas are those of what it allocates
 * (src/builder/codecs/avif/assembly/decoder), with every filter and tool that the facts do not exclude.
 */
import type { AvifFacts, FrameNeeds } from "../../model/facts.ts";
import { LEAST_NEEDS } from "./av1/frame-header.ts";

/** The module's tables, which all decoders share, and what is allocated for a file: factors and descriptions of items. */
const TABLE_BYTES = 298_000;
/** Blocks of a fixed size of each decoder: headers, and the windows of filters. */
const FIXED_BYTES = 18_500;
const MATRIX_BYTES = 58_400;
/** The state of a tile, of which each column of tiles has one. */
const TILE_BYTES = 12_200;
/** The templates of film grain, and its noise per column. */
const GRAIN_BYTES = { fixed: 52_000, column: 5 } as const;
/** The windows of loop restoration, and the parameters of its units per column. */
const RESTORATION_BYTES = { fixed: 66_000, column: 5 } as const;
/** The context of blocks per column, and the facts of a block of 4 x 4, of which there is a row of superblocks and one more. */
const [CONTEXT_BYTES, BLOCK_BYTES] = [14, 8];
/** A motion vector with the kind of its block, of a row of superblocks and of 8 rows above. */
const [MOTION_BYTES, MOTION_ROWS] = [5, 8];
const BLOCK_SIDE = 4;
const SAMPLE_BYTES = 2;
/** The margins of a row of a plane in a decoder, and in the bands that are converted. */
const [MARGIN_BYTES, BAND_MARGIN_BYTES] = [128, 80];
/** Rows that are kept beside a row of superblocks: above the band, in the filters, and around them. */
const [ABOVE_ROWS, FILTER_ROWS, LINE_ROWS] = [2, 8, 4];
/** Rows beside a superblock row that a decoder hands out, and rows that stay above and below those that are converted. */
const [HELD_ROWS, BESIDE_ROWS] = [8, 8];
/** Rows of chroma that are enlarged for the conversion: bytes per column, and the margins of the three rows. */
const ENLARGED_BYTES = { column: 6, margins: 224 } as const;
/** Bytes of a strip of converted rows, at least. */
const STRIP_BYTES = 65_536;

type Chroma = AvifFacts["chroma"];

/** Returns the bytes of rows of samples, with those of chroma beside them. */
function planesBytes(chroma: Chroma, rows: number, columns: number, margin = MARGIN_BYTES): number {
  const luma = rows * (columns * SAMPLE_BYTES + margin);
  if (chroma === "400") return luma;
  const columnBytes = (chroma === "444" ? columns : columns / 2) * SAMPLE_BYTES + margin;
  return luma + 2 * (chroma === "420" ? rows / 2 + 1 : rows) * columnBytes;
}

/** Returns the bytes of the decoder of a cell, or of its alpha. Another cell may be without intra block copy. */
const decoderBytes = (facts: AvifFacts, chroma: Chroma, needs: FrameNeeds): number =>
  Math.max(frameBytes(facts, chroma, needs), frameBytes(facts, chroma, { ...needs, copiedRows: 0 }));

function frameBytes(facts: AvifFacts, chroma: Chroma, needs: FrameNeeds): number {
  const { superblock = 128, restorable, keptFrames = 1 } = facts;
  const columns = Math.ceil((facts.grid?.tileWidth ?? facts.codedWidth) / superblock) * superblock;
  const copies = needs.copiedRows > 0;
  // Frames with film grain count as kept ones, because libaom keeps them.
  const hasGrain = keptFrames > 0;
  const extras = [...(restorable && !copies ? [RESTORATION_BYTES] : []), ...(hasGrain ? [GRAIN_BYTES] : [])];
  const fixed = FIXED_BYTES + TILE_BYTES * needs.tileColumns + (needs.hasMatrices ? MATRIX_BYTES : 0);
  const blockRows = superblock / BLOCK_SIDE;
  const motions = copies ? MOTION_BYTES * (blockRows + MOTION_ROWS) : 0;
  const blocks = (columns / BLOCK_SIDE) * (BLOCK_BYTES * (blockRows + 1) + motions);
  const band = planesBytes(chroma, Math.max(superblock, needs.copiedRows) + ABOVE_ROWS, columns);
  const filtered = planesBytes(chroma, superblock + FILTER_ROWS, columns);
  const lines = planesBytes(chroma === "400" ? "400" : "444", LINE_ROWS, columns);
  const enlarged = needs.isEnlarged ? filtered + planesBytes("400", LINE_ROWS, columns) : 0;
  // Intra block copy excludes all filters but film grain.
  const filters = copies && !hasGrain ? 0 : filtered + lines + enlarged;
  const sum = fixed + CONTEXT_BYTES * columns + blocks + band + filters;
  return extras.reduce((bytes, extra) => bytes + extra.fixed + extra.column * columns, sum);
}

/** Returns the bytes of the arena that a still takes, which is decoded in rows. */
export function avifStillBytes(
  facts: AvifFacts,
  fileBytes: number,
  width: number = facts.crop?.width ?? facts.codedWidth,
): number {
  const { hasAlpha, chroma, codedWidth, superblock = 128, grid, needs } = facts;
  const columns = grid?.columns ?? 1;
  const colour = columns * decoderBytes(facts, chroma, needs?.colour ?? LEAST_NEEDS);
  const alpha = hasAlpha ? columns * decoderBytes(facts, "400", needs?.alpha ?? LEAST_NEEDS) : 0;
  // Several decoders are not at the same row.
  const rows = (superblock + HELD_ROWS) * (columns > 1 || hasAlpha ? 2 : 1) + BESIDE_ROWS;
  const bandOf = (layout: Chroma): number => planesBytes(layout, rows, codedWidth, BAND_MARGIN_BYTES);
  const bands = bandOf(chroma) + (hasAlpha ? bandOf("400") : 0);
  const enlarged = chroma === "400" ? 0 : ENLARGED_BYTES.column * codedWidth + ENLARGED_BYTES.margins;
  const strip = Math.max(STRIP_BYTES, width * (hasAlpha ? 4 : 3));
  return fileBytes + TABLE_BYTES + colour + alpha + bands + enlarged + strip;
}
