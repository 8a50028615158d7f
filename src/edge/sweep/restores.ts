/**
 * The sweep's part of a database that was set back to an earlier time by Time Travel, or of a bucket that lost objects
 * (RULES 10.12). Nothing is deleted for it: bytes without a row are listed and kept for 30 days, rows without bytes are
 * marked.
 */
import { BACKUP, PENDING_DELETE, RESTORE, SLICE } from "../../limits.ts";
import { withoutBackup } from "../storage/backups/backups.ts";
import { batchSql, type Database } from "../storage/database/database.ts";
import { invalidationStatement } from "../storage/invalidation/outbox.ts";
import {
  countRun,
  holdSlice,
  invalidateSpaces,
  markMasters,
  mastersAfter,
  missingMasters,
  noteHeld,
  noteRestore,
  noteUnclaimed,
  readCheck,
  spaceIdsAfter,
  unclaimedOf,
  writeMarks,
  type LookedUpMaster,
} from "../storage/sweep/restores.ts";
import type { GoesOn } from "./budget.ts";

export interface RestoreTools {
  db: Database;
  bucket: R2Bucket;
  /** Milliseconds. */
  now: number;
  log: (event: Record<string, unknown>) => void;
  goesOn: GoesOn;
  /**
   * Remembers outside of the database how many sweeps it has had. @returns the number that was known before; null where
   * nothing remembers it
   */
  rememberRuns?: ((runs: number) => Promise<number>) | undefined;
  /** Whether this run may delete bytes; null while that is not known. */
  permit: { mayDelete: boolean | null };
}

/** Notices a restore, and holds all pending deletes then. Before that is done, no bytes are deleted. @returns how many */
export async function holdAfterRestore(tools: RestoreTools): Promise<number> {
  const { db, now, log, goesOn, rememberRuns, permit } = tools;
  let { runs, restoredAt, isHeld } = await countRun(db);
  const known = (await rememberRuns?.(runs)) ?? 0;
  // A run beside this one may have been counted later and remembered earlier.
  if (known >= runs && (await readCheck(db)).runs < known) {
    log({ event: "database-restored", runs, known });
    runs = known + 1;
    await noteRestore(db, runs, now);
    await rememberRuns?.(runs);
    await invalidateAll(db, now);
    restoredAt = now;
    isHeld = false;
  }
  let held = 0;
  while (restoredAt !== null && !isHeld && goesOn()) {
    const slice = await holdSlice(db, restoredAt + RESTORE.keptMs);
    held += slice;
    isHeld = slice < SLICE.records;
    if (isHeld) await noteHeld(db);
  }
  permit.mayDelete = restoredAt === null || isHeld;
  return held;
}

async function invalidateAll(db: Database, now: number): Promise<void> {
  for (let after = ""; ;) {
    const ids = await spaceIdsAfter(db, after);
    const last = ids.at(-1);
    if (last === undefined) return;
    await batchSql(db, [invalidationStatement(invalidateSpaces(ids), "media", now)]);
    after = last;
  }
}

/** Looks masters up in R2, and marks those whose bytes are missing. @returns how many are newly marked or found again */
async function lookUp(
  bucket: R2Bucket,
  masters: readonly LookedUpMaster[],
): Promise<{ missing: LookedUpMaster[]; found: LookedUpMaster[] }> {
  const missing: LookedUpMaster[] = [];
  const found: LookedUpMaster[] = [];
  for (let at = 0; at < masters.length; at += RESTORE.lookUpsAtATime) {
    const some = masters.slice(at, at + RESTORE.lookUpsAtATime);
    const heads = await Promise.all(some.map(({ key }) => bucket.head(key)));
    some.forEach((master, index) => (heads[index] ? found : missing).push(master));
  }
  return { missing, found };
}

/**
 * Looks up in R2 the next masters, and again those that were missing: many after a restore, few in other runs, so that a
 * loss of the bucket shows too. @returns how many are missing
 */
