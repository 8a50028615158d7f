/** The slices of records that a change of a model in the background looks at: reads them, writes for them, and finds their faults. */
import { sql, type SQL } from "drizzle-orm";
import type { StoredField } from "../../../content/field-types/fields.ts";
import type { Model } from "../../../content/model/model.ts";
import { CONTENT } from "../../../limits.ts";
import type { Database } from "../database/database.ts";
import { modelNumbers, ownerOf, publishedSeqOf } from "../records/published.ts";
import { FIELD_BITS } from "../../../content/locales/numbers.ts";
import { addUniqueRows, int, valuesInLocales } from "../records/record-index.ts";
import { ofModel, type ModelChangeRow } from "./background-changes.ts";

/**
 * A slice of the records that a change looks at: those of one of the model's contents by their ids, or those that were
 * written meanwhile.
 */
export type Slice =
  | { kind: "range"; modelNumber: number; afterId: string; lastId: string }
  | { kind: "touched"; touched: readonly Touched[]; ids: readonly string[] };

/** Returns the statements that write the unique values of a slice. */
export function writeUniques({ modelId }: ModelChangeRow, uniques: StoredField[], slice: Slice): SQL[] {
  switch (slice.kind) {
    case "range":
      return uniquesOfSlice(slice.modelNumber, uniques, slice);
    case "touched":
      return settleTouched(modelId, slice.touched, uniques);
    default:
      return slice satisfies never;
  }
}

/** Returns the condition for the records `r` of a slice. */
function isInSlice(slice: Slice): SQL {
  switch (slice.kind) {
    case "range":
      return sql`r.id > ${slice.afterId} AND r.id <= ${slice.lastId}`;
    case "touched":
      return sql`r.id IN (SELECT value FROM json_each(${JSON.stringify(slice.ids)}))`;
    default:
      return slice satisfies never;
  }
}

/** Writes the unique values of the active records from after `afterId` to `lastId`, of one of the model's contents. */
const uniquesOfSlice = (
  modelNumber: number,
  fields: StoredField[],
  { afterId, lastId }: { afterId: string; lastId: string },
): SQL[] =>
  addUniqueRows(fields, sql`r.model_id = ${int(modelNumber)} AND r.id > ${afterId} AND r.id <= ${lastId}`);

export interface Touched {
  no: number;
  record: number;
  /** Null when it is not there any more. */
  id: string | null;
  data: string | null;
  /** The number under which the record is stored. */
  modelNumber: number | null;
}

/** Reads at most `limit` records that were written meanwhile: as many as fit in a slice, but at least one. */
export async function readTouched(db: Database, modelId: number, limit: number): Promise<Touched[]> {
  return db.all<Touched>(sql`
    WITH batch AS MATERIALIZED (SELECT no, record FROM model_change_touches
      WHERE ${ofModel(modelId)} ORDER BY no LIMIT ${int(limit)}),
    measured AS (SELECT b.no, b.record, r.id, coalesce(r.size_bytes, 0) AS size,
      sum(coalesce(r.size_bytes, 0)) OVER (ORDER BY b.no) AS until FROM batch b LEFT JOIN records r ON r.seq = b.record)
    SELECT m.no, m.record, r.id, r.data, r.model_id AS modelNumber FROM measured m LEFT JOIN records r ON r.seq = m.record
    WHERE m.until - m.size < ${int(CONTENT.pageMaxBytes)} ORDER BY m.no`);
}

/** Writes the unique values of records anew, and notes that they were checked. */
function settleTouched(modelId: number, touched: readonly Touched[], fields: StoredField[]): SQL[] {
  const seqs = JSON.stringify([...new Set(touched.map(({ record }) => record))]);
  const owners = sql`SELECT ${ownerOf(sql`value`)} FROM json_each(${seqs})`;
  const rows = sql`SELECT ${ownerOf(sql`value`)} FROM json_each(${seqs})
    UNION SELECT ${publishedSeqOf(ownerOf(sql`value`))} FROM json_each(${seqs})`;
  const numbers = sql.join(
    fields.map(({ no }) => int(no)),
    sql`, `,
  );
  const last = touched.at(-1)?.no ?? 0;
  return [
    ...(fields.length > 0
      ? [
          sql`DELETE FROM record_uniques WHERE record IN (${owners}) AND field & ${int(FIELD_BITS)} IN (${numbers})`,
          ...addUniqueRows(fields, sql`r.seq IN (${rows})`),
        ]
      : []),
    sql`DELETE FROM model_change_touches WHERE ${ofModel(modelId)} AND no <= ${int(last)}`,
  ];
}

/**
 * Returns the statement that forgets the notes which publishing has caused, for the batch that publishes. Before drafts
 * are switched on, nothing else writes published contents.
 */
export const forgetPublishing = (modelId: number): SQL =>
  sql`DELETE FROM model_change_touches WHERE ${ofModel(modelId)} AND record < 0`;

export interface Duplicate {
  /** The number of the field in its locale. */
  no: number;
  id: string;
  other: string;
}

/** Finds the first fields and records of a slice whose value another record has, too. */
export async function firstDuplicates(
  db: Database,
  model: Pick<Model, "id" | "drafts">,
  fields: StoredField[],
  part: Slice,
): Promise<Duplicate[]> {
  const values = (where: SQL): SQL => sql`SELECT no, v, ${ownerOf(sql`seq`)} AS owner
    FROM (${valuesInLocales(fields, where)}) WHERE v IS NOT NULL`;
  return db.all(sql`
    WITH slice AS MATERIALIZED (${values(sql`r.model_id IN ${modelNumbers(model)} AND ${isInSlice(part)}`)}),
    known AS (SELECT s.no, s.owner, u.record AS other FROM slice s JOIN record_uniques u
        ON u.model_id = ${int(model.id)} AND u.field = s.no AND u.value = s.v AND u.record <> s.owner
      UNION SELECT a.no, a.owner, b.owner FROM slice a JOIN slice b ON b.no = a.no AND b.v = a.v AND b.owner < a.owner)
    SELECT k.no, r.id, o.id AS other FROM known k JOIN records r ON r.seq = k.owner JOIN records o ON o.seq = k.other
    ORDER BY r.id LIMIT ${int(CONTENT.namedMisfitsMax)}`);
}
