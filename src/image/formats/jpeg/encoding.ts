/** The properties of the encoding of JPEG that plans need. */
import type { Quality } from "../../model/variant.ts";
import { fileBytesOf, type StillEncoding } from "../encoding.ts";
import { jpegEncoderPeakBytes } from "./encoder-memory.ts";
import { type RowJpegOptions, rowJpegOptions } from "./encoder-options.ts";

export interface JpegEncoderPlan {
  name: "jpeg-rows";
  options: RowJpegOptions;
}

/** Bytes per pixel of a photograph full of grain, as in `fileBytesOf`. */
const DETAILED_BYTES: Record<Quality, number> = { 80: 0.3, 90: 0.66, 95: 1.05, 100: 2 };
const REMAINING_BYTES: Record<Quality, number> = { 80: 0.12, 90: 0.28, 95: 0.4, 100: 0.9 };

const PIXEL_NANOSECONDS = 30;

const still: StillEncoding<JpegEncoderPlan> = {
  plan: ({ quality }) => ({ name: "jpeg-rows", options: rowJpegOptions(quality) }),
  hasQuickEffort: () => false,
  memoryBytes: ({ width, height, quality, layout }) =>
    jpegEncoderPeakBytes(width, height, rowJpegOptions(quality), layout),
  fileBytes: (picture) =>
    fileBytesOf(picture, DETAILED_BYTES[picture.quality], REMAINING_BYTES[picture.quality]),
  isSentInParts: true,
  nanoseconds: ({ width, height }) => width * height * PIXEL_NANOSECONDS,
};

export const jpegEncoding = { still, animation: null };
