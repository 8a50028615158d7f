/** The budget of work of a space per minute (RULES 1.11). */
import { expect, it } from "vitest";
import { WorkBudget } from "../../../../src/edge/spaces/work-budget.ts";
import { KEYED } from "../../../../src/limits.ts";

it("gives units back to the minute in which they were reserved, and to no later one", () => {
  const budget = new WorkBudget(10, "Too much.");
  const giveBack = budget.reserve("a", 10, 0);
  expect(() => budget.reserve("a", 1, 1)).toThrow("Too much.");
  giveBack(4);
  budget.reserve("a", 4, 2);
  const later = KEYED.windowMs + 1;
  budget.reserve("a", 10, later);
  giveBack(6);
  expect(() => budget.reserve("a", 1, later)).toThrow("Too much.");
});

it("counts no minute of a later time when the clock is set back", () => {
  const budget = new WorkBudget(10, "Too much.");
  budget.reserve("a", 10, KEYED.windowMs);
  expect(() => budget.reserve("a", 1, 1)).toThrow("Too much.");
  expect(() => budget.checkLeft("a", 1)).toThrow("Too much.");
  budget.checkLeft("a", 0);
  budget.reserve("a", 10, 0);
  expect(() => budget.reserve("a", 1, 0)).toThrow("Too much.");
});
