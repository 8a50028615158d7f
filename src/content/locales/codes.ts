/** The codes of languages (BCP 47): compared without case, and kept in their usual form. */
import { LOCALES } from "../../limits.ts";

/** Letters and digits in groups, as BCP 47 has them: those of one character begin extensions and private use. */
const TAG = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i;

/** The word that asks for all locales at once. It is no code. */
export const ALL = "all";

/** Returns a code in its usual form, such as `en` or `de-AT`; null for what cannot be the code of a locale. */
export function localeCode(text: string): string | null {
  if (text.length > LOCALES.codeMaxCharacters || !TAG.test(text) || text.toLowerCase() === ALL) return null;
  try {
    const code = Intl.getCanonicalLocales(text)[0] ?? null;
    // The usual form may be longer: `sh` is `sr-Latn`. A code must be taken in this form, too.
    return code === null || code.length > LOCALES.codeMaxCharacters ? null : code;
  } catch {
    return null;
  }
}
