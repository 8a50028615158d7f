/** The identity of a variant, and the names that follow from it (RULES 9.1). */
import { reducedRatio, type Ratio } from "../geometry/aspect-ratio.ts";
import type { Crop } from "../geometry/crop.ts";
import type { Pad } from "../geometry/pad.ts";
import { namedBackground } from "./background.ts";
import { COLOUR } from "./colour.ts";
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
export const ENCODER_VERSION = 24;

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
  /**
   * The colour on which the picture is composed, six hexadecimal digits. Null or absent where that is the format's own
   * background, and where it changes no pixel (RULES 5.14).
   */
  background?: string | null;
}

/** The part of a variant's name for one property: a letter and the value. It is left out for null and absent values. */
interface NamePart<Value> {
  readonly letter: string;
  /** Reads the value that stands after the letter; undefined if the property never has it. */
  readonly read: (text: string) => NonNullable<Value> | undefined;
}

/** In the order of the name. */
const TREATMENT_PARTS: { readonly [K in keyof Treatment]-?: NamePart<Treatment[K]> } = {
  quality: { letter: "q", read: (text) => QUALITIES.find((quality) => String(quality) === text) },
  background: { letter: "b", read: (text) => (COLOUR.test(text) ? text : undefined) },
};

const PARTS = Object.entries(TREATMENT_PARTS) as readonly [
  keyof Treatment,
  NamePart<Treatment[keyof Treatment]>,
][];

/**
 * The properties of a variant that follow from its picture and the settings of the space, and not from the request. They
 * stand at the end of the name, after the encoder version, so that a search by the beginning of a name finds a variant
 * with any of them. A picture that states no rights, or has no colours outside sRGB, has none of them.
 */
export interface Extras {
  /** Whether the file holds what the master states about rights (RULES 9.9). */
  rights?: true;
  /** Absent for sRGB (RULES 9.10). */
  gamut?: "p3";
}

/** In the order of the name. */
const EXTRA_PARTS: { readonly [K in keyof Extras]-?: { text: string; value: NonNullable<Extras[K]> } } = {
  rights: { text: "-c", value: true },
  gamut: { text: "-p3", value: "p3" },
};

const EXTRA_ENTRIES = Object.entries(EXTRA_PARTS) as readonly [
  keyof Extras,
  { text: string; value: unknown },
][];

const suffixOf = (extras: Extras): string =>
  EXTRA_ENTRIES.map(([key, { text }]) => (extras[key] === undefined ? "" : text)).join("");

/** Reads what `suffixOf` writes; null for anything else. */
function parseExtras(text: string): Extras | null {
  const found = EXTRA_ENTRIES.filter((entry) => text.includes(entry[1].text));
  const extras = Object.fromEntries(found.map(([key, { value }]) => [key, value])) as Extras;
  return suffixOf(extras) === text ? extras : null;
}

/**
 * The last encoder version whose variants had no extras. They are offered in the place of variants with rights until
 * those are built.
 */
const LAST_WITHOUT_EXTRAS = 18;

/** Returns the variant as an older encoder named it. */
export function asNamedBy(spec: VariantSpec, encoderVersion: number): VariantSpec {
  if (encoderVersion > LAST_WITHOUT_EXTRAS || encoderVersion >= QUICK_ENCODER_VERSION) return spec;
  const plain = { ...spec };
  delete plain.rights;
  return plain;
}

export interface VariantSpec extends Treatment, Extras {
  width: number;
  height: number;
  format: VariantFormat;
  /** Whether all frames of an animation are kept. */
  animated: boolean;
  /** The part of the master that the variant shows; absent for the whole master. */
  crop?: Crop;
  /** The place of the whole picture on a canvas of the variant's size; absent if the picture covers it. */
  pad?: Pad;
}

/** Returns the variant without its canvas: the picture that is decoded, resized and turned upright. */
export const unpadded = (spec: VariantSpec): VariantSpec =>
  spec.pad ? { ...spec, width: spec.pad.place.width, height: spec.pad.place.height } : spec;

const FORMAT_OF_EXTENSION = new Map(
  VARIANT_FORMATS.map((format) => [FORMATS[format].extension as string, format]),
);

