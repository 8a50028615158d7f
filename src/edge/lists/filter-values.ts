/** The values of a filter, as the field that it is asked of compares them. */
import { CONTENT } from "../../limits.ts";
import { fold } from "../../content/search/fold.ts";
import { hasAtMost } from "../../content/text/text.ts";
import type { Scalar } from "../../content/query/list-query.ts";
import { LISTING, type Operator } from "../../content/query/operators.ts";
import { invalidParameter, type ValueKind } from "../../content/query/list-targets.ts";
import { isHeldByDouble } from "../../content/text/exact-numbers.ts";
import type { AskedFilter } from "./asked-filters.ts";
import { parseDatetime } from "../../content/field-types/values.ts";

const NUMBER = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** As in a body: a number that a double cannot hold is refused, not rounded. */
function parseNumber(text: string): number | string[] {
  if (!NUMBER.test(text)) return ["must be a number"];
  const value = Number(text);
  return isHeldByDouble(text, value) ? value : ["must be a number that a double can hold"];
}

/** The value, or what is wrong with it in a list. */
function parseValue(kind: ValueKind, text: string): Scalar | string[] {
  switch (kind) {
    case "number":
      return parseNumber(text);
    case "boolean":
      return text === "true" ? 1 : text === "false" ? 0 : ["must be true or false"];
    case "datetime":
    case "time": {
      const ms = parseDatetime(text);
      if (ms === null) return ["must be an ISO 8601 time with its zone"];
      return kind === "time" ? ms : new Date(ms).toISOString();
    }
    default:
      if (text.includes("\0")) return ["must not hold U+0000"];
      return hasAtMost(text, CONTENT.stringMaxCharacters)
        ? text
        : [`must have at most ${CONTENT.stringMaxCharacters} characters`];
  }
}

/** @throws ApiError INVALID_PARAMETER for a value that is none of the field's kind, and for too many */
export function filterValues(
  { parameter, texts, isWhole }: Pick<AskedFilter, "parameter" | "texts" | "isWhole">,
  operator: Operator,
  kind: ValueKind,
): Scalar[] {
  const [first = ""] = texts;
  if (operator === "null") {
    if (first !== "true" && first !== "false") throw invalidParameter(parameter, "must be true or false");
    return [first === "true" ? 1 : 0];
  }
  const given = LISTING.includes(operator) && !isWhole ? first.split(",") : texts;
  if (given.length > CONTENT.filterInMax) {
    throw invalidParameter(parameter, `must have at most ${CONTENT.filterInMax} values`);
  }
  return given.map((one) => {
    const value = parseValue(kind, one);
    if (typeof value === "object") throw invalidParameter(parameter, value[0] ?? "is invalid");
    return operator === "icontains" ? fold(String(value)) : value;
  });
}
