import { TRANSFORM } from "../../../limits.ts";
import type { FormatDescriptor } from "../descriptor.ts";

export const gif = {
  title: "GIF",
  extension: "gif",
  mime: "image/gif",
  isVector: false,
  policy: null,
  master: { readsFrames: true },
  variant: {
    from: "own",
    acceptRank: null,
    hasAlpha: true,
    holdsFrames: true,
    hasQuality: false,
    // The width and height of a GIF have 16 bits.
    embeds: false,
    maxSidePixels: 65_535,
    maxPixels: { opaque: TRANSFORM.outputMaxPixels, alpha: TRANSFORM.outputMaxPixels },
  },
} as const satisfies FormatDescriptor;
