/**
 * The plan of an animation. Its memory does not depend on the number of frames, except for the output file: it holds a
 * few whole frames and works on one.
 */
import {
  GIF_DECODER_BYTES,
  GIF_ENCODER_BYTES,
  GIF_PIECE_BYTES,
  gifHeldBytes,
} from "../formats/gif/memory.ts";
import { pngDecoderPeakBytes } from "../formats/png/memory.ts";
import { webpWholeBytes } from "../formats/webp/decoder-memory.ts";
import { type WebpAnimationOptions, webpAnimationOptions } from "../formats/webp/encoder-options.ts";
import { MULTIPART } from "../../limits.ts";
import { type BuildBytes, FRAMES_FLOOR_BYTES, MEMORY, peakOf } from "../memory/isolate.ts";
import { wholePages } from "../memory/pages.ts";
import { resamplerPeakBytes } from "../memory/resampler.ts";
import type { GifFacts, MasterFacts } from "../model/facts.ts";
import { turned } from "../model/orientation.ts";
import { DEFAULT_QUALITY, type Quality, type VariantSpec } from "../model/variant.ts";
import type { AnimationEncoderPlan, AnimationPlan, FrameReaderPlan, ResamplingPlan } from "./build-plan.ts";
import { colourBytes } from "./cost-colour.ts";
import { storedCrop, type Wanted } from "./plan-decoder.ts";
import { colourPlan } from "./plan-still.ts";

const PIXEL_BYTES = 4;
/** Frames that the GIF encoder holds: the next one, the one it writes, the previous one, and the screen. */
const GIF_FRAMES = 4;
const GIF_INDEX_BYTES = 2;
/** A GIF is sent in parts: at most one part is held, and the rest of the piece that completed it. */
const GIF_HELD_MAX_BYTES = MULTIPART.partBytes + GIF_PIECE_BYTES;
const WEBP_FRAMES = 2;

/**
 * Upper bounds of what libwebp takes, in bytes, by the kind of frame, with the frame of 4 bytes per pixel included. The
 * kind follows from what a frame shows. Few animations come near the bounds.
 */
const ENCODER = {
  opaque: { fixed: 170_000, pixel: 9.8, side: 108 },
  alpha: { fixed: 1_080_000, pixel: 29.2, side: 163 },
  lossless: { fixed: 300_000, pixel: 20, side: 0 },
} as const;
/** The lossless encoder keeps two sets of statistics per tile: squares of at least 8 pixels, at most `most` of them. */
const TILE = { bytes: 19_500, leastSide: 8, most: 2600 } as const;
/**
 * The largest frames that may be lossless or have a mask of what changed: both take three to four times the memory.
 */
const MASK_MAX_PIXELS = 1_000_000;

/** Room for the output, in bytes per pixel of each frame. Most animations need far less. */
const WEBP_BYTES_PER_PIXEL: Record<Quality, number> = { 80: 0.08, 90: 0.15, 95: 0.22, 100: 0.4 };
/** The largest frame of a file over the mean frame: the first frame is whole, the others are differences. */
const LARGEST_FRAME_FACTOR = 3;
const UNCOUNTED_FRAMES = 1;

type WebpModes = Pick<WebpAnimationOptions, "mayMask" | "mayBeLossless">;

/**
 * Which modes the WebP encoder may use. Memory is planned for the most expensive one. Lossy masters hardly ever become
 * smaller in lossless mode, so it is not tried for them.
 */
function webpModes(facts: MasterFacts, spec: VariantSpec): WebpModes {
  const isSmall = spec.width * spec.height <= MASK_MAX_PIXELS;
  const isLossy = facts.format === "webp" && !facts.lossless;
  const modes = { mayMask: isSmall, mayBeLossless: isSmall && !isLossy };
  if (!modes.mayBeLossless) return modes;
  const { frames, arena } = webpBytes(facts, spec, modes);
  const fits = FRAMES_FLOOR_BYTES + canvasBytes(facts) + frames + arena <= MEMORY.arenaMaxBytes;
  return { ...modes, mayBeLossless: fits };
}

/** The canvas, and for formats whose frames may restore the canvas from before them, a copy of that. */
const canvasBytes = ({ format, codedWidth, codedHeight }: MasterFacts): number =>
  codedWidth * codedHeight * PIXEL_BYTES * (format === "webp" ? 1 : 2);

