/** `json`: any JSON value. */
import * as z from "zod";
import { base } from "./base.ts";
import { bad, fieldType, good, noFaults, noTexts, single, unmended, type Json } from "./field-type.ts";
import { jsonFault } from "./json-value.ts";

const schema = z.strictObject({ ...base, type: z.literal("json"), default: z.unknown().optional() });

export const JSON_TYPE = fieldType(schema, {
  form: "any",
  index: "presence",
  isList: single,
  faultsOf: noFaults,
  check(value) {
    const fault = jsonFault(value);
    return fault === null ? good(value as Json) : bad(fault);
  },
  schemaOf: () => ({}),
  isLooser: () => true,
  textsOf: noTexts,
  nested: null,
  title: "never",
  mended: unmended,
});
