/** The editions of a record after a change (src/content/model/editions.ts). Pure. */
import type { StoredField } from "../../../content/field-types/fields.ts";
import {
  editionsColumn,
  editionsIn,
  ownVersion,
  type Edition,
  type Editions,
} from "../../../content/model/editions.ts";
import { baseOf, hasLocalized } from "../../../content/model/localized-model.ts";
import { DEFAULT_NUMBER, localeOfNumber } from "../../../content/locales/numbers.ts";
import type { Model } from "../../../content/model/model.ts";
import type { LocalizedChange } from "../../storage/records/records.ts";
import type { Sides } from "../../storage/locales/sides.ts";

/** Returns the editions of a new record, which holds values in these locales beside the default. */
export const newEditions = (locales: Iterable<number>): Editions =>
  Object.fromEntries([DEFAULT_NUMBER, ...locales].map((locale) => [String(locale), { v: 1 }]));

interface EditedRecord {
  version: number;
  locales: string | null;
}

/** Returns the editions of a record, the one of its own row included. */
export const allEditions = (record: EditedRecord): Record<string, Edition> => {
  const editions = editionsIn(record.locales);
  return {
    ...editions,
    [String(DEFAULT_NUMBER)]: { ...editions[String(DEFAULT_NUMBER)], v: ownVersion(record) },
  };
};

/** Returns what a change of these fields makes of the editions; null for a record that never had more than one. */
export function changeOfEditions(
  model: Model,
  record: EditedRecord,
  changed: readonly StoredField[],
  sides: Sides,
): LocalizedChange | null {
  const isLocalized = model.scope !== undefined && hasLocalized(baseOf(model));
  if (!isLocalized && record.locales === null) return null;
  const editions = allEditions(record);
  const replaced = new Map<number, number>();
  for (const locale of new Set(changed.map(({ no }) => localeOfNumber(no)))) {
    const before = editions[String(locale)];
    if (before) replaced.set(locale, before.v);
    editions[String(locale)] = { ...before, v: record.version + 1 };
  }
  return { sides, before: record.locales, after: editionsColumn(editions), replaced };
}
