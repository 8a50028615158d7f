/** The names of results in tables and charts. */
import type { OutputFormat } from "../../../src/image/formats/registry.ts";

export const FORMAT_LABELS: Record<OutputFormat, string> = {
  jpeg: "JPEG",
  png: "PNG",
  webp: "WebP",
  avif: "AVIF",
};
