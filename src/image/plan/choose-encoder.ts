/** Chooses the encoder of a variant, and the canvas that it needs. */
import { encodedLayout } from "./pixel-layouts.ts";
import type { CanvasKind, StillEncoderPlan } from "./build-plan.ts";
import { WEBP_LOSSLESS_MAX } from "../formats/webp/encoder-memory.ts";
import type { MasterFacts } from "../model/facts.ts";
import { planesOf } from "../memory/planes.ts";
import { CHANNELS_OF } from "../memory/rows.ts";
import { orientationOfRows, turned } from "../model/orientation.ts";
import type { Size } from "../geometry/size.ts";
import type { VariantSpec } from "../model/variant.ts";

export type Encoder = StillEncoderPlan["name"];

export interface CodecPath {
  encoder: Encoder;
  /** For AVIF alone: JPEG decides by what the picture shows, WebP has 4:2:0 only, and PNG does not subsample. */
  chroma: "420" | "444";
  /** Whether the picture probably shows a drawing or a screenshot, for which AVIF has tools, and WebP may have no loss. */
  isDrawing: boolean;
  canvas: CanvasKind;
  /** Bytes of the arena that the canvas takes. */
  canvasBytes: number;
}

/** A PNG with a palette is taken to be a drawing. */
const PNG_PALETTE_COLOUR_TYPE = 3;
/** From this quality on, AVIF keeps colour at full resolution. */
const FULL_CHROMA_MIN_QUALITY = 90;

/** The encoder with the canvas of the best quality; planStill (plan-still.ts) checks whether there is room for it. */
export function codecPath(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): CodecPath {
  const isFine = (spec.quality ?? 0) >= FULL_CHROMA_MIN_QUALITY;
  const encoder = encoderFor(spec);
  const hasTools = encoder === "avif-rows" || (encoder === "webp-rows" && isExact(facts));
  const isDrawing = hasTools && !isPhotograph(facts, sourceBytes);
  // Lines in colour lose more at half the resolution than the bytes are worth.
  const chroma = isFine || isDrawing ? "444" : "420";
  const canvas = orientationOfRows(facts) === 1 ? "none" : "planes";
  return { encoder, chroma, isDrawing, canvas, canvasBytes: canvasBytes(canvas, facts, spec) };
}

/** The same with half the chroma resolution, which takes little more than half the bytes; null if that is no option. */
export function withHalvedChroma(path: CodecPath, facts: MasterFacts, spec: VariantSpec): CodecPath | null {
  if (path.canvas !== "planes" || CHANNELS_OF[encodedLayout(facts, spec)] < 3) return null;
  const canvas = "planes-420";
  return { ...path, canvas, canvasBytes: canvasBytes(canvas, facts, spec) };
}

function canvasBytes(canvas: CanvasKind, facts: MasterFacts, spec: VariantSpec): number {
  const layout = encodedLayout(facts, spec);
  if (canvas === "none") return 0;
  const orientation = orientationOfRows(facts);
  return planesOf(turned(spec, orientation), layout, orientation, canvas === "planes-420").bytes;
}

/**
 * A lossless master whose file has at least this many bytes per byte of samples is taken to be a photograph. The
 * photographs of the Kodak suite have 0.41 to 0.68 as PNG; drawings and screenshots seldom reach 0.2.
 */
const PHOTOGRAPH_BYTES_PER_SAMPLE_BYTE = { png: 0.3, webp: 0.22 } as const;
/** The same for a lossy WebP, in bytes per pixel. At quality 75, photographs have 0.1 to 0.3. */
const PHOTOGRAPH_LOSSY_WEBP_BYTES_PER_PIXEL = 0.08;

/** Whether the master was stored without loss. What was lost leaves so many colours that WebP without loss is larger. */
const isExact = (facts: MasterFacts): boolean =>
  facts.format === "webp" ? facts.lossless : facts.format !== "jpeg" && facts.format !== "avif";

/**
 * Whether the master probably shows a photograph, and not a drawing or a screenshot. A JPEG is taken to be a
 * photograph.
 */
function isPhotograph(facts: MasterFacts, sourceBytes: number): boolean {
  if (facts.format === "jpeg") return true;
  const pixels = facts.codedWidth * facts.codedHeight;
  if (facts.format === "webp" && !facts.lossless) {
    return sourceBytes >= PHOTOGRAPH_LOSSY_WEBP_BYTES_PER_PIXEL * pixels;
  }
  if (facts.format !== "webp" && (facts.format !== "png" || facts.colourType === PNG_PALETTE_COLOUR_TYPE))
    return false;
  const sampleBytes = (pixels * (facts.colour === "gray" ? 1 : 3) * facts.bitDepth) / 8;
  return sourceBytes >= PHOTOGRAPH_BYTES_PER_SAMPLE_BYTE[facts.format] * sampleBytes;
}

function encoderFor({ format }: VariantSpec): Encoder {
  return format === "gif" ? "jpeg-rows" : `${format}-rows`;
}

/** Whether a WebP is tried without loss as well. */
export const mayBeLossless = ({ encoder, isDrawing }: CodecPath, { width, height }: Size): boolean =>
  encoder === "webp-rows" &&
  isDrawing &&
  width <= WEBP_LOSSLESS_MAX.width &&
  width * height <= WEBP_LOSSLESS_MAX.pixels;

/** Whether the encoder has a quick effort for the picture. A quick WebP is not tried without loss. */
export const hasQuickEffort = (path: CodecPath, size: Size): boolean =>
  path.encoder === "png-rows" ||
  (path.encoder === "avif-rows" && !path.isDrawing) ||
  mayBeLossless(path, size);
