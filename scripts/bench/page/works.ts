/** The pieces of work whose speed and memory the page compares, and the sides that do each. */
import type { OutputFormat } from "../../../src/image/formats/registry.ts";
import { masterPath, photoMaster, type Kind, type Megapixels } from "../masters/photographs.ts";

export const SIDES = ["Silverprint", "Silverprint, quick", "sharp", "mozjpeg", "jSquash"] as const;
export type Side = (typeof SIDES)[number];

/** The quality of every side, on its own scale. */
export const QUALITY = 80;

/** One variant of one master, as a process of a side gets it. */
export interface Work {
  path: string;
  from: "jpeg" | "png";
  to: OutputFormat;
  width: number;
  height: number;
}

export interface Line {
  name: string;
  kind: Kind;
  megapixels: Megapixels;
  width: number;
  to: OutputFormat;
}

const KIND_NAMES: Record<Kind, string> = { jpeg: "JPEG", progressive: "Progressive JPEG", png: "PNG" };
const FORMAT_NAMES: Record<OutputFormat, string> = { jpeg: "JPEG", webp: "WebP", avif: "AVIF", png: "PNG" };

const line = (kind: Kind, megapixels: Megapixels, width: number, to: OutputFormat): Line => ({
  ...{ kind, megapixels, width, to },
  name: `${KIND_NAMES[kind]} ${megapixels} MP → ${FORMAT_NAMES[to]} ${width}`,
});

export const LINES: readonly Line[] = [
  line("jpeg", 2, 500, "webp"),
  line("jpeg", 12, 1000, "jpeg"),
  line("jpeg", 12, 1000, "webp"),
  line("jpeg", 12, 1000, "avif"),
  line("jpeg", 12, 2560, "jpeg"),
  line("jpeg", 12, 2560, "webp"),
  line("png", 12, 1000, "webp"),
  line("jpeg", 80, 1000, "webp"),
  line("progressive", 80, 1000, "webp"),
];

/** A few lines that show within two minutes that all sides still run. */
export const SHORT: readonly Line[] = [
  line("jpeg", 2, 500, "jpeg"),
  line("jpeg", 2, 500, "webp"),
  line("jpeg", 2, 500, "avif"),
];

/** Makes the master of the line, and returns the work. */
export async function workOf({ kind, megapixels, width, to }: Line): Promise<Work> {
  await photoMaster(kind, megapixels);
  return {
    path: masterPath(kind, megapixels),
    from: kind === "png" ? "png" : "jpeg",
    to,
    width,
    height: Math.round(width * 0.75),
  };
}
