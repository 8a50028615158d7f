/** What is wrong with a body, gathered: one `details` entry per fault (RULES 3.6). */
import { ApiError, type ErrorDetail } from "../../errors.ts";
import { ERRORS } from "../../limits.ts";

export class ValidationErrors {
  readonly details: ErrorDetail[];

  /** @param found faults that are known already */
  constructor(found: readonly ErrorDetail[] = []) {
    this.details = found.slice(0, ERRORS.detailsMax);
  }

  /** What comes after the limit is not kept: a body can hold a hundred thousand faults. */
  add(path: string, message: string): void {
    if (this.details.length < ERRORS.detailsMax) this.details.push({ path, message });
  }

  /** @throws ApiError VALIDATION_FAILED when there is any fault */
  throwIfAny(message = "The body does not fit the model; see details."): void {
    if (this.details.length > 0) throw new ApiError("VALIDATION_FAILED", message, { details: this.details });
  }
}
