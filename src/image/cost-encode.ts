/** What encoders take. Figures were fitted to runs from 200 x 150 to 8.5 megapixels, all within 5 %. */
import { avifTiling, type Tiling } from "./avif-tiling.ts";
import type { CodecPath, Encoder } from "./codec-path.ts";
import type { MasterFacts } from "./master.ts";
import type { Quality, VariantSpec } from "./variant.ts";

/** Codecs differ a little from picture to picture: what they were measured to take is raised by this. */
export const MARGIN = 1.04;

/** `fixed + pixel * pixels + side * (width + height)`, in bytes. */
interface Line {
  fixed: number;
  pixel: number;
  side: number;
}

/** Encoders that work in the arena, the canvas of 4 bytes a pixel included. */
const ARENA: Record<"mozjpeg" | "webp" | "webpAlpha" | "avif420" | "avif444", Line> = {
  mozjpeg: { fixed: 330_000, pixel: 10.53, side: 71 },
  webp: { fixed: 170_000, pixel: 5.75, side: 108 },
  webpAlpha: { fixed: 1_080_000, pixel: 29.2, side: 163 },
  avif420: { fixed: 7_590_000, pixel: 24.27, side: 939 },
  avif444: { fixed: 8_080_000, pixel: 38.45, side: 1400 },
};

/** The alpha plane and its coder, a pixel, beside what the colours of an AVIF take. */
const AVIF_ALPHA_PIXEL_BYTES = 3.2;

/** Bytes a pixel of a file: a photograph's, from which others differ. */
const OUTPUT: Record<"jpeg" | "webp" | "avif", Record<Quality, number>> = {
  jpeg: { 80: 0.12, 90: 0.28, 95: 0.4, 100: 0.9 },
  webp: { 80: 0.06, 90: 0.12, 95: 0.19, 100: 0.3 },
  avif: { 80: 0.05, 90: 0.15, 95: 0.25, 100: 0.4 },
};
/** libwebp keeps the tokens of a picture without alpha until its end: bytes for each byte that comes out. */
export const WEBP_TOKEN_BYTES = 20;
/** PNG compresses noise little: bytes a sample. */
const PNG_SAMPLE_BYTES = 0.4;

const NANOSECONDS_A_PIXEL: Record<Encoder, number> = {
  "png-rows": 260,
  "jpeg-rows": 20,
  "webp-rows": 60,
  mozjpeg: 85,
  webp: 80,
  avif: 155,
  "avif-tiles": 165,
};
const WEBP_ALPHA_NANOSECONDS = 340;
const AVIF_444_NANOSECONDS = 300;

const JPEG_MODULE_BYTES = 74_000;
const JPEG_BATCH_BYTES = 16_384;
const JPEG_MOST_TOKENS = 12_582_912;
const JPEG_LEAST_TOKENS = 524_288;
const JPEG_BLOCK_TOKENS = 192;
const WEBP_FIXED_BYTES = 90_112;
const WEBP_MOST_TOKENS = 8_388_608;
const WEBP_LEAST_TOKENS = 524_288;
const WEBP_MACROBLOCK_TOKENS = 1200;
const WEBP_MOST_ALPHA_TOKENS = 1_048_576;
const PNG_ENCODER_BYTES = 620_000;

/**
 * Bytes in the arena, canvas included, and beside it.
 * @param arenaBytes that the arena can have: the more, the larger are the tiles of an AVIF
 */
export function encoderBytes(
  facts: MasterFacts,
  spec: VariantSpec,
  path: CodecPath,
  arenaBytes: number,
): { arena: number; beside: number } {
  const { encoder, chroma } = path;
  switch (encoder) {
    case "png-rows":
      return { arena: 0, beside: PNG_ENCODER_BYTES };
    case "jpeg-rows":
      return { arena: 0, beside: rowJpegBytes(facts, spec, chroma) };
    case "webp-rows":
      return { arena: 0, beside: rowWebpBytes(facts, spec) };
    case "mozjpeg":
      return { arena: along(ARENA.mozjpeg, spec), beside: 0 };
    case "webp":
      if (facts.hasAlpha) return { arena: along(ARENA.webpAlpha, spec), beside: 0 };
      return { arena: along(ARENA.webp, spec) + WEBP_TOKEN_BYTES * outputBytes(facts, spec), beside: 0 };
    case "avif":
      return {
        arena:
          along(chroma === "444" ? ARENA.avif444 : ARENA.avif420, spec) +
          (facts.hasAlpha ? AVIF_ALPHA_PIXEL_BYTES * spec.width * spec.height : 0),
        beside: 0,
      };
    case "avif-tiles": {
      const { columns, rows } = tilingOf(spec, path, arenaBytes);
      const canvas = spec.width * spec.height * path.canvasChannels;
      return { arena: canvas + tileBytes(chroma, Math.max(...columns), Math.max(...rows)), beside: 0 };
    }
  }
}

