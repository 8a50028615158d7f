/** Finds the records and media that the values of a record refer to. Pure. */
import { emptyValue } from "../../../content/field-types/fields.ts";
import type { FoundReference } from "../../../content/field-types/field-type.ts";
import { referencesOf } from "../../../content/field-types/nested/references.ts";
import type { Model, Values } from "../../../content/model/model.ts";
import type { TargetKey } from "../../storage/records/reference-targets.ts";

/** Returns the target of a reference. */
export const targetOf = ({ collection, id }: Pick<FoundReference, "collection" | "id">): TargetKey => [
  collection,
  id,
];

export const referencesIn = (model: Model, values: Values): TargetKey[] =>
  model.fields.flatMap((field) =>
    referencesOf(field, values.get(field.no) ?? emptyValue(field)).map(targetOf),
  );
