/**
 * What building an animation costs, and what follows from that for how it is encoded. The bytes do not depend on
 * the number of frames, but for the file that comes out: they are those of a few full frames and one at work.
 */
import { colourBytes } from "./cost-colour.ts";
import { webpWholeBytes } from "./cost-decode.ts";
import type { Cost } from "./plan-still.ts";
import type { MasterFacts } from "../model/facts.ts";
import { type BuildBytes, MEMORY, peakOf } from "../memory/isolate.ts";
import { pngDecoderPeakBytes } from "../formats/png/memory.ts";
import { resamplerPeakBytes } from "../memory/resampler.ts";
import type { Quality, VariantSpec } from "../model/variant.ts";

/** Bytes a pixel. */
const PIXEL = 4;
/** Tables of the LZW decoder and encoder, the quantiser and two palettes. */
export const GIF_DECODER_BYTES = 100_000;
export const GIF_ENCODER_BYTES = 2_260_000;
/** Frames that the GIF encoder looks at: the one that comes, the one it writes, the one before, and the screen. */
const GIF_FRAMES = 4;
const GIF_INDEX_BYTES = 2;
const WEBP_FRAMES = 2;
/** Where the frames begin: codecs have their data and stack below. */
export const STAGE_FLOOR_BYTES = 131_072;

/**
 * The most that libwebp takes by what it is given, the frame of 4 bytes a pixel included. What it is given, and which
 * of these it is, follows from what the frames show: a bound, which few animations come near.
 */
const ENCODER = {
  opaque: { fixed: 170_000, pixel: 9.8, side: 108 },
  alpha: { fixed: 1_080_000, pixel: 29.2, side: 163 },
  lossless: { fixed: 300_000, pixel: 20, side: 0 },
} as const;
/** Without loss it keeps statistics of each tile, twice: of squares of 8 pixels at least, and of at most so many. */
const TILE = { bytes: 19_500, leastSide: 8, most: 2600 } as const;
/** Without loss, and with a mask of what changed, the encoder takes three to four times as much: not for these. */
const THRIFTY_FROM_PIXELS = 1_000_000;

/** Bytes a pixel of each frame; of most animations far less. */
const WEBP_OUTPUT: Record<Quality, number> = { 80: 0.08, 90: 0.15, 95: 0.22, 100: 0.4 };
/** The first frame is whole, the others are differences: how often the mean size the largest of them is. */
const LARGEST_FRAME = 3;
/** A frame's bytes are held as they came, as a file, and in the decoder. */
export const FRAME_COPIES = 3;
const UNKNOWN_FRAMES = 1;

/** How frames may be encoded as WebP: the plan books the most of it, the builder uses no more. */
export interface WebpModes {
  /** What did not change may be left transparent. */
  mayMask: boolean;
  /** All frames may be encoded without loss, where that is smaller; of a lossy master it hardly ever is. */
  mayBeLossless: boolean;
}

export function webpModes(facts: MasterFacts, spec: VariantSpec): WebpModes {
  const isSmall = spec.width * spec.height <= THRIFTY_FROM_PIXELS;
  const isLossy = facts.format === "webp" && !facts.lossless;
  const modes = { mayMask: isSmall, mayBeLossless: isSmall && !isLossy };
  if (!modes.mayBeLossless) return modes;
  const { frames, arena } = webpBytes(facts, spec, modes);
  const fits = STAGE_FLOOR_BYTES + canvasBytes(facts) + frames + arena <= MEMORY.arenaMaxBytes;
  return { ...modes, mayBeLossless: fits };
}

/** What is shown, and where a frame may be taken away again what was shown before. */
const canvasBytes = ({ format, codedWidth, codedHeight }: MasterFacts): number =>
  codedWidth * codedHeight * PIXEL * (format === "webp" ? 1 : 2);

export function animationCost(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): Cost {
  const { format } = facts;
  const isKept =
    spec.format === "webp" ? format !== "jpeg" && format !== "avif" && format !== "svg" : format === "gif";
  if (!isKept || (spec.format !== "webp" && spec.format !== "gif")) {
    return { supported: false, reason: `an animation in ${format} does not become ${spec.format}` };
  }
  const bytes = bytesOf(facts, sourceBytes, spec);
  return { supported: true, lane: "heavy", bytes, peakBytes: peakOf(bytes) };
}

