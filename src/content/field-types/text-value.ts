/** The parts that the types of texts share. */
import { hasAtMost, textFault } from "../text/text.ts";
import { bad, good, type Checked, type Json } from "./field-type.ts";

/** Checks a text of at most `maxCharacters`. */
export function checkText(value: unknown, maxCharacters: number): Checked {
  if (typeof value !== "string") return bad("must be a string");
  if (!hasAtMost(value, maxCharacters)) return bad(`must have at most ${maxCharacters} characters`);
  const fault = textFault(value);
  return fault === null ? good(value) : bad(fault);
}

/** Returns the text itself, which a search looks at. */
export const ownText = (value: Json): string[] => (typeof value === "string" ? [value] : []);

/** Returns whether a text that may have `before` characters may have `after` characters. Undefined is no own limit. */
export const isLongEnough = (after: number | undefined, before: number | undefined): boolean =>
  (after ?? Infinity) >= (before ?? Infinity);