export async function checkMasters({ db, bucket, now, log }: RestoreTools): Promise<number> {
  const { restoredAt, mastersAfter: place } = await readCheck(db);
  const limit = restoredAt === null ? RESTORE.mastersIdleMax : RESTORE.mastersMax;
  const next = await mastersAfter(db, place, limit);
  const again = await missingMasters(db, RESTORE.missingMax);
  const { missing, found } = await lookUp(bucket, [...next, ...again]);
  if (missing.length > 0)
    log({
      event: "masters-missing",
      count: missing.length,
      first: missing.slice(0, 10).map(({ key }) => key),
    });
  await writeMarks(
    db,
    markMasters(missing, found, now),
    next.length < limit ? null : (next.at(-1)?.place ?? null),
  );
  return missing.length;
}

/**
 * Looks for the rows of the next objects in R2, and lists those that have none. Pages of backups that have none are removed
 * once they are old enough.
 * @param elsewhere returns those of some spaces that stand on another database
 * @returns how many were listed
 */
export async function listUnclaimed(
  tools: RestoreTools,
  elsewhere?: (spaceIds: string[]) => Promise<Set<string>>,
): Promise<number> {
  const { db, bucket, now, log } = tools;
  const { listedAfter } = await readCheck(db);
  const page = await bucket.list({
    limit: RESTORE.listedMax,
    ...(listedAfter !== "" && { startAfter: listedAfter }),
  });
  const old = page.objects.filter(
    ({ key, uploaded }) => IS_OURS.test(key) && uploaded.getTime() <= now - PENDING_DELETE.bytesOnTheWayMs,
  );
  const keys = old.map(({ key }) => key);
  const others =
    (keys.length > 0 && (await elsewhere?.([...new Set(keys.map(spaceOfKey))]))) || new Set<string>();
  const own = keys.filter((key) => !others.has(spaceOfKey(key)));
  const unclaimed = own.length > 0 ? await unclaimedOf(db, own) : [];
  if (unclaimed.length > 0)
    log({ event: "objects-without-row", count: unclaimed.length, first: unclaimed.slice(0, 10) });
  await removeStrayPages(tools, page.objects, elsewhere);
  await noteUnclaimed(db, unclaimed, page.truncated ? (page.objects.at(-1)?.key ?? "") : "", now);
  return unclaimed.length;
}

/** Removes pages of backups that have no row: the database was set back, or a run stored one that was given up meanwhile. */
async function removeStrayPages(
  { db, bucket, now, permit, log }: RestoreTools,
  objects: readonly R2Object[],
  elsewhere?: (spaceIds: string[]) => Promise<Set<string>>,
): Promise<void> {
  if (permit.mayDelete !== true) return;
  const pages = objects.flatMap(({ key, uploaded }) => {
    const [, spaceId, backupId] = IS_BACKUP.exec(key) ?? [];
    const isOld = uploaded.getTime() <= now - BACKUP.straysKeptMs;
    return spaceId !== undefined && backupId !== undefined && isOld ? [{ key, spaceId, backupId }] : [];
  });
  if (pages.length === 0) return;
  const others = (await elsewhere?.([...new Set(pages.map(({ spaceId }) => spaceId))])) ?? new Set<string>();
  const own = pages.filter(({ spaceId }) => !others.has(spaceId));
  const gone = new Set(await withoutBackup(db, [...new Set(own.map(({ backupId }) => backupId))]));
  const strays = own.filter(({ backupId }) => gone.has(backupId)).map(({ key }) => key);
  if (strays.length === 0) return;
  log({ event: "backup-pages-without-row", count: strays.length, first: strays.slice(0, 10) });
  await bucket.delete(strays);
}

/** Keys of pages of backups: `backups/{spaceId}/{backupId}/{part}.ndjson`, and `{part}-{attempt}.ndjson`. */
const IS_BACKUP = /^backups\/([0-9A-Z]{26})\/([0-9A-Z]{26})\//;

/** Keys of masters, variants and parts of uploads: `{kind}/{spaceId}/…`. */
const IS_OURS = /^[mvu]\/[0-9A-Z]{26}\//;
const spaceOfKey = (key: string): string => key.split("/")[1] ?? "";
