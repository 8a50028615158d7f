/** Which encoder makes a variant: what the plan counts, and what the builder does. */
import { fitsAvifRows } from "../formats/avif/encoder-memory.ts";
import { wholeSuperblockPixels } from "../formats/avif/tiling.ts";
import { encodedLayout } from "./pixel-layouts.ts";
import type { CanvasKind, StillEncoderPlan } from "./build-plan.ts";
import type { MasterFacts } from "../model/facts.ts";
import { planesOf } from "../memory/planes.ts";
import { CHANNELS_OF } from "../memory/rows.ts";
import { orientationOfRows, turned } from "../model/orientation.ts";
import type { VariantSpec } from "../model/variant.ts";

export type Encoder = StillEncoderPlan["name"];

export interface CodecPath {
  encoder: Encoder;
  /** Of AVIF. JPEG decides by what the picture shows, WebP has 4:2:0 only, PNG has no such thing. */
  chroma: "420" | "444";
  canvas: CanvasKind;
  /** What that takes of the arena. */
  canvasBytes: number;
}

/**
 * AVIF takes 27 bytes a pixel of its superblocks in 4:2:0 and 45 in 4:4:4: above this, it is encoded in tiles. Noise
 * takes 4 % more, for which there is room.
 */
const AVIF_WHOLE_MAX_PIXELS = { "420": 2_650_000, "444": 1_600_000 } as const;
/**
 * Our own rows take a third of libwebp's time and a few megabytes, and give turns, for 7 % more bytes at the same SSIM
 * (src/image/formats/webp/encoder-options.ts). libwebp's takes 6 bytes a pixel and 20 for each byte of the file, which nobody knows
 * before. Only the alpha of flat graphics it codes smaller, in 29 bytes a pixel: up to here.
 */
const WEBP_WHOLE_ALPHA_MAX_PIXELS = 2_500_000;
/** The colour type of a PNG with a palette: a drawing. */
const PALETTE = 3;
/** From this quality on, AVIF keeps colour at full resolution. */
const FULL_CHROMA_FROM = 90;

/** The path with the finest canvas; planStill (plan-still.ts) looks whether there is room for it. */
export function codecPath(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): CodecPath {
  const isFine = (spec.quality ?? 0) >= FULL_CHROMA_FROM;
  const encoder = encoderFor(spec, isFine, facts, sourceBytes);
  const chroma = isFine ? "444" : "420";
  const canvas = canvasFor(encoder, facts);
  return { encoder, chroma, canvas, canvasBytes: canvasBytes(canvas, facts, spec) };
}

function canvasFor(encoder: Encoder, facts: MasterFacts): CanvasKind {
  if (encoder === "libwebp" || encoder === "libaom") return "rgba";
  if (encoder === "libaom-tiles") return "packed";
  return orientationOfRows(facts) === 1 ? "none" : "planes";
}

/** The same path with a canvas of little more than half the bytes, where there is one: for pictures in colour. */
export function withHalvedChroma(path: CodecPath, facts: MasterFacts, spec: VariantSpec): CodecPath | null {
  if (path.canvas !== "planes" || CHANNELS_OF[encodedLayout(facts, spec)] < 3) return null;
  const canvas = "planes-420";
  return { ...path, canvas, canvasBytes: canvasBytes(canvas, facts, spec) };
}

function canvasBytes(canvas: CanvasKind, facts: MasterFacts, spec: VariantSpec): number {
  const layout = encodedLayout(facts, spec);
  const pixels = spec.width * spec.height;
  if (canvas === "none") return 0;
  if (canvas === "rgba") return 4 * pixels;
  if (canvas === "packed") return CHANNELS_OF[layout] * pixels;
  const orientation = orientationOfRows(facts);
  return planesOf(turned(spec, orientation), layout, orientation, canvas === "planes-420").bytes;
}

/**
 * From these sizes of the file on, a master without loss is taken to show a photograph: bytes per byte of samples. The
 * photographs of the Kodak suite take 0.41 to 0.68 as PNG; drawings and screenshots seldom reach 0.2.
 */
const PHOTOGRAPH_BYTES_PER_SAMPLE_BYTE = { png: 0.3, webp: 0.22 } as const;
/** The same of a WebP with loss, in bytes per pixel: quality 75 gives photographs 0.1 to 0.3. */
const PHOTOGRAPH_LOSSY_WEBP_BYTES_PER_PIXEL = 0.08;

/**
 * Our own rows give a quarter fewer bytes of a photograph than libaom does at the speed that there is time for. Of a
 * drawing, libaom with its palettes gives fewer. What a JPEG shows is taken to be a photograph.
 */
function isPhotograph(facts: MasterFacts, sourceBytes: number): boolean {
  if (facts.format === "jpeg") return true;
  if (facts.hasAlpha) return false;
  const pixels = facts.codedWidth * facts.codedHeight;
  if (facts.format === "webp" && !facts.lossless) {
    return sourceBytes >= PHOTOGRAPH_LOSSY_WEBP_BYTES_PER_PIXEL * pixels;
  }
  if (facts.format !== "webp" && (facts.format !== "png" || facts.colourType === PALETTE)) return false;
  const sampleBytes = (pixels * (facts.colour === "gray" ? 1 : 3) * facts.bitDepth) / 8;
  return sourceBytes >= PHOTOGRAPH_BYTES_PER_SAMPLE_BYTE[facts.format] * sampleBytes;
}

function encoderFor(
  { format, width, height }: VariantSpec,
  isFine: boolean,
  facts: MasterFacts,
  sourceBytes: number,
): Encoder {
  const pixels = width * height;
  if (format === "png") return "png-rows";
  if (format === "webp")
    return facts.hasAlpha && pixels <= WEBP_WHOLE_ALPHA_MAX_PIXELS ? "libwebp" : "webp-rows";
  if (format === "avif") {
    if (isPhotograph(facts, sourceBytes) && fitsAvifRows(width, height)) return "avif-rows";
    const most = AVIF_WHOLE_MAX_PIXELS[isFine ? "444" : "420"];
    return wholeSuperblockPixels(width, height) > most ? "libaom-tiles" : "libaom";
  }
  return "jpeg-rows";
}
