/** What is stored of a record's values. */
import { foldedColumn } from "../../../content/search/folded-column.ts";
import { defaultOf } from "../../../content/field-types/fields.ts";
import type { Model, StoredContent, Values } from "../../../content/model/model.ts";
import { dataOf, sizeOf } from "./validate.ts";

/** @throws ApiError VALIDATION_FAILED when it is too large */
export function contentOf(model: Pick<Model, "fields">, values: Values): StoredContent {
  const data = dataOf(values);
  return { data, sizeBytes: sizeOf(data), folded: foldedColumn(model.fields, values) };
}

/** What a page holds that nobody has written. */
export const defaultContentOf = (model: Pick<Model, "fields">): StoredContent =>
  contentOf(model, new Map(model.fields.map((field) => [field.no, defaultOf(field)])));
