/** Faults of a body, gathered: one `details` entry a fault (completion §3). */
import { ApiError, type ErrorDetail } from "../../errors.ts";

/** More than these are of no use to anyone, and a body can hold a hundred thousand. */
const DETAILS_MAX = 200;

export class Faults {
  readonly details: ErrorDetail[] = [];

  add(path: string, message: string): void {
    if (this.details.length < DETAILS_MAX) this.details.push({ path, message });
  }

  /** @throws ApiError VALIDATION_FAILED when there is any fault */
  throwIfAny(message = "The body does not fit the model; see details."): void {
    if (this.details.length > 0) throw new ApiError("VALIDATION_FAILED", message, { details: this.details });
  }
}
