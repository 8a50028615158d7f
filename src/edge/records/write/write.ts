/**
 * Creates and changes records (RULES 3.6, 3.9) in one batch after the checks. A write that collides with another one
 * tries again.
 */
import { ApiError, notFound } from "../../../errors.ts";
import { isUniqueViolation } from "../../storage/database/database.ts";
import { readAgain, type RecordRow } from "../../storage/spaces/entries.ts";
import { isGuardFailure } from "../../storage/database/guard.ts";
import { runWrite } from "../../storage/database/planned-write.ts";
import { missingTargets, targetGuards } from "../../storage/records/reference-targets.ts";
import { retryUntilWritten } from "../../storage/database/retry.ts";
import { ALL } from "../../../content/locales/codes.ts";
import { scopeOf, type LocaleScope } from "../../../content/model/localized-model.ts";
import { localesIn, numberOfCode } from "../../../content/locales/locales.ts";
import { modelOf, type Model, type Values } from "../../../content/model/model.ts";
import { modelInScope, withSides } from "../read/locale-scope.ts";
import { readSpaceById } from "../../storage/spaces/spaces.ts";
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
import { takePatternTurn } from "../../spaces/pattern-turns.ts";
import { throwTaken } from "./taken-uniques.ts";
import { versionIn } from "./validate.ts";

export { eventOf, planEventOf, written, type WriteContext, type Written } from "./plan-write.ts";

/**
 * Looks for the targets, and writes if all exist. Null if another write to the record, the model or a target came
 * first.
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
    await takePatternTurn(context.spaceId, model.fields);
    const result = await write(context, planCreate(context, model, id, body), async (values, error) => {
      // An earlier run of this request made the record with this id, and crashed before it answered (RULES 1.9).
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
  const { showsActors } = model;
  const again = modelInScope({ ...modelOf(found.model), showsActors }, await scopeAgain(context, model));
  const [record = null] = found.record ? await withSides(context.db, again, [found.record]) : [];
  return { model: again, record };
}

/** Returns the scope of a model, with the locales that its space has now. @throws ApiError CONFLICT when it is gone */
async function scopeAgain({ db, spaceId }: WriteContext, { scope }: Model): Promise<LocaleScope | null> {
  if (!scope) return null;
  const space = await readSpaceById(db, spaceId);
  if (!space) throw notFound("The space");
  const locales = localesIn(space.locales);
  if (scope.code === ALL || numberOfCode(locales, scope.code) !== undefined) {
    return scopeOf(locales, scope.code, scope.isFilled, scope.inside);
  }
  throw new ApiError("CONFLICT", `The locale ${scope.code} was removed meanwhile.`);
}

/** Returns the versions that a change may be made from, if its body names the one that it was made from. */
export function versionsOf(body: unknown, versions: ReadonlySet<number> | null): ReadonlySet<number> | null {
  const made = versionIn(body);
  return made === undefined ? versions : new Set([made].filter((n) => versions?.has(n) ?? true));
}

/**
 * Changes the fields that the body names, and clears those that are null. Without If-Match and without a version in the
 * body, a write that collides with another one is applied to the result of that one, so that neither is lost.
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

/** A function that returns the body of a change, for the model and the record at the time of the attempt. */
export type BodyFor = (model: Model, record: RecordRow) => unknown;

/** Does the same as `changeRecord` with a body that depends on model and record, which may change meanwhile. */
export async function changeTo(
  context: WriteContext,
  entry: { model: Model; record: RecordRow },
  bodyFor: BodyFor,
  options: ChangeOptions,
): Promise<Written> {
  let { model, record } = entry;
  return retryUntilWritten(async () => {
    await takePatternTurn(context.spaceId, model.fields);
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
