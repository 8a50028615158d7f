/** `relation`: the id of a record of a collection, or a list of ids. */
import * as z from "zod";
import { nameSchema } from "../text/names.ts";
import { base, multiple, unique } from "./base.ts";
import { fieldType, noFaults, noTexts } from "./field-type.ts";
import { checkIds, isMultiple } from "./ids.ts";

const schema = z.strictObject({
  ...base,
  type: z.literal("relation"),
  unique,
  to: nameSchema.meta({ description: "The name of a collection" }),
  multiple,
});

export const RELATION = fieldType(schema, {
  form: "string",
  index: "record",
  isList: isMultiple,
  faultsOf: noFaults,
  check: (value, field, checking) => checkIds(value, field, field.to, checking),
  schemaOf: () => ({ type: "string" }),
  isLooser: (before, after) => after.to === before.to,
  textsOf: noTexts,
  nested: null,
  title: "never",
  // A field of media takes the same other options, and has no target that is looked for.
  mended: (rest) => (rest["to"] === undefined ? { ...rest, type: "media" } : rest),
});
