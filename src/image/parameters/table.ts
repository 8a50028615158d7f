/**
 * The table of image parameters (RULES 5.2), in the order of the normal form. Reading, the normal form that caches use
 * as their key, the API document, the tables of the READMEs, the addresses of the client and of the console, and the
 * address of an expired variant all follow from it. `treatmentOf` says what a parameter does to the variant, except for
 * its size, crop and format, which `choose.ts` in `edge/delivery` combines with the picture.
 */
import { CROP, DELIVERY } from "../../limits.ts";
import { parseRequestedFocalPoint, sharesOf } from "../geometry/focal-point.ts";
import { gridWidth } from "../geometry/grid.ts";
import { readBackground, TRANSPARENT } from "../model/background.ts";
import { DEFAULT_QUALITY, QUALITIES, type Treatment } from "../model/variant.ts";
import { FORMATS, OUTPUT_FORMATS } from "../formats/registry.ts";
import { askedSides } from "./asked-sides.ts";
import type { Control, Parameter, PictureParameters } from "./parameter.ts";
import {
  AUTO_RULE,
  DENSITY_MAX,
  DENSITY_RULE,
  FIT_RULE,
  FORMAT_RULE,
  QUALITY_RULE,
  readAuto,
  readDensity,
  readFit,
  readFormat,
  readQuality,
  readSide,
  SIDE_MAX,
  SIDE_MIN,
  SIDE_RULE,
} from "./values.ts";

type Key = keyof PictureParameters;
type Table = { readonly [K in Key]: Parameter<PictureParameters[K]> };

const { widthGridPixels: GRID } = DELIVERY;
const FOCAL_POINT_STEP = CROP.requestedFocalPointStepPercent / 100;

const always = (): boolean => true;
const never = (): boolean => false;

