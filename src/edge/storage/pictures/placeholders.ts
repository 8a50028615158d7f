/**
 * Masters without a placeholder. Their rows are the list of work; a queue needs to know only that there may be some. A
 * new version of a master is a new row, so it has no placeholder at first, and no late result can reach it.
 */
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { masters } from "../../../../schema/tables.ts";
import { CENTRE } from "../../../image/geometry/focal-point.ts";
import type { Described } from "../../../image/protocol/placeholder.ts";
import type { MasterAddress } from "../../../image/model/variant.ts";
import { batchSql, database, type Database } from "../database/database.ts";
import { mediaTag } from "../invalidation/tags.ts";
import { invalidationStatement } from "../invalidation/outbox.ts";

export interface BareMaster extends MasterAddress {
  file: string;
  sizeBytes: number;
  /** MasterFacts as JSON. */
  facts: string;
  /** Number of tries, this one included. */
  tries: number;
}

/** The condition for present masters that may be tried. It has the text of the partial index's condition. */
const IS_BARE = `ma.placeholder_tries IS NOT NULL AND ma.purge_at IS NULL`;
const IS_OFFERED = `EXISTS (SELECT 1 FROM media m
  WHERE m.space_id = ma.space_id AND m.id = ma.media_id AND m.master_version = ma.version AND m.deleted_at IS NULL)`;

/** Takes the space's next master, least tried and then newest first, and counts the try; null when there is none. */
export async function claimBareMaster(db: D1Database, spaceId: string): Promise<BareMaster | null> {
  const row = await db
    .prepare(
      `UPDATE masters SET placeholder_tries = placeholder_tries + 1
       WHERE (space_id, media_id, version) = (
         SELECT ma.space_id, ma.media_id, ma.version FROM masters ma
         WHERE ma.space_id = ?1 AND ${IS_BARE} AND ${IS_OFFERED}
         ORDER BY ma.placeholder_tries, ma.media_id DESC LIMIT 1)
       RETURNING media_id AS mediaId, version, file, size_bytes AS sizeBytes, facts, placeholder_tries AS tries`,
    )
    .bind(spaceId)
    .first<Omit<BareMaster, "spaceId">>();
  return row && { ...row, spaceId };
}

/**
 * Writes the placeholder and the suggested focal point, or null when there cannot be any: the result of an earlier try
 * at this version stays then. There will be no other try. Where crops follow the suggested point, copies are
 * invalidated.
 */
export async function settlePlaceholder(
  db: D1Database,
  { spaceId, mediaId, version }: MasterAddress,
  described: Described | null,
  now: number,
): Promise<void> {
  const { thumbHash = null, dominantColor = null } = described?.placeholder ?? {};
  const { x = null, y = null } = described?.focalPoint ?? {};
  const isIt = sql`ma.space_id = ${spaceId} AND ma.media_id = ${mediaId} AND ma.version = ${version}
    AND ma.placeholder_tries IS NOT NULL`;
  const movesCrops = sql`${x} IS NOT NULL AND m.focal_x IS NULL AND s.suggest_focal_point
    AND (${x}, ${y}) <> (coalesce(ma.suggested_focal_x, ${CENTRE.x}), coalesce(ma.suggested_focal_y, ${CENTRE.y}))`;
  await batchSql(database(db), [
    // First, as it compares with what was there before.
    invalidationStatement(
      sql`SELECT ${mediaTag(mediaId)} FROM masters ma
        JOIN media m ON m.space_id = ma.space_id AND m.id = ma.media_id AND m.master_version = ma.version AND m.deleted_at IS NULL
        JOIN spaces s ON s.id = ma.space_id WHERE ${isIt} AND ${movesCrops}`,
      "media",
      now,
    ),
    sql`UPDATE masters AS ma SET placeholder_tries = NULL,
        thumb_hash = coalesce(${thumbHash}, ma.thumb_hash), dominant_color = coalesce(${dominantColor}, ma.dominant_color),
        suggested_focal_x = coalesce(${x}, ma.suggested_focal_x), suggested_focal_y = coalesce(${y}, ma.suggested_focal_y)
      WHERE ${isIt}`,
  ]);
}

/**
 * Returns the query for the batch that has a space suggest focal points: masters that got their placeholder before
 * there were any are looked at again. They keep the placeholder meanwhile.
 */
export const lookAgainQuery = (db: Database, spaceId: string) =>
  db
    .update(masters)
    .set({ placeholderTries: 0 })
    .where(
      and(
        eq(masters.spaceId, spaceId),
        isNull(masters.purgeAt),
        isNull(masters.placeholderTries),
        isNotNull(masters.thumbHash),
        isNull(masters.suggestedFocalX),
      ),
    );

/** Takes back a try that failed for a reason that is not the master's. */
export async function uncountTry(
  db: D1Database,
  { spaceId, mediaId, version }: MasterAddress,
): Promise<void> {
  await db
    .prepare(
      `UPDATE masters SET placeholder_tries = placeholder_tries - 1
       WHERE space_id = ?3 AND media_id = ?1 AND version = ?2 AND placeholder_tries > 0`,
    )
    .bind(mediaId, version, spaceId)
    .run();
}

/**
 * Returns at most `spacesMax` spaces that have masters without a placeholder. The query jumps from one space to the
 * next by the index, so its cost depends on the number of spaces, not on the number of masters.
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
