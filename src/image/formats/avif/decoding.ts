/** The properties of the decoding of AVIF that plans need. */
import type { AvifFacts } from "../../model/facts.ts";
import {
  codedPixels,
  codedSize,
  type MasterDecoding,
  resamplingNanoseconds,
  rgbLayout,
  storedCrop,
  withResampler,
} from "../decoding.ts";
import { avifStillBytes } from "./decoder-memory.ts";

/** Our decoder, in rows of superblocks. A picture that it does not support is left to libaom, where it fits. */
export interface AvifDecoderPlan {
  name: "av1";
}

const PIXEL_NANOSECONDS = 125;
const ALPHA_FACTOR = 1.5;

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

  nanoseconds: (facts, _sourceBytes, wanted) =>
    codedPixels(facts) * PIXEL_NANOSECONDS * (facts.hasAlpha ? ALPHA_FACTOR : 1) +
    resamplingNanoseconds(facts, wanted),

  isExact: () => false,
  isPhotograph: () => false,
  frames: null,
};
