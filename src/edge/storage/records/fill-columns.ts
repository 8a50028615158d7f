/** Fills columns that were added after their rows, in slices, from the content of each row when it was read. */
import { sql } from "drizzle-orm";
import type { MasterFacts } from "../../../image/model/facts.ts";
import { foldedColumn } from "../../../content/search/folded-column.ts";
import { modelOf, valuesOf } from "../../../content/model/model.ts";
import type { TypeModel } from "../../../content/model/type-models.ts";
import { CONTENT } from "../../../limits.ts";
import { batchSql, prepareSql, type Database } from "../database/database.ts";
import { altTextsIn, foldedNames, listedFacts, wordsOfMedia } from "../media/media-facts.ts";
import { filledOf } from "./index-parts.ts";
import { int } from "./record-index.ts";
import { writeFolded } from "./write-folded.ts";
import { standsHere } from "../shards/space-rows.ts";

interface UnfoldedRow {
  seq: number;
  version: number;
  data: string;
  id: number | null;
  typeModel: TypeModel;
  name: string;
  modelVersion: number;
  fields: string;
  components: string;
}

/** Folds the texts of at most `limit` records. A write folds the texts of its own record. @returns how many */
export async function foldRecords(db: Database, limit: number): Promise<number> {
  const rows = await db.all<UnfoldedRow>(sql`
    WITH batch AS MATERIALIZED (SELECT seq, size_bytes FROM records WHERE folded IS NULL
      AND ${standsHere(sql`space_id`)} LIMIT ${int(limit)}),
    measured AS (SELECT seq, sum(size_bytes) OVER (ORDER BY seq) - size_bytes AS before FROM batch)
    SELECT r.seq, r.version, r.data, m.id, m.type_model AS typeModel, m.name, m.version AS modelVersion, m.fields,
      m.components
    FROM measured b CROSS JOIN records r ON r.seq = b.seq LEFT JOIN models m ON m.id = abs(r.model_id)
    WHERE b.before < ${int(CONTENT.foldedMaxBytes)}`);
  if (rows.length === 0) return 0;
  const folded = rows.map(({ seq, version, data, id, modelVersion, ...row }) => {
    if (id === null) return { seq, version, folded: "{}" };
    const source = { ...row, id, version: modelVersion, titleField: null, drafts: false };
    const model = modelOf(source);
    return { seq, version, folded: foldedColumn(model.fields, valuesOf(model, data)) };
  });
  await batchSql(db, writeFolded(folded, sql`records.folded IS NULL`));
  return rows.length;
}

interface UndescribedRow {
  spaceId: string;
  id: string;
  masterVersion: number;
  filename: string;
  alt: string;
  /** The alt texts of the row, in JSON. */
  alts: string | null;
  facts: string;
}

/** Fills the columns that lists of media filter and sort by, of at most `limit` items. @returns how many */
export async function describeMedia(db: Database, limit: number): Promise<number> {
  const rows = await db.all<UndescribedRow>(sql`
    SELECT m.space_id AS spaceId, m.id, m.master_version AS masterVersion, m.filename, m.alt, m.alts, ma.facts
    FROM (SELECT * FROM media WHERE folded IS NULL AND ${standsHere(sql`space_id`)} LIMIT ${int(limit)}) m
    JOIN masters ma ON ma.space_id = m.space_id AND ma.media_id = m.id AND ma.version = m.master_version`);
  if (rows.length === 0) return 0;
  const described = rows.map(({ facts, ...row }) => ({
    ...row,
    ...listedFacts(JSON.parse(facts) as MasterFacts),
    folded: foldedNames(row.filename, row.alt, altTextsIn(row.alts)),
  }));
  const fill = sql`UPDATE media SET mime = j.value ->> 'mime', width = j.value ->> 'width',
      height = j.value ->> 'height', animated = j.value ->> 'animated', folded = j.value ->> 'folded'
    FROM json_each(${JSON.stringify(described)}) j
    WHERE media.space_id = j.value ->> 'spaceId' AND media.id = j.value ->> 'id' AND media.master_version = j.value ->> 'masterVersion'
      AND media.filename = j.value ->> 'filename' AND media.alt = j.value ->> 'alt'
      AND media.alts IS j.value ->> 'alts' AND media.folded IS NULL`;
  await prepareSql(db, fill).run();
  return rows.length;
}

type UnwordedRow = Omit<UndescribedRow, "facts"> & Record<"creator" | "notice", string | null>;

/** Fills the words by which media are searched, of at most `limit` items. @returns how many */
export async function wordMedia(db: Database, limit: number): Promise<number> {
  const rows = await db.all<UnwordedRow>(sql`
    SELECT m.space_id AS spaceId, m.id, m.master_version AS masterVersion, m.filename, m.alt, m.alts,
      ma.facts ->> '$.copyright.creator' AS creator, ma.facts ->> '$.copyright.notice' AS notice
    FROM (SELECT * FROM media WHERE words IS NULL AND ${standsHere(sql`space_id`)} LIMIT ${int(limit)}) m
    LEFT JOIN masters ma ON ma.space_id = m.space_id AND ma.media_id = m.id AND ma.version = m.master_version`);
  if (rows.length === 0) return 0;
  const worded = rows.map((row) => {
    const texts = { alt: row.alt, alts: altTextsIn(row.alts) };
    return { ...row, words: wordsOfMedia(row.filename, texts, row) };
  });
  const fill = sql`UPDATE media SET words = j.value ->> 'words' FROM json_each(${JSON.stringify(worded)}) j
    WHERE media.space_id = j.value ->> 'spaceId' AND media.id = j.value ->> 'id'
      AND media.master_version = j.value ->> 'masterVersion' AND media.filename = j.value ->> 'filename'
      AND media.alt = j.value ->> 'alt' AND media.alts IS j.value ->> 'alts' AND media.words IS NULL`;
  await prepareSql(db, fill).run();
  return rows.length;
}

/**
 * Fills the columns by which lists find records without a value in a locale, of at most `limit` contents, and of one
 * at least. A trigger notes the locale with its record. @returns how many
 */
export async function fillSides(db: Database, limit: number): Promise<number> {
  const rows = await db.all(sql`
    UPDATE record_locales AS l SET filled = ${filledOf(sql`l.data`)} WHERE l.filled IS NULL AND (l.record, l.locale) IN
      (SELECT record, locale FROM (SELECT record, locale,
          sum(size_bytes) OVER (ROWS UNBOUNDED PRECEDING) - size_bytes AS before
        FROM (SELECT x.record, x.locale, x.size_bytes FROM record_locales x WHERE x.filled IS NULL
          AND ${standsHere(sql`(SELECT r.space_id FROM records r WHERE r.seq = x.record)`)} LIMIT ${int(limit)}))
        WHERE before < ${int(CONTENT.filledMaxBytes)})
    RETURNING 1`);
  return rows.length;
}
