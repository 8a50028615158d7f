/**
 * The memory that decoding WebP takes, and which decoder reads a file: the one in rows (codecs/webp/assembly/decoder),
 * or libwebp, which decodes the whole picture.
 */
import { MARGIN } from "../../memory/isolate.ts";
import type { WebpFacts } from "../../model/facts.ts";

/** Static data of the module, rounded up. */
const MODULE_BYTES = 8192;
/** The alignment of every block of memory, in bytes. */
const ALIGNMENT = 16;
/** Room for vectors that are read and written past the end of rows. */
const SLACK_BYTES = 64;
/** The most rows of RGB that one row of macroblocks completes (codecs/webp/assembly/decoder/index.ts). */
const FREED_MAX_ROWS = 25;

/** Whether the decoder in rows reads the file. libwebp reads lossless pictures, and lossy ones with alpha. */
export const isVp8InRows = ({ lossless, hasAlpha }: Pick<WebpFacts, "lossless" | "hasAlpha">): boolean =>
  !lossless && !hasAlpha;

/** Bytes of the arena that the decoder in rows takes: the file, and buffers that depend on the width. */
export function vp8DecoderPeakBytes(
  { codedWidth: width }: Pick<WebpFacts, "codedWidth">,
  fileBytes: number,
): number {
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
  return blocks.reduce((sum, bytes) => sum + Math.ceil(bytes / ALIGNMENT) * ALIGNMENT, MODULE_BYTES);
}

/** How often the bytes of a frame are held: as they were read, and as a file in the decoder. */
export const FRAME_COPIES = 2;

/** Memory of libwebp, fitted to runs from 200 x 150 to 8.5 megapixels. */
const WHOLE_FIXED_BYTES = 100_000;
const WHOLE_PIXEL_BYTES = { opaque: 4.06, alpha: 7.1, lossless: 8.1 } as const;

export const webpKind = ({ lossless, hasAlpha }: WebpFacts): keyof typeof WHOLE_PIXEL_BYTES =>
  lossless ? "lossless" : hasAlpha ? "alpha" : "opaque";

/** Bytes of the arena that libwebp takes for a WebP, or for a frame of one. */
export const webpWholeBytes = (facts: WebpFacts, fileBytes: number): number =>
  fileBytes +
  MARGIN * (WHOLE_FIXED_BYTES + facts.codedWidth * facts.codedHeight * WHOLE_PIXEL_BYTES[webpKind(facts)]);
