/** A budget of steps for the patterns of one request, or of one record where many are looked at (RULES 3.19). */
import { PATTERN } from "../../limits.ts";

/** Thrown when the budget is spent. */
export class TooManySteps extends Error {
  override readonly name = "TooManySteps";
}

/** Steps that are counted together, because counting costs as much as some steps. Fewer are not counted. */
const COUNTED_STEPS = 10_000;

export class StepBudget {
  readonly #max: number;
  readonly #count: (steps: number) => void;
  #spent = 0;
  #counted = 0;

  /** @param count is told of the steps while they are taken */
  constructor(max: number = PATTERN.stepsMax, count: (steps: number) => void = () => undefined) {
    this.#max = max;
    this.#count = count;
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
    if (this.#spent - this.#counted >= COUNTED_STEPS) {
      this.#count(this.#spent - this.#counted);
      this.#counted = this.#spent;
    }
    if (this.isSpent) throw new TooManySteps("The patterns take too many steps.");
  }
}