export function planAnimation(
  facts: MasterFacts,
  sourceBytes: number,
  spec: VariantSpec,
): AnimationPlan | { unsupported: string } {
  const { format } = facts;
  const reader = isSoleGif(facts, spec) ? soleGifReader(facts) : readerPlan(facts);
  const isKept = spec.format === "webp" ? reader !== null : spec.format === "gif" && format === "gif";
  if (!isKept || !reader) return { unsupported: `an animation in ${format} does not become ${spec.format}` };
  const bytes = bytesOf(facts, sourceBytes, spec);
  return {
    kind: "animation",
    lane: "heavy",
    size: { width: spec.width, height: spec.height },
    crop: storedCrop(facts, spec),
    reader,
    frames: facts.frames,
    resampling: resamplingOf(facts, spec),
    orientation: facts.orientation,
    colour: colourPlan(facts, false),
    encoder: encoderPlan(facts, spec),
    memory: { ...bytes, peak: peakOf(bytes) },
  };
}

/** Whether a GIF of one frame stays a GIF. It is read in rows, and one frame is held of the output. */
const isSoleGif = (facts: MasterFacts, spec: VariantSpec): facts is GifFacts =>
  facts.format === "gif" && facts.frames === 1 && spec.format === "gif";

const soleGifReader = (facts: GifFacts): FrameReaderPlan => ({
  name: "gif-still",
  bufferBytes: GIF_DECODER_BYTES,
  keepsBefore: false,
  size: codedSize(facts),
});

const codedSize = ({ codedWidth: width, codedHeight: height }: MasterFacts) => ({ width, height });

/** The reader of a format's animations; null for formats without one. */
export function readerPlan({
  format,
  codedWidth: width,
  codedHeight: height,
}: MasterFacts): FrameReaderPlan | null {
  const size = { width, height };
  if (format === "gif") return { name: "gif", bufferBytes: GIF_DECODER_BYTES, keepsBefore: true, size };
  if (format === "png") return { name: "apng", bufferBytes: 0, keepsBefore: true, size };
  return format === "webp" ? { name: "webp", bufferBytes: 0, keepsBefore: false, size } : null;
}

/** How frames are resized. They are turned afterwards, so the size is that of the stored frame. */
export function resamplingOf(facts: MasterFacts, wanted: Wanted): ResamplingPlan {
  const to = turned(wanted, facts.orientation);
  const { width, height } = storedCrop(facts, wanted) ?? codedSize(facts);
  const isKept = to.width === width && to.height === height;
  return { by: isKept ? "nobody" : "resampler", to };
}

function encoderPlan(facts: MasterFacts, spec: VariantSpec): AnimationEncoderPlan {
  const { width, height } = spec;
  if (spec.format === "webp") {
    const options = webpAnimationOptions(spec.quality ?? DEFAULT_QUALITY, webpModes(facts, spec));
    return { name: "webp", ...options };
  }
  const shown = spec.crop?.rect ?? facts;
  const isExact = width === shown.width && height === shown.height;
  const isSole = isSoleGif(facts, spec);
  return { name: "gif", isExact, ...(isSole && { isSole }), bufferBytes: GIF_ENCODER_BYTES };
}

function bytesOf(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): BuildBytes {
  if (isSoleGif(facts, spec)) return soleGifBytes(facts, sourceBytes, spec);
  const reader = readerBytes(facts, sourceBytes);
  const writer = spec.format === "gif" ? gifBytes(spec) : webpBytes(facts, spec, webpModes(facts, spec));
  const out = turned(spec, facts.orientation);
  const source = { ...(storedCrop(facts, spec) ?? codedSize(facts)), layout: "rgba" as const };
  return {
    arena: FRAMES_FLOOR_BYTES + canvasBytes(facts) + writer.frames + Math.max(reader.arena, writer.arena),
    resampler: resamplerPeakBytes(source, out),
    rowCodec: Math.max(reader.rowCodec, writer.rowCodec),
    buffers: reader.buffers + writer.buffers,
    colour: colourBytes(facts, sourceBytes),
    output: outputBytes(facts, sourceBytes, spec),
  };
}

