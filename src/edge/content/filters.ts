/** `filter[field][operator]=value` (completion §3): looked up, checked and parsed; nothing is made of names here. */
import { CONTENT } from "../../limits.ts";
import type { Model } from "../content-model/model.ts";
import {
  invalidParameter,
  targetOf,
  valueKindOf,
  type Target,
  type ValueKind,
} from "../content-model/targets.ts";
import { parseDatetime } from "./values.ts";

export const OPERATORS = ["eq", "ne", "gt", "gte", "lt", "lte", "in", "contains", "null"] as const;
export type Operator = (typeof OPERATORS)[number];
export type Scalar = string | number;

export interface Filter {
  target: Target;
  operator: Operator;
  /** One value, the list of `in`, or 1 and 0 for `null`. Times are milliseconds where the column holds those. */
  values: Scalar[];
}

const COMPARING: readonly Operator[] = ["eq", "ne", "gt", "gte", "lt", "lte", "in", "null"];
const MATCHING: readonly Operator[] = ["eq", "ne", "in", "null"];

const ALLOWED: Record<ValueKind, readonly Operator[]> = {
  text: OPERATORS,
  number: COMPARING,
  boolean: MATCHING,
  datetime: COMPARING,
  time: COMPARING,
  id: MATCHING,
  list: ["contains", "in", "null"],
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

function valuesOf(parameter: string, operator: Operator, kind: ValueKind, text: string): Scalar[] {
  if (operator === "null") {
    if (text !== "true" && text !== "false") throw invalidParameter(parameter, "must be true or false");
    return [text === "true" ? 1 : 0];
  }
  const texts = operator === "in" ? text.split(",") : [text];
  if (texts.length > CONTENT.filterInMax) {
    throw invalidParameter(parameter, `must have at most ${CONTENT.filterInMax} values`);
  }
  return texts.map((one) => {
    const value = parseValue(kind, one);
    if (typeof value === "object") throw invalidParameter(parameter, value[0] ?? "is invalid");
    return value;
  });
}

const FILTER = /^filter\[([^[\]]*)\]\[([^[\]]*)\]$/;
const isOperator = (text: string): text is Operator => (OPERATORS as readonly string[]).includes(text);

export const isFilterParameter = (name: string): boolean => FILTER.test(name);

/** @throws ApiError INVALID_PARAMETER */
export function parseFilters(model: Model, parameters: ReadonlyMap<string, string>): Filter[] {
  if (parameters.size > CONTENT.filtersMax) {
    throw invalidParameter("filter", `may be given at most ${CONTENT.filtersMax} times`);
  }
  return [...parameters].map(([parameter, text]) => {
    const [, name = "", operator = ""] = FILTER.exec(parameter) ?? [];
    const target = targetOf(model, name, parameter);
    if (!isOperator(operator)) throw invalidParameter(parameter, `must use one of ${OPERATORS.join(", ")}`);
    const kind = valueKindOf(target);
    if (!ALLOWED[kind].includes(operator)) {
      throw invalidParameter(parameter, `must use one of ${ALLOWED[kind].join(", ")} for this field`);
    }
    return { target, operator, values: valuesOf(parameter, operator, kind, text) };
  });
}
