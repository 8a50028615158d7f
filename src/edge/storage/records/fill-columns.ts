/** Fills columns that were added after their rows, in slices, from the content of each row when it was read. */
import { sql } from "drizzle-orm";
import type { MasterFacts } from "../../../image/model/facts.ts";
import { foldedColumn } from "../../../content/search/folded-column.ts";
import { modelOf, valuesOf } from "../../../content/model/model.ts";
import { CONTENT } from "../../../limits.ts";
import { batchSql, prepareSql, type Database } from "../database/database.ts";
import { foldedNames, listedFacts, wordsOfNames } from "../media/media-facts.ts";
import { int } from "./record-index.ts";
import { writeFolded } from "./write-folded.ts";

interface UnfoldedRow {
  seq: number;
  version: number;
  data: string;
  id: number | null;
  typeModel: "collections" | "pages";
  name: string;
  modelVersion: number;
  fields: string;
}

/** Folds the texts of at most `limit` records. A write folds the texts of its own record. @returns how many */
export async function foldRecords(db: Database, limit: number): Promise<number> {
  const rows = await db.all<UnfoldedRow>(sql`
    WITH batch AS MATERIALIZED (SELECT seq, size_bytes FROM records WHERE folded IS NULL LIMIT ${int(limit)}),
    measured AS (SELECT seq, sum(size_bytes) OVER (ORDER BY seq) - size_bytes AS before FROM batch)
    SELECT r.seq, r.version, r.data, m.id, m.type_model AS typeModel, m.name, m.version AS modelVersion, m.fields
    FROM measured b CROSS JOIN records r ON r.seq = b.seq LEFT JOIN models m ON m.id = abs(r.model_id)
    WHERE b.before < ${int(CONTENT.foldedMaxBytes)}`);
  if (rows.length === 0) return 0;
  const folded = rows.map(({ seq, version, data, id, typeModel, name, modelVersion, fields }) => {
    if (id === null) return { seq, version, folded: "{}" };
    const source = { id, typeModel, name, version: modelVersion, titleField: null, drafts: false, fields };
    const model = modelOf(source);
    return { seq, version, folded: foldedColumn(model.fields, valuesOf(model, data)) };
  });
  await batchSql(db, writeFolded(folded, sql`records.folded IS NULL`));
  return rows.length;
}

interface UndescribedRow {
  id: string;
  masterVersion: number;
  filename: string;
  alt: string;
  facts: string;
}

/** Fills the columns that lists of media filter and sort by, of at most `limit` items. @returns how many */
export async function describeMedia(db: Database, limit: number): Promise<number> {
  const rows = await db.all<UndescribedRow>(sql`
    SELECT m.id, m.master_version AS masterVersion, m.filename, m.alt, ma.facts
    FROM (SELECT * FROM media WHERE folded IS NULL LIMIT ${int(limit)}) m
    JOIN masters ma ON ma.media_id = m.id AND ma.version = m.master_version`);
  if (rows.length === 0) return 0;
  const described = rows.map(({ facts, ...row }) => ({
    ...row,
    ...listedFacts(JSON.parse(facts) as MasterFacts),
    folded: foldedNames(row.filename, row.alt),
  }));
  const fill = sql`UPDATE media SET mime = j.value ->> 'mime', width = j.value ->> 'width',
      height = j.value ->> 'height', animated = j.value ->> 'animated', folded = j.value ->> 'folded'
    FROM json_each(${JSON.stringify(described)}) j
    WHERE media.id = j.value ->> 'id' AND media.master_version = j.value ->> 'masterVersion'
      AND media.filename = j.value ->> 'filename' AND media.alt = j.value ->> 'alt' AND media.folded IS NULL`;
  await prepareSql(db, fill).run();
  return rows.length;
}

/** Fills the words by which media are searched, of at most `limit` items. @returns how many */
export async function wordMedia(db: Database, limit: number): Promise<number> {
  const rows = await db.all<Pick<UndescribedRow, "id" | "filename" | "alt">>(
    sql`SELECT id, filename, alt FROM media WHERE words IS NULL LIMIT ${int(limit)}`,
  );
  if (rows.length === 0) return 0;
  const worded = rows.map((row) => ({ ...row, words: wordsOfNames(row.filename, row.alt) }));
  const fill = sql`UPDATE media SET words = j.value ->> 'words' FROM json_each(${JSON.stringify(worded)}) j
    WHERE media.id = j.value ->> 'id' AND media.filename = j.value ->> 'filename'
      AND media.alt = j.value ->> 'alt' AND media.words IS NULL`;
  await prepareSql(db, fill).run();
  return rows.length;
}
