/** Reads media for an import, and changes those that it overwrites. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { masters, media } from "../../../../schema/tables.ts";
import { batchSql, type Database } from "../database/database.ts";
import { HAS_CHANGED } from "../events/events.ts";
import { mediaTag } from "../invalidation/tags.ts";
import { invalidationStatement } from "../invalidation/outbox.ts";
import { current, type MediaRow, type MediaWithMaster } from "../media/media.ts";

/** Finds media of a space by their ids, in the trash too. */
export async function mediaOf(
  db: Database,
  spaceId: string,
  ids: readonly string[],
): Promise<Map<string, MediaWithMaster>> {
  const isOne = sql`${media.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const rows = await db
    .select({ media, master: masters })
    .from(media)
    .innerJoin(masters, current)
    .where(and(eq(media.spaceId, spaceId), isOne));
  return new Map(rows.map((row) => [row.media.id, row]));
}

/**
 * Gives an item the names, the focal point, the times and the authors of a line, if any is another one, and invalidates
 * what the edge keeps of it.
 * @param event the event, which is written if the item was changed; null for none
 * @returns whether it was: false if another request has changed it since it was read
 */
export async function updateImported(
  db: Database,
  to: MediaRow,
  from: MediaRow,
  now: number,
  event: ((condition: SQL) => SQL) | null,
): Promise<boolean> {
  const values = {
    ...{ filename: to.filename, alt: to.alt, alts: to.alts, folded: to.folded, words: to.words },
    ...{ focal_x: to.focalX, focal_y: to.focalY, created_at: to.createdAt, updated_at: to.updatedAt },
    ...{ created_by: to.createdBy, updated_by: to.updatedBy },
    last_version: Math.max(from.lastVersion, to.lastVersion),
  };
  const columns = Object.entries(values).map(([name, value]) => ({ column: sql.raw(name), value }));
  const isOther = sql.join(
    columns.map(({ column, value }) => sql`${column} IS NOT ${value}`),
    sql` OR `,
  );
  const sets = sql.join(
    columns.map(({ column, value }) => sql`${column} = ${value}`),
    sql`, `,
  );
  const isIt = sql`space_id = ${to.spaceId} AND id = ${to.id} AND deleted_at IS NULL
    AND updated_at = ${from.updatedAt} AND last_version = ${from.lastVersion} AND (${isOther})`;
  const [, changed = []] = await batchSql(db, [
    invalidationStatement(sql`SELECT ${mediaTag(to.id)} FROM media WHERE ${isIt}`, "media", now),
    sql`UPDATE media SET ${sets} WHERE ${isIt} RETURNING 1`,
    ...(event ? [event(HAS_CHANGED)] : []),
  ]);
  return changed.length > 0;
}
