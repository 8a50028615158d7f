/**
 * The computing that the requests of a space may cause in an isolate within a minute (RULES 1.11). A request has a
 * bound of its own. Without this budget, a caller could send as many of the dearest requests as its key may make.
 */
import { SPACE_WORK } from "../../limits.ts";
import { MinuteCounts } from "./minute-counts.ts";
import { rateLimited } from "./rate-limited.ts";

export class WorkBudget {
  readonly #spent = new MinuteCounts();
  readonly #maxUnits: number;
  readonly #what: string;

  /** @param what the sentence that a refusal begins with */
  constructor(maxUnits: number, what: string) {
    this.#maxUnits = maxUnits;
    this.#what = what;
  }

  /**
   * Reserves the most that a request may take, before it takes any.
   * @returns a function that gives units back that the request has not taken, to the minute in which they were reserved
   * @throws ApiError RATE_LIMITED
   */
  reserve(spaceId: string, units: number, now: number): (units: number) => void {
    const waitMs = this.#spent.take(spaceId, this.#maxUnits, now, units);
    if (waitMs !== null) throw rateLimited(this.#what, waitMs);
    return this.#spent.giverOf(spaceId, now);
  }

  /** Counts work that a request has done. */
  add(spaceId: string, units: number, now: number): void {
    this.#spent.add(spaceId, now, units);
  }

  /** @throws ApiError RATE_LIMITED when nothing is left */
  checkLeft(spaceId: string, now: number): void {
    const waitMs = this.#spent.waitFor(spaceId, this.#maxUnits, now);
    if (waitMs !== null) throw rateLimited(this.#what, waitMs);
  }
}

/** The checking of drawings, in units of image/formats/svg/work/work.ts. */
export const drawingWork = new WorkBudget(
  SPACE_WORK.drawingUnitsPerMinute,
  "The drawings of this space have taken as long to check as they may in a minute.",
);

/** The patterns of the records and models that requests write, in steps (content/patterns/step-budget.ts). */
export const patternWork = new WorkBudget(
  SPACE_WORK.patternStepsPerMinute,
  "The patterns of this space have taken as many steps as they may in a minute.",
);
