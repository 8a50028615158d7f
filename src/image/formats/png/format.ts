import { TRANSFORM } from "../../../limits.ts";
import type { FormatDescriptor } from "../descriptor.ts";

export const png = {
  title: "PNG",
  extension: "png",
  mime: "image/png",
  isVector: false,
  policy: null,
  master: { readsFrames: true },
  variant: {
    from: "any",
    acceptRank: null,
    hasAlpha: true,
    // The encoder writes no APNG.
    holdsFrames: false,
    hasQuality: false,
    // The width and height of a PNG have 31 bits.
    embeds: true,
    maxSidePixels: 2 ** 31 - 1,
    maxPixels: { opaque: TRANSFORM.outputMaxPixels, alpha: TRANSFORM.outputMaxPixels },
  },
} as const satisfies FormatDescriptor;
