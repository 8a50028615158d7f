/** The values that a draft must have to be published (RULES 3.14). */
import { isEmptyValue } from "../field-types/fields.ts";
import { joined } from "../field-types/nested/objects.ts";
import { lackingIn } from "../field-types/nested/references.ts";
import { valuesOf, type Model } from "./model.ts";

/** Returns the paths of the required values that a record's data lacks, those inside of components too. */
export function lackingPaths(model: Model, data: string): string[] {
  const values = valuesOf(model, data);
  return model.fields.flatMap((field) => {
    const value = values.get(field.no) ?? null;
    if (field.required === true && isEmptyValue(field, value)) return [field.name];
    return lackingIn(field, value).map((path) => joined(field.name, path));
  });
}
