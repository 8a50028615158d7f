/** What is wrong with the operations of a bulk, as one answer: each fault under the operation that it is of. */
import { ApiError, type ErrorDetail } from "../../../errors.ts";
import type { Operation } from "./bulk-operations.ts";

/** Where an error without details of its own is shown. */
const PLACES: Partial<Record<ApiError["code"], string>> = { NOT_FOUND: "id", PRECONDITION_FAILED: "ifMatch" };

function detailsOf(error: ApiError, index: number, operation: Operation | undefined): ErrorDetail[] {
  const place = `operations.${index}`;
  const { details = [], code, message } = error;
  if (details.length === 0) return [{ path: [place, PLACES[code]].filter(Boolean).join("."), message }];
  return details.map(({ path, message }) => ({
    path: [place, operation && "data" in operation ? "data" : "", path]
      .filter((part) => part !== "")
      .join("."),
    message,
  }));
}

/** Runs `make`, and returns the fault that it throws. */
export function attempt<T>(make: () => T): T | ApiError {
  try {
    return make();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Returns the outcomes of the operations, if none has a fault. @throws ApiError with the first fault's code, the details of all */
export function faultless<T>(operations: readonly Operation[], results: readonly (T | ApiError)[]): T[] {
  const faults = [...results.entries()].flatMap(([index, result]) =>
    result instanceof ApiError ? [{ index, error: result }] : [],
  );
  const [first] = faults;
  if (!first) return results as T[];
  const details = faults.flatMap(({ index, error }) => detailsOf(error, index, operations[index]));
  const message = `Operation ${first.index}: ${first.error.message} Nothing was changed.`;
  throw new ApiError(first.error.code, message, { details, cause: first.error });
}
