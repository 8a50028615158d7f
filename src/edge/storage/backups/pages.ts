/** The pages of backups in D1 (RULES 18.7, 18.8): noted with the masters that they name, or made anew. */
import { sql, type SQL } from "drizzle-orm";
import { batchSql, type Database } from "../database/database.ts";
import { int } from "../records/index-parts.ts";
import type { BackupRow } from "./backups.ts";

/** Returns the attempt at a page that counts: 0 for one that was never made anew. */
export const attemptAt = ({ remade }: Pick<BackupRow, "remade">, part: number): number =>
  (JSON.parse(remade) as Record<string, number>)[part] ?? 0;

const remadePath = (part: number): string => `$."${part}"`;

/** Returns the condition that a backup still waits for its next page, in the attempt that a run has read. */
function waitsFor(backup: Pick<BackupRow, "id" | "parts" | "remade">): SQL {
  const { id, parts } = backup;
  const attempt = attemptAt(backup, parts + 1);
  return sql`id = ${id} AND state = 'working' AND parts = ${int(parts)}
    AND coalesce(remade ->> ${remadePath(parts + 1)}, 0) = ${int(attempt)}`;
}

/**
 * Gives up an attempt at the next page of a backup, unless another run has noted the page or given the attempt up. The
 * attempt is never noted from then on, so its object may be removed whenever a run comes to it.
 */
export async function giveUpAttempt(db: Database, backup: BackupRow): Promise<void> {
  const part = backup.parts + 1;
  await db.run(sql`UPDATE backups SET remade = json_set(remade, ${remadePath(part)}, ${int(attemptAt(backup, part) + 1)})
    WHERE ${waitsFor(backup)}`);
}

/** A master that a page names. */
export interface NamedMaster {
  id: string;
  masterVersion: number;
}

/** A page that is stored. */
export interface StoredPage {
  lines: number;
  bytes: number;
  masters: readonly NamedMaster[];
  /** Where the next page begins; null if this is the last one. */
  cursor: string | null;
}

const namedBy = (masters: readonly NamedMaster[]): SQL => sql`(SELECT value ->> 0, value ->> 1 FROM json_each(
  ${JSON.stringify(masters.map((one) => [one.id, one.masterVersion]))}))`;

/** Returns a query of the masters that kept backups claim as another file than the one that is stored now. */
const claimedOtherwise = (spaceId: string, masters: readonly NamedMaster[]): SQL => sql`
  SELECT b.media_id AS id, b.version AS masterVersion FROM backup_masters b
    JOIN masters m ON m.space_id = b.space_id AND m.media_id = b.media_id AND m.version = b.version
  WHERE b.space_id = ${spaceId} AND (b.media_id, b.version) IN ${namedBy(masters)} AND b.file <> m.file`;

/** Returns a master of a page that a kept backup claims as another file, so that the page cannot be noted; null for none. */
export async function masterClaimedOtherwise(
  db: Database,
  spaceId: string,
  masters: readonly NamedMaster[],
): Promise<NamedMaster | null> {
  const [found] = await db.all<NamedMaster>(sql`${claimedOtherwise(spaceId, masters)} LIMIT 1`);
  return found ?? null;
}

/**
 * Claims the masters of a page and notes the page, in one batch. The page is not noted if a master has been removed since
 * its lines were read, because its bytes may be removed too, nor if a kept backup claims a master as another file.
 * @param keep backups of the space that stay beside older ones
 * @returns whether it was noted
 */
export async function notePage(
  db: Database,
  backup: BackupRow,
  page: StoredPage,
  { now, keep }: { now: number; keep: number },
): Promise<boolean> {
  const { id, spaceId } = backup;
  const named = namedBy(page.masters);
  const isWaiting = waitsFor(backup);
  const isLast = page.cursor === null;
  const [, noted = []] = await batchSql(db, [
    sql`INSERT INTO backup_masters (space_id, media_id, version, file, last_backup)
      SELECT space_id, media_id, version, file, ${id} FROM masters
      WHERE space_id = ${spaceId} AND (media_id, version) IN ${named}
        AND EXISTS (SELECT 1 FROM backups WHERE ${isWaiting})
      ON CONFLICT (space_id, media_id, version) DO UPDATE SET last_backup = max(last_backup, excluded.last_backup)
        WHERE file = excluded.file`,
    sql`UPDATE backups SET parts = parts + 1, lines = lines + ${int(page.lines)}, bytes = bytes + ${int(page.bytes)},
        masters = masters + ${int(page.masters.length)}, cursor = ${page.cursor}, reason = NULL
        ${isLast ? sql`, state = 'done', ended_at = ${now}` : sql``}
      WHERE ${isWaiting} AND (SELECT count(*) FROM backup_masters WHERE space_id = ${spaceId}
        AND (media_id, version) IN ${named} AND last_backup >= ${id}) = ${int(page.masters.length)}
        AND NOT EXISTS (${claimedOtherwise(spaceId, page.masters)})
      RETURNING id`,
    ...(isLast ? [markOld(spaceId, keep)] : []),
  ]);
  return noted.length > 0;
}

/** Returns the statement that gives up the backups of a space that are older than the newest `keep` whole ones. */
const markOld = (spaceId: string, keep: number): SQL => sql`
  UPDATE backups SET state = 'removing' WHERE space_id = ${spaceId} AND state IN ('done', 'failed')
    AND id < (SELECT id FROM backups WHERE space_id = ${spaceId} AND state = 'done'
      ORDER BY id DESC LIMIT 1 OFFSET ${int(keep - 1)})`;
