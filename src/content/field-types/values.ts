/** Checks one value against one field (RULES 3.6). */
import { StepBudget } from "../patterns/step-budget.ts";
import type { Checked } from "./field-type.ts";
import { meaningOf, type Field } from "./registry.ts";

/**
 * Checks a value that is not null. The caller asks whether the targets of ids exist.
 * @param budget of the request: the steps that its patterns take together
 */
export const checkValue = (field: Field, value: unknown, budget = new StepBudget()): Checked =>
  meaningOf(field).check(value, field, budget);
