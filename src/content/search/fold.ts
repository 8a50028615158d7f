/** Folds texts for comparisons that ignore case and accents (RULES 3.4). */
import type { StoredField } from "../field-types/fields.ts";
import { isIndexedAs } from "../field-types/registry.ts";
import type { Values } from "../model/model.ts";

/**
 * The edition of the forms that `fold` returns. With a higher number the sweep folds all stored texts anew: raise it
 * with every change of `fold`.
 */
export const FOLD_EDITION = 2;

/**
 * Marks that a text may be written with or without: accents, which Latin, Greek and Cyrillic letters carry; points and
 * vowels of Hebrew and Arabic, with the tatweel; and characters that only allow a line break or join letters. Vowel
 * signs of other scripts are letters of their words and stay.
 */
const MARKS = new RegExp(
  [
    "[\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f",
    "\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7",
    "\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed",
    "\\u00ad\\u200c\\u200d\\u2060\\ufeff]",
  ].join(""),
  "g",
);

/** Letters whose stroke, hook or ligature Unicode does not take apart, and their form on a keyboard without them. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ æ: "ae", œ: "oe", ĳ: "ij", þ: "th", ø: "o", đ: "d", ð: "d", ł: "l", ħ: "h", ŧ: "t", ı: "i", ŋ: "n" },
    ...{ ɓ: "b", ɖ: "d", ɗ: "d", ƙ: "k", ƴ: "y" },
  }),
);
const LETTER = new RegExp(`[${[...LETTERS.keys()].join("")}]`, "g");

const ASCII = /^[\0-\x7f]*$/;

/** Folds case, accents and other marks: `Straße` and `STRASSE` become one text, `é` and `e`, `ø` and `o` too. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // Up and down again: the capital of `ß` is `SS`. A sigma looks different at the end of a word.
  const lower = text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
  const plain = lower.normalize("NFD").replaceAll(MARKS, "");
  return plain.replaceAll(LETTER, (letter) => LETTERS.get(letter) ?? letter).normalize("NFC");
}

/** Converts a text as SQLite's `lower` does, which knows the letters of ASCII alone. */
const sqliteLower = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Folds the texts of a record whose folded form SQLite cannot compute. @returns them by field number */
export function foldedTexts(fields: readonly StoredField[], values: Values): Record<string, string> {
  const folded: Record<string, string> = {};
  for (const field of fields) {
    const text = values.get(field.no);
    if (!isIndexedAs(field, "text") || typeof text !== "string" || ASCII.test(text)) continue;
    const form = fold(text);
    if (form !== sqliteLower(text)) folded[String(field.no)] = form;
  }
  return folded;
}
