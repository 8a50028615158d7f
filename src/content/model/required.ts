/** The values that a draft must have to be published (RULES 3.14). */
import { isEmptyValue } from "../field-types/fields.ts";
import type { Field } from "../field-types/registry.ts";
import { valuesOf, type Model } from "./model.ts";

/** Returns the required fields for which a record's data has no value. */
export function lackingFields(model: Model, data: string): Field[] {
  const values = valuesOf(model, data);
  return model.fields.filter(
    (field) => field.required === true && isEmptyValue(field, values.get(field.no) ?? null),
  );
}
