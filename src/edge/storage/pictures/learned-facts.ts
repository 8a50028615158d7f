/** Stores the facts that a build found out about a master whose frames had not been counted (RULES 6.3). */
import { sql } from "drizzle-orm";
import type { LearnedFacts } from "../../../image/protocol/build.ts";
import type { MasterAddress } from "../../../image/model/variant.ts";
import { batchSql, database } from "../database/database.ts";

/**
 * Updates the master's facts, which decide the media object and all later requests, and the columns of the media row
 * that repeat them for lists. Facts that the probe has counted stay.
 */
export async function learnFacts(
  d1: D1Database,
  { spaceId, mediaId, version }: MasterAddress,
  { frames, animated }: LearnedFacts,
): Promise<void> {
  const isUncounted = sql`space_id = ${spaceId} AND media_id = ${mediaId} AND version = ${version}
    AND json_extract(facts, '$.frames') IS NULL`;
  const learned = sql`json_set(facts, '$.frames', ${frames}, '$.animated', json(${String(animated)}))`;
  await batchSql(database(d1), [
    // First, because it reads from the master whether frames were counted.
    sql`UPDATE media SET animated = ${animated ? 1 : 0}
      WHERE space_id = ${spaceId} AND id = ${mediaId} AND master_version = ${version} AND EXISTS (SELECT 1 FROM masters WHERE ${isUncounted})`,
    sql`UPDATE masters SET facts = ${learned} WHERE ${isUncounted}`,
    sql`UPDATE remotes SET facts = ${learned}
      WHERE space_id = ${spaceId} AND id = ${mediaId} AND version = ${version} AND json_extract(facts, '$.frames') IS NULL`,
  ]);
}
