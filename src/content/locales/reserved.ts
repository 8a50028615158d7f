/** The names that the service sets on records of a space with locales. No field of such a space has one of them. */
export const LOCALE_FIELDS = { locale: "locale", statuses: "statuses", fallbacks: "fallbacks" } as const;

export const isLocaleField = (name: string): boolean => Object.hasOwn(LOCALE_FIELDS, name);
