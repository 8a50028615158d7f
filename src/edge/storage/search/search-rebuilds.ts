/**
 * Indexes the words of a model's records anew after its searchable fields changed (RULES 3.15), and of everything after the
 * folding of texts has changed. It works in slices
 * while records are read and written. A write under the changed model indexes its own words, and slices skip that
 * record.
 */
import { desc, sql, type SQL } from "drizzle-orm";
import { searchRebuilds } from "../../../../schema/tables.ts";
import { FOLD_EDITION } from "../../../content/search/fold.ts";
import { foldedColumn } from "../../../content/search/folded-column.ts";
import { modelOf, valuesOf, type ModelRow } from "../../../content/model/model.ts";
import { CONTENT } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import { ALL_MEDIA, rebuildMediaSlice } from "./media-rebuild.ts";
import { int } from "../records/record-index.ts";
import { writeFolded } from "../records/write-folded.ts";

/** A statement for the batch of a model's change, which makes all its records due, published contents included. */
export const startRebuild = (modelId: number): SQL => sql`
  INSERT INTO search_rebuilds (model_id, after_id) VALUES (${int(modelId)}, ''), (${int(-modelId)}, '')
  ON CONFLICT (model_id) DO UPDATE SET after_id = ''`;

/** Makes the words of all models and media due, if they were made by an earlier edition of the folding. */
export async function renewFolding(db: Database, edition = FOLD_EDITION): Promise<void> {
  const isOld = sql`EXISTS (SELECT 1 FROM fold_edition WHERE edition < ${int(edition)})`;
  await batchSql(db, [
    sql`INSERT INTO search_rebuilds (model_id, after_id)
      SELECT id, '' FROM models WHERE ${isOld} UNION ALL SELECT -id, '' FROM models WHERE drafts AND ${isOld}
      UNION ALL SELECT ${int(ALL_MEDIA)}, '' WHERE ${isOld}
      ON CONFLICT (model_id) DO UPDATE SET after_id = ''`,
    sql`UPDATE fold_edition SET edition = ${int(edition)} WHERE edition < ${int(edition)}`,
  ]);
}

interface SliceRow {
  seq: number;
  id: string;
  version: number;
  data: string;
}

/** The records after the last finished one: as many as fit a slice, but at least one. */
const sliceOf = (modelId: number, afterId: string, limit: number): SQL => sql`
  WITH batch AS MATERIALIZED (SELECT seq, id, size_bytes FROM records
    WHERE model_id = ${int(modelId)} AND id > ${afterId} ORDER BY id LIMIT ${int(limit)}),
  measured AS (SELECT *, sum(size_bytes) OVER (ORDER BY id) - size_bytes AS before FROM batch)
  SELECT r.seq, r.id, r.version, r.data FROM measured b CROSS JOIN records r ON r.seq = b.seq
  WHERE b.before < ${int(CONTENT.foldedMaxBytes)} ORDER BY b.id`;

/**
 * Indexes the words of one slice of at most `limit` records, of `modelId` or of any model that is due.
 *
 * @returns "none" when nothing is due, "more" after a slice
 */
export async function rebuildSlice(
  db: Database,
  limit: number,
  modelId: number | null = null,
): Promise<"none" | "more"> {
  const ofModel = modelId === null ? sql`1` : sql`abs(model_id) = ${int(modelId)}`;
  const due = await db
    .select()
    .from(searchRebuilds)
    .where(ofModel)
    .orderBy(desc(searchRebuilds.modelId))
    .limit(1)
    .get();
  if (!due) return "none";
  if (due.modelId === ALL_MEDIA) return rebuildMediaSlice(db, due.afterId);
  const ofDue = sql`model_id = ${int(due.modelId)}`;
  const [models = [], slice = []] = await batchSql(db, [
    sql`SELECT id, type_model AS typeModel, name, version, title_field AS titleField, fields FROM models
      WHERE id = ${int(Math.abs(due.modelId))}`,
    sliceOf(due.modelId, due.afterId, limit),
  ]);
  const [row] = models as ModelRow[];
  const rows = slice as SliceRow[];
  const last = rows.at(-1);
  if (!row) {
    await db.delete(searchRebuilds).where(ofDue);
    return "more";
  }
  // A change of the model may start the work anew. What was read under the earlier model is not written then.
  const isCurrent = sql`EXISTS (SELECT 1 FROM models WHERE id = ${int(row.id)} AND version = ${int(row.version)})`;
  if (!last) {
    await db.delete(searchRebuilds).where(sql`${ofDue} AND after_id = ${due.afterId} AND ${isCurrent}`);
    return "more";
  }
  const model = modelOf(row);
  const folded = rows.map(({ seq, version, data }) => ({
    seq,
    version,
    folded: foldedColumn(model.fields, valuesOf(model, data)),
  }));
  await batchSql(db, [
    ...writeFolded(folded, isCurrent),
    sql`UPDATE search_rebuilds SET after_id = ${last.id} WHERE ${ofDue} AND ${isCurrent}`,
  ]);
  return "more";
}
