/** What `records.folded` holds of a record's values. */
import type { StoredField } from "../field-types/fields.ts";
import { foldedTexts } from "./fold.ts";
import type { Values } from "../model/model.ts";
import { searchedWords } from "./words.ts";

/** Texts that SQLite cannot fold, by field number, and under `words` those of searchable fields: as JSON. */
export function foldedColumn(fields: readonly StoredField[], values: Values): string {
  const words = searchedWords(fields, values);
  return JSON.stringify({ ...foldedTexts(fields, values), ...(words !== undefined && { words }) });
}
