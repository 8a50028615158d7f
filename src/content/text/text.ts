/** Checks stored texts (RULES 1.8): Unicode that UTF-8 can carry, without U+0000, which ends a text in SQLite. */
import * as z from "zod";

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Returns whether UTF-8 can carry a text. */
export const isWellFormed = (text: string): boolean => !LONE_SURROGATE.test(text);

/** Returns the fault of a text; null if it can be stored. */
export function textFault(text: string): string | null {
  if (!isWellFormed(text)) return "must not hold half a surrogate pair";
  return text.includes("\0") ? "must not hold U+0000" : null;
}

const PAIR = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g;

/** Returns whether a text has at most `max` characters: code points, as JSON Schema counts them. */
export const hasAtMost = (text: string, max: number): boolean =>
  text.length <= max || (text.length <= 2 * max && text.length - (text.match(PAIR)?.length ?? 0) <= max);

/** Returns the schema of a text in a JSON body that is stored unchanged: names of keys, alt texts, labels. */
export const textSchema = (maxCharacters: number, minCharacters = 0) =>
  z
    .string()
    .min(minCharacters)
    .max(maxCharacters)
    .superRefine((text, context) => {
      const message = textFault(text);
      if (message !== null) context.addIssue({ code: "custom", message });
    });
