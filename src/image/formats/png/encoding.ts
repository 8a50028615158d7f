/** The properties of the encoding of PNG that plans need. */
import { fileBytesOf, type StillEncoding } from "../encoding.ts";
import type { PngEffort } from "./encoder-options.ts";
import { pngEncoderPeakBytes } from "./memory.ts";

export interface PngEncoderPlan {
  name: "png-rows";
  effort: PngEffort;
}

/** Bytes per sample of a photograph full of grain, as in `fileBytesOf`. */
const DETAILED_SAMPLE_BYTES = 0.75;
const REMAINING_SAMPLE_BYTES = 0.4;

/** In one pass ("quick"), drawings take a quarter. */
const PIXEL_NANOSECONDS = { thorough: 375, quick: 195 } as const;

const still: StillEncoding<PngEncoderPlan> = {
  plan: (_picture, effort) => ({ name: "png-rows", effort }),
  fitting: null,
  hasQuickEffort: () => true,
  memoryBytes: ({ width, height, layout }) => pngEncoderPeakBytes({ width, height, layout }),
  fileBytes: (picture) =>
    picture.samples * fileBytesOf(picture, DETAILED_SAMPLE_BYTES, REMAINING_SAMPLE_BYTES),
  isSentInParts: true,
  nanoseconds: ({ width, height }, effort) => width * height * PIXEL_NANOSECONDS[effort],
};

export const pngEncoding = { still, animation: null };
