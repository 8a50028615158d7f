/** The arena that libaom takes for an AVIF that our decoder does not support. */
import { AVIF_STATE_BYTES } from "../../memory/isolate.ts";
import type { AvifFacts } from "../../model/facts.ts";

/**
 * libaom and libavif, by bit depth and chroma ("half" is 4:2:0, "full" is 4:4:4): `fixed` for tables and stack, `pixel`
 * per pixel, the bitmap of 4 bytes included, and `side` per pixel of width and height, for the borders of frames. With
 * BLOCK_BYTES, 0 to 2 % above measurements from 0.03 to 6 megapixels (scripts/measure/avif-decoder-memory.ts), whatever the
 * pictures showed.
 */
const LIBAOM_BYTES = {
  opaque: {
    8: {
      half: { fixed: 7_242_000, pixel: 3.61, side: 188 },
      full: { fixed: 7_302_000, pixel: 6.73, side: 380 },
    },
    10: {
      half: { fixed: 7_408_000, pixel: 6.53, side: 393 },
      full: { fixed: 7_498_000, pixel: 12.57, side: 780 },
    },
  },
  alpha: {
    8: {
      half: { fixed: 8_623_000, pixel: 6.28, side: 401 },
      full: { fixed: 8_565_000, pixel: 9.4, side: 586 },
    },
    10: {
      half: { fixed: 8_940_000, pixel: 11.82, side: 798 },
      full: { fixed: 9_223_000, pixel: 17.96, side: 1035 },
    },
  },
} as const;
/** Position of a sampling between 4:2:0 (0) and 4:4:4 (1). Gray takes less than 4:2:0. */
const CHROMA_SHARE: Record<AvifFacts["chroma"], number> = { "400": -0.17, "420": 0, "422": 1 / 3, "444": 1 };
/**
 * Records of blocks of 4 x 4, per pixel of the picture and per pixel of its alpha, whose sides are rounded up to
 * multiples of `side`.
 */
const BLOCK_BYTES = { pixel: 10.25, side: 128 } as const;
/**
 * Loop restoration: buffers for the picture and for its alpha (`fixed` each), and one more frame with its borders. At
 * the best qualities an encoder may allow it without using it; the estimate is then up to 22 % too high.
 */
const RESTORATION_BYTES = { fixed: 1_490_000, frame: 1.17 } as const;
/** Each frame that is kept beside the one that is shown: its borders in pixels, and motion vectors and segments per pixel. */
const KEPT_FRAME = { border: 80, pixelBytes: 0.14 } as const;

/** Returns the bytes of the arena that a file with one item takes. */
function avifDecoderBytes(facts: AvifFacts, fileBytes: number): number {
  const { codedWidth, codedHeight, hasAlpha, chroma, bitDepth } = facts;
  const pixels = codedWidth * codedHeight;
  const { half, full } = LIBAOM_BYTES[hasAlpha ? "alpha" : "opaque"][bitDepth > 8 ? 10 : 8];
  const share = CHROMA_SHARE[chroma];
  const between = (name: keyof typeof half): number => half[name] + share * (full[name] - half[name]);
  const frames = between("fixed") + between("pixel") * pixels + between("side") * (codedWidth + codedHeight);
  const pictures = hasAlpha ? 2 : 1;
  const blocks = BLOCK_BYTES.pixel * wholeSquares(codedWidth) * wholeSquares(codedHeight) * pictures;
  const sampleBytes = bitDepth > 8 ? 2 : 1;
  const samples = (1.5 * (1 + Math.max(0, share)) + (hasAlpha ? 1 : 0)) * sampleBytes;
  const { border, pixelBytes } = KEPT_FRAME;
  const keptFrame = samples * (codedWidth + 2 * border) * (codedHeight + 2 * border) + pixelBytes * pixels;
  const kept = (facts.keptFrames ?? 0) * keptFrame;
  const restoration = facts.restorable
    ? RESTORATION_BYTES.fixed * pictures + RESTORATION_BYTES.frame * samples * pixels
    : 0;
  return fileBytes + frames + blocks + kept + restoration;
}

const wholeSquares = (length: number): number => BLOCK_BYTES.side * Math.ceil(length / BLOCK_BYTES.side);

/** Returns the bytes of the arena that libaom takes. */
export const avifFallbackBytes = (facts: AvifFacts, fileBytes: number, width?: number): number =>
  facts.grid ? avifGridBytes(facts, fileBytes, width) : avifDecoderBytes(facts, fileBytes);

/**
 * Returns the bytes of the arena that a grid takes: the file, a row of tiles, and one tile with a copy of its part of
 * the file (src/builder/codecs/avif/grid-reader.ts). The parts differ in length, so the copy is assumed to be twice the
 * mean.
 * @param width width of the part of the picture that is shown
 */
function avifGridBytes(
  facts: AvifFacts,
  sourceBytes: number,
  width: number = facts.crop?.width ?? facts.codedWidth,
): number {
  const { rows, columns, tileWidth, tileHeight } = facts.grid!;
  const band = width * tileHeight * (facts.hasAlpha ? 4 : 3);
  const copy = Math.min(sourceBytes, (2 * sourceBytes) / (rows * columns));
  const tile = avifDecoderBytes({ ...facts, codedWidth: tileWidth, codedHeight: tileHeight }, copy);
  return sourceBytes + band + tile + AVIF_STATE_BYTES;
}
