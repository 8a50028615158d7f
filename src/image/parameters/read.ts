/** Reads the parameters of an image request (RULES 5.2). */
import { invalid } from "./invalid.ts";
import type { Parameter, PictureParameters } from "./parameter.ts";
import { forEachParameter, parametersOf } from "./table.ts";

/**
 * Reads the parameters that the table names. Other parameters are ignored and never make a new variant (RULES 5.2).
 * @throws ApiError INVALID_PARAMETER for a malformed value, one that is given twice, and values that exclude each other
 */
export function parsePictureParameters(query: URLSearchParams): PictureParameters {
  const sent = textsIn(query);
  const all = parametersOf((parameter) => readOne(parameter, sent));
  forEachParameter(all, ({ name, conflict }) => {
    const rule = conflict?.(all) ?? null;
    if (rule !== null) throw invalid(name, rule);
  });
  return all;
}

/** The values of a query by their names; null for a name that stands there twice. */
type Texts = ReadonlyMap<string, string | null>;

/** Reads a query once: each look for a name in it is a call of the platform, and most names are not there. */
function textsIn(query: URLSearchParams): Texts {
  const sent = new Map<string, string | null>();
  for (const [name, text] of query) sent.set(name, sent.has(name) ? null : text);
  return sent;
}

function readOne<Value>(parameter: Parameter<Value>, sent: Texts): Value {
  const text = sent.get(parameter.name);
  if (text === undefined) return parameter.absent;
  if (text === null) throw invalid(parameter.name, "must be given at most once");
  const value = parameter.read(text);
  if (value === undefined) throw invalid(parameter.name, parameter.rule);
  return value;
}
