/** The records and media that the values of a record name. Pure. */
import { isReference, type StoredField } from "../../../content/field-types/fields.ts";
import type { Model, Values } from "../../../content/model/model.ts";
import type { TargetKey } from "../../storage/records/reference-targets.ts";

/** Returns what an id in this field leads to. */
export const referenceTo = (field: StoredField, id: string): TargetKey => [
  field.type === "relation" ? field.to : null,
  id,
];

export const referencesIn = (model: Model, values: Values): TargetKey[] =>
  model.fields
    .filter(isReference)
    .flatMap((field) =>
      ([values.get(field.no) ?? []].flat() as string[]).map((id) => referenceTo(field, id)),
    );
