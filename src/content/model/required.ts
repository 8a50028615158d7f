/** What a draft must have to be published (RULES 3.14). */
import { isEmptyValue, type Field } from "../field-types/fields.ts";
import { valuesOf, type Model } from "./model.ts";

/** The required fields that a record's data has no value of. */
export function lackingFields(model: Model, data: string): Field[] {
  const values = valuesOf(model, data);
  return model.fields.filter(
    (field) => field.required === true && isEmptyValue(field, values.get(field.no) ?? null),
  );
}
