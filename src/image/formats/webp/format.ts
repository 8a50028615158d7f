import { TRANSFORM } from "../../../limits.ts";
import type { FormatDescriptor } from "../descriptor.ts";

export const webp = {
  title: "WebP",
  extension: "webp",
  mime: "image/webp",
  isVector: false,
  policy: null,
  master: { readsFrames: true },
  variant: {
    from: "any",
    acceptRank: 2,
    hasAlpha: true,
    holdsFrames: true,
    hasQuality: true,
    // libwebp's WEBP_MAX_DIMENSION.
    embeds: true,
    maxSidePixels: 16_383,
    maxPixels: { opaque: TRANSFORM.outputMaxPixels, alpha: TRANSFORM.outputMaxPixelsAvifOrAlphaWebp },
  },
} as const satisfies FormatDescriptor;
