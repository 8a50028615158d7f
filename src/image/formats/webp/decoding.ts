/** The properties of the decoding of WebP that plans need. */
import { MEMORY } from "../../memory/isolate.ts";
import { wholePages } from "../../memory/pages.ts";
import type { WebpFacts } from "../../model/facts.ts";
import {
  codedPixels,
  type MasterDecoding,
  pixelsInRows,
  type Reading,
  resamplingNanoseconds,
  rgbLayout,
  sampleBytes,
  withResampler,
} from "../decoding.ts";
import { losslessDecoderPeakBytes, vp8DecoderPeakBytes, webpFrameBytes } from "./decoder-memory.ts";

/** "vp8" decodes lossy pictures, with their alpha, and "vp8l" those without loss. */
export type WebpDecoderPlan = { name: "vp8" } | { name: "vp8l" };

const PIXEL_NANOSECONDS = { opaque: 15, alpha: 22, lossless: 18 } as const;

/** As for PNG (png/decoding.ts), of a file without loss. */
const PHOTOGRAPH_BYTES_PER_SAMPLE_BYTE = 0.22;
/** The same for a lossy file, in bytes per pixel. At quality 75, photographs have 0.1 to 0.3. */
const PHOTOGRAPH_LOSSY_BYTES_PER_PIXEL = 0.08;

/** The largest frame of a file over the mean frame: the first frame is whole, the others are differences. */
const LARGEST_FRAME_FACTOR = 3;
const UNCOUNTED_FRAMES = 1;

const kindOf = ({ lossless, hasAlpha }: WebpFacts): keyof typeof PIXEL_NANOSECONDS =>
  lossless ? "lossless" : hasAlpha ? "alpha" : "opaque";

const readingOf = (facts: WebpFacts, sourceBytes: number): Reading<WebpDecoderPlan> =>
  facts.lossless
    ? { arena: losslessDecoderPeakBytes(facts), decoder: { name: "vp8l" } }
    : { arena: vp8DecoderPeakBytes(facts, sourceBytes), decoder: { name: "vp8" } };

export const webpDecoding: MasterDecoding<WebpFacts, WebpDecoderPlan, "webp"> = {
  layout: rgbLayout,
  turnsRows: () => false,
  unsupported: () => null,

  decode: (facts, sourceBytes, wanted) =>
    withResampler(facts, wanted, rgbLayout(facts), readingOf(facts, sourceBytes)),

  nanoseconds: (facts, _sourceBytes, wanted) =>
    pixelsInRows(facts, wanted) * PIXEL_NANOSECONDS[kindOf(facts)] + resamplingNanoseconds(facts, wanted),

  isExact: ({ lossless }) => lossless,
  isPhotograph: (facts, sourceBytes) =>
    facts.lossless
      ? sourceBytes >= PHOTOGRAPH_BYTES_PER_SAMPLE_BYTE * sampleBytes(facts)
      : sourceBytes >= PHOTOGRAPH_LOSSY_BYTES_PER_PIXEL * codedPixels(facts),

  frames: {
    name: "webp",
    bufferBytes: 0,
    keepsBefore: false,
    isFirstFrameRead: ({ animated }) => animated,
    bytes(facts, sourceBytes) {
      const one = Math.min(1, LARGEST_FRAME_FACTOR / (facts.frames ?? UNCOUNTED_FRAMES)) * sourceBytes;
      const rowCodec = Math.min(wholePages(one), MEMORY.rowCodecMaxBytes);
      return { arena: webpFrameBytes(facts, one), rowCodec, buffers: Math.max(0, one - rowCodec) };
    },
  },
};
