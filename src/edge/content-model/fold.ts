/** Text as searches that ignore case and accents compare it (RULES 3.4). */
import type { StoredField } from "./fields.ts";
import type { Values } from "./model.ts";

/** Marks that are accents: those that Latin, Greek and Cyrillic letters carry. Vowel signs of other scripts stay. */
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;

const ASCII = /^[\0-\x7f]*$/;

/** Case and accents folded: `Straße`, `STRASSE` and `strasse` are one, `é` and `e` too. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // Up and down again: the capital of `ß` is `SS`. A sigma looks different at the end of a word.
  const lower = text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
  return lower.normalize("NFD").replaceAll(ACCENTS, "").normalize("NFC");
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