/** A GIF of one frame as a GIF. The indices of the output are written over its pixels. */
function soleGifBytes(facts: GifFacts, sourceBytes: number, spec: VariantSpec): BuildBytes {
  const { width, height } = storedCrop(facts, spec) ?? codedSize(facts);
  return {
    arena: FRAMES_FLOOR_BYTES + spec.width * spec.height * PIXEL_BYTES + gifHeldBytes(facts, height),
    resampler: resamplerPeakBytes({ width, height, layout: "rgba" }, turned(spec, facts.orientation)),
    rowCodec: 0,
    buffers: GIF_DECODER_BYTES + GIF_ENCODER_BYTES,
    colour: colourBytes(facts, sourceBytes),
    output: outputBytes(facts, sourceBytes, spec),
  };
}

/** The memory of reading the first frame alone, and resizing it. */
export function firstFrameBytes(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): BuildBytes {
  const bytes = bytesOf(facts, sourceBytes, spec);
  const reader = readerBytes(facts, sourceBytes);
  const canvas = facts.codedWidth * facts.codedHeight * PIXEL_BYTES;
  const small = spec.width * spec.height * PIXEL_BYTES;
  const arena = FRAMES_FLOOR_BYTES + canvas + reader.arena + small;
  return { ...bytes, arena, buffers: reader.buffers, output: small };
}

interface Bytes {
  arena: number;
  rowCodec: number;
  buffers: number;
}

/** The memory of a writer: `frames` stay in the arena, the rest is for the frame that it works on. */
interface WriterBytes extends Bytes {
  frames: number;
}

/** The memory of reading one frame. */
function readerBytes(facts: MasterFacts, sourceBytes: number): Bytes {
  if (facts.format === "gif") return { arena: 0, rowCodec: 0, buffers: GIF_DECODER_BYTES };
  if (facts.format === "png") return { arena: 0, rowCodec: pngDecoderPeakBytes(facts), buffers: 0 };
  if (facts.format !== "webp") return { arena: 0, rowCodec: 0, buffers: 0 };
  const one = Math.min(1, LARGEST_FRAME_FACTOR / (facts.frames ?? UNCOUNTED_FRAMES)) * sourceBytes;
  const rowCodec = Math.min(wholePages(one), MEMORY.rowCodecMaxBytes);
  return { arena: webpWholeBytes(facts, one), rowCodec, buffers: Math.max(0, one - rowCodec) };
}

function gifBytes({ width, height }: VariantSpec): WriterBytes {
  const pixels = width * height;
  return {
    frames: pixels * PIXEL_BYTES * GIF_FRAMES,
    arena: 0,
    rowCodec: wholePages(pixels * GIF_INDEX_BYTES),
    buffers: GIF_ENCODER_BYTES,
  };
}

function webpBytes(
  facts: MasterFacts,
  { width, height }: VariantSpec,
  { mayMask, mayBeLossless }: WebpModes,
): WriterBytes {
  const kinds = [ENCODER.opaque, ...(mayMask || facts.hasAlpha ? [ENCODER.alpha] : [])];
  const along = ({ fixed, pixel, side }: { fixed: number; pixel: number; side: number }): number =>
    fixed + pixel * width * height + side * (width + height);
  const lossless = mayBeLossless ? along(ENCODER.lossless) + TILE.bytes * tilesOf(width, height) : 0;
  return {
    frames: width * height * PIXEL_BYTES * WEBP_FRAMES,
    arena: Math.max(lossless, ...kinds.map(along)),
    rowCodec: 0,
    buffers: 0,
  };
}

/** Number of tiles: libwebp doubles the side of the squares until there are few enough of them. */
function tilesOf(width: number, height: number): number {
  for (let side: number = TILE.leastSide; ; side *= 2) {
    const tiles = Math.ceil(width / side) * Math.ceil(height / side);
    if (tiles <= TILE.most) return tiles;
  }
}

/** An estimate. A GIF shrinks with the sides of its frames rather than with their pixels, because edges cost most. */
function outputBytes(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): number {
  const pixels = spec.width * spec.height;
  if (spec.format === "gif") {
    const file = sourceBytes * Math.sqrt(pixels / (facts.width * facts.height));
    return Math.min(file, GIF_HELD_MAX_BYTES);
  }
  return pixels * (facts.frames ?? UNCOUNTED_FRAMES) * WEBP_BYTES_PER_PIXEL[spec.quality ?? 80];
}
