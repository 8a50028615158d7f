/** Removes tokens that have ended by themselves. They are refused from that moment; the rows are only in the way. */
import { sql } from "drizzle-orm";
import { batchSql, type Database } from "../database/database.ts";
import { int } from "../records/record-index.ts";
import { standsHere } from "../shards/space-rows.ts";

/** Removes at most `limit` ended preview tokens, and as many sessions of each kind. @returns how many */
export async function removeEndedTokens(db: Database, now: number, limit: number): Promise<number> {
  const here = sql`AND ${standsHere(sql`space_id`)}`;
  const tables = [
    [sql.raw("preview_tokens"), here],
    [sql.raw("sessions"), here],
    [sql.raw("root_sessions"), sql``],
  ] as const;
  const removed = await batchSql(
    db,
    tables.map(
      ([table, isOwn]) => sql`DELETE FROM ${table} WHERE hash IN
        (SELECT hash FROM ${table} WHERE expires_at <= ${now} ${isOwn} LIMIT ${int(limit)}) RETURNING 1`,
    ),
  );
  return removed.reduce((sum, rows) => sum + rows.length, 0);
}
