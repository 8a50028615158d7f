/** The identity of a variant, and the names that follow from it (RULES 9.1). */
import { reducedRatio, type Ratio } from "./aspect-ratio.ts";
import type { Crop } from "./crop.ts";
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
export const ENCODER_VERSION = 4;

export interface VariantSpec {
  width: number;
  height: number;
  format: VariantFormat;
  /** Null for PNG and GIF, whose encoders know no quality (RULES 5.6). */
  quality: Quality | null;
  /** True when all frames of an animation are kept. */
  animated: boolean;
  /** What of the master it shows; absent for the whole. */
  crop?: Crop;
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

/** What all variants' names begin with: those of whole masters with the width, crops with their ratio. */
export const prefixOfWidth = (width: number | string): string => `w${width}-`;
export const prefixOfRatio = (ratio: Ratio): string => {
  const { width, height } = reducedRatio(ratio);
  return `r${width}x${height}-`;
};
/** Before the encoder version; PNG and GIF have no quality. */
export const prefixOfQuality = (quality: Quality | null): string =>
  quality === null ? "e" : `q${quality}-e`;

/** What of a crop is part of its name. */
export type CropIdentity = Pick<Crop, "ratio" | "focus">;

interface NamedVariant extends Pick<VariantSpec, "width" | "format" | "quality"> {
  crop?: CropIdentity;
}

/**
 * File name of a variant within its master version: `w1000-q80-e1.webp`, of a crop `r16x9-f50-w1000-q80-e1.webp`. Height
 * and frames follow from these and the master.
 */
export function variantFile(
  { width, format, quality, crop }: NamedVariant,
  encoderVersion = ENCODER_VERSION,
): string {
  const cropped = crop ? `${prefixOfRatio(crop.ratio)}f${crop.focus}-` : "";
  const coded = prefixOfWidth(width) + prefixOfQuality(quality);
  return `${cropped}${coded}${encoderVersion}.${EXTENSION[format]}`;
}

export interface ParsedVariantFile {
  width: number;
  quality: Quality | null;
  format: VariantFormat;
  encoderVersion: number;
  /** Null for a variant of the whole master. */
  crop: CropIdentity | null;
}

const CROP_NAME = /^r([1-9]\d{0,3})x([1-9]\d{0,3})-f(0|[1-9]\d?|100)-/;
const NAME = /^w([1-9]\d{0,7})(?:-q(80|90|95|100))?-e([1-9]\d{0,5})\.(jpg|png|webp|avif|gif)$/;

/** Reads what `variantFile` writes; null for anything else. */
export function parseVariantFile(file: string): ParsedVariantFile | null {
  const cropped = CROP_NAME.exec(file);
  const crop = cropped && {
    ratio: { width: Number(cropped[1]), height: Number(cropped[2]) },
    focus: Number(cropped[3]),
  };
  if (crop && reducedRatio(crop.ratio).width !== crop.ratio.width) return null;
  const match = NAME.exec(file.slice(cropped?.[0].length ?? 0));
  if (!match) return null;
  const format = FORMAT_OF_EXTENSION[match[4] as string] as VariantFormat;
  const quality = match[2] === undefined ? null : (Number(match[2]) as Quality);
  if (takesQuality(format) !== (quality !== null)) return null;
  return { width: Number(match[1]), quality, format, encoderVersion: Number(match[3]), crop };
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
