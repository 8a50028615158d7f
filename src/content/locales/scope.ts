/** The locale of a request. */
import type { SpaceLocales } from "./locales.ts";

/** The locale in which records are read or written. */
export interface LocaleScope {
  locales: SpaceLocales;
  /** Its code, or `all`. */
  code: string;
  /** Its number. Lists in `all` are filtered and sorted by the default locale. */
  no: number;
  /** Whether empty values are borrowed from the locale's fallbacks. */
  isFilled: boolean;
  /** The codes that the caller's scopes have; null for all. */
  inside: readonly string[] | null;
}
