/**
 * Masters without a placeholder. Their rows are the list of what is to be done: a queue only has to know that it is
 * worth looking. A new version of a master is a new row, so it begins without, and no late result can reach it.
 */
import { sql } from "drizzle-orm";
import type { Placeholder } from "../../image/protocol/placeholder.ts";
import type { MasterAddress } from "../../image/model/variant.ts";
import type { Database } from "./database.ts";

export interface BareMaster extends MasterAddress {
  file: string;
  sizeBytes: number;
  /** MasterFacts as JSON. */
  facts: string;
  /** This one included. */
  tries: number;
}

/** Offered, and worth a try. Written as the partial index is. */
const IS_BARE = `ma.placeholder_tries IS NOT NULL AND ma.purge_at IS NULL`;
const IS_OFFERED = `EXISTS (SELECT 1 FROM media m
  WHERE m.id = ma.media_id AND m.master_version = ma.version AND m.deleted_at IS NULL)`;

/** The space's next one, the least tried and then the newest first, with its try counted; null when there is none. */
export async function claimBareMaster(db: D1Database, spaceId: string): Promise<BareMaster | null> {
  const row = await db
    .prepare(
      `UPDATE masters SET placeholder_tries = placeholder_tries + 1
       WHERE (media_id, version) = (
         SELECT ma.media_id, ma.version FROM masters ma
         WHERE ma.space_id = ?1 AND ${IS_BARE} AND ${IS_OFFERED}
         ORDER BY ma.placeholder_tries, ma.media_id DESC LIMIT 1)
       RETURNING media_id AS mediaId, version, file, size_bytes AS sizeBytes, facts, placeholder_tries AS tries`,
    )
    .bind(spaceId)
    .first<Omit<BareMaster, "spaceId">>();
  return row && { ...row, spaceId };
}

/** Writes the placeholder, or null when there cannot be one. There will be no other try at this version. */
export async function settlePlaceholder(
  db: D1Database,
  { mediaId, version }: MasterAddress,
  placeholder: Placeholder | null,
): Promise<void> {
  await db
    .prepare(
      `UPDATE masters SET thumb_hash = ?3, dominant_color = ?4, placeholder_tries = NULL
       WHERE media_id = ?1 AND version = ?2 AND placeholder_tries IS NOT NULL`,
    )
    .bind(mediaId, version, placeholder?.thumbHash ?? null, placeholder?.dominantColor ?? null)
    .run();
}

/** Takes a try back that told nothing of the master. */
export async function uncountTry(db: D1Database, { mediaId, version }: MasterAddress): Promise<void> {
  await db
    .prepare(
      `UPDATE masters SET placeholder_tries = placeholder_tries - 1
       WHERE media_id = ?1 AND version = ?2 AND placeholder_tries > 0`,
    )
    .bind(mediaId, version)
    .run();
}

/**
 * At most `spacesMax` spaces that have masters without a placeholder. From one space to the next by the index: what
 * it costs follows the spaces, and one with a great many masters hides no other.
 */
export async function spacesWithBareMasters(db: Database, spacesMax: number): Promise<string[]> {
  const bare = sql.raw(IS_BARE);
  const rows = await db.all<{ spaceId: string }>(sql`
    WITH RECURSIVE bare(space_id) AS (
      SELECT min(ma.space_id) FROM masters ma WHERE ${bare}
      UNION ALL
      SELECT (SELECT ma.space_id FROM masters ma
        WHERE ${bare} AND ma.space_id > bare.space_id ORDER BY ma.space_id LIMIT 1)
      FROM bare WHERE bare.space_id IS NOT NULL)
    SELECT s.id AS spaceId FROM bare JOIN spaces s ON s.id = bare.space_id AND s.removed_at IS NULL
    WHERE EXISTS (SELECT 1 FROM masters ma
      WHERE ma.space_id = s.id AND ${bare} AND ${sql.raw(IS_OFFERED)})
    LIMIT ${spacesMax}`);
  return rows.map(({ spaceId }) => spaceId);
}