export const PARAMETERS = {
  width: {
    name: "w",
    values: `${SIDE_MIN}–${SIDE_MAX}`,
    meaning: `The width in pixels, rounded up to ${GRID.slice(0, -1).join(", ")} or ${SIDE_MAX}; never upscaled`,
    schema: { type: "integer", minimum: SIDE_MIN, maximum: SIDE_MAX },
    control: {
      label: "Width",
      absent: "",
      hint: `Rounded up to ${GRID.slice(0, 3).join(", ")}, …`,
      offers: { kind: "number", min: SIDE_MIN, max: SIDE_MAX, suggested: GRID },
    },
    absent: null,
    asksForVariant: always,
    read: readSide,
    rule: SIDE_RULE,
    write: String,
    // With a height, the width is a part of the ratio.
    normal(all) {
      const { width } = askedSides(all);
      if (all.fit === "inside") return width;
      return width !== null && all.height === null ? gridWidth(width) : all.width;
    },
  },
  height: {
    name: "h",
    values: `${SIDE_MIN}–${SIDE_MAX}`,
    meaning:
      "With `w`, the nearest ratio of the space's `aspectRatios`; alone, the width that gives this height",
    schema: { type: "integer", minimum: SIDE_MIN, maximum: SIDE_MAX },
    // A page asks for widths, or for a ratio.
    control: null,
    absent: null,
    asksForVariant: never,
    read: readSide,
    rule: SIDE_RULE,
    write: String,
    normal(all) {
      if (!isTransformed(all)) return null;
      return all.width === null || all.fit === "inside" ? askedSides(all).height : all.height;
    },
  },
  density: {
    name: "dpr",
    values: `1–${DENSITY_MAX}, such as 1.5`,
    meaning: "Multiplies `w` and `h`, after their ratio is taken; without both, it changes nothing",
    schema: { type: "number", minimum: 1, maximum: DENSITY_MAX, default: 1 },
    // A `srcset` says the same in widths.
    control: null,
    absent: null,
    asksForVariant: never,
    read: readDensity,
    rule: DENSITY_RULE,
    write: (density) => String((density ?? 100) / 100),
    // One side is multiplied at once, and so is a box. Of two sides, the ratio must still be known.
    normal: ({ width, height, density, fit }) =>
      width !== null && height !== null && fit !== "inside" && density !== 100 ? density : null,
  },
  ratio: {
    name: "ar",
    values: "`16:9`, `1:1`, …",
    meaning: "Crops to this ratio, one of those that the space's setting `aspectRatios` lists",
    schema: { type: "string", examples: ["16:9"] },
    control: {
      label: "Aspect ratio",
      absent: "As the master",
      offers: { kind: "listed", setting: "aspectRatios" },
    },
    absent: null,
    asksForVariant: never,
    // Whether the space lists it is not known yet, so it is kept as it was sent.
    read: (text) => text,
    rule: "must be one of the space's aspectRatios",
    write: (ratio) => ratio ?? "",
    conflict: ({ width, height, ratio }) =>
      width !== null && height !== null && ratio !== null
        ? "cannot be combined with both w and h; send two of the three"
        : null,
  },
  focalPoint: {
    name: "fp",
    values: "`0.25,0.75`",
    meaning:
      "The point that the crop is centred on, in steps of 0.05; without it the picture's focal point, else the centre",
    schema: { type: "string", examples: ["0.25,0.75"] },
    // The page of a media item sets the picture's own focal point.
    control: null,
    absent: null,
    asksForVariant: never,
    read: (text) => parseRequestedFocalPoint(text) ?? undefined,
    rule: `must be two numbers from 0 to 1 in steps of ${FOCAL_POINT_STEP}, such as 0.25,0.75`,
    write(point) {
      const { x, y } = sharesOf(point ?? { x: 0, y: 0 });
      return `${x},${y}`;
    },
    conflict: ({ focalPoint, fit }) =>
      focalPoint !== null && fit !== null
        ? `cannot be combined with fit=${fit}, which cuts nothing off`
        : null,
    normal: (all) => (isTransformed(all) && mayCrop(all) ? all.focalPoint : null),
  },
  fit: {
    name: "fit",
    values: "crop, inside, pad",
    meaning:
      "What happens if the ratio is not the picture's. `crop`, the default; `inside`: the whole picture, as large as it fits a box of `w` by `h` of any ratio; `pad`: the whole picture on a canvas of the ratio, on `bg`",
    schema: { type: "string", enum: ["crop", "inside", "pad"], default: "crop" },
    control: {
      label: "Fit",
      absent: "Crop",
      hint: "Pad needs an aspect ratio",
      // A box needs a height, which has no control.
      offers: { kind: "choice", choices: [{ text: "pad", words: "Pad" }] },
    },
    absent: null,
    asksForVariant: never,
    read: readFit,
    rule: FIT_RULE,
    write: (fit) => fit ?? "",
    conflict(all) {
      const { width, height, fit } = all;
      if (fit === "inside" && (width === null || height === null))
        return "cannot be inside without both w and h";
      return fit === "pad" && !namesRatio(all)
        ? "cannot be pad without a ratio; send ar, or both w and h"
        : null;
    },
    normal: (all) => (isTransformed(all) ? all.fit : null),
  },
  background: {
    name: "bg",
    values: "`ffffff`, `transparent`, …",
    meaning:
      "What `fit=pad` fills, and what a picture with alpha is composed on as JPEG: one of those that the space's setting `backgrounds` lists. Without it, transparent where the format can be, else white",
    schema: { type: "string", examples: ["ffffff", TRANSPARENT] },
    control: {
      label: "Background",
      absent: "Transparent, or white",
      offers: { kind: "listed", setting: "backgrounds" },
    },
    absent: null,
    asksForVariant: never,
    // Whether the space lists it is not known yet.
    read: readBackground,
    rule: `must be six hexadecimal digits or ${TRANSPARENT}, and one of the space's backgrounds`,
    write: (background) => background ?? "",
  },
  quality: {
    name: "q",
    values: "1–100",
    meaning: `The quality, rounded up to ${QUALITIES.join(", ")}: a photograph then scores about 75, 84 or 88 by SSIMULACRA 2, whatever it shows, and 100 is visually lossless. PNG and GIF ignore it`,
    schema: { type: "integer", minimum: 1, maximum: 100, default: DEFAULT_QUALITY },
    control: {
      label: "Quality",
      absent: `${DEFAULT_QUALITY}, the default`,
      offers: { kind: "choice", choices: QUALITIES.map(String).map((text) => ({ text, words: text })) },
    },
    absent: null,
    asksForVariant: always,
    read: readQuality,
    rule: QUALITY_RULE,
    write: String,
    // The default is left out, unless it is the only parameter that asks for a variant.
    normal: ({ width, quality, format, auto }) =>
      quality === DEFAULT_QUALITY && (width !== null || format !== null || auto === "format")
        ? null
        : quality,
  },
  format: {
    name: "fm",
    values: OUTPUT_FORMATS.join(", "),
    meaning: "The format, `jpg` too; without it the master's own",
    schema: { type: "string", examples: OUTPUT_FORMATS },
    control: {
      label: "Format",
      absent: "As the master",
      offers: {
        kind: "choice",
        choices: OUTPUT_FORMATS.map((text) => ({ text, words: FORMATS[text].title })),
      },
    },
    absent: null,
    asksForVariant: always,
    read: readFormat,
    rule: FORMAT_RULE,
    write: (format) => format ?? "",
    conflict: ({ format, auto }) =>
      format !== null && auto !== null ? "cannot be combined with auto; send one of the two" : null,
  },
  auto: {
    name: "auto",
    values: "format, compress",
    meaning:
      "A list. `format`: AVIF, then WebP, then the master's own format, by what the `Accept` header names. `compress` changes nothing",
    schema: { type: "string", examples: ["format", "format,compress"] },
    control: {
      label: "Format",
      absent: "As the master",
      offers: { kind: "choice", choices: [{ text: "format", words: "Automatic" }] },
    },
    absent: null,
    asksForVariant: (auto) => auto === "format",
    read: readAuto,
    rule: AUTO_RULE,
    write: (auto) => auto ?? "",
    normal: ({ auto }) => (auto === "format" ? auto : null),
  },
} as const satisfies Table;

