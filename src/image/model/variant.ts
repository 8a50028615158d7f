/** The identity of a variant, and the names that follow from it (RULES 9.1). */
import type { MasterFormat } from "./facts.ts";

export const OUTPUT_FORMATS = ["jpeg", "png", "webp", "avif"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** What a variant can be: the formats of `fm`, and GIF, which only a GIF master leads to. */
export type VariantFormat = OutputFormat | "gif";

export const QUALITIES = [80, 90, 95, 100] as const;
export type Quality = (typeof QUALITIES)[number];
export const DEFAULT_QUALITY: Quality = 80;

/**
 * Grows by one when the same request would give other bytes: old variants then stop being offered.
 * It is part of every variant's key.
 */
export const ENCODER_VERSION = 2;

export interface VariantSpec {
  width: number;
  height: number;
  format: VariantFormat;
  /** Null for PNG and GIF, whose encoders know no quality (RULES 5.6). */
  quality: Quality | null;
  /** True when all frames of an animation are kept. */
  animated: boolean;
}

const EXTENSION: Record<MasterFormat, string> = {
  jpeg: "jpg",
  png: "png",
  gif: "gif",
  webp: "webp",
  avif: "avif",
  svg: "svg",
};

const FORMAT_OF_EXTENSION: Record<string, VariantFormat> = {
  jpg: "jpeg",
  png: "png",
  webp: "webp",
  avif: "avif",
  gif: "gif",
};

export const takesQuality = (format: VariantFormat): boolean => format !== "png" && format !== "gif";

/** File name of a variant within its master version: `w1000-q80-e1.webp`. Height and frames follow from the master. */
export function variantFile(
  spec: Pick<VariantSpec, "width" | "format" | "quality">,
  encoderVersion = ENCODER_VERSION,
): string {
  const quality = spec.quality === null ? "" : `-q${spec.quality}`;
  return `w${spec.width}${quality}-e${encoderVersion}.${EXTENSION[spec.format]}`;
}

export interface ParsedVariantFile {
  width: number;
  quality: Quality | null;
  format: VariantFormat;
  encoderVersion: number;
}

/** Reads what `variantFile` writes; null for anything else. */
export function parseVariantFile(file: string): ParsedVariantFile | null {
  const match = /^w([1-9]\d{0,7})(?:-q(80|90|95|100))?-e([1-9]\d{0,5})\.(jpg|png|webp|avif|gif)$/.exec(file);
  if (!match) return null;
  const format = FORMAT_OF_EXTENSION[match[4] as string] as VariantFormat;
  const quality = match[2] === undefined ? null : (Number(match[2]) as Quality);
  if (takesQuality(format) !== (quality !== null)) return null;
  return { width: Number(match[1]), quality, format, encoderVersion: Number(match[3]) };
}

/** File name of a master: its extension is that of its content, whatever the upload was called. */
export const masterFile = (format: MasterFormat): string => `master.${EXTENSION[format]}`;

export interface MasterAddress {
  spaceId: string;
  mediaId: string;
  version: number;
}

/** R2 keys, and the paths under the CDN base that serve them. Variants have a prefix of their own to expire by. */
export const MASTER_PREFIX = "m";
export const VARIANT_PREFIX = "v";

export const masterKey = (a: MasterAddress, file: string): string =>
  `${MASTER_PREFIX}/${a.spaceId}/${a.mediaId}/${a.version}/${file}`;

export const variantKey = (a: MasterAddress, file: string): string =>
  `${VARIANT_PREFIX}/${a.spaceId}/${a.mediaId}/${a.version}/${file}`;
