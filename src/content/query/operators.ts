/** The operators of filters: their names, their meaning in the API document, and the values that they suit. */

export const OPERATORS = [
  "eq",
  "ne",
  "gt",
  "gte",
  "lt",
  "lte",
  "in",
  "nin",
  "contains",
  "icontains",
  "startsWith",
  "all",
  "null",
] as const;
export type Operator = (typeof OPERATORS)[number];

export const isOperator = (text: string): text is Operator => (OPERATORS as readonly string[]).includes(text);

/** Operators that take a list of values. */
export const LISTING: readonly string[] = ["in", "nin", "all"] satisfies Operator[];

export const OPERATOR_MEANINGS: Readonly<Record<Operator, string>> = {
  eq: "is this value",
  ne: "is another value, or none",
  gt: "comes after it",
  gte: "comes after it or is it",
  lt: "comes before it",
  lte: "comes before it or is it",
  in:
    "is one of a comma-separated list. Given more than once, or as `filter[field][in][]`, each value is taken whole, " +
    "with the commas that it holds",
  nin: "is none of a list, which is written as for `in`; or has no value",
  contains: "a text holds this text, case-sensitive; a list holds this id",
  icontains: "a text holds this text, whatever the case and the accents of either",
  startsWith: "a text begins with this text, case-sensitive",
  all: "a list holds every id of a list, which is written as for `in`",
  null: "`true`: has no value, an empty list, or of references none whose target is there; `false`: has one",
};

/**
 * The way in which values compare: it decides how the text of a filter is parsed and which operators it may use. The
 * values of kind `datetime` are texts, those of kind `time` the milliseconds of system fields.
 */
export type ValueKind =
  "text" | "number" | "boolean" | "datetime" | "time" | "id" | "status" | "list" | "presence";

const COMPARING: readonly Operator[] = ["eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "null"];
const MATCHING: readonly Operator[] = ["eq", "ne", "in", "nin", "null"];

export const OPERATORS_OF: Record<ValueKind, readonly Operator[]> = {
  text: [...COMPARING, "contains", "icontains", "startsWith"],
  number: COMPARING,
  boolean: MATCHING,
  datetime: COMPARING,
  time: COMPARING,
  id: MATCHING,
  status: MATCHING,
  list: ["contains", "in", "nin", "all", "null"],
  presence: ["null"],
};
