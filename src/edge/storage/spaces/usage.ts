/** The usage of spaces, from totals that triggers keep in one row per space. */
import { sql } from "drizzle-orm";
import { spaceTotals } from "../../../../schema/tables.ts";
import { prepareSql, type Database } from "../database/database.ts";

export interface StoredUsage {
  records: { active: number; trashed: number };
  media: { active: number; trashed: number };
  masterBytes: number;
  /** The number of variants. Expired ones are included until the next sweep, which runs every minute. */
  variants: number;
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
  };
}

export interface StoredBytes {
  masterBytes: number;
  variantBytes: number;
  /** The size of the database itself. */
  databaseBytes: number;
}

/** Returns the stored bytes of all spaces of a database together, and its size, which D1 says with each answer. */
export async function readStoredBytes(db: Database): Promise<StoredBytes> {
  const statement = sql`
    SELECT coalesce(sum(master_bytes), 0) AS masterBytes, coalesce(sum(variant_bytes), 0) AS variantBytes
    FROM space_totals`;
  const { results, meta } = await prepareSql(db, statement).all<Omit<StoredBytes, "databaseBytes">>();
  const { masterBytes = 0, variantBytes = 0 } = results[0] ?? {};
  return { masterBytes, variantBytes, databaseBytes: meta.size_after };
}
