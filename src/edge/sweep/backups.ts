/** The sweep's part of backups (RULES 18.7, 18.8): starts those that are due, goes on with them, removes old ones. */
import { BACKUP } from "../../limits.ts";
import { backupPlan } from "../exchange/backups/plan.ts";
import { leastIdAt, removeObjects, startBackup, workOn, type BackupTools } from "../exchange/backups/work.ts";
import {
  backupsToDo,
  deleteBackup,
  freeMasters,
  noteFailure,
  noteTrouble,
  readBackup,
  spacesDue,
  type BackupRow,
} from "../storage/backups/backups.ts";
import type { Database } from "../storage/database/database.ts";
import { OF_SYSTEM } from "../storage/events/actor.ts";
import { freePlace } from "../storage/shards/directory.ts";
import type { GoesOn } from "./budget.ts";

export interface BackupSweep {
  db: Database;
  bucket: R2Bucket;
  /** The directory, where there are several databases. */
  directory?: Database;
  /** Milliseconds. */
  now: number;
  backups?: string | undefined;
  log: (event: Record<string, unknown>) => void;
  goesOn: GoesOn;
  permit: { mayDelete: boolean | null };
}

/**
 * Starts backups that are due, and stores the next pages of those that are being made, one of each in turn.
 * @returns how many pages
 * @throws Error if the variable `BACKUPS` cannot be meant
 */
export async function makeBackups(tools: BackupSweep): Promise<number> {
  const { db, bucket, now, goesOn } = tools;
  const { everyMs, keep } = backupPlan(tools.backups);
  if (everyMs !== null) {
    for (const spaceId of await spacesDue(db, leastIdAt(now - everyMs + 1), BACKUP.startedMax)) {
      if (!goesOn()) break;
      await startBackup(db, spaceId, { origin: OF_SYSTEM, now });
    }
  }
  let pages = 0;
  let working = await backupsToDo(db, "working", BACKUP.workedOnMax);
  while (working.length > 0 && pages < BACKUP.pagesMax && goesOn()) {
    const left: BackupRow[] = [];
    for (const backup of working) {
      if (pages >= BACKUP.pagesMax || !goesOn()) break;
      pages += 1;
      const next = await nextOf({ db, bucket, now, keep, goesOn }, backup, tools.log);
      if (next) left.push(next);
    }
    working = left;
  }
  return pages;
}

/** Works on a backup. @returns its row as it is then; null if this run has nothing more to do for it */
async function nextOf(
  tools: BackupTools,
  backup: BackupRow,
  log: BackupSweep["log"],
): Promise<BackupRow | null> {
  const { db, now, keep } = tools;
  try {
    if ((await workOn(tools, backup)) !== "more") return null;
    return await readBackup(db, backup.id, backup.spaceId);
  } catch (error) {
    const reason = String(error).slice(0, BACKUP.reasonMaxCharacters).toWellFormed();
    log({ event: "backup-failed", spaceId: backup.spaceId, backup: backup.id, reason });
    if (backup.startedAt <= now - BACKUP.workingMs) await noteFailure(db, backup, reason, { now, keep });
    else await noteTrouble(db, backup.id, reason);
    return null;
  }
}

/** Removes backups that are not kept any more: their objects, then the claims on masters, then the row. @returns how many */
export async function removeOldBackups({
  db,
  bucket,
  directory,
  now,
  goesOn,
  permit,
}: BackupSweep): Promise<number> {
  if (permit.mayDelete !== true) return 0;
  let removed = 0;
  for (const backup of await backupsToDo(db, "removing", BACKUP.removedMax)) {
    if (!goesOn()) break;
    if (!(await removeObjects(bucket, backup))) break;
    let areFree = false;
    while (!areFree && goesOn()) areFree = await freeMasters(db, backup, now);
    if (!areFree) break;
    const isLast = await deleteBackup(db, backup, now);
    if (isLast && directory) await freePlace(directory, backup.spaceId);
    removed += 1;
  }
  return removed;
}
