/**
 * `datetime`: an instant. It is stored in one form, UTC with milliseconds, so that the order of texts is that of time.
 */
import * as z from "zod";
import { base, unique } from "./base.ts";
import { bad, fieldType, good, noFaults, noTexts, single, unmended } from "./field-type.ts";

const DATETIME =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Converts an ISO 8601 time with a zone to milliseconds since 1970. Null for another form, or no day of the calendar.
 */
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

/** The fault of a text that `parseDatetime` refuses. */
export const NO_TIME = "must be an ISO 8601 time with its zone";

const schema = z.strictObject({
  ...base,
  type: z.literal("datetime"),
  unique,
  default: z.string().nullish(),
});

export const DATETIME_TYPE = fieldType(schema, {
  form: "string",
  index: "datetime",
  isList: single,
  faultsOf: noFaults,
  check(value) {
    const ms = typeof value === "string" ? parseDatetime(value) : null;
    return ms === null ? bad(NO_TIME) : good(new Date(ms).toISOString());
  },
  schemaOf: () => ({ type: "string", format: "date-time" }),
  isLooser: () => true,
  textsOf: noTexts,
  nested: null,
  title: "named",
  mended: unmended,
});
