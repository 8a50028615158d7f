/**
 * The table of image parameters (RULES 5.2), in the order of the normal form. Reading, the normal form that caches use
 * as their key, the API document, the tables of the READMEs, the addresses of the client and of the console, and the
 * address of an expired variant all follow from it. `choose.ts` in `edge/delivery` says what a parameter does to a
 * variant.
 */
import { CROP, DELIVERY } from "../../limits.ts";
import { parseRequestedFocalPoint, sharesOf } from "../geometry/focal-point.ts";
import { gridWidth } from "../geometry/grid.ts";
import { DEFAULT_QUALITY, OUTPUT_FORMATS, QUALITIES } from "../model/variant.ts";
import type { Parameter, PictureParameters } from "./parameter.ts";

type Key = keyof PictureParameters;
type Table = { readonly [K in Key]: Parameter<PictureParameters[K]> };

const SIDE = /^[1-9]\d{0,3}$/;
const { widthMinPixels: SIDE_MIN, widthMaxPixels: SIDE_MAX, widthGridPixels: GRID } = DELIVERY;

const SIDE_RULE = `must be a whole number from ${SIDE_MIN} to ${SIDE_MAX}, without sign, space or leading zero`;
const FOCAL_POINT_STEP = CROP.requestedFocalPointStepPercent / 100;

const readSide = (text: string): number | undefined =>
  SIDE.test(text) && Number(text) <= SIDE_MAX ? Number(text) : undefined;

const oneOf = <T extends string | number>(text: string, allowed: readonly T[]): T | undefined =>
  allowed.find((candidate) => String(candidate) === text);

const ruleOf = (allowed: readonly (string | number)[]): string => `must be one of ${allowed.join(", ")}`;

export const PARAMETERS = {
  width: {
    name: "w",
    values: `${SIDE_MIN}–${SIDE_MAX}`,
    meaning: `The width in pixels, rounded up to ${GRID.slice(0, -1).join(", ")} or ${SIDE_MAX}; never upscaled`,
    schema: { type: "integer", minimum: SIDE_MIN, maximum: SIDE_MAX },
    absent: null,
    asksForVariant: true,
    read: readSide,
    rule: SIDE_RULE,
    write: String,
    // With a height, the width is a part of the ratio.
    normal: ({ width, height }) => (width !== null && height === null ? gridWidth(width) : width),
  },
  height: {
    name: "h",
    values: `${SIDE_MIN}–${SIDE_MAX}`,
    meaning:
      "With `w`, the nearest ratio of the space's `aspectRatios`; alone, the width that gives this height",
    schema: { type: "integer", minimum: SIDE_MIN, maximum: SIDE_MAX },
    absent: null,
    asksForVariant: false,
    read: readSide,
    rule: SIDE_RULE,
    write: String,
    normal: (all) => (isTransformed(all) ? all.height : null),
  },
  ratio: {
    name: "ar",
    values: "`16:9`, `1:1`, …",
    meaning: "Crops to this ratio, one of those that the space's setting `aspectRatios` lists",
    schema: { type: "string", examples: ["16:9"] },
    absent: null,
    asksForVariant: false,
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
    absent: null,
    asksForVariant: false,
    read: (text) => parseRequestedFocalPoint(text) ?? undefined,
    rule: `must be two numbers from 0 to 1 in steps of ${FOCAL_POINT_STEP}, such as 0.25,0.75`,
    write(point) {
      const { x, y } = sharesOf(point ?? { x: 0, y: 0 });
      return `${x},${y}`;
    },
    normal: (all) => (isTransformed(all) && mayCrop(all) ? all.focalPoint : null),
  },
  quality: {
    name: "q",
    values: QUALITIES.join(", "),
    meaning: "The quality; 100 is visually lossless. PNG and GIF ignore it",
    schema: { type: "integer", enum: QUALITIES, default: DEFAULT_QUALITY },
    absent: null,
    asksForVariant: true,
    read: (text) => oneOf(text, QUALITIES),
    rule: ruleOf(QUALITIES),
    write: String,
    // The default is left out, unless it is the only parameter that asks for a variant.
    normal: ({ width, quality, format, auto }) =>
      quality === DEFAULT_QUALITY && (width !== null || format !== null || auto) ? null : quality,
  },
  format: {
    name: "fm",
    values: OUTPUT_FORMATS.join(", "),
    meaning: "The format; without it the master's own",
    schema: { type: "string", enum: OUTPUT_FORMATS },
    absent: null,
    asksForVariant: true,
    read: (text) => oneOf(text, OUTPUT_FORMATS),
    rule: ruleOf(OUTPUT_FORMATS),
    write: (format) => format ?? "",
    conflict: ({ format, auto }) =>
      format !== null && auto ? "cannot be combined with auto=format; send one of the two" : null,
  },
  auto: {
    name: "auto",
    values: "format",
    meaning: "AVIF, then WebP, then the master's own format, by what the `Accept` header names",
    schema: { type: "string", enum: ["format"] },
    absent: false,
    asksForVariant: true,
    read: (text) => text === "format" || undefined,
    rule: ruleOf(["format"]),
    write: () => "format",
  },
} as const satisfies Table;

/** The name of a parameter in an address. */
export type ParameterName = (typeof PARAMETERS)[Key]["name"];

const KEYS = Object.keys(PARAMETERS) as readonly Key[];
const TABLE: Table = PARAMETERS;

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
  const pair = <K extends Key>(key: K): [K, PictureParameters[K]] => [key, valueOf(TABLE[key], key)];
  return Object.fromEntries(KEYS.map((key) => pair(key))) as unknown as PictureParameters;
}

/** The parameters of a request that has none. */
export const NO_PARAMETERS: PictureParameters = parametersOf(({ absent }) => absent);

/** Whether a transformation is requested; without one, the master is the answer (RULES 5.3). */
export const isTransformed = (all: PictureParameters): boolean =>
  KEYS.some((key) => TABLE[key].asksForVariant && all[key] !== TABLE[key].absent);

/** Whether the answer may be a crop. */
const mayCrop = ({ width, height, ratio }: PictureParameters): boolean =>
  ratio !== null || (width !== null && height !== null);