function bytesOf(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): BuildBytes {
  const reader = readerBytes(facts, sourceBytes);
  const writer = spec.format === "gif" ? gifBytes(spec) : webpBytes(facts, spec, webpModes(facts, spec));
  const canvas = canvasBytes(facts);
  const out = facts.orientation >= 5 ? { width: spec.height, height: spec.width } : spec;
  const source = { width: facts.codedWidth, height: facts.codedHeight, layout: "rgba" as const };
  return {
    arena: STAGE_FLOOR_BYTES + canvas + writer.frames + Math.max(reader.arena, writer.arena),
    resampler: resamplerPeakBytes(source, out),
    rowEncoder: facts.format === "png" ? pngDecoderPeakBytes(facts) : 0,
    buffers: reader.buffers + writer.buffers,
    colour: colourBytes(facts, sourceBytes),
    output: outputBytes(facts, sourceBytes, spec),
  };
}

/** Reading the first frame alone, and resizing it. */
export function firstFrameBytes(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): BuildBytes {
  const bytes = bytesOf(facts, sourceBytes, spec);
  const reader = readerBytes(facts, sourceBytes);
  const canvas = facts.codedWidth * facts.codedHeight * PIXEL;
  const small = spec.width * spec.height * PIXEL;
  const arena = STAGE_FLOOR_BYTES + canvas + reader.arena + small;
  return { ...bytes, arena, buffers: reader.buffers, output: small };
}

interface Bytes {
  arena: number;
  buffers: number;
}

/** Reading a frame. */
function readerBytes(facts: MasterFacts, sourceBytes: number): Bytes {
  if (facts.format === "gif") return { arena: 0, buffers: GIF_DECODER_BYTES };
  if (facts.format !== "webp") return { arena: 0, buffers: 0 };
  const one = Math.min(1, LARGEST_FRAME / (facts.frames ?? UNKNOWN_FRAMES)) * sourceBytes;
  return { arena: webpWholeBytes(facts, one), buffers: one * (FRAME_COPIES - 1) };
}

function gifBytes({ width, height }: VariantSpec): Bytes & { frames: number } {
  const pixels = width * height;
  return {
    frames: pixels * PIXEL * GIF_FRAMES,
    arena: 0,
    buffers: pixels * GIF_INDEX_BYTES + GIF_ENCODER_BYTES,
  };
}

function webpBytes(
  facts: MasterFacts,
  { width, height }: VariantSpec,
  { mayMask, mayBeLossless }: WebpModes,
): Bytes & { frames: number } {
  const kinds = [ENCODER.opaque, ...(mayMask || facts.hasAlpha ? [ENCODER.alpha] : [])];
  const along = ({ fixed, pixel, side }: { fixed: number; pixel: number; side: number }): number =>
    fixed + pixel * width * height + side * (width + height);
  const lossless = mayBeLossless ? along(ENCODER.lossless) + TILE.bytes * tilesOf(width, height) : 0;
  return {
    frames: width * height * PIXEL * WEBP_FRAMES,
    arena: Math.max(lossless, ...kinds.map(along)),
    buffers: 0,
  };
}

/** As libwebp cuts a picture: into squares whose sides double until there are few enough of them. */
function tilesOf(width: number, height: number): number {
  for (let side: number = TILE.leastSide; ; side *= 2) {
    const tiles = Math.ceil(width / side) * Math.ceil(height / side);
    if (tiles <= TILE.most) return tiles;
  }
}

/** A guess: GIF shrinks with the sides of its frames, not with their pixels, as edges weigh the most. */
function outputBytes(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): number {
  const pixels = spec.width * spec.height;
  if (spec.format === "gif") return sourceBytes * Math.sqrt(pixels / (facts.width * facts.height));
  return pixels * (facts.frames ?? UNKNOWN_FRAMES) * WEBP_OUTPUT[spec.quality ?? 80];
}
