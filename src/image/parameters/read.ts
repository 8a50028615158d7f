/** Reads the parameters of an image request (RULES 5.2). */
import { invalid } from "./invalid.ts";
import type { Parameter, PictureParameters } from "./parameter.ts";
import { forEachParameter, parametersOf } from "./table.ts";

/**
 * Reads the parameters that the table names. Other parameters are ignored and never make a new variant (RULES 5.2).
 * @throws ApiError INVALID_PARAMETER for a malformed value, one that is given twice, and values that exclude each other
 */
export function parsePictureParameters(query: URLSearchParams): PictureParameters {
  const all = parametersOf((parameter) => readOne(parameter, query));
  forEachParameter(all, ({ name, conflict }) => {
    const rule = conflict?.(all) ?? null;
    if (rule !== null) throw invalid(name, rule);
  });
  return all;
}

function readOne<Value>(parameter: Parameter<Value>, query: URLSearchParams): Value {
  const [text, ...others] = query.getAll(parameter.name);
  if (others.length > 0) throw invalid(parameter.name, "must be given at most once");
  if (text === undefined) return parameter.absent;
  const value = parameter.read(text);
  if (value === undefined) throw invalid(parameter.name, parameter.rule);
  return value;
}
