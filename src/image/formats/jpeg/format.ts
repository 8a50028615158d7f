import { TRANSFORM } from "../../../limits.ts";
import type { FormatDescriptor } from "../descriptor.ts";

export const jpeg = {
  title: "JPEG",
  extension: "jpg",
  mime: "image/jpeg",
  isVector: false,
  policy: null,
  master: { readsFrames: false },
  variant: {
    from: "any",
    acceptRank: null,
    hasAlpha: false,
    holdsFrames: false,
    hasQuality: true,
    // libjpeg's JPEG_MAX_DIMENSION.
    embeds: true,
    maxSidePixels: 65_500,
    maxPixels: { opaque: TRANSFORM.outputMaxPixels, alpha: TRANSFORM.outputMaxPixels },
  },
} as const satisfies FormatDescriptor;
