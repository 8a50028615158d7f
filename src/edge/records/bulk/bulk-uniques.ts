/**
 * Leads the failure of a bulk on a unique value back to its operations. The batch does not say which statement failed, so
 * the operations are gone through in their order, with who holds which value by then.
 */
import { ApiError, type ErrorDetail } from "../../../errors.ts";
import { isUnique, type StoredField } from "../../../content/field-types/fields.ts";
import type { Model } from "../../../content/model/model.ts";
import type { Database } from "../../storage/database/database.ts";
import { uniqueHolders } from "../../storage/records/unique-holders.ts";
import type { OperationWrite } from "./bulk-operations.ts";

interface Value {
  field: StoredField;
  value: unknown;
  /** A text that is different for each value of each field. */
  key: string;
}

interface Holder {
  id: string;
  /** Its published content has the value, whatever its draft has. */
  isPublished: boolean;
  /** The operation that gave it the value; null if it had it before. */
  by: number | null;
}

const valuesOf = (fields: readonly StoredField[], { values }: OperationWrite): Value[] =>
  fields.flatMap((field) => {
    const value = values?.get(field.no) ?? null;
    return value === null ? [] : [{ field, value, key: JSON.stringify([field.no, value]) }];
  });

async function presentHolders(
  db: Database,
  model: Model,
  fields: StoredField[],
  values: readonly Value[],
): Promise<Map<string, Holder>> {
  const asked = values.map(({ field, value }): [number, unknown] => [field.no, value]);
  const found = await uniqueHolders(db, model, fields, asked);
  return new Map(
    found.map(({ place, id, isPublished }) => [
      values[place]?.key ?? "",
      { id, isPublished: isPublished === 1, by: null },
    ]),
  );
}

/** Frees the values that the record of an operation does not hold any more. */
function release(holders: Map<string, Holder>, { op, id }: OperationWrite, own: readonly Value[]): void {
  const keys = new Set(own.map(({ key }) => key));
  // An update leaves the published content as it is. After any other operation it is gone, or the same as the draft.
  const keeps = (key: string, holder: Holder): boolean =>
    keys.has(key) || (op === "update" && holder.isPublished);
  for (const [key, holder] of holders) if (holder.id === id && !keeps(key, holder)) holders.delete(key);
}

/** Takes the values of an operation. @returns those that another record holds */
function take(
  holders: Map<string, Holder>,
  { id }: OperationWrite,
  own: readonly Value[],
  by: number,
): ErrorDetail[] {
  return own.flatMap(({ field, key }) => {
    const holder = holders.get(key);
    if (holder && holder.id !== id) {
      const who = holder.by === null ? `the record ${holder.id} has` : `operation ${holder.by} gives`;
      return [{ path: field.name, message: `must be unique; ${who} this value` }];
    }
    if (!holder) holders.set(key, { id, isPublished: false, by });
    return [];
  });
}

/** The fault of each operation that gives a value which another record has by then; null for the others. */
export async function takenByOperations(
  db: Database,
  model: Model,
  operations: readonly OperationWrite[],
): Promise<(ApiError | null)[]> {
  const fields = model.fields.filter(isUnique);
  const given = operations.map((operation) => valuesOf(fields, operation));
  const holders = await presentHolders(db, model, fields, given.flat());
  return operations.map((operation, index) => {
    const own = given[index] ?? [];
    release(holders, operation, own);
    const details = take(holders, operation, own, index);
    if (details.length === 0) return null;
    const names = details.map(({ path }) => `"${path}"`).join(", ");
    return new ApiError("CONFLICT", `Another record has the same value of ${names}.`, { details });
  });
}
