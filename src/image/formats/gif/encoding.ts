/** The properties of the encoding of GIF that plans need. A still is written as an animation of one frame. */
import { MULTIPART } from "../../../limits.ts";
import { wholePages } from "../../memory/pages.ts";
import { unpadded } from "../../model/variant.ts";
import { type AnimationEncoding, PIXEL_BYTES } from "../encoding.ts";
import { GIF_ENCODER_BYTES, GIF_PIECE_BYTES } from "./memory.ts";

/**
 * With `isExact`, frames have the master's size, and their colours are not quantised again. With `isSole`, there is one
 * frame, and the encoder holds no other; absent in plans of earlier versions.
 */
export interface GifAnimationPlan {
  name: "gif";
  isExact: boolean;
  isSole?: boolean;
  bufferBytes: number;
}

/** Frames that the encoder holds: the next one, the one it writes, the previous one, and the screen. */
const FRAMES = 4;
const INDEX_BYTES = 2;
/** The file is sent in parts: at most one part is held, and the rest of the piece that completed it. */
const HELD_MAX_BYTES = MULTIPART.partBytes + GIF_PIECE_BYTES;

const animation: AnimationEncoding<GifAnimationPlan> = {
  plan({ facts, spec }) {
    const shown = spec.crop?.rect ?? facts;
    const { width, height } = unpadded(spec);
    // A background adds colours that the master's tables may have no room for.
    const isExact = width === shown.width && height === shown.height && !spec.background;
    const isSole = facts.frames === 1;
    return { name: "gif", isExact, ...(isSole && { isSole }), bufferBytes: GIF_ENCODER_BYTES };
  },

  bytes({ spec }) {
    const pixels = spec.width * spec.height;
    return {
      frames: pixels * PIXEL_BYTES * FRAMES,
      arena: 0,
      rowCodec: wholePages(pixels * INDEX_BYTES),
      buffers: GIF_ENCODER_BYTES,
    };
  },

  // An estimate. A GIF shrinks with the sides of its frames rather than with their pixels, because edges cost most.
  outputBytes({ facts, sourceBytes, spec }) {
    const pixels = spec.width * spec.height;
    return Math.min(sourceBytes * Math.sqrt(pixels / (facts.width * facts.height)), HELD_MAX_BYTES);
  },
};

export const gifEncoding = { still: null, animation };
