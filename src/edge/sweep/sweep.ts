/**
 * The scheduled sweep removes what is due and repairs what a crash has left (RULES 10.2). Every step may run late,
 * twice or be cut off half-way, with the same result. Each step handles a bounded number; the next minute handles what is
 * left. A run rests between its queries. A step that fails is logged, and does not stop the others.
 */
import { SWEEP } from "../../limits.ts";
import { Rests } from "../shards/rests.ts";
import { countedD1, database, type Database } from "../storage/database/database.ts";
import { removeDueMasters, removeDueMedia, removeExpiredVariants } from "../storage/sweep/expiry.ts";
import { removeExpiredKeys } from "../storage/spaces/idempotency.ts";
import { removeEndedTokens } from "../storage/spaces/ended-tokens.ts";
import { spacesElsewhere } from "../storage/shards/places.ts";
import { deleteDueObjects } from "../storage/sweep/pending-deletes.ts";
import { makeBackups, removeOldBackups } from "./backups.ts";
import { clockOf, inTurns, shareOf } from "./budget.ts";
import {
  fillColumns,
  rebuildSearch,
  removeDueFields,
  removeDueHistory,
  removeExpiredEvents,
  removeDueLocales,
  removeDueRecords,
} from "./content.ts";
import { inspectMasters } from "./inspections.ts";
import { takeModelChanges } from "./model-changes.ts";
import { announceBareMasters } from "./placeholders.ts";
import { removeDueRemotes } from "./remotes.ts";
import { emptyRemovedSpaces } from "./removed-spaces.ts";
import { checkMasters, holdAfterRestore, listUnclaimed, type RestoreTools } from "./restores.ts";
import { takeDueSteps } from "./schedules.ts";
import { removeExpiredUploads } from "./uploads.ts";
import { removeDueDeliveries } from "./webhooks.ts";

export interface SweepTools {
  db: Database;
  bucket: R2Bucket;
  /** Milliseconds. */
  now: number;
  clearQueue: (spaceId: string) => Promise<void>;
  /** Invalidates the edge copies that a step has made untrue, beside the next steps. */
  invalidate: () => void;
  /** The directory, and the number of `db`, where there are several databases. */
  directory?: Database;
  shard?: number;
  /** The variable `BACKUPS`. */
  backups?: string | undefined;
  /** Tells a space's queue that masters have no placeholder. */
  announce: (spaceId: string) => Promise<void>;
  log: (event: Record<string, unknown>) => void;
  /** The queries that this run may make: a part of them where others of the same invocation make theirs. */
  queriesMax?: number;
  rememberRuns?: RestoreTools["rememberRuns"];
}

type StepTools = Omit<SweepTools, "queriesMax"> & Pick<RestoreTools, "goesOn" | "permit">;

/** Returns a function that finds those of some spaces that stand on another database; undefined where there is one. */
const elsewhereOf = ({ directory, shard = 0 }: StepTools) =>
  directory && ((spaceIds: string[]) => spacesElsewhere(directory, spaceIds, shard));

/** Takes the steps of schedules. The edge has a few seconds for their copies, and the other steps may take minutes. */
async function publishDue({ db, now, log, goesOn, invalidate }: StepTools): Promise<number> {
  try {
    return await takeDueSteps(db, now, log, clockOf(goesOn));
  } finally {
    invalidate();
  }
}

async function removeObjects(tools: StepTools): Promise<number> {
  const { mayDelete } = tools.permit;
  if (mayDelete === null)
    throw new Error("No bytes are deleted: it is not known whether the database was set back.");
  return mayDelete
    ? deleteDueObjects(tools.db, tools.bucket, tools.now, SWEEP.objectsMax, elsewhereOf(tools))
    : 0;
}

/**
 * The steps in their order: a restore is noticed before anything is deleted. What has a time comes next, and spaces after it, so
 * that what they held is removed in the same run. In each minute another step comes third, so that every step gets its turn when queries run out.
 */
