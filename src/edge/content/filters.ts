/** `filter[field][operator]=value` (RULES 3.4): looked up, checked and parsed; nothing is made of names here. */
import { CONTENT } from "../../limits.ts";
import type { Model } from "../content-model/model.ts";
import type { Filter, Scalar } from "../content-model/list-query.ts";
import { isOperator, LISTING, OPERATORS, type Operator } from "../content-model/operators.ts";
import { invalidParameter, targetOf, valueKindOf, type ValueKind } from "../content-model/targets.ts";
import { parseDatetime } from "./values.ts";

const COMPARING: readonly Operator[] = ["eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "null"];
const TEXT: readonly Operator[] = [...COMPARING, "contains", "startsWith"];
const MATCHING: readonly Operator[] = ["eq", "ne", "in", "nin", "null"];

const ALLOWED: Record<ValueKind, readonly Operator[]> = {
  text: TEXT,
  number: COMPARING,
  boolean: MATCHING,
  datetime: COMPARING,
  time: COMPARING,
  id: MATCHING,
  list: ["contains", "in", "nin", "all", "null"],
  json: ["null"],
};

const NUMBER = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/;

function parseValue(kind: ValueKind, text: string): Scalar | string[] {
  switch (kind) {
    case "number":
      return NUMBER.test(text) && Number.isFinite(Number(text)) ? Number(text) : ["must be a number"];
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
      return text.length <= CONTENT.stringMaxCharacters
        ? text
        : [`must have at most ${CONTENT.stringMaxCharacters} characters`];
  }
}

/** `filter[field][operator]`, with `[]` after it where each value stands for itself. */
const FILTER = /^filter\[([^[\]]*)\]\[([^[\]]*)\](\[\])?$/;

export const isFilterParameter = (name: string): boolean => FILTER.test(name);

/** One filter as it was asked: every value given for it, under both ways to write it. */
export interface AskedFilter {
  /** `filter[field][operator]`: how it is called in errors. */
  parameter: string;
  field: string;
  operator: string;
  texts: string[];
  /** Each text is one value, whatever commas it holds. */
  isWhole: boolean;
}

/** Gathers the parameters of each filter. @throws ApiError INVALID_PARAMETER for a repeated one that takes one value */
export function askedFilters(parameters: readonly (readonly [string, string])[]): AskedFilter[] {
  const asked = new Map<string, AskedFilter>();
  for (const [name, text] of parameters) {
    const [, field = "", operator = "", list] = FILTER.exec(name) ?? [];
    const parameter = `filter[${field}][${operator}]`;
    const known = asked.get(parameter);
    if (!LISTING.includes(operator) && (known || list)) {
      throw invalidParameter(parameter, "must be given at most once");
    }
    if (known) known.texts.push(text);
    else asked.set(parameter, { parameter, field, operator, texts: [text], isWhole: false });
    const filter = asked.get(parameter) as AskedFilter;
    filter.isWhole ||= list !== undefined || filter.texts.length > 1;
  }
  return [...asked.values()];
}

function valuesOf({ parameter, texts, isWhole }: AskedFilter, operator: Operator, kind: ValueKind): Scalar[] {
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
    return value;
  });
}

/** @throws ApiError INVALID_PARAMETER */
export function parseFilters(model: Model, asked: readonly AskedFilter[]): Filter[] {
  if (asked.length > CONTENT.filtersMax) {
    throw invalidParameter("filter", `may be given at most ${CONTENT.filtersMax} times`);
  }
  return asked.map((filter) => {
    const { parameter, field, operator } = filter;
    const target = targetOf(model, field, parameter);
    if (!isOperator(operator)) throw invalidParameter(parameter, `must use one of ${OPERATORS.join(", ")}`);
    const kind = valueKindOf(target);
    if (!ALLOWED[kind].includes(operator)) {
      throw invalidParameter(parameter, `must use one of ${ALLOWED[kind].join(", ")} for this field`);
    }
    return { target, operator, values: valuesOf(filter, operator, kind) };
  });
}
