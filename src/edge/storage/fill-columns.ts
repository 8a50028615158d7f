/** Columns that came after their rows: filled in slices, of what the row held when it was read. */
import { sql } from "drizzle-orm";
import type { MasterFacts } from "../../image/model/facts.ts";
import { foldedTexts } from "../content-model/fold.ts";
import { modelOf, valuesOf } from "../content-model/model.ts";
import { CONTENT } from "../../limits.ts";
import { prepareSql, type Database } from "./database.ts";
import { foldedNames, listedFacts } from "./media-facts.ts";
import { int } from "./record-index.ts";

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

/** Folds the texts of records, `limit` at most. How many. A record that changes meanwhile is folded by its own write. */
export async function foldRecords(db: Database, limit: number): Promise<number> {
  const rows = await db.all<UnfoldedRow>(sql`
    WITH batch AS MATERIALIZED (SELECT seq, size_bytes FROM records WHERE folded IS NULL LIMIT ${int(limit)}),
    measured AS (SELECT seq, sum(size_bytes) OVER (ORDER BY seq) - size_bytes AS before FROM batch)
    SELECT r.seq, r.version, r.data, m.id, m.type_model AS typeModel, m.name, m.version AS modelVersion, m.fields
    FROM measured b CROSS JOIN records r ON r.seq = b.seq LEFT JOIN models m ON m.id = r.model_id
    WHERE b.before < ${int(CONTENT.foldedMaxBytes)}`);
  if (rows.length === 0) return 0;
  const folded = rows.map(({ seq, version, data, id, typeModel, name, modelVersion, fields }) => {
    if (id === null) return [seq, version, "{}"];
    const model = modelOf({ id, typeModel, name, version: modelVersion, titleField: null, fields });
    return [seq, version, foldedTexts(model.fields, valuesOf(model, data))];
  });
  const fill = sql`UPDATE records SET folded = j.value ->> 2 FROM json_each(${JSON.stringify(folded)}) j
    WHERE records.seq = j.value ->> 0 AND records.version = j.value ->> 1 AND records.folded IS NULL`;
  await prepareSql(db, fill).run();
  return rows.length;
}

interface UndescribedRow {
  id: string;
  masterVersion: number;
  filename: string;
  alt: string;
  facts: string;
}

/** Fills in what lists of media filter and sort by, `limit` at most. How many. */
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
