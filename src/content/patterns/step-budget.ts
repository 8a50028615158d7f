/** A budget of steps for the patterns of one request, or of one record where many are looked at (RULES 3.19). */
import { PATTERN } from "../../limits.ts";

/** Thrown when the budget is spent. */
export class TooManySteps extends Error {
  override readonly name = "TooManySteps";
}

export class StepBudget {
  readonly #max: number;
  #spent = 0;

  constructor(max: number = PATTERN.stepsMax) {
    this.#max = max;
  }

  /** The steps that were taken. */
  get spent(): number {
    return this.#spent;
  }

  get isSpent(): boolean {
    return this.#spent > this.#max;
  }

  /** @throws TooManySteps */
  spend(steps: number): void {
    this.#spent += steps;
    if (this.isSpent) throw new TooManySteps("The patterns take too many steps.");
  }
}
