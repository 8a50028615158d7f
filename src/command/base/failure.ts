/** An error that ends a command with words for its caller: the fault, and the next step. Other errors are bugs. */
import type { ErrorDetail } from "../../errors.ts";

interface About {
  /** The next step of the caller: "Make an admin key in the console." */
  next?: string;
  /** Single faults, each with its place. */
  details?: readonly ErrorDetail[];
  /** The status of the service's answer, where it has refused a request. */
  status?: number;
  cause?: unknown;
}

export class Failure extends Error {
  override readonly name = "Failure";
  readonly next: string | null;
  readonly details: readonly ErrorDetail[];
  readonly status: number | null;

  constructor(message: string, { next, details = [], status, cause }: About = {}) {
    super(message, { cause });
    this.next = next ?? null;
    this.details = details;
    this.status = status ?? null;
  }
}
