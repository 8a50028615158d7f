/** Slices of a model's records, in the order of their ids, so that no statement changes more rows than D1 takes. */
import { sql, type SQL } from "drizzle-orm";
import { SLICE } from "../../../limits.ts";
import type { Database } from "../database/database.ts";
import { int } from "../records/record-index.ts";

/** The records from after `afterId` to `lastId`; to the end if that is null. */
export interface IdRange {
  afterId: string;
  lastId: string | null;
}

/** Returns the condition for the records `r` of a range. */
export const isInRange = ({ afterId, lastId }: IdRange): SQL =>
  lastId === null ? sql`r.id > ${afterId}` : sql`r.id > ${afterId} AND r.id <= ${lastId}`;

/** Returns the condition for the records `r` with these ids. */
export const isOneOf = (ids: readonly string[]): SQL =>
  sql`r.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;

/** Returns how many records one statement may take that writes `rows` rows for each. At least one. */
export const recordsForRows = (rows: number): number =>
  Math.max(1, Math.floor(SLICE.rows / Math.max(1, rows)));

/** Splits all records of a model into ranges of `limit` records. Records that are made later belong to one of them. */
export async function rangesOf(db: Database, modelId: number, limit: number): Promise<IdRange[]> {
  const ends = await db.all<{ id: string }>(sql`
    SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM records WHERE model_id = ${int(modelId)})
    WHERE n % ${int(limit)} = 0 ORDER BY id`);
  const ids = ends.map(({ id }) => id);
  return [...ids, null].map((lastId, index) => ({ afterId: ids[index - 1] ?? "", lastId }));
}

export interface Counted {
  lastId: string;
  records: number;
}

const rangeAfter = (afterId: string, { lastId, records }: { lastId: string | null; records: number }) =>
  lastId === null ? null : { afterId, lastId, records };

/** Returns the range of the next `limit` records after `afterId`; null if there are none. */
export async function nextRange(
  db: Database,
  modelId: number,
  afterId: string,
  limit: number,
): Promise<(IdRange & Counted) | null> {
  const found = await db.get<Counted>(sql`SELECT max(id) AS lastId, count(*) AS records FROM
    (SELECT id FROM records WHERE model_id = ${int(modelId)} AND id > ${afterId} ORDER BY id LIMIT ${int(limit)})`);
  return rangeAfter(afterId, found);
}

/** Returns the range of the next records after `afterId` that have few enough index rows together; null if none are left. */
export async function nextIndexedRange(
  db: Database,
  modelId: number,
  afterId: string,
): Promise<(IdRange & Counted) | null> {
  const found = await db.get<Counted>(sql`
    WITH batch AS MATERIALIZED (SELECT seq, id FROM records
      WHERE model_id = ${int(modelId)} AND id > ${afterId} ORDER BY id LIMIT ${int(SLICE.records)}),
    counted AS (SELECT id, row_number() OVER (ORDER BY id) AS n,
      sum((SELECT count(*) FROM record_values v WHERE v.record = b.seq)) OVER (ORDER BY id) AS rows FROM batch b)
    SELECT max(id) AS lastId, count(*) AS records FROM counted WHERE rows <= ${int(SLICE.rows)} OR n = 1`);
  return rangeAfter(afterId, found);
}
