/** The properties of the decoding of GIF that plans need. */
import { FRAMES_FLOOR_BYTES } from "../../memory/isolate.ts";
import type { GifFacts } from "../../model/facts.ts";
import {
  codedPixels,
  type MasterDecoding,
  resamplingNanoseconds,
  rgbLayout,
  storedCrop,
  withResampler,
} from "../decoding.ts";
import { GIF_DECODER_BYTES, gifHeldBytes } from "./memory.ts";

export interface GifDecoderPlan {
  name: "gif";
  bufferBytes: number;
}

const PIXEL_NANOSECONDS = 20;

export const gifDecoding: MasterDecoding<GifFacts, GifDecoderPlan, "gif"> = {
  layout: rgbLayout,
  turnsRows: () => false,
  unsupported: () => null,

  decode(facts, _sourceBytes, wanted) {
    const rows = storedCrop(facts, wanted)?.height ?? facts.codedHeight;
    return withResampler(facts, wanted, rgbLayout(facts), {
      arena: FRAMES_FLOOR_BYTES + gifHeldBytes(facts, rows),
      buffers: GIF_DECODER_BYTES,
      decoder: { name: "gif", bufferBytes: GIF_DECODER_BYTES },
    });
  },

  nanoseconds: (facts, _sourceBytes, wanted) =>
    codedPixels(facts) * PIXEL_NANOSECONDS + resamplingNanoseconds(facts, wanted),

  isExact: () => true,
  isPhotograph: () => false,

  frames: {
    name: "gif",
    bufferBytes: GIF_DECODER_BYTES,
    keepsBefore: true,
    // A file that was stored before frames were counted may have several.
    isFirstFrameRead: ({ frames }) => frames !== 1,
    bytes: () => ({ arena: 0, rowCodec: 0, buffers: GIF_DECODER_BYTES }),
  },
};
