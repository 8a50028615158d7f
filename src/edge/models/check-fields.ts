/** The fields of a new or changed model, beyond their schema: what would make a model that no record fits. Pure. */
import type { ValidationErrors } from "../../content/faults/validation-errors.ts";
import {
  defaultOf,
  isEmptyValue,
  isMultiple,
  isUnique,
  type Field,
} from "../../content/field-types/fields.ts";
import { jsonFault } from "../../content/field-types/json-value.ts";
import { compilePattern } from "../../content/patterns/pattern.ts";
import { PatternError } from "../../content/patterns/pattern-error.ts";
import { StepBudget, TooManySteps } from "../../content/patterns/step-budget.ts";
import { checkValue } from "../../content/field-types/values.ts";

/** The pattern is compiled before any value meets it: an unknown construct is the admin's fault, told as such. */
function patternFault(field: Field, budget: StepBudget): string | null {
  if (field.type !== "string" || field.pattern === undefined) return null;
  try {
    compilePattern(field.pattern, budget);
    return null;
  } catch (error) {
    if (error instanceof TooManySteps) return "is too large, together with the patterns of the other fields";
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}

function checkOptions(field: Field, path: string, errors: ValidationErrors): void {
  if (isUnique(field) && isMultiple(field)) errors.add(`${path}.unique`, "cannot go with multiple");
  if (field.type === "number" && (field.min ?? -Infinity) > (field.max ?? Infinity)) {
    errors.add(`${path}.min`, "must be at most max");
  }
  if (field.type === "enum" && new Set(field.values).size < field.values.length) {
    errors.add(`${path}.values`, "must not name a value twice");
  }
}

/** Adds what keeps the fields from making a model. */
export function checkFields(fields: readonly Field[], errors: ValidationErrors): void {
  const seen = new Set<string>();
  const [compiling, matching] = [new StepBudget(), new StepBudget()];
  for (const [index, field] of fields.entries()) {
    const path = `fields.${index}`;
    if (seen.has(field.name)) errors.add(`${path}.name`, "is given twice");
    seen.add(field.name);
    checkOptions(field, path, errors);
    const pattern = patternFault(field, compiling);
    if (pattern !== null) errors.add(`${path}.pattern`, pattern);
    const value = defaultOf(field);
    if (isEmptyValue(field, value) || pattern !== null) continue;
    const checked = checkValue(field, value, matching);
    if (!checked.ok) errors.add(`${path}.default`, checked.message);
  }
  const whole = jsonFault(fields);
  if (whole !== null) errors.add("fields", whole);
}

/** Defaults as they are stored: a datetime in UTC. */
export function withStoredDefaults(field: Field): Field {
  const value = defaultOf(field);
  if (isEmptyValue(field, value)) return field;
  const checked = checkValue(field, value);
  return checked.ok ? ({ ...field, default: checked.value } as Field) : field;
}
