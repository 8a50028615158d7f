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
import { avifDecoderBytes, avifGridBytes } from "./decoder-memory.ts";

/** "libaom" decodes a single item as a whole, "libaom-grid" the tiles of a grid one by one. */
export type AvifDecoderPlan = { name: "libaom" } | { name: "libaom-grid" };

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
      facts.grid
        ? { arena: avifGridBytes(facts, sourceBytes, crop?.width), decoder: { name: "libaom-grid" } }
        : { arena: avifDecoderBytes(facts, sourceBytes), decoder: { name: "libaom" } },
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
