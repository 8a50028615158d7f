/** Text as searches that ignore case and accents compare it (RULES 3.4). */
import type { StoredField } from "../field-types/fields.ts";
import type { Values } from "../model/model.ts";

/**
 * The edition of what `fold` gives. A higher number lets the sweep fold all that is stored anew: raise it with every
 * change.
 */
export const FOLD_EDITION = 2;

/**
 * Marks that a text may be written with or without: accents, which Latin, Greek and Cyrillic letters carry; points and vowels of
 * Hebrew and Arabic, with the tatweel; and what only says where a line may break or how letters join. Vowel signs of
 * other scripts are letters of their words and stay.
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

/** Letters whose stroke, hook or ligature Unicode does not take apart, and how a keyboard without them writes them. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ æ: "ae", œ: "oe", ĳ: "ij", þ: "th", ø: "o", đ: "d", ð: "d", ł: "l", ħ: "h", ŧ: "t", ı: "i", ŋ: "n" },
    ...{ ɓ: "b", ɖ: "d", ɗ: "d", ƙ: "k", ƴ: "y" },
  }),
);
const LETTER = new RegExp(`[${[...LETTERS.keys()].join("")}]`, "g");

const ASCII = /^[\0-\x7f]*$/;

/** Case, accents and other marks folded: `Straße` and `STRASSE` are one, `é` and `e`, `ø` and `o` too. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // Up and down again: the capital of `ß` is `SS`. A sigma looks different at the end of a word.
  const lower = text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
  const plain = lower.normalize("NFD").replaceAll(MARKS, "");
  return plain.replaceAll(LETTER, (letter) => LETTERS.get(letter) ?? letter).normalize("NFC");
}

/** What SQLite's `lower` gives: letters of ASCII alone. */
const sqliteLower = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Of a record's texts, those whose folded form SQLite cannot give by itself: folded, by field number. */
export function foldedTexts(fields: readonly StoredField[], values: Values): Record<string, string> {
  const folded: Record<string, string> = {};
  for (const { no, type } of fields) {
    const text = values.get(no);
    if ((type !== "string" && type !== "text") || typeof text !== "string" || ASCII.test(text)) continue;
    const form = fold(text);
    if (form !== sqliteLower(text)) folded[String(no)] = form;
  }
  return folded;
}
