/** The fields of a new or changed model, beyond their schema: what would make a model that no record fits. Pure. */
import { Faults } from "./validation-errors.ts";
import { defaultOf, isEmptyValue, isMultiple, isUnique, type Field } from "../content-model/fields.ts";
import { jsonFault } from "./json-value.ts";
import { compilePattern } from "./pattern.ts";
import { PatternError } from "./pattern-parser.ts";
import { checkValue } from "./values.ts";

/** The pattern is compiled before any value meets it: an unknown construct is the admin's fault, told as such. */
function patternFault(field: Field): string | null {
  if (field.type !== "string" || field.pattern === undefined) return null;
  try {
    compilePattern(field.pattern);
    return null;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}

function checkOptions(field: Field, path: string, faults: Faults): void {
  if (isUnique(field) && isMultiple(field)) faults.add(`${path}.unique`, "cannot go with multiple");
  if (field.type === "number" && (field.min ?? -Infinity) > (field.max ?? Infinity)) {
    faults.add(`${path}.min`, "must be at most max");
  }
  if (field.type === "enum" && new Set(field.values).size < field.values.length) {
    faults.add(`${path}.values`, "must not name a value twice");
  }
}

/** Faults by path; `details` is empty when the fields can make a model. */
export function checkFields(fields: readonly Field[]): Faults {
  const faults = new Faults();
  const seen = new Set<string>();
  for (const [index, field] of fields.entries()) {
    const path = `fields.${index}`;
    if (seen.has(field.name)) faults.add(`${path}.name`, "is given twice");
    seen.add(field.name);
    checkOptions(field, path, faults);
    const pattern = patternFault(field);
    if (pattern !== null) faults.add(`${path}.pattern`, pattern);
    const value = defaultOf(field);
    if (isEmptyValue(value) || pattern !== null) continue;
    const checked = checkValue(field, value);
    if (!checked.ok) faults.add(`${path}.default`, checked.message);
  }
  const whole = jsonFault(fields);
  if (whole !== null) faults.add("fields", whole);
  return faults;
}

/** Defaults as they are stored: a datetime in UTC. */
export function withStoredDefaults(field: Field): Field {
  const value = defaultOf(field);
  if (isEmptyValue(value)) return field;
  const checked = checkValue(field, value);
  return checked.ok ? ({ ...field, default: checked.value } as Field) : field;
}