/** Returns whether the format's encoder has a scale of quality. */
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

/** Returns the beginning of the name of a padded picture. */
export function prefixOfPad(ratio: Ratio): string {
  const { width, height } = reducedRatio(ratio);
  return `p${width}x${height}-`;
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

interface NamedVariant extends Treatment, Extras, Pick<VariantSpec, "width" | "format"> {
  crop?: CropIdentity;
  pad?: Pick<Pad, "ratio">;
}

/**
 * Returns the file name of a variant within its master version: `w1000-q80-e1.webp`, `r16x9-f50-w1000-q80-e1.webp` for a
 * crop, or `p16x9-w1000-q80-bff0000-e1.webp` for a padded picture on red; `w1000-q80-e1-c-p3.webp` holds rights, and
 * colours of Display P3. Its height and frames follow from the name and the master.
 */
export function variantFile(
  { width, format, crop, pad, rights, gamut, ...treatment }: NamedVariant,
  encoderVersion = ENCODER_VERSION,
): string {
  const cropped = crop ? `${prefixOfRatio(crop.ratio)}f${crop.focus}-` : "";
  const padded = pad ? prefixOfPad(pad.ratio) : "";
  const coded = prefixOfWidth(width) + prefixOfTreatment(treatment);
  const extras = suffixOf({ ...(rights && { rights }), ...(gamut && { gamut }) });
  return `${cropped}${padded}${coded}${encoderVersion}${extras}.${FORMATS[format].extension}`;
}

export interface ParsedVariantFile extends Treatment, Extras {
  width: number;
  format: VariantFormat;
  encoderVersion: number;
  /** Null for a variant of the whole master. */
  crop: CropIdentity | null;
  /** The ratio of the canvas; absent for a picture that is not padded. */
  pad?: Ratio;
}

const CROP_NAME = /^r([1-9]\d{0,3})x([1-9]\d{0,3})-f(0|[1-9]\d?|100)-/;
const PAD_NAME = /^p([1-9]\d{0,3})x([1-9]\d{0,3})-/;
const NAME =
  /^w([1-9]\d{0,7})-((?:[a-z][0-9a-f]{1,6}-){0,8})e([1-9]\d{0,5})((?:-[a-z][a-z0-9]{0,3}){0,4})\.([a-z0-9]+)$/;

const isReduced = (ratio: Ratio): boolean => reducedRatio(ratio).width === ratio.width;

/** Reads what `variantFile` writes; null for anything else. */
export function parseVariantFile(file: string): ParsedVariantFile | null {
  const cropped = CROP_NAME.exec(file);
  const crop = cropped && { ratio: ratioIn(cropped), focus: Number(cropped[3]) };
  const padded = PAD_NAME.exec(file);
  const pad = padded && ratioIn(padded);
  if ((crop && !isReduced(crop.ratio)) || (pad && !isReduced(pad))) return null;
  const match = NAME.exec(file.slice((cropped ?? padded)?.[0].length ?? 0));
  const format = FORMAT_OF_EXTENSION.get(match?.[5] ?? "");
  const treatment = parseTreatment(match?.[2] ?? "");
  const extras = parseExtras(match?.[4] ?? "");
  if (!match || !format || !treatment || !extras) return null;
  if (takesQuality(format) !== (treatment.quality !== null)) return null;
  const { background = null } = treatment;
  if (namedBackground(format, background) !== background) return null;
  return {
    width: Number(match[1]),
    ...treatment,
    ...extras,
    format,
    encoderVersion: Number(match[3]),
    crop,
    ...(pad && { pad }),
  };
}

const ratioIn = ([, width, height]: RegExpExecArray): Ratio => ({
  width: Number(width),
  height: Number(height),
});

/** Reads what `prefixOfTreatment` writes, without its end; null for anything else. */
function parseTreatment(text: string): Treatment | null {
  const treatment: Treatment = { quality: null };
  const written = text.split("-");
  for (const [key, { letter, read }] of PARTS) {
    const part = written.find((one) => one.startsWith(letter));
    const value = part === undefined ? undefined : read(part.slice(letter.length));
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