const STEPS = {
  heldObjects: (tools) => holdAfterRestore(tools),
  scheduledSteps: (tools) => publishDue(tools),
  removedSpaces: (tools) => emptyRemovedSpaces(tools),
  purgedMedia: ({ db, now }) => removeDueMedia(db, now, SWEEP.mediaMax),
  purgedMasters: ({ db, now }) => removeDueMasters(db, now, SWEEP.mastersMax),
  expiredVariants: ({ db, now }) => removeExpiredVariants(db, now, SWEEP.variantsMax),
  removedRemotes: ({ db, now, goesOn }) => removeDueRemotes(db, now, goesOn),
  expiredUploads: ({ db, bucket, now, goesOn }) =>
    removeExpiredUploads(db, bucket, now, SWEEP.uploadsMax, goesOn),
  expiredKeys: ({ db, now, goesOn }) =>
    removeExpiredKeys(db, now, { limit: SWEEP.keysPerBatch, batchesMax: SWEEP.batchesMax, goesOn }),
  endedTokens: ({ db, now }) => removeEndedTokens(db, now, SWEEP.keysPerBatch),
  removedObjects: (tools) => removeObjects(tools),
  missingMasters: (tools) => checkMasters(tools),
  unclaimedObjects: (tools) => listUnclaimed(tools, elsewhereOf(tools)),
  purgedRecords: ({ db, now, goesOn }) => removeDueRecords(db, now, goesOn),
  purgedVersions: ({ db, now, goesOn }) => removeDueHistory(db, now, goesOn),
  purgedEvents: ({ db, now, goesOn }) => removeExpiredEvents(db, now, goesOn),
  droppedFields: ({ db, now, goesOn }) => removeDueFields(db, now, goesOn),
  droppedLocales: ({ db, now, goesOn }) => removeDueLocales(db, now, goesOn),
  removedDeliveries: ({ db, now, goesOn }) => removeDueDeliveries(db, now, goesOn),
  filledRows: ({ db, goesOn }) => fillColumns(db, goesOn),
  modelChangeSlices: ({ db, now, log, goesOn }) => takeModelChanges(db, now, log, clockOf(goesOn)),
  searchSlices: ({ db, goesOn }) => rebuildSearch(db, goesOn),
  backupPages: (tools) => makeBackups(tools),
  removedBackups: (tools) => removeOldBackups(tools),
  inspectedMasters: (tools) => inspectMasters(tools),
  placeholderSpaces: ({ db, announce }) => announceBareMasters(db, announce),
} satisfies Record<string, (tools: StepTools) => Promise<number>>;

type StepName = keyof typeof STEPS;
const NAMES = Object.keys(STEPS) as StepName[];

/** How many of each kind a run handled, and which steps failed, whose number is 0. */
export type SweepReport = Record<StepName, number> & { failed: StepName[] };

/** Runs every step. Throws nothing. */
export async function sweep({ queriesMax = SWEEP.queriesMax, ...given }: SweepTools): Promise<SweepReport> {
  const report = { failed: [] } as unknown as SweepReport;
  const rests = new Rests(SWEEP);
  const count = { queries: 0, rest: () => rests.afterStep() };
  const counted = (db: Database): Database => database(countedD1(db.$client, count));
  const { db, directory } = given;
  const permit = { mayDelete: null };
  const tools = { ...given, permit, db: counted(db), ...(directory && { directory: counted(directory) }) };
  for (const name of queriesMax < SWEEP.queriesMax ? inTurns(NAMES, given.now) : NAMES) {
    try {
      report[name] = await STEPS[name]({ ...tools, goesOn: shareOf(count, queriesMax) });
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
  const sums = NAMES.map((name): [StepName, number] => [
    name,
    reports.reduce((sum, report) => sum + report[name], 0),
  ]);
  const failed = NAMES.filter((name) => reports.some((report) => report.failed.includes(name)));
  return { ...(Object.fromEntries(sums) as Record<StepName, number>), failed };
}
