/** The identity of a variant, and the names that follow from it (RULES 9.1). */
import { reducedRatio, type Ratio } from "../geometry/aspect-ratio.ts";
import type { Crop } from "../geometry/crop.ts";
import type { Effort } from "./effort.ts";
import type { MasterFormat } from "./facts.ts";

export const OUTPUT_FORMATS = ["jpeg", "png", "webp", "avif"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Formats of variants: those of `fm`, and GIF, which only a GIF master can become. */
export type VariantFormat = OutputFormat | "gif";

export const QUALITIES = [80, 90, 95, 100] as const;
export type Quality = (typeof QUALITIES)[number];
export const DEFAULT_QUALITY: Quality = 80;

/**
 * The version of all encoders together. It grows by two when a change makes them write other bytes for the same
 * request. It is part of every variant's name, so variants of older encoders can be told apart and replaced.
 */
export const ENCODER_VERSION = 16;

/** Names what is encoded quickly, so that it is replaced like a variant of older encoders: by a thorough one. */
export const QUICK_ENCODER_VERSION = ENCODER_VERSION - 1;

export const versionOfEffort = (effort: Effort): number =>
  effort === "quick" ? QUICK_ENCODER_VERSION : ENCODER_VERSION;

export interface VariantSpec {
  width: number;
  height: number;
  format: VariantFormat;
  /** Null for PNG and GIF, whose encoders have no quality (RULES 5.6). */
  quality: Quality | null;
  /** Whether all frames of an animation are kept. */
  animated: boolean;
  /** The part of the master that the variant shows; absent for the whole master. */
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

/** The name of a variant begins with its width, or with its ratio when it is a crop. */
export const prefixOfWidth = (width: number | string): string => `w${width}-`;
export const prefixOfRatio = (ratio: Ratio): string => {
  const { width, height } = reducedRatio(ratio);
  return `r${width}x${height}-`;
};
/** The part of the name before the number of the encoder version. PNG and GIF have no quality. */
export const prefixOfQuality = (quality: Quality | null): string =>
  quality === null ? "e" : `q${quality}-e`;

/** The properties of a crop that are part of its name. */
export type CropIdentity = Pick<Crop, "ratio" | "focus">;

interface NamedVariant extends Pick<VariantSpec, "width" | "format" | "quality"> {
  crop?: CropIdentity;
}

/**
 * The file name of a variant within its master version: `w1000-q80-e1.webp`, or `r16x9-f50-w1000-q80-e1.webp` for a
 * crop. Its height and frames follow from the name and the master.
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

/** The file name of a master. The extension follows from its content, not from the name of the upload. */
export const masterFile = (format: MasterFormat): string => `master.${EXTENSION[format]}`;

export interface MasterAddress {
  spaceId: string;
  mediaId: string;
  version: number;
}

/** R2 keys, which are also paths under the CDN base. A lifecycle rule removes expired variants by their prefix. */
export const MASTER_PREFIX = "m";
export const VARIANT_PREFIX = "v";

export const masterKey = (a: MasterAddress, file: string): string =>
  `${MASTER_PREFIX}/${a.spaceId}/${a.mediaId}/${a.version}/${file}`;

export const variantKey = (a: MasterAddress, file: string): string =>
  `${VARIANT_PREFIX}/${a.spaceId}/${a.mediaId}/${a.version}/${file}`;
