/** `text`: a long text, as long as a record may be. */
import * as z from "zod";
import { CONTENT } from "../../limits.ts";
import { base, count, searchable } from "./base.ts";
import { fieldType, noFaults, single, unmended } from "./field-type.ts";
import { checkText, isLongEnough, ownText } from "./text-value.ts";

const schema = z.strictObject({
  ...base,
  type: z.literal("text"),
  searchable,
  maxLength: count(CONTENT.recordMaxBytes),
  default: z.string().nullish(),
});

export const TEXT = fieldType(schema, {
  form: "string",
  index: "text",
  isList: single,
  faultsOf: noFaults,
  check: (value, { maxLength = CONTENT.recordMaxBytes }) => checkText(value, maxLength),
  schemaOf: ({ maxLength = CONTENT.recordMaxBytes }) => ({ type: "string", maxLength }),
  isLooser: (before, after) => isLongEnough(after.maxLength, before.maxLength),
  textsOf: ownText,
  nested: null,
  title: "first",
  mended: unmended,
});
