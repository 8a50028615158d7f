/** The sweep's part of schedules (RULES 3.12): records are published and unpublished when their time has come. */
import { RETRY, SWEEP } from "../../limits.ts";
import type { Database } from "../storage/database/database.ts";
import {
  nothingToWrite,
  runTogether,
  runWrite,
  type PlannedWrite,
} from "../storage/database/planned-write.ts";
import { planDueLocales } from "../records/write/due-locales.ts";
import { eventOf, planEventOf } from "../records/write/plan-write.ts";
import { OF_SYSTEM } from "../storage/events/actor.ts";
import { heldBy, isPublishedByLocale } from "../records/write/complete-locales.ts";
import { dropLocalePlans } from "../storage/locales/publish-locales.ts";
import { planRecord, publishRecord, unpublishRecord, type Schedule } from "../storage/records/publish.ts";
import {
  listDueSteps,
  readDueRecord,
  readDueRecords,
  type DueRecord,
  type DueStep,
} from "../storage/records/schedules.ts";

const bySystem = (now: number) => ({ origin: OF_SYSTEM, now: () => now });

type Log = (event: Record<string, unknown>) => void;

/**
 * Takes each step that is due once, however often the sweep runs: it is done while the record still says its time,
 * which it does not afterwards. The earliest come first, so many together as one batch, and more of them until all are
 * done or the time of a run is over. A record that others keep changing, or that fails, is left to the next minute and
 * keeps no other from its own. Returns how many were done.
 * @param clock milliseconds: how long the run takes
 */
export async function takeDueSteps(
  db: Database,
  now: number,
  log: Log,
  clock: () => number = Date.now,
): Promise<number> {
  const until = clock() + SWEEP.schedulesMs;
  let done = 0;
  let after: DueStep | null = null;
  for (let batch = 0; batch < SWEEP.scheduleBatchesMax && clock() < until; batch++) {
    const steps = ofDifferentRecords(await listDueSteps(db, now, SWEEP.schedulesPerBatch, after));
    after = steps.at(-1) ?? null;
    if (after === null) break;
    done += await takeTogether(db, steps, now, log, () => clock() < until);
  }
  return done;
}

/** Returns the first of them: a later step depends on the effect of an earlier one on its record. */
function ofDifferentRecords(steps: DueStep[]): DueStep[] {
  const seqs = new Set<number>();
  const end = steps.findIndex(({ seq }) => seqs.size === seqs.add(seq).size);
  return end === -1 ? steps : steps.slice(0, end);
}

/** Takes steps as one batch; each by itself where that fails. */
async function takeTogether(
  db: Database,
  steps: DueStep[],
  now: number,
  log: Log,
  isInTime: () => boolean,
): Promise<number> {
  const found = await readDueRecords(db, steps, heldBy).catch(() => new Map<number, DueRecord>());
  const together = steps.filter(({ seq }) => found.has(seq));
  const plans = together.map((step) => planStep(step, found.get(step.seq) ?? null, now, log));
  const outcomes = await runTogether(db, [], plans).catch(() => []);
  let done = 0;
  for (const step of steps)
    if (outcomes[together.indexOf(step)] || (await tryAlone(db, step, now, log, isInTime))) done += 1;
  return done;
}

async function tryAlone(
  db: Database,
  step: DueStep,
  now: number,
  log: Log,
  isInTime: () => boolean,
): Promise<boolean> {
  try {
    for (let attempt = 0; attempt < RETRY.triesMax && isInTime(); attempt++) {
      const found = await readDueRecord(db, step, heldBy);
      if (await runWrite(db, planStep(step, found, now, log))) return true;
    }
  } catch (error) {
    log({ event: "schedule-failed", schedule: step.schedule, seq: step.seq, reason: String(error) });
  }
  return false;
}

/** Plans a step. The outcome is false when the record changed since it was read. */
function planStep(step: DueStep, found: DueRecord | null, now: number, log: Log): PlannedWrite<boolean> {
  if (!found || timeOf(found, step) !== step.at) return nothingToWrite(true);
  if (isPublishedByLocale(found.model) && found.model.drafts) return planDueLocales(step, found, now, log);
  const { schedule } = step;
  if (schedule === "withLocales")
    return dropLocalePlans(found.model, found.record, planEventOf(bySystem(now), "scheduled"));
  return planWhole({ ...step, schedule }, found, now, log);
}

const timeOf = ({ record }: DueRecord, { schedule }: DueStep): number | null =>
  schedule === "withLocales" ? record.localePlanAt : record[schedule];

/** Plans a step of a record whose locales are published together. */
function planWhole(
  step: DueStep & { schedule: Schedule },
  found: DueRecord,
  now: number,
  log: Log,
): PlannedWrite<boolean> {
  const { record, model } = found;
  const refusal = whyNot(found, step);
  if (refusal !== null) {
    log({
      event: "schedule-dropped",
      schedule: step.schedule,
      model: model.name,
      seq: step.seq,
      reason: refusal,
    });
    const event = planEventOf(bySystem(now), "scheduled");
    return planRecord(model, record, { schedule: step.schedule, at: null }, event);
  }
  if (step.schedule === "publishAt") {
    const event = eventOf(bySystem(now), "published", model);
    return publishRecord(model, record, { event, due: step.at });
  }
  const event = eventOf(bySystem(now), "unpublished", model);
  return unpublishRecord(model, record, { event, due: step.at });
}

/** Returns the reason that keeps a step from being taken, for good; null without one. */
function whyNot({ record, model, lacking }: DueRecord, { schedule }: { schedule: Schedule }): string | null {
  if (!model.drafts) return "the model has no drafts any more";
  if (schedule === "unpublishAt")
    return record.publishedVersion === null ? "the record is not published" : null;
  return lacking.length === 0 ? null : `required fields have no value: ${lacking.join(", ")}`;
}
