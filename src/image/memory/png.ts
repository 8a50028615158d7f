/** What PNG in rows takes, both ways: of its WebAssembly memory, and of the platform's stream beside it. */
import type { PngFacts } from "../master.ts";
import { CHANNELS_OF, type RowLayout, rowsPerBatch, type Size, wholePages } from "./rows.ts";

/** Chunk data is copied into the module, piece by piece, for its CRC. */
export const PNG_SCRATCH_BYTES = 16_384;
/** Static data of the module with its tables, palette and key, rounded up. */
const MODULE_BYTES = 32_768;
/** Bytes of rows that are decoded at a time; at least one row. */
const DECODER_BATCH_BYTES = 49_152;
/** What the inflater takes beside a batch of rows: input, window and slack. */
const INFLATER_BYTES = 132_416;
/** The platform's deflater (zlib at its default level takes 268 KB), a batch on its way in and an IDAT. */
export const PNG_DEFLATER_BYTES = 491_520;

/** Samples a pixel of each colour type as coded. */
export const PNG_SAMPLES = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const;

/** How rows of a colour type are handed out. */
export function pngLayoutOf(colourType: PngFacts["colourType"], hasAlpha: boolean): RowLayout {
  if (colourType === 0 || colourType === 4) return hasAlpha ? "gray-alpha" : "gray";
  return hasAlpha ? "rgba" : "rgb";
}

/** Whole rows that are decoded at a time. */
export const pngRowsPerBatch = (rowBytes: number, height: number): number =>
  rowsPerBatch(rowBytes, height, DECODER_BATCH_BYTES);

/**
 * Bytes of WebAssembly memory that decoding takes, exact to a page. They follow the width, and for an interlaced
 * picture its whole size.
 */
export function pngDecoderPeakBytes(
  facts: Pick<PngFacts, "codedWidth" | "codedHeight" | "bitDepth" | "colourType" | "hasAlpha" | "interlaced">,
): number {
  const { codedWidth: width, codedHeight: height, bitDepth, colourType } = facts;
  const channels = CHANNELS_OF[pngLayoutOf(colourType, facts.hasAlpha)];
  const coded = Math.ceil((width * PNG_SAMPLES[colourType] * bitDepth) / 8);
  const batch = pngRowsPerBatch(coded + 1, height);
  const isExpanded = bitDepth !== 8 || colourType === 3 || (facts.hasAlpha && colourType < 4);
  const expanded = isExpanded ? batch * width * channels + 48 : 0;
  const picture = facts.interlaced ? width * height * channels : 0;
  const rows = batch * (coded + 1) + (batch + 1) * coded + 96;
  return wholePages(MODULE_BYTES + PNG_SCRATCH_BYTES + INFLATER_BYTES + rows + expanded + picture);
}

/** Bytes of WebAssembly memory that encoding takes, exact to a page. PNG_DEFLATER_BYTES come on top. */
export function pngEncoderPeakBytes(picture: Size & { readonly layout: RowLayout }): number {
  const rowBytes = picture.width * CHANNELS_OF[picture.layout];
  const batch = rowsPerBatch(rowBytes, picture.height);
  const rows = batch * (2 * rowBytes + 1) + 2 * (rowBytes + 16) + 64;
  return wholePages(MODULE_BYTES + PNG_SCRATCH_BYTES + rows);
}
