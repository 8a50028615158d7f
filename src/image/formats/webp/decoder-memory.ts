/** What decoding WebP takes: in rows by codecs/webp/assembly/decoder, or whole by libwebp, and which of them reads a file. */
import { MARGIN } from "../../memory/isolate.ts";
import type { WebpFacts } from "../../model/facts.ts";

/** Static data of the module, rounded up. */
const MODULE_BYTES = 8192;
/** Every block is aligned to 16 bytes. */
const ALIGNMENT = 16;
/** Vectors are read and written past the end of rows. */
const SLACK_BYTES = 64;
/** Rows of RGB that one row of macroblocks sets free at most (codecs/webp/assembly/decoder/index.ts). */
const MOST_ROWS = 25;

/** Whether the own decoder reads it: alpha beside a lossy picture, and lossless ones, are libwebp's. */
export const isVp8InRows = ({ lossless, hasAlpha }: Pick<WebpFacts, "lossless" | "hasAlpha">): boolean =>
  !lossless && !hasAlpha;

/** Bytes of the arena: the file, and what follows from the width. */
export function vp8DecoderPeakBytes(
  { codedWidth: width }: Pick<WebpFacts, "codedWidth">,
  fileBytes: number,
): number {
  const wide = Math.ceil(width / 16);
  const blocks = [
    fileBytes,
    MOST_ROWS * 3 * width + SLACK_BYTES,
    // The macroblock at work (17 and 9 rows of 32 bytes), and the samples above the next ones.
    17 * 32,
    9 * 32,
    16 * wide + 16,
    8 * wide + 16,
    8 * wide + 16,
    // Records and modes above, levels above, filters.
    20 * wide,
    4 * wide,
    2 * wide,
    4 * wide,
    // Planes.
    32 * 16 * wide + SLACK_BYTES,
    16 * 8 * wide + SLACK_BYTES,
    16 * 8 * wide + SLACK_BYTES,
    // Colour of two rows.
    ...Array<number>(4).fill(width + SLACK_BYTES),
  ];
  return blocks.reduce((sum, bytes) => sum + Math.ceil(bytes / ALIGNMENT) * ALIGNMENT, MODULE_BYTES);
}

/** A frame's bytes are held as they came, and as a file in the decoder. */
export const FRAME_COPIES = 2;

/** libwebp, fitted to runs from 200 x 150 to 8.5 megapixels. */
const WHOLE_FIXED_BYTES = 100_000;
const WHOLE_PIXEL_BYTES = { opaque: 4.06, alpha: 7.1, lossless: 8.1 } as const;

export const webpKind = ({ lossless, hasAlpha }: WebpFacts): keyof typeof WHOLE_PIXEL_BYTES =>
  lossless ? "lossless" : hasAlpha ? "alpha" : "opaque";

/** A WebP or a frame of one, decoded whole by libwebp. */
export const webpWholeBytes = (facts: WebpFacts, fileBytes: number): number =>
  fileBytes +
  MARGIN * (WHOLE_FIXED_BYTES + facts.codedWidth * facts.codedHeight * WHOLE_PIXEL_BYTES[webpKind(facts)]);
