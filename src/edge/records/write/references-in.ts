/** Finds the records and media that the values of a record refer to. Pure. */
import { collectionOf, isReference, type ReferenceField } from "../../../content/field-types/fields.ts";
import type { Model, Values } from "../../../content/model/model.ts";
import type { TargetKey } from "../../storage/records/reference-targets.ts";

/** Returns the target of an id in this field. */
export const referenceTo = (field: ReferenceField, id: string): TargetKey => [collectionOf(field), id];

export const referencesIn = (model: Model, values: Values): TargetKey[] =>
  model.fields
    .filter(isReference)
    .flatMap((field) =>
      ([values.get(field.no) ?? []].flat() as string[]).map((id) => referenceTo(field, id)),
    );
