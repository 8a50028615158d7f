/** One value against one field: what is stored, or what is wrong with it (RULES 3.6). */
import { CONTENT, ERRORS } from "../../limits.ts";
import { hasAtMost, textFault } from "../text/text.ts";
import { isMultiple, type Field, type FieldType, type Json } from "./fields.ts";
import { jsonFault } from "./json-value.ts";
import { matcherOf } from "../patterns/pattern.ts";
import { StepBudget, TooManySteps } from "../patterns/step-budget.ts";

export type Checked = { ok: true; value: Json } | { ok: false; message: string };

const good = (value: Json): Checked => ({ ok: true, value });
const bad = (message: string): Checked => ({ ok: false, message });

type FieldOf<Type extends FieldType> = Extract<Field, { type: Type }>;
type Check<Type extends FieldType> = (value: unknown, field: FieldOf<Type>, budget: StepBudget) => Checked;

function checkText(value: unknown, maxCharacters: number): Checked {
  if (typeof value !== "string") return bad("must be a string");
  if (!hasAtMost(value, maxCharacters)) return bad(`must have at most ${maxCharacters} characters`);
  const fault = textFault(value);
  return fault === null ? good(value) : bad(fault);
}

function patternFault(pattern: string, text: string, budget: StepBudget): string | null {
  try {
    return matcherOf(pattern)(text, budget) ? null : `must match ${pattern}`;
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
    return `takes too many steps to compare with its pattern ${pattern}: make the value shorter, or the pattern simpler`;
  }
}

const checkString: Check<"string"> = (value, field, budget) => {
  const checked = checkText(value, Math.min(field.maxLength ?? Infinity, CONTENT.stringMaxCharacters));
  if (!checked.ok || field.pattern === undefined) return checked;
  const fault = patternFault(field.pattern, checked.value as string, budget);
  return fault === null ? checked : bad(fault);
};

const checkNumber: Check<"number"> = (value, field) => {
  if (typeof value !== "number") return bad("must be a number");
  if (!Number.isFinite(value)) return bad("must be a number that a double can hold");
  if (field.integer && !Number.isInteger(value)) return bad("must be a whole number");
  if (field.integer && !Number.isSafeInteger(value)) {
    return bad(`must be a whole number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`);
  }
  if (field.min !== undefined && value < field.min) return bad(`must be at least ${field.min}`);
  if (field.max !== undefined && value > field.max) return bad(`must be at most ${field.max}`);
  return good(value === 0 ? 0 : value); // -0 is 0: JSON cannot tell them apart
};

const DATETIME =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** ISO 8601 with a time zone, to milliseconds since 1970; null when it is none, or no day of the calendar. */
export function parseDatetime(text: string): number | null {
  const parts = DATETIME.exec(text);
  if (!parts) return null;
  const [year, month, day, hour, minute, second] = Array.from(parts, (part?: string) =>
    Number(part ?? 0),
  ).slice(1);
  const local = new Date(0);
  local.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day);
  if (local.getUTCMonth() + 1 !== month || local.getUTCDate() !== day) return null;
  if ((hour ?? 0) > 23 || (minute ?? 0) > 59 || (second ?? 0) > 59) return null;
  const ms = Date.parse(text);
  const utcYear = new Date(ms).getUTCFullYear();
  return Number.isNaN(ms) || utcYear < 0 || utcYear > 9999 ? null : ms;
}

/** Returns what is wrong with a text that `parseDatetime` refuses. */
export const NO_TIME = "must be an ISO 8601 time with its zone";

/** Stored in one form, UTC with milliseconds, so that text order is time order. */
const checkDatetime: Check<"datetime"> = (value) => {
  const ms = typeof value === "string" ? parseDatetime(value) : null;
  return ms === null ? bad(NO_TIME) : good(new Date(ms).toISOString());
};

const ID_MAX_CHARACTERS = 63;

const isId = (item: unknown): item is string =>
  typeof item === "string" && item.length <= ID_MAX_CHARACTERS && /^[\w-]+$/.test(item);

/** The ids in a value that has some other fault, each once: whether they exist can be told all the same. */
export function idsIn(value: unknown): string[] {
  return [...new Set([value].flat().slice(0, CONTENT.listItemsMax).filter(isId))];
}

function checkReference(value: unknown, field: FieldOf<"relation" | "media">): Checked {
  if (!isMultiple(field)) return isId(value) ? good(value) : bad("must be an id");
  if (!Array.isArray(value)) return bad("must be a list of ids");
  if (value.length > CONTENT.listItemsMax) return bad(`must have at most ${CONTENT.listItemsMax} items`);
  if (!value.every(isId)) return bad("must be a list of ids");
  return new Set(value).size === value.length ? good(value) : bad("must not name an id twice");
}

/** The values that a fault names: as many as its message holds, for a body can have thousands of such faults. */
function firstOf(values: readonly string[]): string {
  let named = "";
  for (const value of values) {
    if (named.length > ERRORS.detailMaxCharacters) break;
    named += named === "" ? value : `, ${value}`;
  }
  return named;
}

const CHECKS: { [Type in FieldType]: Check<Type> } = {
  string: checkString,
  text: (value, field) => checkText(value, field.maxLength ?? CONTENT.recordMaxBytes),
  number: checkNumber,
  boolean: (value) => (typeof value === "boolean" ? good(value) : bad("must be true or false")),
  datetime: checkDatetime,
  enum: (value, field) =>
    typeof value === "string" && field.values.includes(value)
      ? good(value)
      : bad(`must be one of ${firstOf(field.values)}`),
  json: (value) => {
    const fault = jsonFault(value);
    return fault === null ? good(value as Json) : bad(fault);
  },
  media: checkReference,
  relation: checkReference,
};

/**
 * A value that is not null, against its field. Whether ids exist is the caller's to ask.
 * @param budget of the request: what its patterns take together
 */
export function checkValue(field: Field, value: unknown, budget = new StepBudget()): Checked {
  return (CHECKS[field.type] as Check<FieldType>)(value, field, budget);
}
