/** What spaces hold, from totals that triggers keep: one row per space, however much it holds. */
import { sql } from "drizzle-orm";
import { spaceTotals } from "../../../schema/tables.ts";
import type { Database } from "./database.ts";

export interface StoredUsage {
  records: { active: number; trashed: number };
  media: { active: number; trashed: number };
  masterBytes: number;
  /** Those that expired within the last minute are among them, until the sweep comes. */
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
}

/** Of all spaces together. */
export async function readStoredBytes(db: Database): Promise<StoredBytes> {
  return db.get<StoredBytes>(sql`
    SELECT coalesce(sum(master_bytes), 0) AS masterBytes, coalesce(sum(variant_bytes), 0) AS variantBytes
    FROM space_totals`);
}
