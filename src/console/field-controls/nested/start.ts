/** The values of a new record, or of a new component. Pure. */
import { factsOf } from "../../api/field-types.ts";
import type { Field, Model } from "../../api/models.ts";

/** Returns the value that means "no value": an empty list, or null. */
export const emptyOf = (field: Field): unknown => (field.multiple || factsOf(field).isAlwaysList ? [] : null);

export const startOf = ({ fields }: Pick<Model, "fields">): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field.name, field.default ?? emptyOf(field)]));
