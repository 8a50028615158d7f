/** Reads contents in other locales than the default, for the slices of a change. */
import type { Content } from "../../../../content/model/publication.ts";
import type { Model } from "../../../../content/model/model.ts";
import { DEFAULT_NUMBER } from "../../../../content/locales/numbers.ts";
import {
  FIRST_SIDE,
  readSidesAfter,
  readSidesOf,
  type SideData,
  type SidePlace,
} from "../../../storage/models/model-values.ts";
import type { LocaleContent } from "../misfits.ts";
import type { Work } from "./work.ts";

/** A content of a record that a slice checks. */
export interface CheckedRecord extends LocaleContent {
  id: string;
  /** Whether it belongs to the record before it. Both are checked in one slice. */
  isSame?: boolean;
}

/** Reads a slice of the contents in other locales under a number, from a place in the text form of `placeText`. */
export const readSidesFrom = ({ db }: Work, modelNumber: number, text: string): Promise<SideData[]> => {
  const [locale = 0, record = 0] = text === "" ? [] : text.split("/").map(Number);
  return readSidesAfter(db, modelNumber, text === "" ? FIRST_SIDE : { locale, record });
};

export const placeText = ({ locale, record }: SidePlace): string => `${locale}/${record}`;

/** Puts the contents of records in other locales behind each of them. */
export async function withSides<One extends { record: number; isAsked: boolean }>(
  { db }: Work,
  records: readonly One[],
): Promise<(One & { locale: number; isSame: boolean; data?: string })[]> {
  const asked = records.filter(({ isAsked }) => isAsked).map(({ record }) => record);
  const sides = asked.length > 0 ? await readSidesOf(db, asked) : [];
  const byRecord = new Map<number, SideData[]>();
  for (const side of sides) byRecord.set(side.record, [...(byRecord.get(side.record) ?? []), side]);
  return records.flatMap((one) => [
    { ...one, locale: DEFAULT_NUMBER, isSame: false },
    ...(byRecord.get(one.record) ?? []).map(({ locale, data }) => ({ ...one, locale, data, isSame: true })),
  ]);
}

/** Returns the content that is stored under a number. */
export const contentUnder = ({ drafts }: Model, modelNumber: number): Content =>
  drafts && modelNumber > 0 ? "draft" : "published";
