/**
 * The scheduled sweep removes what is due and repairs what a crash has left (RULES 10.2). Every step may run late,
 * twice or be cut off half-way, with the same result. Each step handles a bounded number; the next minute handles the
 * rest. A step that fails is logged, and does not stop the others.
 */
import { SWEEP } from "../../limits.ts";
import type { Database } from "../storage/database/database.ts";
import { removeDueMasters, removeDueMedia, removeExpiredVariants } from "../storage/sweep/expiry.ts";
import { removeExpiredKeys } from "../storage/spaces/idempotency.ts";
import { spacesElsewhere } from "../storage/shards/places.ts";
import { deleteDueObjects } from "../storage/sweep/pending-deletes.ts";
import {
  fillColumns,
  rebuildSearch,
  removeDueFields,
  removeDueHistory,
  removeDueRecords,
} from "./content.ts";
import { takeModelChanges } from "./model-changes.ts";
import { announceBareMasters } from "./placeholders.ts";
import { emptyRemovedSpaces } from "./removed-spaces.ts";
import { takeDueSteps } from "./schedules.ts";
import { removeExpiredUploads } from "./uploads.ts";

export interface SweepTools {
  db: Database;
  bucket: R2Bucket;
  /** Milliseconds. */
  now: number;
  clearQueue: (spaceId: string) => Promise<void>;
  /** The directory, and the number of `db`, where there are several databases. */
  directory?: Database;
  shard?: number;
  /** Tells a space's queue that masters have no placeholder. */
  announce: (spaceId: string) => Promise<void>;
  log: (event: Record<string, unknown>) => void;
}

/** The steps in their order: what has a time first; spaces next, so that what they held is removed in the same run. */
const STEPS = {
  scheduledSteps: ({ db, now, log }) => takeDueSteps(db, now, log),
  removedSpaces: (tools) => emptyRemovedSpaces(tools),
  purgedMedia: ({ db, now }) => removeDueMedia(db, now, SWEEP.mediaMax),
  purgedMasters: ({ db, now }) => removeDueMasters(db, now, SWEEP.mastersMax),
  expiredVariants: ({ db, now }) => removeExpiredVariants(db, now, SWEEP.variantsMax),
  expiredUploads: ({ db, bucket, now }) => removeExpiredUploads(db, bucket, now, SWEEP.uploadsMax),
  expiredKeys: ({ db, now }) =>
    removeExpiredKeys(db, now, { limit: SWEEP.idempotencyKeysPerBatch, batchesMax: SWEEP.batchesMax }),
  removedObjects: ({ db, bucket, now, directory, shard = 0 }) =>
    deleteDueObjects(
      db,
      bucket,
      now,
      SWEEP.objectsMax,
      directory && ((spaceIds) => spacesElsewhere(directory, spaceIds, shard)),
    ),
  purgedRecords: ({ db, now }) => removeDueRecords(db, now),
  purgedVersions: ({ db, now }) => removeDueHistory(db, now),
  droppedFields: ({ db, now }) => removeDueFields(db, now),
  filledRows: ({ db }) => fillColumns(db),
  modelChangeSlices: ({ db, now, log }) => takeModelChanges(db, now, log),
  searchSlices: ({ db }) => rebuildSearch(db),
  placeholderSpaces: ({ db, announce }) => announceBareMasters(db, announce),
} satisfies Record<string, (tools: SweepTools) => Promise<number>>;

type StepName = keyof typeof STEPS;

/** How many of each kind a run handled, and which steps failed, whose number is 0. */
export type SweepReport = Record<StepName, number> & { failed: StepName[] };

/** Runs every step. Throws nothing. */
export async function sweep(tools: SweepTools): Promise<SweepReport> {
  const report = { failed: [] } as unknown as SweepReport;
  for (const name of Object.keys(STEPS) as StepName[]) {
    try {
      report[name] = await STEPS[name](tools);
    } catch (error) {
      report[name] = 0;
      report.failed.push(name);
      tools.log({ event: "sweep-step-failed", step: name, reason: String(error) });
    }
  }
  return report;
}

/** Adds the reports of several databases. A step failed if it failed on one of them. */
export function addReports(reports: SweepReport[]): SweepReport {
  const names = Object.keys(STEPS) as StepName[];
  const sums = names.map((name): [StepName, number] => [
    name,
    reports.reduce((sum, report) => sum + report[name], 0),
  ]);
  const failed = names.filter((name) => reports.some((report) => report.failed.includes(name)));
  return { ...(Object.fromEntries(sums) as Record<StepName, number>), failed };
}
