/** `media`: the id of a media item, or a list of ids. */
import * as z from "zod";
import { base, multiple, unique } from "./base.ts";
import { fieldType, noFaults, noTexts, unmended } from "./field-type.ts";
import { checkIds, isMultiple } from "./ids.ts";

const schema = z.strictObject({ ...base, type: z.literal("media"), unique, multiple });

export const MEDIA = fieldType(schema, {
  form: "string",
  index: "media",
  isList: isMultiple,
  faultsOf: noFaults,
  check: (value, field, checking) => checkIds(value, field, null, checking),
  schemaOf: () => ({ type: "string" }),
  isLooser: () => true,
  textsOf: noTexts,
  nested: null,
  title: "never",
  mended: unmended,
});
