/** The column `records.folded`, which is derived from a record's values. */
import type { StoredField } from "../field-types/fields.ts";
import { foldedTexts } from "./fold.ts";
import type { Values } from "../model/model.ts";
import { searchedWords } from "./words.ts";

/** Returns the column as JSON: the texts that SQLite cannot fold by field number, and the searched words as `words`. */
export function foldedColumn(fields: readonly StoredField[], values: Values): string {
  const words = searchedWords(fields, values);
  return JSON.stringify({ ...foldedTexts(fields, values), ...(words !== undefined && { words }) });
}
