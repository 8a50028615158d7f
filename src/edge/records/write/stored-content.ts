/** Converts a record's values to the columns in which they are stored. */
import { foldedColumn } from "../../../content/search/folded-column.ts";
import { defaultOf } from "../../../content/field-types/fields.ts";
import type { Model, StoredContent, Values } from "../../../content/model/model.ts";
import { dataOf, sizeOf } from "./validate.ts";

/** Returns the stored content. @throws ApiError VALIDATION_FAILED if it is too large */
export function contentOf(model: Pick<Model, "fields">, values: Values): StoredContent {
  const data = dataOf(values);
  return { data, sizeBytes: sizeOf(data), folded: foldedColumn(model.fields, values) };
}

/** Returns the content of a page before its first write. */
export const defaultContentOf = (model: Pick<Model, "fields">): StoredContent =>
  contentOf(model, new Map(model.fields.map((field) => [field.no, defaultOf(field)])));
