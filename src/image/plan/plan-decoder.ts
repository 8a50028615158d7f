/** Which decoder reads a master, and what it takes with the resampler behind it. */
import { avifDecoderBytes, avifGridBytes } from "../formats/avif/decoder-memory.ts";
import { GIF_DECODER_BYTES } from "../formats/gif/memory.ts";
import { planJpegDecode } from "../formats/jpeg/decoder-memory.ts";
import {
  decodesPassesInParallel,
  PNG_RANGE_BYTES,
  pngDecoderPeakBytes,
  pngRangeBytes,
} from "../formats/png/memory.ts";
import { bandRows, drawingBytes } from "../formats/svg/cost.ts";
import { isVp8InRows, vp8DecoderPeakBytes, webpWholeBytes } from "../formats/webp/decoder-memory.ts";
import { FRAMES_FLOOR_BYTES } from "../memory/isolate.ts";
import { resamplerPeakBytes } from "../memory/resampler.ts";
import type { JpegFacts, MasterFacts } from "../model/facts.ts";
import { orientationOfRows, turned } from "../model/orientation.ts";
import type { Size } from "../model/size.ts";
import type { DecoderPlan, ResamplingPlan } from "./build-plan.ts";
import { decodedLayout } from "./pixel-layouts.ts";
import { probedFrame } from "../formats/jpeg/decoder-frame.ts";

/** What reading a master takes in each memory, and outside of them. */
export interface Decoding {
  arena: number;
  resampler: number;
  buffers: number;
  decoder: DecoderPlan;
  resampling: ResamplingPlan;
}

/**
 * @param upright the size that is wanted
 * @param budgetBytes of the arena; a JPEG is read more coarsely to stay within it
 */
export function planDecoder(
  facts: MasterFacts,
  sourceBytes: number,
  upright: Size,
  budgetBytes: number,
): Decoding {
  const to = turned(upright, orientationOfRows(facts));
  switch (facts.format) {
    case "jpeg":
      return planJpeg(facts, to, budgetBytes);
    case "svg": {
      const inlinesStyles = Boolean(facts.drawing.restyledBytes);
      const decoder = { name: "resvg", bandRows: bandRows(facts, to), inlinesStyles } as const;
      return {
        ...drawingBytes(facts, sourceBytes, to),
        resampler: 0,
        decoder,
        resampling: { by: "decoder", to },
      };
    }
    default: {
      const { width, height } = (facts.format === "avif" && facts.crop) || {
        width: facts.codedWidth,
        height: facts.codedHeight,
      };
      const resampler = resamplerPeakBytes({ width, height, layout: decodedLayout(facts) }, to);
      const by = width === to.width && height === to.height ? "nobody" : "resampler";
      return { buffers: 0, ...readingOf(facts, sourceBytes), resampler, resampling: { by, to } };
    }
  }
}

/** A JPEG is decoded at the size that is wanted. */
function planJpeg(facts: JpegFacts, to: Size, budgetBytes: number): Decoding {
  const frame = probedFrame(facts);
  const { bytes, sizes } = planJpegDecode(frame, to, budgetBytes) ?? { bytes: Infinity, sizes: [] };
  return {
    arena: bytes,
    resampler: 0,
    buffers: 0,
    decoder: { name: "jpeg", scale: sizes, frame, budgetBytes },
    resampling: { by: "decoder", to },
  };
}

type Reading = Pick<Decoding, "arena" | "decoder"> & Partial<Pick<Decoding, "buffers">>;

function readingOf(facts: Exclude<MasterFacts, { format: "jpeg" | "svg" }>, sourceBytes: number): Reading {
  switch (facts.format) {
    case "png": {
      if (!decodesPassesInParallel(facts)) {
        return { arena: pngDecoderPeakBytes(facts), decoder: { name: "png", sideBySide: null } };
      }
      const buffers = pngRangeBytes(facts, sourceBytes);
      const sideBySide = { rangeBytes: PNG_RANGE_BYTES, bufferBytes: buffers };
      return { arena: pngDecoderPeakBytes(facts, true), buffers, decoder: { name: "png", sideBySide } };
    }
    case "webp":
      return isVp8InRows(facts)
        ? { arena: vp8DecoderPeakBytes(facts, sourceBytes), decoder: { name: "vp8" } }
        : { arena: webpWholeBytes(facts, sourceBytes), decoder: { name: "libwebp" } };
    case "avif":
      return facts.grid
        ? { arena: avifGridBytes(facts, sourceBytes), decoder: { name: "libaom-grid" } }
        : { arena: avifDecoderBytes(facts, sourceBytes), decoder: { name: "libaom" } };
    case "gif":
      return {
        arena: FRAMES_FLOOR_BYTES + facts.codedWidth * facts.codedHeight,
        buffers: GIF_DECODER_BYTES,
        decoder: { name: "gif", bufferBytes: GIF_DECODER_BYTES },
      };
  }
}
