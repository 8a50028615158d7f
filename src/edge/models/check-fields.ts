/** Checks the fields of a new or changed model beyond their schema, so that some record can fit the model. Pure. */
import type { ValidationErrors } from "../../content/faults/validation-errors.ts";
import { defaultOf, isEmptyValue, isList, isUnique } from "../../content/field-types/fields.ts";
import { jsonFault } from "../../content/field-types/json-value.ts";
import { meaningOf, type Field } from "../../content/field-types/registry.ts";
import { checking, checkValue } from "../../content/field-types/values.ts";
import { StepBudget } from "../../content/patterns/step-budget.ts";

/**
 * Adds every fault of the fields to `errors`.
 * @param newBudget makes the budgets for compiling the patterns, and for comparing them with the defaults
 */
export function checkFields(
  fields: readonly Field[],
  errors: ValidationErrors,
  newBudget = () => new StepBudget(),
): void {
  const seen = new Set<string>();
  const [compiling, matching] = [newBudget(), newBudget()];
  for (const [index, field] of fields.entries()) {
    const path = `fields.${index}`;
    if (seen.has(field.name)) errors.add(`${path}.name`, "is given twice");
    seen.add(field.name);
    if (isUnique(field) && isList(field)) errors.add(`${path}.unique`, "cannot go with multiple");
    const faults = meaningOf(field).faultsOf(field, compiling);
    for (const { option, message } of faults) errors.add(`${path}.${option}`, message);
    const value = defaultOf(field);
    if (isEmptyValue(field, value) || faults.some(({ isFatal }) => isFatal)) continue;
    const checked = checkValue(field, value, checking(matching));
    if (!checked.ok) errors.add(`${path}.default`, checked.faults[0]?.message ?? "does not fit");
  }
  const whole = jsonFault(fields);
  if (whole !== null) errors.add("fields", whole);
}

/** Returns the field with its default as it is stored: a datetime in UTC. */
export function withStoredDefaults(field: Field): Field {
  const value = defaultOf(field);
  if (isEmptyValue(field, value)) return field;
  const checked = checkValue(field, value);
  return checked.ok ? ({ ...field, default: checked.value } as Field) : field;
}
