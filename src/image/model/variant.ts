/** The identity of a variant, and the names that follow from it (RULES 9.1). */
import { reducedRatio, type Ratio } from "../geometry/aspect-ratio.ts";
import type { Crop } from "../geometry/crop.ts";
import {
  FORMATS,
  type MasterFormat,
  VARIANT_FORMATS,
  type VariantFormat,
  variantTraits,
} from "../formats/registry.ts";

export const QUALITIES = [80, 90, 95, 100] as const;
export type Quality = (typeof QUALITIES)[number];
export const DEFAULT_QUALITY: Quality = 80;

/**
 * The version of all encoders together. It grows by two when a change makes them write other bytes for the same
 * request. It is part of every variant's name, so variants of older encoders can be told apart and replaced.
 */
export const ENCODER_VERSION = 18;

/** Names what is encoded quickly, so that it is replaced like a variant of older encoders: by a thorough one. */
export const QUICK_ENCODER_VERSION = ENCODER_VERSION - 1;

/** The effort with which an encoder looks for the smallest file: quick while a visitor waits, thorough otherwise. */
export type Effort = "quick" | "thorough";

/** Returns the encoder version that names variants of this effort. */
export const versionOfEffort = (effort: Effort): number =>
  effort === "quick" ? QUICK_ENCODER_VERSION : ENCODER_VERSION;

/**
 * The properties of a variant that follow from the request and the format alone, whatever the picture is. A new one is
 * optional, because orders of the previous version lack it.
 */
export interface Treatment {
  /** Null for a format whose encoder has no quality, such as PNG (RULES 5.6). */
  quality: Quality | null;
}

/** The part of a variant's name for one property: a letter and the value. It is left out for null and absent values. */
interface NamePart<Value> {
  readonly letter: string;
  readonly values: readonly NonNullable<Value>[];
}

/** In the order of the name. */
const TREATMENT_PARTS: { readonly [K in keyof Treatment]-?: NamePart<Treatment[K]> } = {
  quality: { letter: "q", values: QUALITIES },
};

const PARTS = Object.entries(TREATMENT_PARTS) as readonly [
  keyof Treatment,
  NamePart<Treatment[keyof Treatment]>,
][];

export interface VariantSpec extends Treatment {
  width: number;
  height: number;
  format: VariantFormat;
  /** Whether all frames of an animation are kept. */
  animated: boolean;
  /** The part of the master that the variant shows; absent for the whole master. */
  crop?: Crop;
}

const FORMAT_OF_EXTENSION = new Map(
  VARIANT_FORMATS.map((format) => [FORMATS[format].extension as string, format]),
);

/** Whether the format's encoder has a scale of quality. */
export const takesQuality = (format: VariantFormat): boolean => variantTraits(format).hasQuality;

/** Returns the treatment of a variant in this format. */
export const treatmentIn = (format: VariantFormat, treatment: Treatment): Treatment =>
  takesQuality(format) ? treatment : { ...treatment, quality: null };

/** Returns the part of the name for the width. The name begins with it, or with the ratio when the variant is a crop. */
export const prefixOfWidth = (width: number | string): string => `w${width}-`;

/** Returns the part of the name for the ratio of a crop. */
export function prefixOfRatio(ratio: Ratio): string {
  const { width, height } = reducedRatio(ratio);
  return `r${width}x${height}-`;
}

/** Returns the part of the name between the width and the encoder version. */
export function prefixOfTreatment(treatment: Treatment): string {
  const parts = PARTS.map(([key, { letter }]) => {
    const value = treatment[key] ?? null;
    return value === null ? "" : `${letter}${value}-`;
  });
  return `${parts.join("")}e`;
}

/** The properties of a crop that are part of its name. */
export type CropIdentity = Pick<Crop, "ratio" | "focus">;

interface NamedVariant extends Treatment, Pick<VariantSpec, "width" | "format"> {
  crop?: CropIdentity;
}

/**
 * Returns the file name of a variant within its master version: `w1000-q80-e1.webp`, or `r16x9-f50-w1000-q80-e1.webp` for a
 * crop. Its height and frames follow from the name and the master.
 */
export function variantFile(
  { width, format, crop, ...treatment }: NamedVariant,
  encoderVersion = ENCODER_VERSION,
): string {
  const cropped = crop ? `${prefixOfRatio(crop.ratio)}f${crop.focus}-` : "";
  const coded = prefixOfWidth(width) + prefixOfTreatment(treatment);
  return `${cropped}${coded}${encoderVersion}.${FORMATS[format].extension}`;
}

export interface ParsedVariantFile extends Treatment {
  width: number;
  format: VariantFormat;
  encoderVersion: number;
  /** Null for a variant of the whole master. */
  crop: CropIdentity | null;
}

const CROP_NAME = /^r([1-9]\d{0,3})x([1-9]\d{0,3})-f(0|[1-9]\d?|100)-/;
const NAME = /^w([1-9]\d{0,7})-((?:[a-z]\d{1,4}-){0,8})e([1-9]\d{0,5})\.([a-z0-9]+)$/;

/** Reads what `variantFile` writes; null for anything else. */
export function parseVariantFile(file: string): ParsedVariantFile | null {
  const cropped = CROP_NAME.exec(file);
  const crop = cropped && {
    ratio: { width: Number(cropped[1]), height: Number(cropped[2]) },
    focus: Number(cropped[3]),
  };
  if (crop && reducedRatio(crop.ratio).width !== crop.ratio.width) return null;
  const match = NAME.exec(file.slice(cropped?.[0].length ?? 0));
  const format = FORMAT_OF_EXTENSION.get(match?.[4] ?? "");
  const treatment = parseTreatment(match?.[2] ?? "");
  if (!match || !format || !treatment) return null;
  if (takesQuality(format) !== (treatment.quality !== null)) return null;
  return { width: Number(match[1]), ...treatment, format, encoderVersion: Number(match[3]), crop };
}

/** Reads what `prefixOfTreatment` writes, without its end; null for anything else. */
function parseTreatment(text: string): Treatment | null {
  const treatment: Treatment = { quality: null };
  for (const [key, { letter, values }] of PARTS) {
    const value = values.find((one) => `-${text}`.includes(`-${letter}${one}-`));
    if (value !== undefined) Object.assign(treatment, { [key]: value });
  }
  return prefixOfTreatment(treatment) === `${text}e` ? treatment : null;
}

/** Returns the file name of a master. The extension follows from its content, not from the name of the upload. */
export const masterFile = (format: MasterFormat): string => `master.${FORMATS[format].extension}`;

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
