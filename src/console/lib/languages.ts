/** Languages: their names, in the language of the reader's browser, and the attributes of texts in them. */
const names = new Intl.DisplayNames(undefined, { type: "language", languageDisplay: "standard" });

/** Returns the name of a language by its code: `de-AT` is "German (Austria)". */
export function languageName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** The scripts that are written from right to left, by their codes (ISO 15924). */
const RIGHT_TO_LEFT = new Set([
  "Adlm",
  "Arab",
  "Hebr",
  "Mand",
  "Nkoo",
  "Rohg",
  "Samr",
  "Syrc",
  "Thaa",
  "Yezi",
]);

function directionOf(code: string): "ltr" | "rtl" {
  try {
    return RIGHT_TO_LEFT.has(new Intl.Locale(code).maximize().script ?? "") ? "rtl" : "ltr";
  } catch {
    return "ltr";
  }
}

/** The attributes of an element that holds text in a language. */
export interface LanguageAttributes {
  lang?: string;
  dir?: "ltr" | "rtl";
}

/** @param code of the language; null where texts have none, and no attributes */
export const languageAttributes = (code: string | null): LanguageAttributes =>
  code === null ? {} : { lang: code, dir: directionOf(code) };
