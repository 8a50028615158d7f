/** What PNG in rows takes of its WebAssembly memory, both ways. */
import { MEGABYTE_BYTES } from "../../../limits.ts";
import type { PngFacts } from "../../model/facts.ts";
import { PASS_PERIOD_ROWS, passesOf } from "./passes.ts";
import { CHANNELS_OF, type RowLayout, rowsPerBatch } from "../../memory/rows.ts";
import type { Size } from "../../model/size.ts";
import { wholePages } from "../../memory/pages.ts";

/** Chunk data is copied into the module, piece by piece, for its CRC. */
export const PNG_SCRATCH_BYTES = 16_384;
/** Static data of the module with its tables, palette and key, rounded up. */
const MODULE_BYTES = 41_472;
/** Bytes of rows that are decoded at a time; at least one row. */
const DECODER_BATCH_BYTES = 49_152;
/** What an inflater takes beside a batch of rows: input, window, slack, and a place for its tables. */
const INFLATER_BYTES = 143_536;
/** Past the end of rows, twice, and what rounding takes. */
const ROWS_SLACK_BYTES = 96;
/** An interlaced picture of more bytes than these is not held whole: its passes are decoded side by side. */
const HELD_WHOLE_BYTES = 16 * MEGABYTE_BYTES;
/** Rows of a picture that passes side by side give together. */
export const PNG_BAND_ROWS = PASS_PERIOD_ROWS;
/** Most rows of one pass among these: every other one. */
export const PNG_BAND_PASS_ROWS = PASS_PERIOD_ROWS / 2;
/** What is read of the file at once, for each pass that begins before the last one. */
export const PNG_RANGE_BYTES = 524_288;
/** Data of an IDAT of a variant. */
export const PNG_IDAT_BYTES = 65_536;
/** Pixels of the largest variant whose colours are counted, to give it a palette: a byte is held for each. */
export const PNG_MOST_HELD_PIXELS = 4 * MEGABYTE_BYTES;
/** What the deflater takes beside an IDAT: window and chains, the symbols of a block, and its bytes. */
const DEFLATER_BYTES = 361_504;

/** Samples per pixel of each colour type as coded. */
export const PNG_SAMPLES = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const;

/** How rows of a colour type are handed out. */
export function pngLayoutOf(colourType: PngFacts["colourType"], hasAlpha: boolean): RowLayout {
  if (colourType === 0 || colourType === 4) return hasAlpha ? "gray-alpha" : "gray";
  return hasAlpha ? "rgba" : "rgb";
}

/** Whole rows that are decoded at a time. */
export const pngRowsPerBatch = (rowBytes: number, height: number): number =>
  rowsPerBatch(rowBytes, height, DECODER_BATCH_BYTES);

type Frame = Pick<
  PngFacts,
  "codedWidth" | "codedHeight" | "bitDepth" | "colourType" | "hasAlpha" | "interlaced"
>;

/** Whether a picture is decoded with its passes side by side, for which parts of the file are read twice. */
export function decodesPassesInParallel({
  codedWidth,
  codedHeight,
  colourType,
  hasAlpha,
  interlaced,
}: Frame): boolean {
  const channels = CHANNELS_OF[pngLayoutOf(colourType, hasAlpha)];
  return interlaced && codedWidth * codedHeight * channels > HELD_WHOLE_BYTES;
}

/**
 * Bytes of WebAssembly memory that decoding takes, exact to a page. They follow the width, and for an interlaced
 * picture that is held whole its size.
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

/** Bytes beside the memory through which passes side by side read the file again. */
export function pngRangeBytes({ codedWidth, codedHeight }: Frame, sourceBytes: number): number {
  return (passesOf(codedWidth, codedHeight).length - 1) * Math.min(PNG_RANGE_BYTES, sourceBytes);
}

/** About how many reads that takes: of the half of the file before the last pass, the last one of each pass a short one. */
export function pngRangeReads({ codedWidth, codedHeight }: Frame, sourceBytes: number): number {
  return passesOf(codedWidth, codedHeight).length - 1 + Math.floor(sourceBytes / 2 / PNG_RANGE_BYTES);
}

/** Rows that the encoder may hold until it knows how many colours there are: all, or none of a large picture. */
export function pngHeldRows({ width, height }: Size): number {
  return width * height <= PNG_MOST_HELD_PIXELS ? height : 0;
}

/** Bytes of WebAssembly memory that encoding takes, exact to a page. */
export function pngEncoderPeakBytes(picture: Size & { readonly layout: RowLayout }): number {
  const rowBytes = picture.width * CHANNELS_OF[picture.layout];
  const batch = rowsPerBatch(rowBytes, picture.height);
  const rows = batch * (2 * rowBytes + 1) + 2 * (rowBytes + 16) + 64;
  const held = picture.width * pngHeldRows(picture) + 16;
  return wholePages(MODULE_BYTES + PNG_SCRATCH_BYTES + PNG_IDAT_BYTES + DEFLATER_BYTES + rows + held);
}
