/** The budget of a space for its patterns (RULES 1.11, 3.19). */
import type { Field } from "../../content/field-types/registry.ts";
import { StepBudget } from "../../content/patterns/step-budget.ts";
import { PATTERN } from "../../limits.ts";
import { patternWork } from "./work-budget.ts";
import { workTurns } from "./work-turns.ts";

const hasPattern = (field: Field): boolean => "pattern" in field && field.pattern !== undefined;

/** Returns the budget of a request, whose steps are counted for the space. */
export const budgetOf = (spaceId: string): StepBudget =>
  new StepBudget(PATTERN.stepsMax, (steps) => {
    patternWork.add(spaceId, steps, Date.now());
    workTurns.note(spaceId, steps);
  });

/**
 * Waits until the patterns of these fields may be compared, if they have any.
 * @throws ApiError RATE_LIMITED when the patterns of the space have taken as many steps as they may in a minute
 */
export async function takePatternTurn(spaceId: string, fields: readonly Field[]): Promise<void> {
  if (!fields.some(hasPattern)) return;
  patternWork.checkLeft(spaceId, Date.now());
  await workTurns.take(spaceId);
}
