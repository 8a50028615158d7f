/**
 * Masters whose presets are to be built ahead (RULES 9.7). They are marked in D1. The mark is removed after a queue has
 * stored what it is to build, so that a crash in between loses nothing.
 */
import { and, eq, isNull, sql } from "drizzle-orm";
import { masters, media, spaces } from "../../../../schema/tables.ts";
import type { ExtrasSettings } from "../../../image/model/extras.ts";
import type { MasterFacts } from "../../../image/model/facts.ts";
import type { MasterAddress, Quality } from "../../../image/model/variant.ts";
import type { Database } from "../database/database.ts";

export interface MasterToPrebuild extends MasterAddress, ExtrasSettings {
  file: string;
  sizeBytes: number;
  facts: MasterFacts;
  /** The quality of preset links (RULES 2.2). */
  quality: Quality;
  /** False when it is not the present master any more, or the space's settings say that nothing is built ahead. */
  isWanted: boolean;
}

const isMarked = sql`${masters.isToPrebuild} = 1`;

/** Returns the space's next marked master, in the order of upload; null when there is none. */
export async function nextToPrebuild(db: Database, spaceId: string): Promise<MasterToPrebuild | null> {
  const row = await db
    .select({
      mediaId: masters.mediaId,
      version: masters.version,
      file: masters.file,
      sizeBytes: masters.sizeBytes,
      facts: masters.facts,
      compression: spaces.compression,
      quality: spaces.quality,
      prebuild: spaces.prebuild,
      metadata: spaces.metadata,
      gamut: spaces.gamut,
      offered: media.id,
    })
    .from(masters)
    .innerJoin(spaces, eq(spaces.id, masters.spaceId))
    .leftJoin(
      media,
      and(
        eq(media.spaceId, masters.spaceId),
        eq(media.id, masters.mediaId),
        eq(media.masterVersion, masters.version),
        isNull(media.deletedAt),
      ),
    )
    .where(and(eq(masters.spaceId, spaceId), isMarked))
    .orderBy(masters.mediaId)
    .limit(1)
    .get();
  if (!row) return null;
  const { mediaId, version, file, sizeBytes, facts, compression, quality, prebuild, offered } = row;
  const { metadata, gamut } = row;
  return {
    ...{ spaceId, mediaId, version, file, sizeBytes, metadata, gamut },
    facts: JSON.parse(facts) as MasterFacts,
    quality: compression ? (quality as Quality) : 100,
    isWanted: offered !== null && prebuild === "presets",
  };
}

/** Removes the mark. */
export async function settlePrebuild(
  db: Database,
  { spaceId, mediaId, version }: MasterAddress,
): Promise<void> {
  await db
    .update(masters)
    .set({ isToPrebuild: false })
    .where(and(eq(masters.spaceId, spaceId), eq(masters.mediaId, mediaId), eq(masters.version, version)));
}

/**
 * Returns at most `spacesMax` spaces that have marked masters. The query jumps from one space to the next by the index.
 */
export async function spacesToPrebuild(db: Database, spacesMax: number): Promise<string[]> {
  const rows = await db.all<{ spaceId: string }>(sql`
    WITH RECURSIVE marked(space_id) AS (
      SELECT min(ma.space_id) FROM masters ma WHERE ma.is_to_prebuild = 1
      UNION ALL
      SELECT (SELECT ma.space_id FROM masters ma
        WHERE ma.is_to_prebuild = 1 AND ma.space_id > marked.space_id ORDER BY ma.space_id LIMIT 1)
      FROM marked WHERE marked.space_id IS NOT NULL)
    SELECT s.id AS spaceId FROM marked JOIN spaces s ON s.id = marked.space_id AND s.removed_at IS NULL
    LIMIT ${spacesMax}`);
  return rows.map(({ spaceId }) => spaceId);
}
