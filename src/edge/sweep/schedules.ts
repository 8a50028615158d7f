/** The sweep's part of schedules (RULES 3.12): records are published and unpublished when their time has come. */
import { RETRY, SWEEP } from "../../limits.ts";
import type { Database } from "../storage/database.ts";
import { planRecord, publishRecord, unpublishRecord } from "../storage/publish.ts";
import { listDueSteps, readDueRecord, type DueRecord, type DueStep } from "../storage/schedules.ts";

type Log = (event: Record<string, unknown>) => void;

/**
 * Each step once, however often the sweep runs: it is done while the record still says its time, which it does not
 * afterwards. A record that others keep changing, or that fails, is left to the next minute and keeps no other from its
 * own. How many were done.
 */
export async function takeDueSteps(db: Database, now: number, log: Log): Promise<number> {
  let done = 0;
  for (const step of await listDueSteps(db, now, SWEEP.schedulesMax)) {
    try {
      if (await tryStep(db, step, now, log)) done += 1;
    } catch (error) {
      log({ event: "schedule-failed", schedule: step.schedule, seq: step.seq, reason: String(error) });
    }
  }
  return done;
}

async function tryStep(db: Database, step: DueStep, now: number, log: Log): Promise<boolean> {
  for (let attempt = 0; attempt < RETRY.triesMax; attempt++) {
    if (await takeStep(db, step, now, log)) return true;
  }
  return false;
}

/** False when the record changed since it was read. */
async function takeStep(db: Database, step: DueStep, now: number, log: Log): Promise<boolean> {
  const found = await readDueRecord(db, step.seq);
  if (!found || found.record[step.schedule] !== step.at) return true;
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
    return planRecord(db, model, record, { schedule: step.schedule, at: null });
  }
  if (step.schedule === "publishAt") {
    const event = { event: "published", author: null, now, changed: [] } as const;
    return publishRecord(db, model, record, { event, due: step.at });
  }
  const event = { event: "unpublished", author: null, now, changed: [] } as const;
  return unpublishRecord(db, model, record, { event, due: step.at });
}

/** What keeps a step from being taken, for good; null for nothing. */
function whyNot({ record, model, lacking }: DueRecord, { schedule }: DueStep): string | null {
  if (!model.drafts) return "the model has no drafts any more";
  if (schedule === "unpublishAt")
    return record.publishedVersion === null ? "the record is not published" : null;
  return lacking.length === 0 ? null : `required fields have no value: ${lacking.join(", ")}`;
}
