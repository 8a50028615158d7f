/** `boolean`: true or false. */
import * as z from "zod";
import { base } from "./base.ts";
import { bad, fieldType, good, noFaults, noTexts, single, unmended } from "./field-type.ts";

const schema = z.strictObject({ ...base, type: z.literal("boolean"), default: z.boolean().nullish() });

export const BOOLEAN = fieldType(schema, {
  form: "boolean",
  index: "boolean",
  isList: single,
  faultsOf: noFaults,
  check: (value) => (typeof value === "boolean" ? good(value) : bad("must be true or false")),
  schemaOf: () => ({ type: "boolean" }),
  isLooser: () => true,
  textsOf: noTexts,
  nested: null,
  title: "never",
  mended: unmended,
});
