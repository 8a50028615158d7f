/** The properties of the decoding of PNG and APNG that plans need. */
import type { PngFacts } from "../../model/facts.ts";
import {
  codedPixels,
  type MasterDecoding,
  pixelsInRows,
  type Reading,
  resamplingNanoseconds,
  sampleBytes,
  samplesOf,
  withResampler,
} from "../decoding.ts";
import {
  decodesPassesInParallel,
  PNG_RANGE_BYTES,
  pngDecoderPeakBytes,
  pngLayoutOf,
  pngRangeBytes,
  pngRangeReads,
} from "./memory.ts";

/** With `sideBySide`, all passes of an interlaced picture are decoded in parallel, from ranges of the file. */
export interface PngDecoderPlan {
  name: "png";
  sideBySide: { rangeBytes: number; bufferBytes: number } | null;
}

const SAMPLE_NANOSECONDS = 2.6;
/** Decoding passes in parallel inflates half of the file twice, and waits for each range that is read again. */
const SIDE_BY_SIDE = { factor: 1.6, readNanoseconds: 15e6 } as const;

/** A PNG with a palette is taken to be a drawing. */
const PALETTE_COLOUR_TYPE = 3;
/**
 * A file with at least this many bytes per byte of samples is taken to be a photograph. The photographs of the Kodak
 * suite have 0.41 to 0.68; drawings and screenshots seldom reach 0.2.
 */
const PHOTOGRAPH_BYTES_PER_SAMPLE_BYTE = 0.3;

function readingOf(facts: PngFacts, sourceBytes: number): Reading<PngDecoderPlan> {
  if (!decodesPassesInParallel(facts)) {
    return { arena: pngDecoderPeakBytes(facts), decoder: { name: "png", sideBySide: null } };
  }
  const buffers = pngRangeBytes(facts, sourceBytes);
  const sideBySide = { rangeBytes: PNG_RANGE_BYTES, bufferBytes: buffers };
  return { arena: pngDecoderPeakBytes(facts, true), buffers, decoder: { name: "png", sideBySide } };
}

export const pngDecoding: MasterDecoding<PngFacts, PngDecoderPlan, "apng"> = {
  layout: ({ colourType, hasAlpha }) => pngLayoutOf(colourType, hasAlpha),
  turnsRows: () => false,
  unsupported: () => null,

  decode: (facts, sourceBytes, wanted) =>
    withResampler(facts, wanted, pngDecoding.layout(facts), readingOf(facts, sourceBytes)),

  nanoseconds(facts, sourceBytes, wanted) {
    const sample = samplesOf(facts) * (facts.bitDepth === 16 ? 2 : 1) * SAMPLE_NANOSECONDS;
    const once = (facts.interlaced ? codedPixels(facts) : pixelsInRows(facts, wanted)) * sample;
    const resampling = resamplingNanoseconds(facts, wanted);
    if (!decodesPassesInParallel(facts)) return once + resampling;
    const { factor, readNanoseconds } = SIDE_BY_SIDE;
    return once * factor + pngRangeReads(facts, sourceBytes) * readNanoseconds + resampling;
  },

  isExact: () => true,
  isPhotograph: (facts, sourceBytes) =>
    facts.colourType !== PALETTE_COLOUR_TYPE &&
    sourceBytes >= PHOTOGRAPH_BYTES_PER_SAMPLE_BYTE * sampleBytes(facts),

  frames: {
    name: "apng",
    bufferBytes: 0,
    keepsBefore: true,
    isFirstFrameRead: ({ animated }) => animated,
    bytes: (facts) => ({ arena: 0, rowCodec: pngDecoderPeakBytes(facts), buffers: 0 }),
  },
};