/** The name of a parameter in an address. */
export type ParameterName = (typeof PARAMETERS)[Key]["name"];

const KEYS = Object.keys(PARAMETERS) as readonly Key[];
const TABLE: Table = PARAMETERS;

/** A parameter that a form offers. */
export interface OfferedParameter {
  readonly name: ParameterName;
  readonly control: Control;
}

/** The parameters that a form offers. */
export const OFFERED_PARAMETERS: readonly OfferedParameter[] = KEYS.flatMap((key) => {
  const { name, control } = PARAMETERS[key];
  return control ? [{ name, control }] : [];
});

/** The names in the order of the normal form. */
export const PARAMETER_NAMES: readonly ParameterName[] = KEYS.map((key) => PARAMETERS[key].name);

/** Calls `use` with each entry of the table and the request's value for it, in the order of the normal form. */
export function forEachParameter(
  all: PictureParameters,
  use: <Value>(parameter: Parameter<Value>, value: Value) => void,
): void {
  const useOne = <K extends Key>(key: K, value: PictureParameters[K]): void => use(TABLE[key], value);
  for (const key of KEYS) useOne(key, all[key]);
}

/** Returns the parameters with the values that `valueOf` gives for the entries of the table. */
export function parametersOf(
  valueOf: <K extends Key>(parameter: Table[K], key: K) => PictureParameters[K],
): PictureParameters {
  const all: Partial<PictureParameters> = {};
  const set = <K extends Key>(key: K, value: PictureParameters[K]): void => void (all[key] = value);
  for (const key of KEYS) set(key, valueOf(TABLE[key], key));
  return all as PictureParameters;
}

/** The parameters of a request that has none. */
export const NO_PARAMETERS: PictureParameters = parametersOf(({ absent }) => absent);

/** Returns whether a transformation is requested; without one, the master is the answer (RULES 5.3). */
export function isTransformed(all: PictureParameters): boolean {
  const asks = <Value>({ absent, asksForVariant }: Parameter<Value>, value: Value): boolean =>
    value !== absent && asksForVariant(value);
  const asksOne = <K extends Key>(key: K, value: PictureParameters[K]): boolean => asks(TABLE[key], value);
  return KEYS.some((key) => asksOne(key, all[key]));
}

/** Returns whether the format follows from the `Accept` header. */
export const isNegotiated = ({ auto }: PictureParameters): boolean => auto === "format";

/** Each property of a treatment with its value for a request that lacks the parameter of the same key. */
const TREATMENT: { readonly [K in keyof Treatment & Key]-?: Treatment[K] | null } = {
  quality: DEFAULT_QUALITY,
  background: null,
};
const isTreatment = (key: Key): key is keyof Treatment & Key => Object.hasOwn(TREATMENT, key);
const TREATMENT_KEYS = KEYS.filter(isTreatment);

/** Returns what a request does to the variant beside its size, crop and format. */
export const treatmentOf = (all: PictureParameters): Treatment =>
  Object.fromEntries(TREATMENT_KEYS.map((key) => [key, all[key] ?? TREATMENT[key]])) as unknown as Treatment;

/** Returns the parameters that request this treatment. */
export const parametersFor = (treatment: Treatment): PictureParameters =>
  parametersOf(({ absent }, key) => ((isTreatment(key) && treatment[key]) || absent) as typeof absent);

/** Returns whether the request names a ratio. */
const namesRatio = ({ width, height, ratio }: PictureParameters): boolean =>
  ratio !== null || (width !== null && height !== null);

/** Returns whether the answer may be a crop. */
const mayCrop = (all: PictureParameters): boolean => all.fit === null && namesRatio(all);
