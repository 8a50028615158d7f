/** The query of an image request (RULES 5.2): every malformed parameter is a 400 that says what is allowed. */
import { ApiError } from "../../errors.ts";
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
  quality: Quality | null;
  format: OutputFormat | null;
  auto: boolean;
}

const WIDTH = /^[1-9]\d{0,3}$/;

/** A parameter's one value; null when absent. */
function single(query: URLSearchParams, name: string): string | null {
  const values = query.getAll(name);
  if (values.length > 1) throw invalid(name, "must be given at most once");
  return values[0] ?? null;
}

function invalid(name: string, rule: string): ApiError {
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

/**
 * Reads w, q, fm and auto; other parameters are ignored and never make a new variant (RULES 5.2).
 * @throws ApiError INVALID_PARAMETER
 */
export function parsePictureParameters(query: URLSearchParams): PictureParameters {
  const w = single(query, "w");
  const { widthMinPixels: min, widthMaxPixels: max } = DELIVERY;
  if (w !== null && (!WIDTH.test(w) || Number(w) > max)) {
    throw invalid("w", `must be a whole number from ${min} to ${max}, without sign, space or leading zero`);
  }
  const quality = oneOf("q", single(query, "q"), QUALITIES);
  const format = oneOf("fm", single(query, "fm"), OUTPUT_FORMATS);
  const auto = oneOf("auto", single(query, "auto"), ["format"]) !== null;
  if (format !== null && auto)
    throw invalid("fm", "cannot be combined with auto=format; send one of the two");
  return { width: w === null ? null : Number(w), quality, format, auto };
}

/** Each parameter as the normal form has it: its name and its value, null where it is left out. */
const NORMAL: Record<
  keyof PictureParameters,
  (of: PictureParameters) => [name: string, value: string | null]
> = {
  width: ({ width }) => ["w", width === null ? null : String(gridWidth(width))],
  // The default is left out, but where it is all that asks for a variant.
  quality: ({ width, quality, format, auto }) => {
    const isImplied = quality === DEFAULT_QUALITY && (width !== null || format !== null || auto);
    return ["q", quality === null || isImplied ? null : String(quality)];
  },
  format: ({ format }) => ["fm", format],
  auto: ({ auto }) => ["auto", auto ? "format" : null],
};

/** The query that asks for the same, in one order and without what makes no difference. */
export function normalQuery(parameters: PictureParameters): URLSearchParams {
  const query = new URLSearchParams();
  for (const write of Object.values(NORMAL)) {
    const [name, value] = write(parameters);
    if (value !== null) query.set(name, value);
  }
  return query;
}