/** The tiles of an AVIF that is encoded beside its canvas, in an arena of `arenaBytes`. */
export function tilingOf(spec: VariantSpec, path: CodecPath, arenaBytes: number): Tiling {
  const canvas = spec.width * spec.height * path.canvasChannels;
  return avifTiling(spec, (width, height) => tileBytes(path.chroma, width, height), arenaBytes - canvas);
}

const tileBytes = (chroma: CodecPath["chroma"], width: number, height: number): number =>
  along(chroma === "444" ? ARENA.avif444 : ARENA.avif420, { width, height });

export function outputBytes(facts: MasterFacts, spec: VariantSpec): number {
  const pixels = spec.width * spec.height;
  if (spec.format === "png" || spec.format === "gif") return pixels * samplesOf(facts) * PNG_SAMPLE_BYTES;
  return pixels * OUTPUT[spec.format][spec.quality ?? 80];
}

export function encoderNanoseconds(
  facts: MasterFacts,
  spec: VariantSpec,
  { encoder, chroma }: CodecPath,
): number {
  const pixels = spec.width * spec.height;
  if (encoder === "webp" && facts.hasAlpha) return pixels * WEBP_ALPHA_NANOSECONDS;
  if ((encoder === "avif" || encoder === "avif-tiles") && chroma === "444")
    return pixels * AVIF_444_NANOSECONDS;
  return pixels * NANOSECONDS_A_PIXEL[encoder];
}

/** Samples a pixel as decoded. */
export const samplesOf = (facts: Pick<MasterFacts, "colour" | "hasAlpha">): number =>
  (facts.colour === "gray" ? 1 : 3) + (facts.hasAlpha ? 1 : 0);

const along = ({ fixed, pixel, side }: Line, { width, height }: { width: number; height: number }): number =>
  MARGIN * (fixed + pixel * width * height + side * (width + height));

/** As src/builder/rows/jpeg-encoder.ts counts; a test compares them. */
function rowJpegBytes(
  facts: MasterFacts,
  { width, height, quality }: VariantSpec,
  chroma: "420" | "444",
): number {
  const isColour = facts.colour !== "gray";
  const mcu = isColour && chroma === "420" ? 16 : 8;
  const blocks = mcu === 16 ? 6 : isColour ? 3 : 1;
  const rowMost = Math.ceil(width / mcu) * blocks * JPEG_BLOCK_TOKENS;
  const samples = width * height * (mcu === 16 ? 1.5 : isColour ? 3 : 1);
  const perSample = (quality ?? 80) >= 97 ? 1.2 : 0.05 + 4.5 / (104 - (quality ?? 80));
  const wanted = Math.min(
    rowMost * Math.ceil(height / mcu),
    JPEG_MOST_TOKENS,
    Math.max(JPEG_LEAST_TOKENS, samples * perSample),
  );
  const planes = width * mcu + (isColour ? width * (mcu === 16 ? 12 : 16) : 0);
  const staged = Math.max(JPEG_BATCH_BYTES, 3 * width);
  return JPEG_MODULE_BYTES + Math.min(staged, 3 * width * height) + planes + Math.max(rowMost, wanted);
}

/** As src/builder/rows/webp-memory.ts counts; a test compares them. */
function rowWebpBytes(facts: MasterFacts, { width, height, quality }: VariantSpec): number {
  const [wide, high] = [Math.ceil(width / 16), Math.ceil(height / 16)];
  const wanted = width * height * (0.12 + 12 / (112 - (quality ?? 80)));
  const rowMost = wide * WEBP_MACROBLOCK_TOKENS;
  const tokens = Math.max(
    rowMost,
    Math.min(rowMost * high, WEBP_MOST_TOKENS, Math.max(WEBP_LEAST_TOKENS, wanted)),
  );
  const alpha = facts.hasAlpha ? 3 * width + Math.min((width * height) / 2, WEBP_MOST_ALPHA_TOKENS) : 0;
  const rows = wide * (facts.colour === "gray" ? 332 : 588);
  const staged = Math.max(JPEG_BATCH_BYTES, samplesOf(facts) * width);
  return WEBP_FIXED_BYTES + staged + rows + alpha + 9 * wide * high + tokens;
}
