/** The properties of the decoding of AVIF that plans need. */
import type { AvifFacts } from "../../model/facts.ts";
import {
  codedPixels,
  codedSize,
  type MasterDecoding,
  pixelsInRows,
  resamplingNanoseconds,
  rgbLayout,
  storedCrop,
  withResampler,
} from "../decoding.ts";
import { avifStillBytes } from "./row-decoder-memory.ts";

/** Our decoder, in rows of superblocks. A picture that it does not support is left to libaom, where it fits. */
export interface AvifDecoderPlan {
  name: "av1";
}

/**
 * The time of our decoder: per pixel, per sample of a pixel with those of alpha, and per byte of the file. Fitted to
 * photographs at 0.6, 1.6 and 2.8 bits per pixel in 4:2:0, at 3.1 in 4:4:4 of 10 bits, and without loss at 17, which took 38,
 * 48, 62, 74 and 214 nanoseconds a pixel on one core.
 */
const NANOSECONDS = { pixel: 22, sample: 7, byte: 86 } as const;
const SAMPLES: Record<AvifFacts["chroma"], number> = { "400": 1, "420": 1.5, "422": 2, "444": 3 };

export const avifDecoding: MasterDecoding<AvifFacts, AvifDecoderPlan> = {
  layout: rgbLayout,
  turnsRows: () => false,
  unsupported: () => null,

  decode(facts, sourceBytes, wanted) {
    const crop = storedCrop(facts, wanted);
    return withResampler<AvifDecoderPlan>(
      facts,
      wanted,
      rgbLayout(facts),
      { arena: avifStillBytes(facts, sourceBytes, crop?.width), decoder: { name: "av1" } },
      facts.crop ?? codedSize(facts),
    );
  },

  nanoseconds(facts, sourceBytes, wanted) {
    const { pixel, sample, byte } = NANOSECONDS;
    const planes = facts.hasAlpha ? 2 : 1;
    const samples = SAMPLES[facts.chroma] + planes - 1;
    const pixels = pixelsInRows(facts, wanted);
    const bytes = (sourceBytes * pixels) / codedPixels(facts);
    return pixels * (pixel * planes + sample * samples) + bytes * byte + resamplingNanoseconds(facts, wanted);
  },

  isExact: () => false,
  // Encoders look at the picture before they allow palettes. Bytes per pixel say little: photographs and drawings have as
  // many. A master from before this was read counts as a drawing, so its variants stay as they are.
  isPhotograph: ({ hasScreenTools = true }) => !hasScreenTools,
  frames: null,
};
