/** How long decoding and resampling take, on one x86-64 core under workerd. */
import { decodesPassesInParallel, pngRangeReads } from "../formats/png/memory.ts";
import { drawingNanoseconds } from "../formats/svg/cost.ts";
import { webpKind } from "../formats/webp/decoder-memory.ts";
import type { MasterFacts } from "../model/facts.ts";
import type { VariantSpec } from "../model/variant.ts";
import { samplesOf } from "./pixel-layouts.ts";

/** A JPEG is resampled as it is decoded: a pixel of the file, and one that comes out. */
const JPEG_PIXEL_NANOSECONDS = { sequential: 1.5, progressive: 5.5, out: 9 } as const;
const PNG_SAMPLE_NANOSECONDS = 2.6;
/** Side by side, half of the file is inflated twice; and a part of it that is read again is waited for. */
const PNG_SIDE_BY_SIDE = { factor: 1.6, readNanoseconds: 15e6 } as const;
const WEBP_PIXEL_NANOSECONDS = { opaque: 15, alpha: 26, lossless: 25 } as const;
const AVIF_PIXEL_NANOSECONDS = 125;
const GIF_PIXEL_NANOSECONDS = 20;
const RESAMPLE_NANOSECONDS = { in: 2, out: 12 } as const;

export function decoderNanoseconds(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): number {
  const coded = facts.codedWidth * facts.codedHeight;
  const resampling = coded * RESAMPLE_NANOSECONDS.in + spec.width * spec.height * RESAMPLE_NANOSECONDS.out;
  switch (facts.format) {
    case "jpeg":
      return (
        coded * JPEG_PIXEL_NANOSECONDS[facts.process === "progressive" ? "progressive" : "sequential"] +
        spec.width * spec.height * JPEG_PIXEL_NANOSECONDS.out
      );
    case "png": {
      const once = coded * samplesOf(facts) * (facts.bitDepth === 16 ? 2 : 1) * PNG_SAMPLE_NANOSECONDS;
      if (!decodesPassesInParallel(facts)) return once + resampling;
      const { factor, readNanoseconds } = PNG_SIDE_BY_SIDE;
      return once * factor + pngRangeReads(facts, sourceBytes) * readNanoseconds + resampling;
    }
    case "webp":
      return coded * WEBP_PIXEL_NANOSECONDS[webpKind(facts)] + resampling;
    case "avif":
      return coded * AVIF_PIXEL_NANOSECONDS * (facts.hasAlpha ? 1.5 : 1) + resampling;
    case "svg":
      return drawingNanoseconds(facts, spec);
    case "gif":
      return coded * GIF_PIXEL_NANOSECONDS + resampling;
  }
}
