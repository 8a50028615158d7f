/** What decoding AVIF by libaom takes of the arena. Figures were fitted to runs from 0.03 to 3 megapixels. */
import { AVIF_STATE_BYTES } from "../../memory/isolate.ts";
import type { AvifFacts } from "../../model/facts.ts";

/**
 * libaom and libavif, in bytes: tables and stack; a pixel and the borders of frames at the depth and sampling of the
 * file, with the bitmap of 4 bytes; and what is kept of each block of 4 x 4. Within 0.5 % of what was measured from
 * 0.03 to 3 megapixels, whatever the pictures showed.
 */
const AVIF = {
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
      half: { fixed: 8_503_000, pixel: 6.27, side: 401 },
      full: { fixed: 8_565_000, pixel: 9.4, side: 586 },
    },
    10: {
      half: { fixed: 8_840_000, pixel: 11.62, side: 798 },
      full: { fixed: 8_973_000, pixel: 17.88, side: 1035 },
    },
  },
} as const;
/** Where between 4:2:0 and 4:4:4 a sampling lies. Gray takes a little less than the former. */
const AVIF_CHROMA: Record<AvifFacts["chroma"], number> = { "400": 0, "420": 0, "422": 1 / 3, "444": 1 };
/** Records of blocks, a pixel of the picture and as many of its alpha: they are laid out in squares of this side. */
const AVIF_BLOCKS = { pixel: 10.25, side: 128 } as const;
/**
 * Loop restoration: its own buffers, for the picture and for its alpha, and one frame more with its borders. Of the
 * best qualities the encoder may allow it and not use it: up to 22 % more than is taken.
 */
const AVIF_RESTORATION = { fixed: 1_490_000, frame: 1.1 } as const;

/** Of a file with one item. */
export function avifDecoderBytes(facts: AvifFacts, fileBytes: number): number {
  const { codedWidth, codedHeight, hasAlpha, chroma, bitDepth } = facts;
  const pixels = codedWidth * codedHeight;
  const { half, full } = AVIF[hasAlpha ? "alpha" : "opaque"][bitDepth > 8 ? 10 : 8];
  const share = AVIF_CHROMA[chroma];
  const between = (name: keyof typeof half): number => half[name] + share * (full[name] - half[name]);
  const frames = between("fixed") + between("pixel") * pixels + between("side") * (codedWidth + codedHeight);
  const pictures = hasAlpha ? 2 : 1;
  const blocks = AVIF_BLOCKS.pixel * wholeSquares(codedWidth) * wholeSquares(codedHeight) * pictures;
  if (!facts.restorable) return fileBytes + frames + blocks;
  const sampleBytes = bitDepth > 8 ? 2 : 1;
  const frame = (1.5 * (1 + share) + (hasAlpha ? 1 : 0)) * sampleBytes * pixels;
  return fileBytes + frames + blocks + AVIF_RESTORATION.fixed * pictures + AVIF_RESTORATION.frame * frame;
}

const wholeSquares = (length: number): number => AVIF_BLOCKS.side * Math.ceil(length / AVIF_BLOCKS.side);

/**
 * The file, a row of tiles, and one tile with a copy of its part of the file (src/builder/codecs/avif/grid-reader.ts).
 * Parts differ in length: the copy is counted as twice the mean.
 * @param width of what is seen of the picture
 */
export function avifGridBytes(
  facts: AvifFacts,
  sourceBytes: number,
  width: number = facts.crop?.width ?? facts.codedWidth,
): number {
  const { rows, columns, tileWidth, tileHeight } = facts.grid!;
  const band = width * tileHeight * (facts.hasAlpha ? 4 : 3);
  const copy = Math.min(sourceBytes, (2 * sourceBytes) / (rows * columns));
  const tile = avifDecoderBytes({ ...facts, codedWidth: tileWidth, codedHeight: tileHeight }, copy);
  return sourceBytes + band + tile + AVIF_STATE_BYTES.decoder;
}
