import { TRANSFORM } from "../../../limits.ts";
import type { FormatDescriptor } from "../descriptor.ts";

const MAX_PIXELS = TRANSFORM.outputMaxPixelsAvifOrAlphaWebp;

export const avif = {
  title: "AVIF",
  extension: "avif",
  mime: "image/avif",
  isVector: false,
  policy: null,
  // There is no decoder of image sequences.
  master: { readsFrames: false },
  variant: {
    from: "any",
    acceptRank: 1,
    hasAlpha: true,
    holdsFrames: false,
    hasQuality: true,
    // The default limit of libavif.
    embeds: true,
    maxSidePixels: 32_768,
    maxPixels: { opaque: MAX_PIXELS, alpha: MAX_PIXELS },
  },
} as const satisfies FormatDescriptor;
