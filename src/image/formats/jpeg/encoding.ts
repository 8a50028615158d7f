/** The properties of the encoding of JPEG that plans need. */
import type { Quality } from "../../model/variant.ts";
import type { JpegFacts } from "../../model/facts.ts";
import { fileBytesOf, type Fitting, type StillEncoding } from "../encoding.ts";
import { jpegEncoderPeakBytes } from "./encoder-memory.ts";
import { type RowJpegOptions, rowJpegOptions } from "./encoder-options.ts";

export interface JpegEncoderPlan {
  name: "jpeg-rows";
  options: RowJpegOptions;
}

/** Bytes per pixel of a photograph full of grain, as in `fileBytesOf`, with the quantiser that it needs for its look. */
const DETAILED_BYTES: Record<Quality, number> = { 80: 0.5, 90: 0.95, 95: 1.35, 100: 2 };
const REMAINING_BYTES: Record<Quality, number> = { 80: 0.18, 90: 0.38, 95: 0.54, 100: 0.9 };

const PIXEL_NANOSECONDS = { thorough: 30, quick: { "420": 11, "444": 21 } } as const;

/** The facts of a file of the row encoder; `sampling` is the one that takes the most memory to decode. */
const ownFacts: Omit<JpegFacts, "width" | "height" | "codedWidth" | "codedHeight" | "colour" | "components"> =
  {
    format: "jpeg",
    orientation: 1,
    frames: 1,
    animated: false,
    hasAlpha: false,
    bitDepth: 8,
    profile: "none",
    process: "progressive",
    unsupported: null,
    sampling: [1, 1],
    scans: 9,
  };

const fitting: Fitting<JpegEncoderPlan> = {
  scaled: ({ name, options }, factor) => ({ name, options: { ...options, scale: factor * options.scale } }),
  power: 1.15,
  facts: ({ width, height }, isGray) => ({
    ...ownFacts,
    ...{ width, height, codedWidth: width, codedHeight: height },
    ...(isGray ? { colour: "gray", components: 1 } : { colour: "rgb", components: 3 }),
  }),
};

const still: StillEncoding<JpegEncoderPlan> = {
  plan: ({ quality }, effort) => ({ name: "jpeg-rows", options: rowJpegOptions(quality, effort) }),
  fitting,
  // A quick JPEG is not fitted to its picture.
  hasQuickEffort: ({ isPhotograph }) => isPhotograph,
  memoryBytes: ({ width, height, quality, layout }, effort) =>
    jpegEncoderPeakBytes(width, height, rowJpegOptions(quality, effort), layout),
  fileBytes: (picture) =>
    fileBytesOf(picture, DETAILED_BYTES[picture.quality], REMAINING_BYTES[picture.quality]),
  isSentInParts: true,
  nanoseconds({ width, height, quality }, effort) {
    const { chroma } = rowJpegOptions(quality, effort);
    const each = typeof chroma === "string" ? PIXEL_NANOSECONDS.quick[chroma] : PIXEL_NANOSECONDS.thorough;
    return width * height * each;
  },
};

export const jpegEncoding = { still, animation: null };
