/** What a schema finds wrong with a value, in words that follow the value's name: "must be a whole number". Pure. */
import type * as z from "zod";

type Issue = z.core.$ZodRawIssue;
type Limited = Extract<Issue, { code: "too_big" | "too_small" }>;

const TYPES: Record<string, string> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  map: "an object",
  null: "null",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a string",
};

const FORMATS: Record<string, string> = {
  date: "a date, such as 2030-01-31",
  datetime: "a date and time, such as 2030-01-31T09:00:00Z",
  url: "a URL",
};

const UNITS: Record<string, string> = { array: "item", string: "character" };

const oneOf = (values: readonly unknown[]): string => {
  const list = values.map(String).join(", ");
  return values.length === 1 ? `must be ${list}` : `must be one of ${list}`;
};

function outOfRange(
  { exact, inclusive, origin }: Limited,
  bound: "at most" | "at least",
  limit: number,
): string {
  const within = exact
    ? "exactly"
    : inclusive === false
      ? { "at most": "less than", "at least": "more than" }[bound]
      : bound;
  const unit = UNITS[origin];
  return unit
    ? `must have ${within} ${limit} ${unit}${limit === 1 ? "" : "s"}`
    : `must be ${within} ${limit}`;
}

/** The message of an issue, for schemas that have none of their own. */
export function faultMessage(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return issue.input === undefined ? "is required" : oneOf(issue.values);
    case "too_big":
      return outOfRange(issue, "at most", Number(issue.maximum));
    case "too_small":
      return outOfRange(issue, "at least", Number(issue.minimum));
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_format":
      return issue.format === "regex"
        ? `must match ${issue.pattern}`
        : `must be ${FORMATS[issue.format] ?? issue.format}`;
    case "invalid_union": {
      const { options = [] } = issue as { options?: readonly unknown[] };
      return options.length > 0 ? oneOf(options) : "has none of the allowed forms";
    }
    default:
      return "is not valid";
  }
}
