/**
 * Masters that were stored before their files were inspected: their rows are the list of work. A new version of a master
 * is a new row, so no late result can reach it.
 */
import { sql, type SQL } from "drizzle-orm";
import type { InspectedFacts } from "../../../image/model/facts.ts";
import { masterKey, type MasterAddress } from "../../../image/model/variant.ts";
import { batchSql, type Database } from "../database/database.ts";
import { int } from "../records/record-index.ts";
import { standsHere } from "../shards/space-rows.ts";
import { withRights, wordsOfRights } from "./media-facts.ts";

export interface UninspectedMaster extends MasterAddress {
  key: string;
  /** MasterFacts as JSON. */
  facts: string;
  /** Number of tries, this one included. */
  tries: number;
}

type Row = Omit<UninspectedMaster, "key"> & { file: string };

/** Takes at most `limit` masters, the least tried and then the newest first, and counts the try. */
export async function claimUninspected(db: Database, limit: number): Promise<UninspectedMaster[]> {
  const rows = await db.all<Row>(sql`
    UPDATE masters SET inspection_tries = inspection_tries + 1
    WHERE (space_id, media_id, version) IN (
      SELECT space_id, media_id, version FROM masters
      WHERE inspection_tries IS NOT NULL AND purge_at IS NULL AND ${standsHere(sql`space_id`)}
      ORDER BY inspection_tries, media_id DESC LIMIT ${int(limit)})
    RETURNING space_id AS spaceId, media_id AS mediaId, version, file, facts, inspection_tries AS tries`);
  return rows.map(({ file, ...row }) => ({ ...row, key: masterKey(row, file) }));
}

export interface Inspected extends MasterAddress {
  /** Empty for a file that states nothing, and for one that cannot be read. */
  found: InspectedFacts;
}

/** Returns `facts` with one of the found facts, if there is one. A patch by json_patch would lose the nulls in it. */
const withFound = (name: keyof InspectedFacts, facts: SQL): SQL => {
  const value = sql`(j.value -> ${`$.found.${name}`})`;
  return sql`CASE WHEN ${value} IS NULL THEN ${facts} ELSE json_set(${facts}, ${`$.${name}`}, json(${value})) END`;
};

/**
 * Writes what was found, and the words by which the media items are searched. There will be no other try. Variants get
 * new names by it; copies of the old ones are left to expire, because they show the same pictures.
 */
export async function settleInspections(db: Database, inspected: readonly Inspected[]): Promise<void> {
  if (inspected.length === 0) return;
  const list = JSON.stringify(
    inspected.map(({ found, ...at }) => ({ ...at, found, words: wordsOfRights(found.copyright) })),
  );
  const isIt = sql`masters.space_id = j.value ->> 'spaceId' AND masters.media_id = j.value ->> 'mediaId'
    AND masters.version = j.value ->> 'version'`;
  await batchSql(db, [
    sql`UPDATE media SET words = ${withRights(sql`media.words`, sql`(j.value ->> 'words')`)}
      FROM json_each(${list}) j
      WHERE media.space_id = j.value ->> 'spaceId' AND media.id = j.value ->> 'mediaId'
        AND media.master_version = j.value ->> 'version'
        AND j.value ->> 'words' <> ''
        AND EXISTS (SELECT 1 FROM masters WHERE ${isIt} AND masters.inspection_tries IS NOT NULL)`,
    sql`UPDATE masters SET inspection_tries = NULL, facts = ${withFound("wide", withFound("copyright", sql`masters.facts`))}
      FROM json_each(${list}) j WHERE ${isIt} AND masters.inspection_tries IS NOT NULL`,
  ]);
}
