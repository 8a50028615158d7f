/** Counts for the usage route, in one D1 query. */
import { sql } from "drizzle-orm";
import type { Database } from "./database.ts";

export interface StoredUsage {
  records: { active: number; trashed: number };
  media: { active: number; trashed: number };
  masterBytes: number;
  variants: number;
}

interface UsageRow {
  activeRecords: number;
  trashedRecords: number;
  active: number;
  trashed: number;
  masterBytes: number;
  variants: number;
}

export async function readUsage(db: Database, spaceId: string, now: number): Promise<StoredUsage> {
  const row = await db.get<UsageRow>(sql`
    SELECT
      (SELECT coalesce(sum((SELECT count(*) FROM records r WHERE r.model_id = m.id AND r.deleted_at IS NULL)), 0)
        FROM models m WHERE m.space_id = ${spaceId}) AS activeRecords,
      (SELECT count(*) FROM records WHERE space_id = ${spaceId} AND deleted_at IS NOT NULL) AS trashedRecords,
      (SELECT count(*) FROM media WHERE space_id = ${spaceId} AND deleted_at IS NULL) AS active,
      (SELECT count(*) FROM media WHERE space_id = ${spaceId} AND deleted_at IS NOT NULL) AS trashed,
      (SELECT coalesce(sum(size_bytes), 0) FROM masters WHERE space_id = ${spaceId}) AS masterBytes,
      (SELECT count(*) FROM variants WHERE space_id = ${spaceId} AND expires_at > ${now}) AS variants`);
  const { active, trashed, masterBytes, variants } = row;
  return {
    records: { active: row.activeRecords, trashed: row.trashedRecords },
    media: { active, trashed },
    masterBytes,
    variants,
  };
}
