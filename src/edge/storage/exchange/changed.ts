/** Finds what was written in a space while an export was read. */
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { int } from "../records/record-index.ts";

/** Returns the number of the last event of a database. */
export async function lastEvent(db: Database): Promise<number> {
  return (await db.get<{ no: number }>(sql`SELECT coalesce(max(no), 0) AS no FROM events`)).no;
}

/**
 * Returns the ids of records, media and models that were written since an export began: after the event `no`, or, in a
 * space that was moved to another database meanwhile, after the time.
 */
export async function changedSince(
  db: Database,
  spaceId: string,
  { no, startedAt }: { no: number; startedAt: number },
): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`
    SELECT DISTINCT CASE target_kind WHEN 'model' THEN coalesce(target_model, target_id) ELSE target_id END AS id
    FROM events WHERE space_id = ${spaceId} AND (no > ${int(no)} OR at > ${int(startedAt)})
      AND target_kind IN ('record', 'media', 'model') AND hour IS NULL
    UNION SELECT j.value FROM events e, json_each(e.facts, '$.ids') j
    WHERE e.space_id = ${spaceId} AND (e.no > ${int(no)} OR e.at > ${int(startedAt)})
      AND e.target_kind = 'import' AND e.hour IS NULL ORDER BY id`);
  return rows.map(({ id }) => id);
}
