/** The values of a record while it is edited, and the changes that a save sends. Pure. */
import type { RecordView } from "../api/records.ts";
import { slotKey, storedAt, type Slot } from "../api/slots.ts";
import { emptyOf } from "../field-controls/nested/start.ts";
import { isSame, Unparsed } from "../field-controls/unparsed.ts";

export type FormValues = Readonly<Record<string, unknown>>;

/** Returns the values of a new record. */
export const startOf = (slots: readonly Slot[]): FormValues =>
  Object.fromEntries(slots.map(({ key, field }) => [key, field.default ?? emptyOf(field)]));

/** Returns the values of a stored record, whose localized fields are objects by code. */
export const valuesOf = (slots: readonly Slot[], record: RecordView): FormValues =>
  Object.fromEntries(slots.map((slot) => [slot.key, storedAt(slot, record) ?? emptyOf(slot.field)]));

/** Returns the values that differ from `base`. */
export const changesOf = (slots: readonly Slot[], values: FormValues, base: FormValues): FormValues =>
  Object.fromEntries(
    slots.flatMap(({ key }) => (isSame(values[key], base[key]) ? [] : [[key, values[key]]])),
  );

/** Returns changes as a body has them: those of a localized field by code. */
export function bodyOf(slots: readonly Slot[], changes: FormValues): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { key, field, locale } of slots) {
    if (!(key in changes)) continue;
    if (locale === null) body[field.name] = changes[key];
    else body[field.name] = { ...(body[field.name] as object | undefined), [locale]: changes[key] };
  }
  return body;
}

export const isEmptyValue = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

/** Returns how many values a language lacks: those that the default language has, or that are required in it. */
export const missingIn = (
  slots: readonly Slot[],
  values: FormValues,
  locale: string,
  first: string,
): number =>
  slots.filter(
    ({ key, field, locale: own }) =>
      own === locale &&
      isEmptyValue(values[key]) &&
      (field.required === true || (locale !== first && !isEmptyValue(values[slotKey(field.name, first)]))),
  ).length;

/** Returns a record with its localized fields as they are in one language, for its title. */
export const recordIn = (slots: readonly Slot[], record: RecordView, locale: string): RecordView => ({
  ...record,
  ...Object.fromEntries(
    slots
      .filter((slot) => slot.locale === locale)
      .map((slot) => [slot.field.name, valuesOf([slot], record)[slot.key]]),
  ),
});

/** Returns the faults of a value that cannot be sent, by their paths: a text inside it that is to be JSON and is not. */
const unparsedAt = (path: string, value: unknown): [string, string[]][] => {
  if (value instanceof Unparsed) return [[path, [`is not JSON: ${value.fault}`]]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => unparsedAt(`${path}.${name}`, inner));
};

/** Returns the faults of values that no save can send. */
export const unparsedIn = (values: FormValues): ReadonlyMap<string, string[]> =>
  new Map(Object.entries(values).flatMap(([name, value]) => unparsedAt(name, value)));

/** Returns `now` with the values of `to` for each place that has not changed since `then`. */
export const withUntouched = (
  slots: readonly Slot[],
  { then, now, to }: { then: FormValues; now: FormValues; to: FormValues },
): FormValues => ({
  ...now,
  ...Object.fromEntries(slots.flatMap(({ key }) => (isSame(now[key], then[key]) ? [[key, to[key]]] : []))),
});

/** A value that differs after both sides have changed the record, and the side whose value is suggested. */
export interface Difference {
  slot: Slot;
  mine: unknown;
  theirs: unknown;
  /** The side that changed the value; the reader's own if both did. */
  suggestion: "mine" | "theirs";
  isContested: boolean;
}

export const differencesOf = (
  slots: readonly Slot[],
  { base, mine, theirs }: { base: FormValues; mine: FormValues; theirs: FormValues },
): Difference[] =>
  slots.flatMap((slot) => {
    const [was, my, their] = [base[slot.key], mine[slot.key], theirs[slot.key]];
    if (isSame(my, their)) return [];
    const isMine = !isSame(my, was);
    return [
      {
        slot,
        mine: my,
        theirs: their,
        suggestion: isMine ? ("mine" as const) : ("theirs" as const),
        isContested: isMine && !isSame(their, was),
      },
    ];
  });
