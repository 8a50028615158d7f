/** What results are called where they are shown. */
import type { OutputFormat } from "../../../src/image/model/variant.ts";

export const FORMAT_LABELS: Record<OutputFormat, string> = {
  jpeg: "JPEG",
  png: "PNG",
  webp: "WebP",
  avif: "AVIF",
};
