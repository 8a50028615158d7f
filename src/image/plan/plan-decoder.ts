/** Chooses the decoder of a master, and computes the memory that it and the resampler take. */
import { avifDecoderBytes, avifGridBytes } from "../formats/avif/decoder-memory.ts";
import { GIF_DECODER_BYTES, gifHeldBytes } from "../formats/gif/memory.ts";
import { planJpegDecode } from "../formats/jpeg/decoder-memory.ts";
import {
  decodesPassesInParallel,
  PNG_RANGE_BYTES,
  pngDecoderPeakBytes,
  pngRangeBytes,
} from "../formats/png/memory.ts";
import { bandRows, drawingBytes, isDrawnWhole } from "../formats/svg/work/cost.ts";
import { croppedDrawing } from "../formats/svg/crop.ts";
import { losslessDecoderPeakBytes, vp8DecoderPeakBytes } from "../formats/webp/decoder-memory.ts";
import { FRAMES_FLOOR_BYTES } from "../memory/isolate.ts";
import { resamplerPeakBytes } from "../memory/resampler.ts";
import type { Crop } from "../geometry/crop.ts";
import type { JpegFacts, MasterFacts, SvgFacts } from "../model/facts.ts";
import { asStored, isTurnedByDecoder, orientationOfRows, turned, unmirrored } from "../model/orientation.ts";
import type { Rect, Size } from "../geometry/size.ts";
import type { DecoderPlan, ResamplingPlan } from "./build-plan.ts";
import { decodedLayout } from "./pixel-layouts.ts";
import { probedFrame } from "../formats/jpeg/decoder-frame.ts";

/** How a master is decoded, and the bytes that this takes in each memory and outside them. */
export interface Decoding {
  arena: number;
  resampler: number;
  buffers: number;
  decoder: DecoderPlan;
  resampling: ResamplingPlan;
  /** The part of the master that is shown, as in CommonPlan. */
  crop: Rect | null;
}

/** The upright size of the output, and the part of the master that it shows. */
export interface Wanted extends Size {
  crop?: Crop;
}

/** The crop in the coordinates of the stored master; null for the whole. */
export const storedCrop = (facts: MasterFacts, { crop }: Wanted): Rect | null =>
  crop ? asStored(crop.rect, facts, facts.orientation) : null;

/** @param budgetBytes the arena that decoding may take; a JPEG is decoded at a smaller scale to stay within it */
export function planDecoder(
  facts: MasterFacts,
  sourceBytes: number,
  wanted: Wanted,
  budgetBytes: number,
): Decoding {
  const to = turned(wanted, orientationOfRows(facts));
  switch (facts.format) {
    case "jpeg":
      return planJpeg(facts, to, cropOfJpeg(facts, wanted), budgetBytes);
    case "svg":
      return planDrawing(facts, sourceBytes, to, wanted);
    default: {
      const crop = storedCrop(facts, wanted);
      const { width, height } =
        crop ??
        ((facts.format === "avif" && facts.crop) || {
          width: facts.codedWidth,
          height: facts.codedHeight,
        });
      const resampler = resamplerPeakBytes({ width, height, layout: decodedLayout(facts) }, to);
      const by = width === to.width && height === to.height ? "nobody" : "resampler";
      return { buffers: 0, ...readingOf(facts, sourceBytes, crop), resampler, resampling: { by, to }, crop };
    }
  }
}

function planDrawing(facts: SvgFacts, sourceBytes: number, to: Size, { crop }: Wanted): Decoding {
  const cropped = crop && croppedDrawing(facts, to, crop);
  const drawn = cropped?.drawn ?? { width: to.width, height: to.height };
  const inlinesStyles = Boolean(facts.drawing.restyledBytes);
  const drawsCrop = cropped !== undefined && !isDrawnWhole(facts);
  const rows = bandRows(facts, drawsCrop ? to : drawn);
  return {
    ...drawingBytes(facts, sourceBytes, to, drawn),
    resampler: 0,
    decoder: { name: "resvg", bandRows: rows, inlinesStyles, drawn, drawsCrop },
    resampling: { by: "decoder", to },
    crop: cropped?.rect ?? null,
  };
}

const cropOfJpeg = (facts: JpegFacts, { crop }: Wanted): Rect | null => {
  if (!crop) return null;
  const place = isTurnedByDecoder(facts) ? unmirrored : asStored;
  return place(crop.rect, facts, facts.orientation);
};

/** A JPEG is decoded at the size that is wanted. */
function planJpeg(facts: JpegFacts, to: Size, crop: Rect | null, budgetBytes: number): Decoding {
  const frame = probedFrame(facts);
  const plan = planJpegDecode(frame, to, budgetBytes, crop ?? undefined);
  const { bytes, sizes } = plan ?? { bytes: Infinity, sizes: [] };
  return {
    arena: bytes,
    resampler: 0,
    buffers: 0,
    decoder: { name: "jpeg", scale: sizes, frame, budgetBytes },
    resampling: { by: "decoder", to },
    crop,
  };
}

type Reading = Pick<Decoding, "arena" | "decoder"> & Partial<Pick<Decoding, "buffers">>;

function readingOf(
  facts: Exclude<MasterFacts, { format: "jpeg" | "svg" }>,
  sourceBytes: number,
  crop: Rect | null,
): Reading {
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
      return facts.lossless
        ? { arena: losslessDecoderPeakBytes(facts), decoder: { name: "vp8l" } }
        : { arena: vp8DecoderPeakBytes(facts, sourceBytes), decoder: { name: "vp8" } };
    case "avif":
      return facts.grid
        ? { arena: avifGridBytes(facts, sourceBytes, crop?.width), decoder: { name: "libaom-grid" } }
        : { arena: avifDecoderBytes(facts, sourceBytes), decoder: { name: "libaom" } };
    case "gif":
      return {
        arena: FRAMES_FLOOR_BYTES + gifHeldBytes(facts, crop?.height ?? facts.codedHeight),
        buffers: GIF_DECODER_BYTES,
        decoder: { name: "gif", bufferBytes: GIF_DECODER_BYTES },
      };
  }
}
