/** Plans of records (RULES 3.12) whose time has come. */
import { sql, type SQL } from "drizzle-orm";
import { modelOf, type Model, type ModelSource } from "../../../content/model/model.ts";
import { lackingFields } from "../../../content/model/required.ts";
import { CONTENT } from "../../../limits.ts";
import type { Database } from "../database/database.ts";
import type { Schedule } from "./publish.ts";
import { int } from "./record-index.ts";

export interface DueStep {
  seq: number;
  schedule: Schedule;
  /** Milliseconds. */
  at: number;
}

const columnsDue = (schedule: Schedule, now: number, limit: number, after: DueStep | null): SQL => {
  const at = sql.raw(schedule === "publishAt" ? "publish_at" : "unpublish_at");
  const name = sql.raw(`'${schedule}'`);
  const isAfter = after
    ? sql`AND ${at} >= ${after.at} AND (${at}, ${name}, seq) > (${after.at}, ${after.schedule}, ${int(after.seq)})`
    : sql``;
  return sql`SELECT seq, ${name} AS schedule, ${at} AS at FROM records
    WHERE ${at} IS NOT NULL AND deleted_at IS NULL AND ${at} <= ${now} ${isAfter} ORDER BY ${at}, seq LIMIT ${int(limit)}`;
};

/** At most `limit` due plans after `after`, earliest first, so that plans of an outage take effect in their order. */
export async function listDueSteps(
  db: Database,
  now: number,
  limit: number,
  after: DueStep | null = null,
): Promise<DueStep[]> {
  return db.all<DueStep>(sql`
    SELECT * FROM (${columnsDue("publishAt", now, limit, after)})
    UNION ALL SELECT * FROM (${columnsDue("unpublishAt", now, limit, after)})
    ORDER BY at, schedule, seq LIMIT ${int(limit)}`);
}

interface DueRow extends Omit<ModelSource, "version"> {
  seq: number;
  version: number;
  data: string;
  publishAt: number | null;
  unpublishAt: number | null;
  publishedVersion: number | null;
  modelVersion: number;
}

/** The present state of a record that has a plan. */
export interface DueRecord {
  record: Omit<DueRow, keyof ModelSource | "modelVersion"> & { version: number };
  model: Model;
  /** The names of required fields without a value. */
  lacking: string[];
}

const COLUMNS = sql.raw(`r.seq, r.version, r.data, r.publish_at AS publishAt, r.unpublish_at AS unpublishAt,
  r.published_version AS publishedVersion, m.id, m.type_model AS typeModel, m.name, m.version AS modelVersion,
  m.title_field AS titleField, m.fields, m.drafts`);

function dueRecordOf(row: DueRow): DueRecord {
  const model = modelOf({ ...row, version: row.modelVersion });
  return { record: row, model, lacking: lackingFields(model, row.data).map(({ name }) => name) };
}

/** Reads a record that has a plan; null when it does not exist any more. */
export async function readDueRecord(db: Database, seq: number): Promise<DueRecord | null> {
  const row = await db.get<DueRow | undefined>(sql`
    SELECT ${COLUMNS} FROM records r JOIN models m ON m.id = r.model_id
    WHERE r.seq = ${int(seq)} AND r.deleted_at IS NULL`);
  return row ? dueRecordOf(row) : null;
}

/** Of these records those that are there, by `seq`: as many, from the first, as one answer may hold. */
export async function readDueRecords(db: Database, seqs: number[]): Promise<Map<number, DueRecord>> {
  const rows = await db.all<DueRow>(sql`
    WITH measured AS (SELECT r.seq, sum(r.size_bytes) OVER (ORDER BY j.key) - r.size_bytes AS before
      FROM json_each(${JSON.stringify(seqs)}) j JOIN records r ON r.seq = j.value WHERE r.deleted_at IS NULL)
    SELECT ${COLUMNS} FROM measured d JOIN records r ON r.seq = d.seq JOIN models m ON m.id = r.model_id
    WHERE d.before < ${int(CONTENT.pageMaxBytes)}`);
  return new Map(rows.map((row) => [row.seq, dueRecordOf(row)]));
}
