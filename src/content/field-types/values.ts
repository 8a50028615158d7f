/** Checks one value against one field (RULES 3.6). */
import { StepBudget } from "../patterns/step-budget.ts";
import type { Checked, Checking } from "./field-type.ts";
import { meaningOf, type Field } from "./registry.ts";

/** Returns the circumstances of a check of a whole value. */
export const checking = (budget = new StepBudget(), isWhole = true): Checking => ({
  budget,
  isWhole,
  references: [],
});

/** Checks a value that is not null. The caller asks whether the targets of the references in `found` exist. */
export const checkValue = (field: Field, value: unknown, found = checking()): Checked =>
  meaningOf(field).check(value, field, found);
