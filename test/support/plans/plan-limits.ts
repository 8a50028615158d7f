/** The README's words about the masters that an isolate can hold. */
import type {
  AvifFacts,
  JpegFacts,
  MasterFacts,
  PngFacts,
  WebpFacts,
} from "../../../src/image/model/facts.ts";
import type { OutputFormat } from "../../../src/image/formats/registry.ts";
import { TRANSFORM } from "../../../src/limits.ts";
import { avifFacts, gifFacts, jpegFacts, pngFacts, webpFacts } from "../../../scripts/samples/facts.ts";

type Make = (width: number, height: number) => MasterFacts;
const jpeg =
  (more: Partial<JpegFacts> = {}): Make =>
  (w, h) => ({ ...jpegFacts(w, h), ...more });
const png =
  (more: Partial<PngFacts>, hasAlpha = false): Make =>
  (w, h) => ({ ...pngFacts(w, h, { hasAlpha }), ...more });
const webp =
  (more: Partial<WebpFacts>): Make =>
  (w, h) => ({ ...webpFacts(w, h), ...more });
const avif =
  (more: Partial<AvifFacts>): Make =>
  (w, h) => ({ ...avifFacts(w, h), ...more });

/** Returns the master stored on its side. */
const onSide =
  (make: Make): Make =>
  (width, height) => ({ ...make(height, width), width, height, orientation: 6 });

export const KINDS = {
  "JPEG": jpeg(),
  "progressive JPEG": jpeg({ process: "progressive" }),
  "JPEG not upright": onSide(jpeg()),
  "progressive JPEG not upright": onSide(jpeg({ process: "progressive" })),
  "JPEG of a scan a component, not upright": onSide(jpeg({ scans: 3 })),
  "PNG": png({}),
  "PNG with alpha": png({}, true),
  "PNG not upright": onSide(png({})),
  "PNG with alpha, not upright": onSide(png({}, true)),
  "interlaced PNG": png({ interlaced: true }),
  "interlaced PNG with alpha": png({ interlaced: true }, true),
  "WebP": webp({}),
  "WebP not upright": onSide(webp({})),
  "WebP with alpha": webp({ hasAlpha: true }),
  "lossless WebP": webp({ lossless: true }),
  "lossless WebP with alpha": webp({ lossless: true, hasAlpha: true }),
  "AVIF": avif({}),
  "AVIF 4:4:4": avif({ chroma: "444" }),
  "AVIF of 10 bits": avif({ bitDepth: 10 }),
  "AVIF with alpha": avif({ hasAlpha: true }),
  "GIF": (w, h) => ({ ...gifFacts(w, h), interlaced: false }),
  "interlaced GIF": gifFacts,
} satisfies Record<string, Make>; // prettier-ignore
export type Kind = keyof typeof KINDS;

/** Bytes a pixel of an AVIF. */
export const AVIF_SAMPLE = 0.1;

const rows = (): number => TRANSFORM.outputMaxPixels;
const narrow = (): number => TRANSFORM.outputMaxPixelsAvifOrAlphaWebp;
export const OUTPUTS: Record<
  "JPEG" | "PNG" | "WebP" | "AVIF",
  { format: OutputFormat; most: (facts: MasterFacts) => number }
> = {
  JPEG: { format: "jpeg", most: rows },
  PNG: { format: "png", most: rows },
  WebP: { format: "webp", most: ({ hasAlpha }) => (hasAlpha ? narrow() : rows()) },
  AVIF: { format: "avif", most: narrow },
};

const all = (megapixels: number) => ({
  JPEG: megapixels,
  PNG: megapixels,
  WebP: megapixels,
  AVIF: megapixels,
});

/** Megapixels of masters in 4:3, to the largest variant that RULES 9.5 allows of them. */
export const LIMITS: Record<Kind, Record<keyof typeof OUTPUTS, number>> = {
  "JPEG": all(80),
  "progressive JPEG": all(80),
  "JPEG not upright": all(80),
  "progressive JPEG not upright": all(80),
  "JPEG of a scan a component, not upright": all(80),
  "PNG": all(80),
  "PNG with alpha": all(80),
  "PNG not upright": all(80),
  "PNG with alpha, not upright": all(80),
  "interlaced PNG": all(80),
  "interlaced PNG with alpha": all(80),
  "WebP": all(80),
  "WebP not upright": all(80),
  "WebP with alpha": all(80),
  "lossless WebP": all(80),
  "lossless WebP with alpha": all(80),
  "AVIF": all(80),
  "AVIF 4:4:4": all(80),
  "AVIF of 10 bits": all(80),
  "AVIF with alpha": all(80),
  "GIF": all(80),
  "interlaced GIF": all(80),
}; // prettier-ignore
