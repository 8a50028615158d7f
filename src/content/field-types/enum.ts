/** `enum`: one of the values that the field lists. */
import * as z from "zod";
import { CONTENT } from "../../limits.ts";
import { textSchema } from "../text/text.ts";
import { base, unique } from "./base.ts";
import { bad, fieldType, good, noTexts, single } from "./field-type.ts";
import { listed } from "./nested/names.ts";

const schema = z.strictObject({
  ...base,
  type: z.literal("enum"),
  unique,
  values: z.array(textSchema(CONTENT.enumValueMaxCharacters, 1)).min(1).max(CONTENT.enumValuesMax),
  default: z.string().nullish(),
});

export const ENUM = fieldType(schema, {
  form: "string",
  index: "choice",
  isList: single,
  faultsOf: ({ values }) =>
    new Set(values).size < values.length
      ? [{ option: "values", message: "must not name a value twice", isFatal: false }]
      : [],
  check: (value, { values }) =>
    typeof value === "string" && values.includes(value)
      ? good(value)
      : bad(`must be one of ${listed(values)}`),
  schemaOf: ({ values }) => ({ type: "string", enum: values }),
  isLooser: (before, after) => before.values.every((value) => after.values.includes(value)),
  textsOf: noTexts,
  nested: null,
  title: "named",
  mended(rest) {
    const values = Array.isArray(rest["values"]) ? (rest["values"] as unknown[]) : [];
    const known = values.filter((value) => value !== undefined);
    const isWhole = known.length > 0 && known.length === values.length;
    // The default may be one of the values that the schema has refused.
    return { ...rest, values: known, ...(!isWhole && { default: null }) };
  },
});
