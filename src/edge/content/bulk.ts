/** Many operations on the records of one collection, all or none (RULES 3.16). */
import { ApiError, notFound } from "../../errors.ts";
import type { Space } from "../spaces/authorize.ts";
import { asRead, readRecords } from "../storage/bulk.ts";
import type { Database } from "../storage/database.ts";
import type { RecordRow } from "../storage/entries.ts";
import { isGuardFailure } from "../storage/guard.ts";
import { runJointly } from "../storage/joint-batch.ts";
import type { ReferenceKey } from "../storage/records.ts";
import { retryUntilWritten } from "../storage/retry.ts";
import type { Model } from "../content-model/model.ts";
import { throwFaults } from "./bulk-faults.ts";
import type { Done, Operation } from "./bulk-operations.ts";
import { versionsOfIfMatch } from "./preconditions.ts";
import { takeStep } from "./publish.ts";
import { deleteRecord } from "./trash.ts";
import { ValidationErrors } from "./validation-errors.ts";
import { changeRecord, createRecord, current, type WriteContext } from "./write.ts";

/**
 * Looks for the targets of all operations together: those that validate in one turn of the event loop are one query, and
 * all of a bulk do, for they read nothing before.
 */
function missingTogether({ missing }: WriteContext): WriteContext["missing"] {
  let gathered: ReferenceKey[] = [];
  let asked: Promise<ReferenceKey[]> | null = null;
  return async (references) => {
    gathered.push(...references);
    asked ??= new Promise((resolve) => setTimeout(resolve)).then(() => {
      const all = gathered;
      gathered = [];
      asked = null;
      return missing(all);
    });
    return asked;
  };
}

/** Two operations on one record would each be checked against what the other one changes. */
function refuseTwice(operations: readonly Operation[]): void {
  const errors = new ValidationErrors();
  const named = new Map<string, number>();
  for (const [index, operation] of operations.entries()) {
    if (operation.op === "create") continue;
    const before = named.get(operation.id);
    if (before === undefined) named.set(operation.id, index);
    else errors.add(`operations.${index}.id`, `is the record of operation ${before}, too`);
  }
  errors.throwIfAny("The operations do not fit; see details.");
}

async function perform(
  context: WriteContext,
  space: Space,
  model: Model,
  operation: Operation,
  rows: ReadonlyMap<string, RecordRow>,
): Promise<Done> {
  const { op } = operation;
  if (op === "create") {
    const { view, version } = await createRecord(context, model, operation.data);
    return { op, id: String(view["id"]), version };
  }
  const { id, ifMatch } = operation;
  const record = rows.get(id);
  if (!record) throw notFound("The record");
  const versions = versionsOfIfMatch(ifMatch, model);
  if (op === "update") {
    const { version } = await changeRecord(context, { model, record }, operation.data, versions);
    return { op, id, version };
  }
  if (op === "delete") {
    await deleteRecord(context, space, { model, record }, { versions, ifUnreferenced: false });
    return { op, id, version: record.version };
  }
  const { version } = await takeStep(context, { model, record }, { step: op, at: undefined, versions });
  return { op, id, version };
}

/**
 * All of the operations in one D1 batch, in their order.
 * @throws ApiError CONFLICT for a page; what the operations throw, the first one's code with the faults of all
 */
export async function runBulk(
  context: WriteContext,
  space: Space,
  first: Model,
  operations: readonly Operation[],
): Promise<Done[]> {
  if (first.typeModel === "pages") {
    throw new ApiError("CONFLICT", "A page model holds exactly one record. Change it with PUT.");
  }
  refuseTwice(operations);
  const ids = operations.flatMap((operation) => (operation.op === "create" ? [] : [operation.id]));
  const newIds = operations.map(() => context.newId(context.now()));
  let model = first;
  const missing = missingTogether(context);
  return retryUntilWritten(async () => {
    const rows = await readRecords(context.db, model.id, ids);
    const writes = operations.map((operation, index) => {
      const newId = (): string => newIds[index] ?? "";
      return (db: Database) => perform({ ...context, db, newId, missing }, space, model, operation, rows);
    });
    const results = await runJointly(context.db, [asRead(model, [...rows.values()])], writes);
    const errors = results.map((result) =>
      result.status === "rejected" ? (result.reason as unknown) : null,
    );
    if (errors.some(isGuardFailure)) {
      model = (await current(context, model)).model;
      return null;
    }
    throwFaults(model, operations, errors);
    return results.map((result) => (result as PromiseFulfilledResult<Done>).value);
  });
}
