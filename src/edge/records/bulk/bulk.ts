/** Plans operations on the records of one collection one by one, and runs all or none in one batch (RULES 3.16). */
import { ApiError } from "../../../errors.ts";
import type { Model } from "../../../content/model/model.ts";
import type { Space } from "../../spaces/authorize.ts";
import { asRead, readRecords } from "../../storage/records/bulk.ts";
import { isUniqueViolation } from "../../storage/database/database.ts";
import type { RecordRow } from "../../storage/spaces/entries.ts";
import { isGuardFailure } from "../../storage/database/guard.ts";
import { runTogether } from "../../storage/database/planned-write.ts";
import {
  missingTargets,
  targetGuards,
  targetName,
  type TargetKey,
} from "../../storage/records/reference-targets.ts";
import { sidesNeeded, withSides } from "../read/locale-scope.ts";
import { heldBy } from "../write/complete-locales.ts";
import { retryUntilWritten } from "../../storage/database/retry.ts";
import { attempt, faultless } from "./bulk-faults.ts";
import {
  checkOperation,
  type BulkContext,
  type CheckedOperation,
  type Done,
  type Operation,
  type OperationWrite,
} from "./bulk-operations.ts";
import { takenByOperations } from "./bulk-uniques.ts";
import { ValidationErrors } from "../../../content/faults/validation-errors.ts";
import { takePatternTurn } from "../../spaces/pattern-turns.ts";
import { current, type WriteContext } from "../write/write.ts";

/** Refuses two operations on one record, because each would be checked against the record before the other. */
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

interface Bulk {
  operations: readonly Operation[];
  /** The ids of the records that they create, by index. */
  newIds: readonly string[];
}

interface Plan {
  targets: TargetKey[];
  writes: OperationWrite[];
}

/**
 * Checks and plans each operation. A record that an earlier operation deletes is no target of a later one.
 * @throws ApiError with the faults of all
 */
async function planAll(context: BulkContext, { operations, newIds }: Bulk): Promise<Plan> {
  const checked = operations.map((operation, index) =>
    attempt(() => checkOperation(context, operation, newIds[index] ?? "")),
  );
  const targets = checked.flatMap((one) => (one instanceof ApiError ? [] : one.targets));
  const missing = await missingTargets(context.db, context.spaceId, targets);
  const planned = operations.map((operation, index): OperationWrite | ApiError => {
    const one = checked[index] as CheckedOperation | ApiError;
    if (one instanceof ApiError) return one;
    const write = attempt(() => one.plan(missing));
    if (operation.op === "delete") missing.add(targetName([context.model.name, operation.id]));
    return write;
  });
  return { targets, writes: faultless(operations, planned) };
}

/**
 * Finds out why the batch failed on a unique value. Null when what stood in the way has changed since.
 * @throws ApiError CONFLICT with the faults of all operations
 */
async function whenTaken(context: BulkContext, { operations, newIds }: Bulk, writes: OperationWrite[]) {
  const made = await readRecords(context.db, context.model.id, newIds);
  // An earlier run of this request created them, and crashed before it could answer (RULES 1.9).
  if (made.size > 0)
    return writes.map((write) => doneBefore(write, made.get(write.id) ?? context.records.get(write.id)));
  faultless(operations, await takenByOperations(context.db, context.model, writes));
  return null;
}

const doneBefore = ({ op, id }: OperationWrite, record: RecordRow | undefined): Done => ({
  op,
  id,
  version: record?.version ?? 1,
});

/** Runs the plan as one batch. Null if it has to be made again, because something that it depends on has changed. */
async function runPlan(context: BulkContext, bulk: Bulk, { targets, writes }: Plan): Promise<Done[] | null> {
  const { db, spaceId, model, records } = context;
  const conditions = [asRead(model, [...records.values()]), ...targetGuards(spaceId, targets)];
  try {
    const done = await runTogether(db, conditions, writes);
    return done.map((one) => {
      if (one === null)
        throw new Error("An operation of a bulk was not done, although its records were as read.");
      return one;
    });
  } catch (error) {
    if (isGuardFailure(error)) return null;
    if (!isUniqueViolation(error)) throw error;
    return whenTaken(context, bulk, writes);
  }
}

/** Reads records with their contents in the locales of the scope. */
async function recordsOf({ db }: WriteContext, model: Model, ids: readonly string[]) {
  const rows = await readRecords(db, model.id, ids);
  if (sidesNeeded(model).length === 0) return rows;
  const whole = await withSides(db, model, [...rows.values()]);
  if (whole.length < rows.size) {
    throw new ApiError("VALIDATION_FAILED", "The records are too large together; name fewer of them.");
  }
  return new Map(whole.map((row) => [row.id, row]));
}

/**
 * Runs all of the operations in one D1 batch, in their order.
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
  const bulk = { operations, newIds: operations.map(() => context.newId(context.now())) };
  let model = first;
  return retryUntilWritten(async () => {
    const records = await recordsOf(context, model, ids);
    await takePatternTurn(context.spaceId, model.fields);
    const seqs = operations.flatMap((operation) =>
      operation.op === "publish" ? (records.get(operation.id)?.seq ?? []) : [],
    );
    const own = { ...context, space, model, records, held: await heldBy(context.db, model, seqs) };
    const done = await runPlan(own, bulk, await planAll(own, bulk));
    if (!done) model = (await current(context, model)).model;
    return done;
  });
}
