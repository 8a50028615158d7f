/** The errors of the client's calls. */
import type { components } from "./schema.ts";

type ErrorBody = components["schemas"]["Error"]["error"];

/** The service has answered with a status of 400 or above. */
export class SilverprintError extends Error {
  override readonly name = "SilverprintError";
  readonly status: number;
  readonly code: ErrorBody["code"] | "UNKNOWN";
  readonly details: ErrorBody["details"];

  constructor(status: number, error: Partial<ErrorBody>) {
    super(error.message ?? `The service answered ${status}.`);
    this.status = status;
    this.code = error.code ?? "UNKNOWN";
    this.details = error.details;
  }
}

/** The body of a successful answer. @throws SilverprintError for any other */
export async function bodyOf<T>(response: Response): Promise<T> {
  const json = (await response.json().catch(() => ({}))) as T & { error?: Partial<ErrorBody> };
  if (!response.ok) throw new SilverprintError(response.status, json.error ?? {});
  return json;
}
