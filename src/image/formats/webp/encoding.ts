/** The properties of the encoding of WebP that plans need. */
import type { Quality } from "../../model/variant.ts";
import { fileBytesOf, type Fitting, type PictureToEncode, type StillEncoding } from "../encoding.ts";
import { webpAnimationEncoding } from "./animation-encoding.ts";
import { WEBP_LOSSLESS_MAX, webpEncoderPeakBytes } from "./encoder-memory.ts";
import { type RowWebpOptions, rowWebpOptions, scaledWebp } from "./encoder-options.ts";

export interface WebpEncoderPlan {
  name: "webp-rows";
  options: RowWebpOptions;
}

/** Bytes per pixel of a photograph full of grain, as in `fileBytesOf`, with the quantiser that it needs for its look. */
const DETAILED_BYTES: Record<Quality, number> = { 80: 0.4, 90: 0.6, 95: 0.72, 100: 0.72 };
const REMAINING_BYTES: Record<Quality, number> = { 80: 0.1, 90: 0.18, 95: 0.26, 100: 0.3 };

const PIXEL_NANOSECONDS = { thorough: 95, quick: 50 } as const;
/** The additional time for alpha, most of which is flat. */
const ALPHA_NANOSECONDS = 250;
/** The additional time for a trial without loss. */
const LOSSLESS_NANOSECONDS = 350;

/** Returns whether a picture is encoded without loss as well, to compare. */
const mayBeLossless = ({ isExact, isPhotograph, width, height }: PictureToEncode): boolean =>
  isExact && !isPhotograph && width <= WEBP_LOSSLESS_MAX.width && width * height <= WEBP_LOSSLESS_MAX.pixels;

const fitting: Fitting<WebpEncoderPlan> = {
  scaled: ({ name, options }, factor) => ({ name, options: scaledWebp(options, factor) }),
  power: 1.1,
  facts: ({ width, height }) => ({
    format: "webp",
    ...{ width, height, codedWidth: width, codedHeight: height },
    orientation: 1,
    frames: 1,
    animated: false,
    hasAlpha: false,
    bitDepth: 8,
    colour: "rgb",
    profile: "none",
    lossless: false,
  }),
};

const still: StillEncoding<WebpEncoderPlan> = {
  plan: (picture, effort) => ({
    name: "webp-rows",
    options: rowWebpOptions(picture.quality, effort === "thorough" && mayBeLossless(picture), effort),
  }),
  fitting,
  // A quick WebP is not fitted to its picture, nor tried without loss.
  hasQuickEffort: (picture) => picture.isPhotograph || mayBeLossless(picture),
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
    return pixels * (PIXEL_NANOSECONDS[effort] + (isTried ? LOSSLESS_NANOSECONDS : 0)) + alpha;
  },
};

export const webpEncoding = { still, animation: webpAnimationEncoding };
