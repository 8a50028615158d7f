/** `number`: a double, or a whole number that a double holds exactly. */
import * as z from "zod";
import { base, unique } from "./base.ts";
import { bad, fieldType, good, noTexts, single, unmended } from "./field-type.ts";

const schema = z.strictObject({
  ...base,
  type: z.literal("number"),
  unique,
  integer: z.boolean().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  default: z.number().nullish(),
});

export const NUMBER = fieldType(schema, {
  form: "number",
  index: "number",
  isList: single,
  faultsOf: ({ min = -Infinity, max = Infinity }) =>
    min > max ? [{ option: "min", message: "must be at most max", isFatal: false }] : [],
  check(value, field) {
    if (typeof value !== "number") return bad("must be a number");
    if (!Number.isFinite(value)) return bad("must be a number that a double can hold");
    if (field.integer && !Number.isInteger(value)) return bad("must be a whole number");
    if (field.integer && !Number.isSafeInteger(value)) {
      return bad(`must be a whole number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`);
    }
    if (field.min !== undefined && value < field.min) return bad(`must be at least ${field.min}`);
    if (field.max !== undefined && value > field.max) return bad(`must be at most ${field.max}`);
    return good(value === 0 ? 0 : value); // -0 is stored as 0, because JSON cannot tell them apart.
  },
  schemaOf: ({ integer, min, max }) => ({
    type: integer ? "integer" : "number",
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
  }),
  isLooser: (before, after) =>
    (after.min ?? -Infinity) <= (before.min ?? -Infinity) &&
    (after.max ?? Infinity) >= (before.max ?? Infinity) &&
    (!after.integer || before.integer === true),
  textsOf: noTexts,
  nested: null,
  title: "named",
  mended: unmended,
});
