/** Folds the names of media anew after the folding of texts has changed, in slices in order of id. */
import { sql } from "drizzle-orm";
import { CONTENT } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import { altTextsIn, foldedNames, wordsOfMedia } from "../media/media-facts.ts";
import { int } from "../records/record-index.ts";
import { standsHere } from "../shards/space-rows.ts";

/** The number that stands for the media of all spaces in the table of rebuilds. No model has it. */
export const ALL_MEDIA = 0;

interface NamedItem {
  spaceId: string;
  id: string;
  masterVersion: number;
  filename: string;
  alt: string;
  /** The alt texts of the row, in JSON. */
  alts: string | null;
  creator: string | null;
  notice: string | null;
}

/** Folds the items after `afterId`, which is the space and the id of the last one, and notes the last one. A change of names meanwhile has folded its own. */
export async function rebuildMediaSlice(db: Database, afterId: string): Promise<"more"> {
  // An earlier version of the code noted places without a space: all items are folded anew.
  const [afterSpace = "", after = ""] = afterId.includes("/") ? afterId.split("/") : [];
  const rows = await db.all<NamedItem>(sql`
    SELECT m.space_id AS spaceId, m.id, m.master_version AS masterVersion, m.filename, m.alt, m.alts,
      ma.facts ->> '$.copyright.creator' AS creator, ma.facts ->> '$.copyright.notice' AS notice
    FROM media m
    LEFT JOIN masters ma ON ma.space_id = m.space_id AND ma.media_id = m.id AND ma.version = m.master_version
    WHERE (m.space_id, m.id) > (${afterSpace}, ${after}) AND ${standsHere(sql`m.space_id`)}
    ORDER BY m.space_id, m.id LIMIT ${int(CONTENT.searchSliceMedia)}`);
  const last = rows.at(-1);
  const isDue = sql`model_id = ${int(ALL_MEDIA)} AND after_id = ${afterId}`;
  if (!last) {
    await batchSql(db, [sql`DELETE FROM search_rebuilds WHERE ${isDue}`]);
    return "more";
  }
  const folded = rows.map((row) => {
    const alts = altTextsIn(row.alts);
    return {
      ...row,
      folded: foldedNames(row.filename, row.alt, alts),
      words: wordsOfMedia(row.filename, { alt: row.alt, alts }, row),
    };
  });
  await batchSql(db, [
    sql`UPDATE media SET folded = j.value ->> 'folded', words = j.value ->> 'words'
      FROM json_each(${JSON.stringify(folded)}) j
      WHERE media.space_id = j.value ->> 'spaceId' AND media.id = j.value ->> 'id'
        AND media.filename = j.value ->> 'filename' AND media.alt = j.value ->> 'alt' AND media.alts IS j.value ->> 'alts'
        AND media.master_version = j.value ->> 'masterVersion'
        AND (media.folded IS NOT j.value ->> 'folded' OR media.words IS NOT j.value ->> 'words')`,
    sql`UPDATE search_rebuilds SET after_id = ${`${last.spaceId}/${last.id}`} WHERE ${isDue}`,
  ]);
  return "more";
}
