/** The column `records.folded`, which is derived from a record's values. */
import { emptyValue, isNested, type StoredField } from "../field-types/fields.ts";
import { referencesOf, type StoredReference } from "../field-types/nested/references.ts";
import type { Values } from "../model/model.ts";
import { isSearchable } from "../field-types/fields.ts";
import { foldedTexts } from "./fold.ts";
import { searchedWords } from "./words.ts";

/** The mark between a target and the way to it in a link. No id has it. */
const LINK_MARK = "#";

/**
 * Returns the beginning of every link to a target: in links, the target is its collection (none for media), a slash and
 * its id.
 */
export const linkTo = ({ collection, id }: Pick<StoredReference, "collection" | "id">): string =>
  `${collection ?? ""}/${id}${LINK_MARK}`;

/** Returns the links of nested values by field number: the targets that they name inside, each with the ways to it. */
function linksOf(fields: readonly StoredField[], values: Values): Record<string, string[]> {
  const links = fields.filter(isNested).map((field): [string, string[]] => {
    const found = referencesOf(field, values.get(field.no) ?? emptyValue(field));
    return [String(field.no), [...new Set(found.map((one) => `${linkTo(one)}${one.by}`))]];
  });
  return Object.fromEntries(links.filter(([, targets]) => targets.length > 0));
}

/** Returns the fields that searches in every locale look at; none if all searchable fields are of that kind. */
function sharedFields(fields: readonly StoredField[]): readonly StoredField[] {
  const searchable = fields.filter(isSearchable);
  const shared = searchable.filter(({ localized }) => localized !== true);
  return shared.length === searchable.length ? [] : shared;
}

/**
 * Returns the column as JSON: the texts that SQLite cannot fold by field number; the searched words as `words`, and as
 * `shared` those of the fields that do not differ by locale, if others do; and the targets that nested values name as
 * `links`, of which their index rows are made.
 */
export function foldedColumn(fields: readonly StoredField[], values: Values): string {
  const words = searchedWords(fields, values);
  const shared = searchedWords(sharedFields(fields), values);
  const links = linksOf(fields, values);
  return JSON.stringify({
    ...foldedTexts(fields, values),
    ...(words !== undefined && { words }),
    ...(shared !== undefined && { shared }),
    ...(Object.keys(links).length > 0 && { links }),
  });
}
