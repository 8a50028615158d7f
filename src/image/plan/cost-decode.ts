/** The time that decoding and resampling take, measured on one x86-64 core under workerd. */
import { decodesPassesInParallel, pngRangeReads } from "../formats/png/memory.ts";
import { drawingNanoseconds, isDrawnWhole } from "../formats/svg/work/cost.ts";
import { croppedDrawing } from "../formats/svg/crop.ts";
import { webpKind } from "../formats/webp/decoder-memory.ts";
import type { MasterFacts, SvgFacts } from "../model/facts.ts";
import type { Size } from "../geometry/size.ts";
import type { VariantSpec } from "../model/variant.ts";
import { samplesOf } from "./pixel-layouts.ts";
import { storedCrop } from "./plan-decoder.ts";

/** Per pixel of the file, by its process, and per pixel of the output: a JPEG is resampled while it is decoded. */
const JPEG_PIXEL_NANOSECONDS = { sequential: 1.5, progressive: 5.5, out: 9 } as const;
const PNG_SAMPLE_NANOSECONDS = 2.6;
/** Decoding passes in parallel inflates half of the file twice, and waits for each range that is read again. */
const PNG_SIDE_BY_SIDE = { factor: 1.6, readNanoseconds: 15e6 } as const;
const WEBP_PIXEL_NANOSECONDS = { opaque: 15, alpha: 22, lossless: 18 } as const;
const AVIF_PIXEL_NANOSECONDS = 125;
const GIF_PIXEL_NANOSECONDS = 20;
const RESAMPLE_NANOSECONDS = { in: 2, out: 12 } as const;

export function decoderNanoseconds(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): number {
  const crop = storedCrop(facts, spec);
  const coded = facts.codedWidth * facts.codedHeight;
  // A decoder that works in rows stops after the last row of the crop.
  const read = crop ? facts.codedWidth * (crop.top + crop.height) : coded;
  const seen = crop ? crop.width * crop.height : coded;
  const resampling = seen * RESAMPLE_NANOSECONDS.in + spec.width * spec.height * RESAMPLE_NANOSECONDS.out;
  switch (facts.format) {
    case "jpeg": {
      const isProgressive = facts.process === "progressive";
      const each = JPEG_PIXEL_NANOSECONDS[isProgressive ? "progressive" : "sequential"];
      const isReadWhole = isProgressive || facts.scans > 1;
      return (isReadWhole ? coded : read) * each + spec.width * spec.height * JPEG_PIXEL_NANOSECONDS.out;
    }
    case "png": {
      const sample = samplesOf(facts) * (facts.bitDepth === 16 ? 2 : 1) * PNG_SAMPLE_NANOSECONDS;
      const once = (facts.interlaced ? coded : read) * sample;
      if (!decodesPassesInParallel(facts)) return once + resampling;
      const { factor, readNanoseconds } = PNG_SIDE_BY_SIDE;
      return once * factor + pngRangeReads(facts, sourceBytes) * readNanoseconds + resampling;
    }
    case "webp":
      return read * WEBP_PIXEL_NANOSECONDS[webpKind(facts)] + resampling;
    case "avif":
      return coded * AVIF_PIXEL_NANOSECONDS * (facts.hasAlpha ? 1.5 : 1) + resampling;
    case "svg":
      return drawingNanoseconds(facts, drawnFor(facts, spec));
    case "gif":
      return coded * GIF_PIXEL_NANOSECONDS + resampling;
  }
}

/** The size at which a drawing is drawn: that of the whole drawing if a crop of it cannot be drawn alone. */
export const drawnFor = (facts: SvgFacts, spec: VariantSpec): Size =>
  spec.crop && isDrawnWhole(facts) ? croppedDrawing(facts, spec, spec.crop).drawn : spec;
