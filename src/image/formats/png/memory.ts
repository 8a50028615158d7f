/** The WebAssembly memory that decoding and encoding PNG in rows take. */
import { MEGABYTE_BYTES } from "../../../limits.ts";
import type { PngFacts } from "../../model/facts.ts";
import { PASS_PERIOD_ROWS, passesOf } from "./passes.ts";
import { CHANNELS_OF, type RowLayout, rowsPerBatch } from "../../memory/rows.ts";
import type { Size } from "../../geometry/size.ts";
import { wholePages } from "../../memory/pages.ts";

/** Size of the buffer through which chunk data is copied into the module to compute its CRC. */
export const PNG_SCRATCH_BYTES = 16_384;
/** Static data of the module with its tables, palette and transparent colour, rounded up. */
const MODULE_BYTES = 44_832;
/** Rows are decoded in batches of at most this many bytes, but at least one row. */
const DECODER_BATCH_BYTES = 49_152;
/** Memory of an inflater beside its batch of rows: input, window, tables and slack. */
const INFLATER_BYTES = 143_536;
/** Slack past the end of two buffers of rows, and rounding. */
const ROWS_SLACK_BYTES = 96;
/** The largest interlaced picture that is held whole. The passes of a larger one are decoded in parallel. */
const HELD_WHOLE_MAX_BYTES = 16 * MEGABYTE_BYTES;
/** Rows of the picture that all passes together complete at once. */
export const PNG_BAND_ROWS = PASS_PERIOD_ROWS;
/** The most of these rows that belong to one pass: every other one. */
export const PNG_BAND_PASS_ROWS = PASS_PERIOD_ROWS / 2;
/** Length of the ranges of the file that are read for each pass but the last. */
export const PNG_RANGE_BYTES = 524_288;
/** Length of the data in each IDAT of a variant. */
export const PNG_IDAT_BYTES = 65_536;
/** The largest variant whose colours are counted, to give it a palette. One byte is held per pixel. */
export const PNG_MOST_HELD_PIXELS = 4 * MEGABYTE_BYTES;
/** Rows are filtered in batches of at most this many bytes, but at least one row. */
export const PNG_ENCODER_BATCH_BYTES = 65_536;
/**
 * Memory of the deflater beside an IDAT: window and trees, the matches of a piece, the symbols and bytes of a block; and
 * the tables that estimate what filtered rows take.
 */
const DEFLATER_BYTES = 1_415_232;
/** The window of deflate, for which rows before the batch are kept, and most of these rows. */
const WINDOW_BYTES = 32_768;
const MOST_ROWS_BEFORE = 512;

/** Coded samples per pixel of each colour type. */
export const PNG_SAMPLES = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const;

/** Returns the layout in which rows of a colour type are handed out. */
export function pngLayoutOf(colourType: PngFacts["colourType"], hasAlpha: boolean): RowLayout {
  if (colourType === 0 || colourType === 4) return hasAlpha ? "gray-alpha" : "gray";
  return hasAlpha ? "rgba" : "rgb";
}

/** Returns the number of whole rows per batch. */
export const pngRowsPerBatch = (rowBytes: number, height: number): number =>
  rowsPerBatch(rowBytes, height, DECODER_BATCH_BYTES);

type Frame = Pick<
  PngFacts,
  "codedWidth" | "codedHeight" | "bitDepth" | "colourType" | "hasAlpha" | "interlaced" | "hidesDefault"
>;

/** Returns whether the passes of a picture are decoded in parallel, for which parts of the file are read twice. */
export function decodesPassesInParallel({
  codedWidth,
  codedHeight,
  colourType,
  hasAlpha,
  interlaced,
  hidesDefault,
}: Frame): boolean {
  const channels = CHANNELS_OF[pngLayoutOf(colourType, hasAlpha)];
  // The data of a frame are not where those of the default image are, which ranges are read from.
  return !hidesDefault && interlaced && codedWidth * codedHeight * channels > HELD_WHOLE_MAX_BYTES;
}

/**
 * Returns the bytes of WebAssembly memory that decoding takes, exact to a page. They depend on the width alone, except
 * for an interlaced picture that is held whole.
 * @param sideBySide whether the passes are decoded in parallel
 */
export function pngDecoderPeakBytes(facts: Frame, sideBySide = false): number {
  const { codedWidth: width, codedHeight: height, bitDepth, colourType } = facts;
  const channels = CHANNELS_OF[pngLayoutOf(colourType, facts.hasAlpha)];
  const coded = Math.ceil((width * PNG_SAMPLES[colourType] * bitDepth) / 8);
  const batch = sideBySide ? PNG_BAND_PASS_ROWS : pngRowsPerBatch(coded + 1, height);
  const inflaters = sideBySide ? passesOf(width, height).length : 1;
  const isExpanded = bitDepth !== 8 || colourType === 3 || (facts.hasAlpha && colourType < 4);
  const expanded = isExpanded ? batch * width * channels + 48 : 0;
  const assembled = sideBySide ? PNG_BAND_ROWS : facts.interlaced ? height : 0;
  const picture = assembled * width * channels;
  const rows = batch * coded + ROWS_SLACK_BYTES;
  const each = INFLATER_BYTES + batch * (coded + 1) + coded + 32;
  return wholePages(MODULE_BYTES + PNG_SCRATCH_BYTES + inflaters * each + rows + expanded + picture);
}

/** Returns the bytes outside the memory that parallel passes take to read ranges of the file. */
export function pngRangeBytes({ codedWidth, codedHeight }: Frame, sourceBytes: number): number {
  return (passesOf(codedWidth, codedHeight).length - 1) * Math.min(PNG_RANGE_BYTES, sourceBytes);
}

/**
 * Returns about how many ranges are read: those of the half of the file before the last pass, and a short one per pass.
 */
export function pngRangeReads({ codedWidth, codedHeight }: Frame, sourceBytes: number): number {
  return passesOf(codedWidth, codedHeight).length - 1 + Math.floor(sourceBytes / 2 / PNG_RANGE_BYTES);
}

/** Returns the rows that the encoder may hold until it has counted the colours: all, or none of a large picture. */
export function pngHeldRows({ width, height }: Size): number {
  return width * height <= PNG_MOST_HELD_PIXELS ? height : 0;
}

/** Returns the bytes of WebAssembly memory that encoding takes, exact to a page. */
export function pngEncoderPeakBytes(picture: Size & { readonly layout: RowLayout }): number {
  const rowBytes = picture.width * CHANNELS_OF[picture.layout];
  const batch = rowsPerBatch(rowBytes, picture.height, PNG_ENCODER_BATCH_BYTES);
  const before = Math.min(MOST_ROWS_BEFORE, Math.floor(WINDOW_BYTES / (rowBytes + 1)));
  const rows = batch * (3 * rowBytes + 17) + before * (2 * rowBytes + 17) + rowBytes + 96;
  const held = picture.width * pngHeldRows(picture) + 16;
  return wholePages(MODULE_BYTES + PNG_SCRATCH_BYTES + PNG_IDAT_BYTES + DEFLATER_BYTES + rows + held);
}
