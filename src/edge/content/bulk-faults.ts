/** What is wrong with the operations of a bulk, as one answer: each fault under the operation that it is of. */
import { ApiError, type ErrorDetail } from "../../errors.ts";
import { isUnique } from "../content-model/fields.ts";
import type { Model } from "../content-model/model.ts";
import { Abandoned } from "../storage/joint-batch.ts";
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

/** Values of unique fields that two operations give: nothing that is stored has them. */
function repeatedValues(model: Model, operations: readonly Operation[]): ErrorDetail[] {
  return model.fields.filter(isUnique).flatMap(({ name }) => {
    const given = new Map<string, number>();
    return operations.flatMap((operation, index) => {
      const data = "data" in operation ? (operation.data as Record<string, unknown>) : {};
      const value = Object.hasOwn(data, name) ? JSON.stringify(data[name]) : "null";
      const before = given.get(value);
      if (before === undefined) given.set(value, index);
      if (value === "null" || before === undefined) return [];
      return [
        {
          path: `operations.${index}.data.${name}`,
          message: `must be unique; operation ${before} has this value`,
        },
      ];
    });
  });
}

/** @throws ApiError with the first fault's code and all faults, or what is no fault of the operations */
export function throwFaults(
  model: Model,
  operations: readonly Operation[],
  errors: readonly unknown[],
): void {
  const thrown = [...errors.entries()].filter(([, error]) => error !== null && !(error instanceof Abandoned));
  const faults = thrown.flatMap(([index, error]) => (error instanceof ApiError ? [{ index, error }] : []));
  if (faults.length < thrown.length) throw thrown.find(([, error]) => !(error instanceof ApiError))?.[1];
  // A value that is taken fails the whole batch: only those operations are at fault that can name it.
  const named = faults.filter(({ error }) => error.code !== "CONFLICT" || error.details?.length);
  const [first] = named.length > 0 ? named : faults;
  if (!first) return;
  const details =
    named.length > 0
      ? named.flatMap(({ index, error }) => detailsOf(error, index, operations[index]))
      : repeatedValues(model, operations);
  const message = `Operation ${first.index}: ${first.error.message} Nothing was changed.`;
  throw new ApiError(first.error.code, message, { details, cause: first.error });
}
