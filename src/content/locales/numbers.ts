/**
 * The numbers of localized fields. A field has one number per locale, so that index rows, unique values, words, the
 * history and publications of a locale are those of a field of its own, and a new locale touches no record. The number
 * in the default locale is the field's own. In any other locale it also holds the number of the locale, which no other
 * locale of the space ever had, and how often the field ceased to be localized, so that values which were dropped then
 * do not return when the field is localized anew.
 */
import type { StoredField } from "../field-types/fields.ts";

/** Numbers of one locale. Fields of a model have lower numbers by far. */
const PER_LOCALE = 2 ** 32;
const PER_TURN = 2 ** 24;
const TURNS = PER_LOCALE / PER_TURN;

/** The number of the default locale, whose values stand in the record's own row. */
export const DEFAULT_NUMBER = 0;

/** Returns the number that a field has in a locale. */
export const numberIn = ({ no, turn = 0 }: Pick<StoredField, "no" | "turn">, locale: number): number =>
  locale === DEFAULT_NUMBER ? no : locale * PER_LOCALE + (turn % TURNS) * PER_TURN + no;

/** Returns the number of the locale that a field's number belongs to. */
export const localeOfNumber = (no: number): number => Math.floor(no / PER_LOCALE);

/** Returns the field's own number, for a number that it has in some locale. */
export const fieldOfNumber = (no: number): number => (no % PER_LOCALE) % PER_TURN;

/** Returns the part of a field's number that names the field and its turn, whatever the locale. */
export const withoutLocale = (no: number): number => no % PER_LOCALE;

/**
 * Returns the number of a locale itself. No field has it: the history names a locale by it, and the index of published
 * records has a row of this number for each locale that a record is published in.
 */
export const numberOfLocale = (locale: number): number => locale * PER_LOCALE;

/** Returns the column `records.held` of a record with contents in these locales but the default; null for none. */
export function heldOf(numbers: Iterable<number>): string | null {
  const held = [...numbers].sort((a, b) => a - b);
  return held.length === 0 ? null : `,${held.join(",")},`;
}

/** The factor of a locale's number, for SQL. */
export const LOCALE_FACTOR = PER_LOCALE;
/** The factor of a field's turn, for SQL. */
export const TURN_FACTOR = PER_TURN;
/** The bits of a number that name the field, whatever the locale, for SQL. */
export const FIELD_BITS = PER_TURN - 1;
