/** The error for a parameter of an image request. */
import { ApiError } from "../../errors.ts";

/**
 * Returns an error about the value of a parameter. @param rule the end of a sentence that begins with the parameter's
 * name
 */
export function invalid(name: string, rule: string): ApiError {
  const message = `Parameter "${name}" ${rule}.`;
  return new ApiError("INVALID_PARAMETER", message, { details: [{ path: name, message: rule }] });
}
