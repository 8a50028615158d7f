/** The memory and time that encoders take. The figures were fitted to runs from 200 x 150 to 8.5 megapixels. */
import { MULTIPART } from "../../limits.ts";
import { avifEncoderPeakBytes } from "../formats/avif/encoder-memory.ts";
import { type CodecPath, type Encoder, mayBeLossless } from "./choose-encoder.ts";
import { samplesOf } from "./pixel-layouts.ts";
import type { Effort } from "../model/variant.ts";
import type { MasterFacts } from "../model/facts.ts";
import { JPEG_OUT_BYTES, jpegEncoderPeakBytes } from "../formats/jpeg/encoder-memory.ts";
import { rowJpegOptions } from "../formats/jpeg/encoder-options.ts";
import { PNG_IDAT_BYTES, pngEncoderPeakBytes } from "../formats/png/memory.ts";
import type { RowLayout } from "../memory/rows.ts";
import { rowWebpOptions } from "../formats/webp/encoder-options.ts";
import { webpEncoderPeakBytes } from "../formats/webp/encoder-memory.ts";
import { DEFAULT_QUALITY, type Quality, type VariantSpec } from "../model/variant.ts";

/**
 * Room for the file, in bytes per pixel: that of a photograph full of grain for the first DETAILED_MAX_PIXELS, and less
 * for the remaining ones, because photographs at their full size have less detail per pixel. A file that needs more is
 * built as long as there is room.
 */
const DETAILED_MAX_PIXELS = 2_000_000;
const DETAILED_BYTES_PER_PIXEL: Record<"jpeg" | "webp" | "avif", Record<Quality, number>> = {
  jpeg: { 80: 0.3, 90: 0.66, 95: 1.05, 100: 2 },
  webp: { 80: 0.22, 90: 0.4, 95: 0.55, 100: 0.72 },
  avif: { 80: 0.22, 90: 0.7, 95: 1, 100: 1.45 },
};
const REMAINING_BYTES_PER_PIXEL: typeof DETAILED_BYTES_PER_PIXEL = {
  jpeg: { 80: 0.12, 90: 0.28, 95: 0.4, 100: 0.9 },
  webp: { 80: 0.06, 90: 0.12, 95: 0.19, 100: 0.3 },
  avif: { 80: 0.05, 90: 0.15, 95: 0.25, 100: 0.4 },
};
/** The same for PNG, in bytes per sample. */
const PNG_SAMPLE_BYTES = { fine: 0.75, coarse: 0.4 } as const;

/** For photographs with grain. Flat graphics take a third, but in PNG about as much. */
const NANOSECONDS_PER_PIXEL: Record<Encoder, number> = {
  "png-rows": 375,
  "jpeg-rows": 30,
  "webp-rows": 95,
  "avif-rows": 340,
};
/** A PNG in one pass. Drawings take a quarter. */
const PNG_QUICK_NANOSECONDS = 195;
const AVIF_444_NANOSECONDS = 430;
/** Drawings and screenshots that are full of letters. Others take half. */
const AVIF_DRAWING_NANOSECONDS = 700;
const AVIF_QUICK_NANOSECONDS = { "420": 115, "444": 140 } as const;
/** What alpha takes besides: most of it is flat. */
const ALPHA_NANOSECONDS: Partial<Record<Encoder, number>> = { "avif-rows": 90, "webp-rows": 250 };
/** What a drawing as WebP without loss takes besides. */
const WEBP_LOSSLESS_NANOSECONDS = 350;

/**
 * The bytes that encoding takes in the memory of row codecs.
 * @param layout the layout of the rows that are encoded
 */
export function encoderBytes(
  facts: MasterFacts,
  spec: VariantSpec,
  path: CodecPath,
  layout: RowLayout,
): number {
  const { encoder } = path;
  const { width, height } = spec;
  const quality = spec.quality ?? DEFAULT_QUALITY;
  switch (encoder) {
    case "png-rows":
      return pngEncoderPeakBytes({ width, height, layout });
    case "jpeg-rows":
      return jpegEncoderPeakBytes(width, height, rowJpegOptions(quality), layout);
    case "webp-rows":
      return webpEncoderPeakBytes(
        width,
        height,
        rowWebpOptions(quality).quality,
        facts.hasAlpha,
        layout,
        mayBeLossless(path, spec),
      );
    case "avif-rows":
      return avifEncoderPeakBytes(width, height, layout);
  }
}

/** A file that is sent in parts is held up to one part, and the rest of the chunk that completed it. */
const HELD_OF_PARTS_MAX_BYTES = MULTIPART.partBytes + Math.max(JPEG_OUT_BYTES, PNG_IDAT_BYTES);

/** Room for the part of the file that is held at once. */
export function outputBytes(facts: MasterFacts, spec: VariantSpec, encoder: Encoder): number {
  const file = fileBytes(facts, spec);
  return encoder === "png-rows" || encoder === "jpeg-rows" ? Math.min(file, HELD_OF_PARTS_MAX_BYTES) : file;
}

function fileBytes(facts: MasterFacts, { width, height, format, quality }: VariantSpec): number {
  const pixels = width * height;
  const fine = Math.min(DETAILED_MAX_PIXELS, pixels);
  if (format === "png" || format === "gif") {
    const { fine: first, coarse } = PNG_SAMPLE_BYTES;
    return samplesOf(facts) * (first * fine + coarse * (pixels - fine));
  }
  const q = quality ?? DEFAULT_QUALITY;
  return DETAILED_BYTES_PER_PIXEL[format][q] * fine + REMAINING_BYTES_PER_PIXEL[format][q] * (pixels - fine);
}

export function encoderNanoseconds(
  facts: MasterFacts,
  spec: VariantSpec,
  path: CodecPath,
  effort: Effort,
): number {
  const { encoder, chroma } = path;
  const pixels = spec.width * spec.height;
  if (encoder === "png-rows" && effort === "quick") return pixels * PNG_QUICK_NANOSECONDS;
  const alpha = facts.hasAlpha ? pixels * (ALPHA_NANOSECONDS[encoder] ?? 0) : 0;
  if (encoder === "avif-rows" && effort === "quick") return pixels * AVIF_QUICK_NANOSECONDS[chroma] + alpha;
  if (encoder === "avif-rows" && path.isDrawing) return pixels * AVIF_DRAWING_NANOSECONDS + alpha;
  if (spec.format === "avif" && chroma === "444") return pixels * AVIF_444_NANOSECONDS + alpha;
  const isTried = effort === "thorough" && mayBeLossless(path, spec);
  return pixels * (NANOSECONDS_PER_PIXEL[encoder] + (isTried ? WEBP_LOSSLESS_NANOSECONDS : 0)) + alpha;
}
