/** The properties of the encoding of animated WebP, by libwebp that plans need. */
import type { Size } from "../../geometry/size.ts";
import { FRAMES_FLOOR_BYTES, MEMORY } from "../../memory/isolate.ts";
import { mayBeTransparent } from "../../model/background.ts";
import { DEFAULT_QUALITY, type Quality } from "../../model/variant.ts";
import {
  type AnimationEncoding,
  type AnimationToEncode,
  PIXEL_BYTES,
  UNCOUNTED_FRAMES,
  type WriterBytes,
} from "../encoding.ts";
import { type WebpAnimationOptions, webpAnimationOptions } from "./encoder-options.ts";

export type WebpAnimationPlan = { name: "webp" } & WebpAnimationOptions;

/** Frames that the encoder holds: the one it writes and the previous one. */
const FRAMES = 2;

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
const FRAME_PIXEL_BYTES: Record<Quality, number> = { 80: 0.08, 90: 0.15, 95: 0.22, 100: 0.4 };

type Modes = Pick<WebpAnimationOptions, "mayMask" | "mayBeLossless">;

/**
 * Chooses the modes that the encoder may use. Memory is planned for the most expensive one. Lossy masters hardly ever
 * become smaller in lossless mode, so it is not tried for them.
 */
function modesOf(animation: AnimationToEncode): Modes {
  const { spec, isExact, canvasBytes } = animation;
  const isSmall = spec.width * spec.height <= MASK_MAX_PIXELS;
  const modes = { mayMask: isSmall, mayBeLossless: isSmall && isExact };
  if (!modes.mayBeLossless) return modes;
  const { frames, arena } = bytesIn(animation, modes);
  const fits = FRAMES_FLOOR_BYTES + canvasBytes + frames + arena <= MEMORY.arenaMaxBytes;
  return { ...modes, mayBeLossless: fits };
}

function bytesIn({ facts, spec }: AnimationToEncode, { mayMask, mayBeLossless }: Modes): WriterBytes {
  const { width, height } = spec;
  const kinds = [ENCODER.opaque, ...(mayMask || mayBeTransparent(facts, spec) ? [ENCODER.alpha] : [])];
  const along = ({ fixed, pixel, side }: { fixed: number; pixel: number; side: number }): number =>
    fixed + pixel * width * height + side * (width + height);
  const lossless = mayBeLossless ? along(ENCODER.lossless) + TILE.bytes * tilesOf(spec) : 0;
  return {
    frames: width * height * PIXEL_BYTES * FRAMES,
    arena: Math.max(lossless, ...kinds.map(along)),
    rowCodec: 0,
    buffers: 0,
  };
}

/** Returns the number of tiles: libwebp doubles the side of the squares until there are few enough of them. */
function tilesOf({ width, height }: Size): number {
  for (let side: number = TILE.leastSide; ; side *= 2) {
    const tiles = Math.ceil(width / side) * Math.ceil(height / side);
    if (tiles <= TILE.most) return tiles;
  }
}

export const webpAnimationEncoding: AnimationEncoding<WebpAnimationPlan> = {
  plan: (animation) => ({
    name: "webp",
    ...webpAnimationOptions(animation.spec.quality ?? DEFAULT_QUALITY, modesOf(animation)),
  }),
  bytes: (animation) => bytesIn(animation, modesOf(animation)),
  outputBytes: ({ facts, spec }) =>
    spec.width *
    spec.height *
    (facts.frames ?? UNCOUNTED_FRAMES) *
    FRAME_PIXEL_BYTES[spec.quality ?? DEFAULT_QUALITY],
};
