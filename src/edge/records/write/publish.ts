/** Drafts published, now or later, and taken back (RULES 3.12, 3.14). */
import { ApiError, notFound } from "../../../errors.ts";
import type { Model } from "../../../content/model/model.ts";
import { lackingFields } from "../../../content/model/required.ts";
import type { RecordRow } from "../../storage/spaces/entries.ts";
import { nothingToWrite, runWrite, type PlannedWrite } from "../../storage/database/planned-write.ts";
import { planRecord, publishRecord, unpublishRecord, type Schedule } from "../../storage/records/publish.ts";
import { retryUntilWritten } from "../../storage/database/retry.ts";
import { checkVersion } from "../read/preconditions.ts";
import { ValidationErrors } from "../../../content/faults/validation-errors.ts";
import { current, eventOf, written, type WriteContext, type Written } from "./write.ts";

export type Step = "publish" | "unpublish";

export interface StepOptions {
  step: Step;
  /** When; undefined for now, null for never: what is planned is taken back. Milliseconds. */
  at: number | null | undefined;
  /** Versions that it may be done at; null for any. */
  versions: ReadonlySet<number> | null;
}

interface Target {
  model: Model;
  record: RecordRow;
}

function checkDrafts(model: Model): void {
  if (model.drafts) return;
  throw new ApiError(
    "CONFLICT",
    `The model "${model.name}" has no drafts: what is written is published. Switch its option "drafts" on first.`,
  );
}

/** @throws ApiError VALIDATION_FAILED naming the required fields without a value */
function checkComplete(model: Model, record: RecordRow): void {
  const errors = new ValidationErrors();
  for (const { name } of lackingFields(model, record.data)) errors.add(name, "is required to be published");
  errors.throwIfAny("The draft cannot be published yet; see details.");
}

const scheduleOf = (step: Step): Schedule => (step === "publish" ? "publishAt" : "unpublishAt");

/** Whether there is nothing to do now, or to take back. */
const isDone = ({ record }: Target, step: Step): boolean =>
  step === "publish"
    ? record.publishedVersion === record.version && record.publishAt === null
    : record.publishedVersion === null && record.unpublishAt === null;

/**
 * Plans a step. The outcome is false when something changed since it was read.
 * @throws ApiError CONFLICT (the model has no drafts), PRECONDITION_FAILED, VALIDATION_FAILED
 */
export function planStep(
  context: WriteContext,
  target: Target,
  { step, at, versions }: StepOptions,
): PlannedWrite<boolean> {
  const { model, record } = target;
  checkDrafts(model);
  checkVersion(record, versions);
  if (at === undefined && isDone(target, step)) return nothingToWrite(true);
  const schedule = scheduleOf(step);
  if (at !== undefined && (at === null || at > context.now())) {
    return record[schedule] === at ? nothingToWrite(true) : planRecord(model, record, { schedule, at });
  }
  if (step === "publish") {
    checkComplete(model, record);
    return publishRecord(model, record, { event: eventOf(context, "published"), due: null });
  }
  if (record.publishedVersion === null) return planRecord(model, record, { schedule, at: null });
  return unpublishRecord(model, record, { event: eventOf(context, "unpublished"), due: null });
}

/**
 * Does a step now or plans it; a time that is over means now. What is done already changes nothing.
 * @throws ApiError CONFLICT (the model has no drafts), VALIDATION_FAILED, PRECONDITION_FAILED, NOT_FOUND (gone)
 */
export async function takeStep(context: WriteContext, first: Target, options: StepOptions): Promise<Written> {
  let target = first;
  let isWritten = false;
  return retryUntilWritten(async () => {
    const { model, record } = target;
    isWritten ||= await runWrite(context.db, planStep(context, target, options));
    const found = await current(context, model, record.id);
    if (!found.record) throw notFound("The record");
    target = { model: found.model, record: found.record };
    if (!isWritten) return null;
    return written(found.model, found.record);
  });
}
