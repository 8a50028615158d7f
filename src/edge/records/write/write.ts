/** Records created and changed (RULES 3.6, 3.9): checked, then one batch; a write that meets another tries again. */
import { ApiError, notFound } from "../../../errors.ts";
import { isUniqueViolation } from "../../storage/database/database.ts";
import { readAgain, type RecordRow } from "../../storage/spaces/entries.ts";
import { isGuardFailure } from "../../storage/database/guard.ts";
import { runWrite } from "../../storage/database/planned-write.ts";
import { missingTargets, targetGuards } from "../../storage/records/reference-targets.ts";
import { retryUntilWritten } from "../../storage/database/retry.ts";
import { modelOf, type Model, type Values } from "../../../content/model/model.ts";
import { bodyOfPatch } from "./merge-patch.ts";
import {
  planChange,
  planCreate,
  written,
  type ChangeOptions,
  type CheckedWrite,
  type WriteContext,
  type Written,
} from "./plan-write.ts";
import { throwTaken } from "./taken-uniques.ts";
import { versionIn } from "./validate.ts";

export { eventOf, written, type WriteContext, type Written } from "./plan-write.ts";

/**
 * Looks for the targets, and writes if all are there. Null when another write came first, to the record, the model or a
 * target.
 * @param whenTaken what is done when another record has a unique value
 */
async function write(
  { db, spaceId }: WriteContext,
  { targets, plan }: CheckedWrite,
  whenTaken: (values: Values, error: unknown) => Promise<Written>,
): Promise<Written | null> {
  const planned = plan(await missingTargets(db, spaceId, targets));
  try {
    return await runWrite(db, planned, targetGuards(spaceId, targets));
  } catch (error) {
    if (isGuardFailure(error)) return null;
    if (!isUniqueViolation(error)) throw error;
    return whenTaken(planned.values, error);
  }
}

/** @throws ApiError VALIDATION_FAILED, CONFLICT (a unique value, or a page), NOT_FOUND (the model went meanwhile) */
export async function createRecord(context: WriteContext, first: Model, body: unknown): Promise<Written> {
  if (first.typeModel === "pages") {
    throw new ApiError("CONFLICT", "A page model holds exactly one record. Change it with PUT.");
  }
  let model = first;
  const id = context.newId(context.now());
  return retryUntilWritten(async () => {
    const result = await write(context, planCreate(context, model, id, body), async (values, error) => {
      // A record with this id was made by an earlier run of this request that crashed before it answered (RULES 1.9).
      const { record: made } = await current(context, model, id);
      if (!made) return throwTaken(context.db, model, values, id, error);
      return written(model, made);
    });
    if (!result) model = (await current(context, model)).model;
    return result;
  });
}

/** @throws ApiError NOT_FOUND when the model is not there any more */
export async function current(
  context: WriteContext,
  model: Model,
  id?: string,
): Promise<{ model: Model; record: RecordRow | null }> {
  const address = { typeModel: model.typeModel, model: model.name, id };
  const found = await readAgain(context.db, context.spaceId, address);
  if (!found) throw notFound("The model");
  return { model: modelOf(found.model), record: found.record };
}

/** The versions that a change may be made from, if its body says which one it was made from. */
export function versionsOf(body: unknown, versions: ReadonlySet<number> | null): ReadonlySet<number> | null {
  const made = versionIn(body);
  return made === undefined ? versions : new Set([made].filter((n) => versions?.has(n) ?? true));
}

/**
 * Changes the fields that the body names, clears those given as null, leaves the others. Without If-Match and
 * without a version in the body, a write that meets another one is merged into what that one left: neither is lost.
 * @param isPatch the body is a JSON Merge Patch
 * @throws ApiError VALIDATION_FAILED, PRECONDITION_FAILED, CONFLICT, NOT_FOUND (gone meanwhile)
 */
export const changeRecord = (
  context: WriteContext,
  entry: { model: Model; record: RecordRow },
  body: unknown,
  versions: ReadonlySet<number> | null,
  isPatch = false,
): Promise<Written> => {
  const bodyFor: BodyFor = (model, record) => (isPatch ? bodyOfPatch(model, record, body) : body);
  return changeTo(context, entry, bodyFor, { versions: versionsOf(body, versions), event: "updated" });
};

/** The body of a change, for the model and the record as they are when it is made. */
export type BodyFor = (model: Model, record: RecordRow) => unknown;

/** As `changeRecord`, to what `bodyFor` says of model and record, which may change meanwhile. */
export async function changeTo(
  context: WriteContext,
  entry: { model: Model; record: RecordRow },
  bodyFor: BodyFor,
  options: ChangeOptions,
): Promise<Written> {
  let { model, record } = entry;
  return retryUntilWritten(async () => {
    const change = planChange(context, { model, record }, bodyFor(model, record), options);
    const result = await write(context, change, (values, error) =>
      throwTaken(context.db, model, values, record.id, error),
    );
    if (result) return result;
    const found = await current(context, model, record.id);
    if (!found.record) throw notFound("The record");
    model = found.model;
    record = found.record;
    return null;
  });
}
