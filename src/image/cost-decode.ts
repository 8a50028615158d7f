/** What decoders and the resampler take. Figures of WebP and AVIF were fitted as in cost-encode.ts. */
// eslint-disable-next-line no-restricted-imports -- sums alone, no module: the decoder plans its memory by them
import { jpegDecoderPeakBytes } from "../builder/rows/jpeg-memory.ts";
import { MARGIN, samplesOf } from "./cost-encode.ts";
import type { AvifFacts, MasterFacts, PngFacts, WebpFacts } from "./master.ts";
import { isVp8InRows, vp8DecoderPeakBytes } from "./memory/vp8-decoder.ts";
import { drawingBytes, drawingNanoseconds } from "./svg/cost.ts";
import type { VariantSpec } from "./variant.ts";

interface Size {
  width: number;
  height: number;
}

const WEBP_FIXED_BYTES = 100_000;
/** What libwebp decodes whole; lossy pictures without alpha are decoded in rows. */
const WEBP_PIXEL_BYTES = { alpha: 7.1, lossless: 8.1 } as const;

const AVIF_FIXED_BYTES = { opaque: 7_300_000, alpha: 8_700_000 } as const;
const AVIF_SIDE_BYTES = { opaque: 1_600, alpha: 2_800 } as const;
/** A pixel: 4 of the bitmap, and frames at the depth and sampling of the file. */
const AVIF_PIXEL_BYTES = {
  opaque: { half: 13.7, full: 17.2, deep: 24.9 },
  alpha: { half: 26.5, full: 29.6, deep: 38.9 },
} as const;

const PNG_STREAM_BYTES = 328_000;
const PNG_FIXED_BYTES = 30_000;
const BATCH_BYTES = 16_384;
const RESAMPLER_FIXED_BYTES = 80_000;
const LOBES = 3;

const JPEG_PIXEL_NANOSECONDS = { sequential: 5, progressive: 16 } as const;
const PNG_SAMPLE_NANOSECONDS = 6;
const WEBP_PIXEL_NANOSECONDS = { opaque: 15, alpha: 26, lossless: 25 } as const;
const AVIF_PIXEL_NANOSECONDS = 125;
const GIF_PIXEL_NANOSECONDS = 20;
const RESAMPLE_NANOSECONDS = { in: 2, out: 12 } as const;

/**
 * Bytes of reading a master, resampling included: in the arena, and beside it.
 * @param budget of the arena; a JPEG is read more coarsely to stay within it
 */
export function decoderBytes(
  facts: MasterFacts,
  sourceBytes: number,
  spec: VariantSpec,
  budget: number,
): { arena: number; beside: number } {
  const out = facts.orientation >= 5 ? { width: spec.height, height: spec.width } : spec;
  switch (facts.format) {
    case "jpeg":
      return { arena: jpegDecoderPeakBytes(facts, out, sourceBytes, budget).bytes, beside: 0 };
    case "png":
      return { arena: pngBytes(facts), beside: resamplerBytes(facts, facts, out) };
    case "webp": {
      const arena = isVp8InRows(facts)
        ? vp8DecoderPeakBytes(facts, sourceBytes)
        : sourceBytes + MARGIN * webpBytes(facts);
      return { arena, beside: resamplerBytes(facts, facts, out) };
    }
    case "avif": {
      const arena = facts.grid ? gridBytes(facts, sourceBytes) : sourceBytes + MARGIN * avifBytes(facts);
      return { arena, beside: resamplerBytes(facts, facts, out) };
    }
    case "gif":
      return { arena: facts.codedWidth * facts.codedHeight, beside: resamplerBytes(facts, facts, out) };
    case "svg":
      return drawingBytes(facts, sourceBytes, spec);
  }
}

export function decoderNanoseconds(facts: MasterFacts, spec: VariantSpec): number {
  const coded = facts.codedWidth * facts.codedHeight;
  const resampling = coded * RESAMPLE_NANOSECONDS.in + spec.width * spec.height * RESAMPLE_NANOSECONDS.out;
  switch (facts.format) {
    case "jpeg":
      return coded * JPEG_PIXEL_NANOSECONDS[facts.process === "progressive" ? "progressive" : "sequential"];
    case "png":
      return coded * samplesOf(facts) * (facts.bitDepth === 16 ? 2 : 1) * PNG_SAMPLE_NANOSECONDS + resampling;
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

const webpBytes = (facts: WebpFacts): number =>
  WEBP_FIXED_BYTES +
  facts.codedWidth * facts.codedHeight * WEBP_PIXEL_BYTES[facts.lossless ? "lossless" : "alpha"];

function avifBytes(facts: AvifFacts): number {
  const alpha = facts.hasAlpha ? "alpha" : "opaque";
  const depth =
    facts.bitDepth > 8 ? "deep" : facts.chroma === "420" || facts.chroma === "400" ? "half" : "full";
  return (
    AVIF_FIXED_BYTES[alpha] +
    AVIF_SIDE_BYTES[alpha] * (facts.codedWidth + facts.codedHeight) +
    AVIF_PIXEL_BYTES[alpha][depth] * facts.codedWidth * facts.codedHeight
  );
}

/**
 * The file, a row of tiles, and one tile with a copy of its part of the file (src/builder/avif/grid-reader.ts).
 * Parts differ in length: the copy is counted as twice the mean.
 */
function gridBytes(facts: AvifFacts, sourceBytes: number): number {
  const { rows, columns, tileWidth, tileHeight } = facts.grid!;
  const band = (facts.crop?.width ?? facts.codedWidth) * tileHeight * (facts.hasAlpha ? 4 : 3);
  const tile = avifBytes({ ...facts, codedWidth: tileWidth, codedHeight: tileHeight });
  const copy = Math.min(sourceBytes, (2 * sourceBytes) / (rows * columns));
  return sourceBytes + band + copy + MARGIN * tile;
}

/** Rows of a batch in three forms; an interlaced picture is put together whole. */
function pngBytes(facts: PngFacts): number {
  const { codedWidth, codedHeight, interlaced, bitDepth } = facts;
  const row = Math.ceil((codedWidth * samplesOf(facts) * Math.max(8, bitDepth)) / 8);
  const batch = Math.min(Math.max(BATCH_BYTES, row), row * codedHeight);
  const whole = interlaced ? codedWidth * codedHeight * samplesOf(facts) : 0;
  return PNG_STREAM_BYTES + PNG_FIXED_BYTES + 2 * batch + whole;
}

/** Filter weights and as many rows as the filter is high, at no less than twice the width that comes out. */
export function resamplerBytes(
  facts: Pick<MasterFacts, "codedWidth" | "codedHeight" | "colour" | "hasAlpha">,
  source: Size,
  out: Size,
): number {
  if (source.width === out.width && source.height === out.height) return 0;
  const samples = samplesOf(facts);
  const axis = (from: number, to: number): { length: number; taps: number } => {
    const box = Math.max(1, Math.floor(from / (2 * to)));
    return { length: Math.ceil(from / box), taps: Math.ceil(2 * LOBES * Math.max(1, from / (box * to))) + 2 };
  };
  const x = axis(facts.codedWidth, out.width);
  const y = axis(facts.codedHeight, out.height);
  const weights = 2 * (out.width * (x.taps + 4) + out.height * (y.taps + 3));
  const rows = y.taps * x.length * samples + 6 * x.length * samples + 2 * out.width * samples;
  const staged = Math.max(BATCH_BYTES, 3 * facts.codedWidth * samples);
  return (
    RESAMPLER_FIXED_BYTES + weights + rows + staged + Math.min(BATCH_BYTES, out.width * out.height * samples)
  );
}
