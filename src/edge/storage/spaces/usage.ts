/** The usage of spaces, from totals that triggers keep in one row per space. */
import { sql } from "drizzle-orm";
import { spaceTotals } from "../../../../schema/tables.ts";
import { prepareSql, type Database } from "../database/database.ts";
import { modelsInside, type Scopes } from "./scopes.ts";
import { standsHere } from "../shards/space-rows.ts";

export interface StoredUsage {
  records: { active: number; trashed: number };
  media: { active: number; trashed: number };
  masterBytes: number;
  /** The number of variants. Expired ones are included until the next sweep, which runs every minute. */
  variants: number;
  /** Pictures of other servers, and the bytes of their hidden masters. */
  remote: { pictures: number; bytes: number };
}

export async function readUsage(db: Database, spaceId: string): Promise<StoredUsage> {
  const row = await db
    .select()
    .from(spaceTotals)
    .where(sql`space_id = ${spaceId}`)
    .get();
  return {
    records: { active: row?.records ?? 0, trashed: row?.trashedRecords ?? 0 },
    media: { active: row?.media ?? 0, trashed: row?.trashedMedia ?? 0 },
    masterBytes: row?.masterBytes ?? 0,
    variants: row?.variants ?? 0,
    remote: { pictures: row?.remotePictures ?? 0, bytes: row?.remoteBytes ?? 0 },
  };
}

/**
 * Counts the records of a space in the models inside the scopes. It reads an index entry of each.
 * @returns the counts, and the rows that were read
 */
export async function countRecordsInside(
  db: Database,
  spaceId: string,
  scopes: Pick<Scopes, "models">,
): Promise<{ active: number; trashed: number; rowsRead: number }> {
  const { results, meta } = await prepareSql(
    db,
    sql`SELECT count(*) FILTER (WHERE r.deleted_at IS NULL) AS active,
        count(*) FILTER (WHERE r.deleted_at IS NOT NULL) AS trashed
      FROM models m CROSS JOIN records r ON r.model_id = m.id WHERE m.space_id = ${spaceId} AND ${modelsInside(scopes)}`,
  ).all<{ active: number; trashed: number }>();
  return { active: results[0]?.active ?? 0, trashed: results[0]?.trashed ?? 0, rowsRead: meta.rows_read };
}

export interface StoredBytes {
  masterBytes: number;
  variantBytes: number;
  remoteBytes: number;
  /** The size of the database itself. */
  databaseBytes: number;
}

/** Returns the stored bytes of all spaces of a database together, and its size, which D1 says with each answer. */
export async function readStoredBytes(db: Database): Promise<StoredBytes> {
  const statement = sql`
    SELECT coalesce(sum(master_bytes), 0) AS masterBytes, coalesce(sum(variant_bytes), 0) AS variantBytes,
      coalesce(sum(remote_bytes), 0) AS remoteBytes
    FROM space_totals WHERE ${standsHere(sql`space_id`)}`;
  const { results, meta } = await prepareSql(db, statement).all<Omit<StoredBytes, "databaseBytes">>();
  const { masterBytes = 0, variantBytes = 0, remoteBytes = 0 } = results[0] ?? {};
  return { masterBytes, variantBytes, remoteBytes, databaseBytes: meta.size_after };
}
