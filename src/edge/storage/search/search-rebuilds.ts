/**
 * Indexes the words of a model's records anew after its searchable fields have changed (RULES 3.15), and all words
 * after the folding of texts has changed. It works in slices while records are read and written. A write under the
 * changed model indexes its own words, and slices skip that record.
 */
import { desc, sql, type SQL } from "drizzle-orm";
import { searchRebuilds } from "../../../../schema/tables.ts";
import { FOLD_EDITION } from "../../../content/search/fold.ts";
import { foldedColumn } from "../../../content/search/folded-column.ts";
import { isSearchable } from "../../../content/field-types/fields.ts";
import { fieldIn, isLocalized } from "../../../content/model/localized-model.ts";
import { modelOf, valuesOf, type Model, type ModelRow } from "../../../content/model/model.ts";
import { CONTENT, SLICE } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import { ALL_MEDIA, rebuildMediaSlice } from "./media-rebuild.ts";
import { int } from "../records/record-index.ts";
import { writeFolded } from "../records/write-folded.ts";
import { modelStandsHere, standsHere } from "../shards/space-rows.ts";

/**
 * Returns a statement for the batch of a model's change, which makes all its records due, published contents included.
 */
export const startRebuild = (modelId: number): SQL => sql`
  INSERT INTO search_rebuilds (model_id, after_id) VALUES (${int(modelId)}, ''), (${int(-modelId)}, '')
  ON CONFLICT (model_id) DO UPDATE SET after_id = ''`;

/** The number that stands for all models in the table of rebuilds, while they are made due. No model has it. */
const ALL_MODELS = 2 ** 52;

/** Makes the words of all models and media due, if they were made by an earlier edition of the folding. */
export async function renewFolding(db: Database, edition = FOLD_EDITION): Promise<void> {
  const isOld = sql`EXISTS (SELECT 1 FROM fold_edition WHERE edition < ${int(edition)})`;
  await batchSql(db, [
    sql`INSERT INTO search_rebuilds (model_id, after_id)
      SELECT ${int(ALL_MODELS)}, '' WHERE ${isOld} UNION ALL SELECT ${int(ALL_MEDIA)}, '' WHERE ${isOld}
      ON CONFLICT (model_id) DO UPDATE SET after_id = ''`,
    sql`UPDATE fold_edition SET edition = ${int(edition)} WHERE edition < ${int(edition)}`,
  ]);
}

/** Makes the next models due, after the one whose number is `afterId`. */
async function announceModels(db: Database, afterId: string): Promise<"more"> {
  const slice = sql`SELECT id, drafts FROM models WHERE id > ${int(Number(afterId))}
    AND ${standsHere(sql`space_id`)} ORDER BY id LIMIT ${int(SLICE.rows)}`;
  const isHere = sql`model_id = ${int(ALL_MODELS)} AND after_id = ${afterId}`;
  const isDue = sql`EXISTS (SELECT 1 FROM search_rebuilds WHERE ${isHere})`;
  await batchSql(db, [
    sql`INSERT INTO search_rebuilds (model_id, after_id)
      SELECT id, '' FROM (${slice}) WHERE ${isDue} UNION ALL SELECT -id, '' FROM (${slice}) WHERE drafts AND ${isDue}
      ON CONFLICT (model_id) DO UPDATE SET after_id = ''`,
    sql`DELETE FROM search_rebuilds WHERE ${isHere} AND (SELECT count(*) FROM (${slice})) < ${int(SLICE.rows)}`,
    sql`UPDATE search_rebuilds SET after_id = (SELECT max(id) FROM (${slice})) WHERE ${isHere}`,
  ]);
  return "more";
}

interface SliceRow {
  seq: number;
  id: string;
  version: number;
  data: string;
}

/** Returns the records after the last finished one: as many as fit a slice, but at least one. */
const sliceOf = (modelId: number, afterId: string, limit: number): SQL => sql`
  WITH batch AS MATERIALIZED (SELECT seq, id, size_bytes FROM records
    WHERE model_id = ${int(modelId)} AND id > ${afterId} ORDER BY id LIMIT ${int(limit)}),
  measured AS (SELECT *, sum(size_bytes) OVER (ORDER BY id) - size_bytes AS before FROM batch)
  SELECT r.seq, r.id, r.version, r.data FROM measured b CROSS JOIN records r ON r.seq = b.seq
  WHERE b.before < ${int(CONTENT.foldedMaxBytes)} ORDER BY b.id`;

interface SideRow {
  record: number;
  locale: number;
  data: string;
}

/** Returns the statements that fold anew what records of a slice hold in locales, as it was read. */
async function foldSides(
  db: Database,
  model: Model,
  rows: readonly SliceRow[],
  isCurrent: SQL,
): Promise<SQL[]> {
  const localized = model.fields.filter(isLocalized);
  if (localized.length === 0 && !model.fields.some(isSearchable)) return [];
  const seqs = JSON.stringify(rows.map(({ seq }) => seq));
  const sides = await db.all<SideRow>(sql`SELECT record, locale, data FROM record_locales
    WHERE record IN (SELECT value FROM json_each(${seqs}))`);
  return sides.map(({ record, locale, data }) => {
    const fields = localized.map((field) => fieldIn(field, locale));
    const folded = foldedColumn(fields, valuesOf({ ...model, fields }, data));
    return sql`UPDATE record_locales SET folded = ${folded} WHERE record = ${int(record)} AND locale = ${int(locale)}
      AND data = ${data} AND ${isCurrent}`;
  });
}

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
  const ofModel = modelId === null ? modelStandsHere(sql`model_id`) : sql`abs(model_id) = ${int(modelId)}`;
  const due = await db
    .select()
    .from(searchRebuilds)
    .where(ofModel)
    .orderBy(desc(searchRebuilds.modelId))
    .limit(1)
    .get();
  if (!due) return "none";
  if (due.modelId === ALL_MODELS) return announceModels(db, due.afterId);
  if (due.modelId === ALL_MEDIA) return rebuildMediaSlice(db, due.afterId);
  const ofDue = sql`model_id = ${int(due.modelId)}`;
  const [models = [], slice = []] = await batchSql(db, [
    sql`SELECT id, type_model AS typeModel, name, version, title_field AS titleField, fields, components FROM models
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
  // A change of the model may start the work anew. Words that were read under the earlier model are not written then.
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
  const sides = await foldSides(db, model, rows, isCurrent);
  await batchSql(db, [
    ...writeFolded(folded, isCurrent),
    ...sides,
    sql`UPDATE search_rebuilds SET after_id = ${last.id} WHERE ${ofDue} AND ${isCurrent}`,
  ]);
  return "more";
}
