/** The errors of the client's calls. */
import type { components } from "./schema.ts";

type ErrorBody = components["schemas"]["Error"]["error"];

/** The service has answered with a status of 400 or above, or what has answered is not the service. */
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

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/**
 * Reads the body of a successful answer.
 * @throws SilverprintError for any other, and for one that is cut off or no JSON
 */
export async function bodyOf<T>(response: Response): Promise<T> {
  const json: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const error = isObject(json) && "error" in json && isObject(json.error) ? json.error : {};
    throw new SilverprintError(response.status, error);
  }
  if (isObject(json) && "data" in json) return json as T;
  const message =
    `The answer has status ${response.status}, but is cut off or not of the service: it is no JSON with "data". ` +
    "Check `baseUrl`, and what stands between.";
  throw new SilverprintError(response.status, { message });
}
