/** Parses the query of an image request (RULES 5.2). Every malformed parameter is a 400 that says what is allowed. */
import { ApiError } from "../../errors.ts";
import { type FocalPoint, parseRequestedFocalPoint, sharesOf } from "../../image/model/focal-point.ts";
import { DELIVERY } from "../../limits.ts";
import { gridWidth } from "../../image/model/grid.ts";
import {
  DEFAULT_QUALITY,
  OUTPUT_FORMATS,
  QUALITIES,
  type OutputFormat,
  type Quality,
} from "../../image/model/variant.ts";

export interface PictureParameters {
  width: number | null;
  height: number | null;
  /** The ratio as it was sent. Whether the space lists it is checked when the picture is known (RULES 5.8). */
  ratio: string | null;
  focalPoint: FocalPoint | null;
  quality: Quality | null;
  format: OutputFormat | null;
  auto: boolean;
}

const SIDE = /^[1-9]\d{0,3}$/;

/** The single value of a parameter; null when it is absent. */
function single(query: URLSearchParams, name: string): string | null {
  const values = query.getAll(name);
  if (values.length > 1) throw invalid(name, "must be given at most once");
  return values[0] ?? null;
}

export function invalid(name: string, rule: string): ApiError {
  const message = `Parameter "${name}" ${rule}.`;
  return new ApiError("INVALID_PARAMETER", message, { details: [{ path: name, message: rule }] });
}

function oneOf<T extends string | number>(
  name: string,
  value: string | null,
  allowed: readonly T[],
): T | null {
  if (value === null) return null;
  const found = allowed.find((candidate) => String(candidate) === value);
  if (found === undefined) throw invalid(name, `must be one of ${allowed.join(", ")}`);
  return found;
}

function side(query: URLSearchParams, name: "w" | "h"): number | null {
  const text = single(query, name);
  const { widthMinPixels: min, widthMaxPixels: max } = DELIVERY;
  if (text === null) return null;
  if (SIDE.test(text) && Number(text) <= max) return Number(text);
  throw invalid(name, `must be a whole number from ${min} to ${max}, without sign, space or leading zero`);
}

function focalPoint(query: URLSearchParams): FocalPoint | null {
  const text = single(query, "fp");
  if (text === null) return null;
  const point = parseRequestedFocalPoint(text);
  if (point) return point;
  throw invalid("fp", "must be two numbers from 0 to 1 in steps of 0.05, such as 0.25,0.75");
}

/**
 * Reads w, h, ar, fp, q, fm and auto. Other parameters are ignored and never make a new variant (RULES 5.2).
 * @throws ApiError INVALID_PARAMETER
 */
export function parsePictureParameters(query: URLSearchParams): PictureParameters {
  const width = side(query, "w");
  const height = side(query, "h");
  const ratio = single(query, "ar");
  if (width !== null && height !== null && ratio !== null) {
    throw invalid("ar", "cannot be combined with both w and h; send two of the three");
  }
  const quality = oneOf("q", single(query, "q"), QUALITIES);
  const format = oneOf("fm", single(query, "fm"), OUTPUT_FORMATS);
  const auto = oneOf("auto", single(query, "auto"), ["format"]) !== null;
  if (format !== null && auto)
    throw invalid("fm", "cannot be combined with auto=format; send one of the two");
  return { width, height, ratio, focalPoint: focalPoint(query), quality, format, auto };
}

/** Whether a transformation is requested; without one, the master is the answer (RULES 5.3). */
export const isTransformed = ({ width, quality, format, auto }: PictureParameters): boolean =>
  width !== null || quality !== null || format !== null || auto;

/** Whether the answer may be a crop. */
const mayCrop = ({ width, height, ratio }: PictureParameters): boolean =>
  ratio !== null || (width !== null && height !== null);

/** The name and value of each parameter in the normal form; null if it is left out. */
const NORMAL: Record<
  keyof PictureParameters,
  (of: PictureParameters) => [name: string, value: string | null]
> = {
  // With a height, the width is a part of the ratio.
  width: ({ width, height }) => [
    "w",
    width === null ? null : String(height === null ? gridWidth(width) : width),
  ],
  height: (of) => ["h", of.height !== null && isTransformed(of) ? String(of.height) : null],
  // Kept as it is, because it is not known yet whether the space lists it.
  ratio: ({ ratio }) => ["ar", ratio],
  focalPoint: (of) => {
    const point = of.focalPoint && isTransformed(of) && mayCrop(of) ? sharesOf(of.focalPoint) : null;
    return ["fp", point && `${point.x},${point.y}`];
  },
  // The default is left out, unless it is the only parameter that asks for a variant.
  quality: ({ width, quality, format, auto }) => {
    const isImplied = quality === DEFAULT_QUALITY && (width !== null || format !== null || auto);
    return ["q", quality === null || isImplied ? null : String(quality)];
  },
  format: ({ format }) => ["fm", format],
  auto: ({ auto }) => ["auto", auto ? "format" : null],
};

/** The equivalent query with its parameters in a fixed order, without those that make no difference. */
export function normalQuery(parameters: PictureParameters): URLSearchParams {
  const query = new URLSearchParams();
  for (const write of Object.values(NORMAL)) {
    const [name, value] = write(parameters);
    if (value !== null) query.set(name, value);
  }
  return query;
}
