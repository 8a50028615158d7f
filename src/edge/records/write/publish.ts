/** Publishes and unpublishes drafts, now or later (RULES 3.12, 3.14). */
import { ApiError, notFound } from "../../../errors.ts";
import type { Model } from "../../../content/model/model.ts";
import { lackingPaths } from "../../../content/model/required.ts";
import type { RecordRow } from "../../storage/spaces/entries.ts";
import { nothingToWrite, runWrite, type PlannedWrite } from "../../storage/database/planned-write.ts";
import { planRecord, publishRecord, unpublishRecord, type Schedule } from "../../storage/records/publish.ts";
import { retryUntilWritten } from "../../storage/database/retry.ts";
import { isPublishedAnywhere, ownVersion } from "../../../content/model/editions.ts";
import { NOTHING_HELD, type Held } from "../../storage/locales/held.ts";
import {
  checkComplete as checkLocales,
  heldBy,
  isPublishedByLocale,
  localesHeldBy,
} from "./complete-locales.ts";
import { askedNumbers, planLocaleStep, type Step } from "./publish-locales.ts";
import { DEFAULT_NUMBER } from "../../../content/locales/numbers.ts";
import { checkVersion } from "../read/preconditions.ts";
import { checkStep } from "./scoped-write.ts";
import { ValidationErrors } from "../../../content/faults/validation-errors.ts";
export type { Step } from "./publish-locales.ts";
import { current, eventOf, planEventOf, written, type WriteContext, type Written } from "./write.ts";

export interface StepOptions {
  step: Step;
  /** The time in milliseconds; undefined for now; null to cancel the plan. */
  at: number | null | undefined;
  /** The versions at which it may be done; null for any. */
  versions: ReadonlySet<number> | null;
  /** The codes of the locales that it is for; undefined for all that it concerns. */
  locales: readonly string[] | undefined;
}

interface PublishTarget {
  model: Model;
  record: RecordRow;
  /** The values of the record in the locales of its space. */
  held: Held;
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
  for (const path of lackingPaths(model, record.data)) errors.add(path, "is required to be published");
  errors.throwIfAny("The draft cannot be published yet; see details.");
}

/**
 * Checks a content that no draft has yet. @param locales the codes of the locales that are to be published with it
 * @throws ApiError VALIDATION_FAILED naming the values that it lacks
 */
export function checkPublishable(target: PublishTarget, locales: readonly string[]): void {
  const { model, record } = target;
  if (!isPublishedByLocale(model)) {
    checkComplete(model, record);
    return;
  }
  const numbers = askedNumbers(model.scope, locales) ?? [];
  const isShared = numbers.includes(DEFAULT_NUMBER) || !isPublishedAnywhere(record);
  checkLocales(target, numbers, isShared);
}

const scheduleOf = (step: Step): Schedule => (step === "publish" ? "publishAt" : "unpublishAt");

/** Returns whether there is nothing to do now, and no plan to cancel. */
const isDone = ({ record }: PublishTarget, step: Step): boolean =>
  step === "publish"
    ? record.publishedVersion !== null &&
      record.publishedVersion >= ownVersion(record) &&
      record.publishAt === null
    : record.publishedVersion === null && record.unpublishAt === null;

/** Returns whether a time makes a step a change of the plan instead of one that is taken now. */
const isPlan = (at: number | null | undefined, now: number): at is number | null =>
  at !== undefined && (at === null || at > now);

/** Reads the values of a record in the locales of its space, as far as a step depends on them. */
async function heldFor(
  context: WriteContext,
  { model, record }: Omit<PublishTarget, "held">,
  { step, at }: StepOptions,
): Promise<Held> {
  if (step === "unpublish" || at === null) return NOTHING_HELD;
  const read = isPlan(at, context.now()) ? localesHeldBy : heldBy;
  return (await read(context.db, model, [record.seq]))(record.seq);
}

/**
 * Plans a step. The outcome is false when something changed since it was read.
 * @throws ApiError CONFLICT (the model has no drafts), FORBIDDEN, PRECONDITION_FAILED, VALIDATION_FAILED
 */
export function planStep(
  context: WriteContext,
  target: PublishTarget,
  { step, at, versions, locales }: StepOptions,
): PlannedWrite<boolean> {
  const { model, record } = target;
  checkDrafts(model);
  const asked = askedNumbers(model.scope, locales);
  checkStep(context.scopes, model, isPublishedByLocale(model) ? asked : [DEFAULT_NUMBER]);
  checkVersion(record, versions);
  if (isPublishedByLocale(model)) {
    const event = (changed: readonly number[]) =>
      eventOf(context, step === "publish" ? "published" : "unpublished", model, changed);
    return planLocaleStep(target, { step, at, locales: asked, event, due: null });
  }
  if (at === undefined && isDone(target, step)) return nothingToWrite(true);
  const schedule = scheduleOf(step);
  const scheduled = planEventOf(context, "scheduled");
  if (isPlan(at, context.now())) {
    return record[schedule] === at
      ? nothingToWrite(true)
      : planRecord(model, record, { schedule, at }, scheduled);
  }
  if (step === "publish") {
    checkComplete(model, record);
    return publishRecord(model, record, { event: eventOf(context, "published", model), due: null });
  }
  if (record.publishedVersion === null) return planRecord(model, record, { schedule, at: null }, scheduled);
  return unpublishRecord(model, record, { event: eventOf(context, "unpublished", model), due: null });
}

/**
 * Does a step now or plans it. A time that has passed means now. A step that is already done changes nothing.
 * @throws ApiError CONFLICT (the model has no drafts), VALIDATION_FAILED, PRECONDITION_FAILED, NOT_FOUND (gone)
 */
export async function takeStep(
  context: WriteContext,
  first: Omit<PublishTarget, "held">,
  options: StepOptions,
): Promise<Written> {
  let target = first;
  let isWritten = false;
  return retryUntilWritten(async () => {
    const { model, record } = target;
    // The clock may not pass the planned time after the read, because a publication now depends on more values.
    const now = context.now();
    const timed = { ...context, now: () => now };
    const held = await heldFor(timed, target, options);
    isWritten ||= await runWrite(context.db, planStep(timed, { ...target, held }, options));
    const found = await current(context, model, record.id);
    if (!found.record) throw notFound("The record");
    target = { model: found.model, record: found.record };
    if (!isWritten) return null;
    return written(found.model, found.record);
  });
}
