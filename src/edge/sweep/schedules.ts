/** The sweep's part of schedules (RULES 3.12): records are published and unpublished when their time has come. */
import { RETRY, SWEEP } from "../../limits.ts";
import type { Database } from "../storage/database/database.ts";
import {
  nothingToWrite,
  runTogether,
  runWrite,
  type PlannedWrite,
} from "../storage/database/planned-write.ts";
import { planRecord, publishRecord, unpublishRecord } from "../storage/records/publish.ts";
import {
  listDueSteps,
  readDueRecord,
  readDueRecords,
  type DueRecord,
  type DueStep,
} from "../storage/records/schedules.ts";

type Log = (event: Record<string, unknown>) => void;

/**
 * Each step once, however often the sweep runs: it is done while the record still says its time, which it does not
 * afterwards. The earliest come first, so many together as one batch, and more of them until all are done or the time
 * of a run is over. A record that others keep changing, or that fails, is left to the next minute and keeps no other
 * from its own. How many were done.
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
    done += await takeTogether(db, steps, now, log);
  }
  return done;
}

/** Returns the first of them: what comes after depends on what an earlier one does to its record. */
function ofDifferentRecords(steps: DueStep[]): DueStep[] {
  const seqs = new Set<number>();
  const end = steps.findIndex(({ seq }) => seqs.size === seqs.add(seq).size);
  return end === -1 ? steps : steps.slice(0, end);
}

/** As one batch; each by itself where that fails. */
async function takeTogether(db: Database, steps: DueStep[], now: number, log: Log): Promise<number> {
  const seqs = steps.map(({ seq }) => seq);
  const found = await readDueRecords(db, seqs).catch(() => new Map<number, DueRecord>());
  const together = steps.filter(({ seq }) => found.has(seq));
  const plans = together.map((step) => planStep(step, found.get(step.seq) ?? null, now, log));
  const outcomes = await runTogether(db, [], plans).catch(() => []);
  let done = 0;
  for (const step of steps)
    if (outcomes[together.indexOf(step)] || (await tryAlone(db, step, now, log))) done += 1;
  return done;
}

async function tryAlone(db: Database, step: DueStep, now: number, log: Log): Promise<boolean> {
  try {
    for (let attempt = 0; attempt < RETRY.triesMax; attempt++) {
      const found = await readDueRecord(db, step.seq);
      if (await runWrite(db, planStep(step, found, now, log))) return true;
    }
  } catch (error) {
    log({ event: "schedule-failed", schedule: step.schedule, seq: step.seq, reason: String(error) });
  }
  return false;
}

/** Plans a step. The outcome is false when the record changed since it was read. */
function planStep(step: DueStep, found: DueRecord | null, now: number, log: Log): PlannedWrite<boolean> {
  if (!found || found.record[step.schedule] !== step.at) return nothingToWrite(true);
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
    return planRecord(model, record, { schedule: step.schedule, at: null });
  }
  if (step.schedule === "publishAt") {
    const event = { event: "published", author: null, now, changed: [] } as const;
    return publishRecord(model, record, { event, due: step.at });
  }
  const event = { event: "unpublished", author: null, now, changed: [] } as const;
  return unpublishRecord(model, record, { event, due: step.at });
}

/** What keeps a step from being taken, for good; null for nothing. */
function whyNot({ record, model, lacking }: DueRecord, { schedule }: DueStep): string | null {
  if (!model.drafts) return "the model has no drafts any more";
  if (schedule === "unpublishAt")
    return record.publishedVersion === null ? "the record is not published" : null;
  return lacking.length === 0 ? null : `required fields have no value: ${lacking.join(", ")}`;
}
