/** What decoders and the resampler take. Figures of WebP were fitted as in cost-encode.ts. */
import { GIF_DECODER_BYTES, STAGE_FLOOR_BYTES } from "./plan-animation.ts";
import { MARGIN, samplesOf } from "./cost-encode.ts";
import { decodedLayout } from "./pixel-layouts.ts";
import type { AvifFacts, MasterFacts, WebpFacts } from "../model/facts.ts";
import { AVIF_STATE_BYTES } from "../memory/isolate.ts";
import { jpegDecoderPeakBytes } from "../formats/jpeg/decoder-memory.ts";
import { isSideBySide, pngDecoderPeakBytes, pngRangeBytes, pngRangeReads } from "../formats/png/memory.ts";
import { resamplerPeakBytes } from "../memory/resampler.ts";
import { orientationOfRows, turned } from "../model/orientation.ts";
import { isVp8InRows, vp8DecoderPeakBytes } from "../formats/webp/decoder-memory.ts";
import { drawingBytes, drawingNanoseconds } from "../formats/svg/cost.ts";
import type { VariantSpec } from "../model/variant.ts";

const WEBP_FIXED_BYTES = 100_000;
/** libwebp. Lossy pictures without alpha are decoded in rows, where they are not frames of an animation. */
const WEBP_PIXEL_BYTES = { opaque: 4.06, alpha: 7.1, lossless: 8.1 } as const;

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

/** A JPEG is resampled as it is decoded: a pixel of the file, and one that comes out. */
const JPEG_PIXEL_NANOSECONDS = { sequential: 1.5, progressive: 5.5, out: 9 } as const;
const PNG_SAMPLE_NANOSECONDS = 2.6;
/** Side by side, half of the file is inflated twice; and a part of it that is read again is waited for. */
const PNG_SIDE_BY_SIDE = { factor: 1.6, readNanoseconds: 15e6 } as const;
const WEBP_PIXEL_NANOSECONDS = { opaque: 15, alpha: 26, lossless: 25 } as const;
const AVIF_PIXEL_NANOSECONDS = 125;
const GIF_PIXEL_NANOSECONDS = 20;
const RESAMPLE_NANOSECONDS = { in: 2, out: 12 } as const;

/** What reading a master takes in each memory, and outside of them. */
export interface DecoderBytes {
  arena: number;
  resampler: number;
  buffers: number;
}

/** @param budget of the arena; a JPEG is read more coarsely to stay within it */
export function decoderBytes(
  facts: MasterFacts,
  sourceBytes: number,
  spec: VariantSpec,
  budget: number,
): DecoderBytes {
  const out = turned(spec, orientationOfRows(facts));
  const coded = { width: facts.codedWidth, height: facts.codedHeight };
  const resampled = (arena: number, buffers = 0, { width, height } = coded): DecoderBytes => ({
    arena,
    resampler: resamplerPeakBytes({ width, height, layout: decodedLayout(facts) }, out),
    buffers,
  });
  switch (facts.format) {
    case "jpeg":
      // It decodes at the size that is wanted.
      return { arena: jpegDecoderPeakBytes(facts, out, sourceBytes, budget).bytes, resampler: 0, buffers: 0 };
    case "png":
      if (!isSideBySide(facts)) return resampled(pngDecoderPeakBytes(facts));
      return resampled(pngDecoderPeakBytes(facts, true), pngRangeBytes(facts, sourceBytes));
    case "webp": {
      const arena = isVp8InRows(facts)
        ? vp8DecoderPeakBytes(facts, sourceBytes)
        : webpWholeBytes(facts, sourceBytes);
      return resampled(arena);
    }
    case "avif": {
      const arena = facts.grid ? gridBytes(facts, sourceBytes) : avifBytes(facts, sourceBytes);
      return resampled(arena, 0, facts.crop ?? coded);
    }
    case "gif":
      return resampled(STAGE_FLOOR_BYTES + facts.codedWidth * facts.codedHeight, GIF_DECODER_BYTES);
    case "svg":
      return { ...drawingBytes(facts, sourceBytes, spec), resampler: 0 };
  }
}

/** Whether the decoder needs parts of the file a second time, beside the stream. */
export const isReadAgain = (facts: MasterFacts): boolean => facts.format === "png" && isSideBySide(facts);

export function decoderNanoseconds(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): number {
  const coded = facts.codedWidth * facts.codedHeight;
  const resampling = coded * RESAMPLE_NANOSECONDS.in + spec.width * spec.height * RESAMPLE_NANOSECONDS.out;
  switch (facts.format) {
    case "jpeg":
      return (
        coded * JPEG_PIXEL_NANOSECONDS[facts.process === "progressive" ? "progressive" : "sequential"] +
        spec.width * spec.height * JPEG_PIXEL_NANOSECONDS.out
      );
    case "png": {
      const once = coded * samplesOf(facts) * (facts.bitDepth === 16 ? 2 : 1) * PNG_SAMPLE_NANOSECONDS;
      if (!isSideBySide(facts)) return once + resampling;
      const { factor, readNanoseconds } = PNG_SIDE_BY_SIDE;
      return once * factor + pngRangeReads(facts, sourceBytes) * readNanoseconds + resampling;
    }
    case "webp":
      return coded * WEBP_PIXEL_NANOSECONDS[webpKind(facts)] + resampling;
    case "avif":
      return coded * AVIF_PIXEL_NANOSECONDS * (facts.hasAlpha ? 1.5 : 1) + resampling;
    case "svg":
      return drawingNanoseconds(facts, spec);
    case "gif":
      return coded * GIF_PIXEL_NANOSECONDS + resampling;
  }
}

const webpKind = ({ lossless, hasAlpha }: WebpFacts): keyof typeof WEBP_PIXEL_NANOSECONDS =>
  lossless ? "lossless" : hasAlpha ? "alpha" : "opaque";

/** A WebP or a frame of one, decoded whole by libwebp. */
export const webpWholeBytes = (facts: WebpFacts, fileBytes: number): number =>
  fileBytes +
  MARGIN * (WEBP_FIXED_BYTES + facts.codedWidth * facts.codedHeight * WEBP_PIXEL_BYTES[webpKind(facts)]);

function avifBytes(facts: AvifFacts, fileBytes: number): number {
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
 */
function gridBytes(facts: AvifFacts, sourceBytes: number): number {
  const { rows, columns, tileWidth, tileHeight } = facts.grid!;
  const band = (facts.crop?.width ?? facts.codedWidth) * tileHeight * (facts.hasAlpha ? 4 : 3);
  const copy = Math.min(sourceBytes, (2 * sourceBytes) / (rows * columns));
  const tile = avifBytes({ ...facts, codedWidth: tileWidth, codedHeight: tileHeight }, copy);
  return sourceBytes + band + tile + AVIF_STATE_BYTES.decoder;
}
