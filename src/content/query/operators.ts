/** The operators of filters: their names, and what each means to a reader of the API document. */

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
