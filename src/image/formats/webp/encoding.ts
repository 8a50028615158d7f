/** The properties of the encoding of WebP that plans need. */
import type { Quality } from "../../model/variant.ts";
import { fileBytesOf, type PictureToEncode, type StillEncoding } from "../encoding.ts";
import { webpAnimationEncoding } from "./animation-encoding.ts";
import { WEBP_LOSSLESS_MAX, webpEncoderPeakBytes } from "./encoder-memory.ts";
import { type RowWebpOptions, rowWebpOptions } from "./encoder-options.ts";

export interface WebpEncoderPlan {
  name: "webp-rows";
  options: RowWebpOptions;
}

/** Bytes per pixel of a photograph full of grain, as in `fileBytesOf`. */
const DETAILED_BYTES: Record<Quality, number> = { 80: 0.22, 90: 0.4, 95: 0.55, 100: 0.72 };
const REMAINING_BYTES: Record<Quality, number> = { 80: 0.06, 90: 0.12, 95: 0.19, 100: 0.3 };

const PIXEL_NANOSECONDS = 95;
/** The additional time for alpha, most of which is flat. */
const ALPHA_NANOSECONDS = 250;
/** The additional time for a trial without loss. */
const LOSSLESS_NANOSECONDS = 350;

/** Whether a picture is tried without loss as well. */
const mayBeLossless = ({ isExact, isPhotograph, width, height }: PictureToEncode): boolean =>
  isExact && !isPhotograph && width <= WEBP_LOSSLESS_MAX.width && width * height <= WEBP_LOSSLESS_MAX.pixels;

const still: StillEncoding<WebpEncoderPlan> = {
  plan: (picture, effort) => ({
    name: "webp-rows",
    options: rowWebpOptions(picture.quality, effort === "thorough" && mayBeLossless(picture)),
  }),
  // A quick WebP is not tried without loss.
  hasQuickEffort: mayBeLossless,
  memoryBytes: (picture) =>
    webpEncoderPeakBytes(
      picture.width,
      picture.height,
      rowWebpOptions(picture.quality).quality,
      picture.hasAlpha,
      picture.layout,
      mayBeLossless(picture),
    ),
  fileBytes: (picture) =>
    fileBytesOf(picture, DETAILED_BYTES[picture.quality], REMAINING_BYTES[picture.quality]),
  isSentInParts: false,

  nanoseconds(picture, effort) {
    const pixels = picture.width * picture.height;
    const alpha = picture.hasAlpha ? pixels * ALPHA_NANOSECONDS : 0;
    const isTried = effort === "thorough" && mayBeLossless(picture);
    return pixels * (PIXEL_NANOSECONDS + (isTried ? LOSSLESS_NANOSECONDS : 0)) + alpha;
  },
};

export const webpEncoding = { still, animation: webpAnimationEncoding };
