/** Folds the names of media anew after the folding of texts has changed, in slices in order of id. */
import { sql } from "drizzle-orm";
import { CONTENT } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import { foldedNames, wordsOfNames } from "../media/media-facts.ts";
import { int } from "../records/record-index.ts";

/** The number that stands for the media of all spaces in the table of rebuilds. No model has it. */
export const ALL_MEDIA = 0;

interface NamedItem {
  id: string;
  filename: string;
  alt: string;
}

/** Folds the items after `afterId`, and notes the last one. A change of names meanwhile has folded its own. */
export async function rebuildMediaSlice(db: Database, afterId: string): Promise<"more"> {
  const rows = await db.all<NamedItem>(sql`SELECT id, filename, alt FROM media WHERE id > ${afterId}
    ORDER BY id LIMIT ${int(CONTENT.searchSliceMedia)}`);
  const last = rows.at(-1);
  const isDue = sql`model_id = ${int(ALL_MEDIA)} AND after_id = ${afterId}`;
  if (!last) {
    await batchSql(db, [sql`DELETE FROM search_rebuilds WHERE ${isDue}`]);
    return "more";
  }
  const folded = rows.map((row) => ({
    ...row,
    folded: foldedNames(row.filename, row.alt),
    words: wordsOfNames(row.filename, row.alt),
  }));
  await batchSql(db, [
    sql`UPDATE media SET folded = j.value ->> 'folded', words = j.value ->> 'words'
      FROM json_each(${JSON.stringify(folded)}) j
      WHERE media.id = j.value ->> 'id' AND media.filename = j.value ->> 'filename' AND media.alt = j.value ->> 'alt'
        AND (media.folded IS NOT j.value ->> 'folded' OR media.words IS NOT j.value ->> 'words')`,
    sql`UPDATE search_rebuilds SET after_id = ${last.id} WHERE ${isDue}`,
  ]);
  return "more";
}
