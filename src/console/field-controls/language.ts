/** The language in which a form's values are written. The form itself is English, so each input states its own. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { languageAttributes, type LanguageAttributes } from "../lib/languages.ts";

/** The code of the language; null where values have none. */
export const ContentLanguage = createContext<string | null>(null);

/** Returns the attributes of an element that holds text in the language of the form's values. */
export const useContentLanguage = (): LanguageAttributes => languageAttributes(useContext(ContentLanguage));
