/** Plans of records (RULES 3.12) whose time has come. */
import { sql } from "drizzle-orm";
import { modelOf, type Model, type ModelSource } from "../content-model/model.ts";
import { lackingFields } from "../content-model/required.ts";
import type { Database } from "./database.ts";
import type { Schedule } from "./publish.ts";
import { int } from "./record-index.ts";

export interface DueStep {
  seq: number;
  schedule: Schedule;
  /** Milliseconds. */
  at: number;
}

/** At most `limit` due plans, earliest first, so that plans of an outage take effect in their order. */
export async function listDueSteps(db: Database, now: number, limit: number): Promise<DueStep[]> {
  return db.all<DueStep>(sql`
    SELECT * FROM (SELECT seq, 'publishAt' AS schedule, publish_at AS at FROM records
      WHERE publish_at IS NOT NULL AND deleted_at IS NULL AND publish_at <= ${now} ORDER BY publish_at LIMIT ${int(limit)})
    UNION ALL
    SELECT * FROM (SELECT seq, 'unpublishAt', unpublish_at FROM records
      WHERE unpublish_at IS NOT NULL AND deleted_at IS NULL AND unpublish_at <= ${now}
      ORDER BY unpublish_at LIMIT ${int(limit)})
    ORDER BY at, schedule LIMIT ${int(limit)}`);
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

/** Reads a record that has a plan; null when it does not exist any more. */
export async function readDueRecord(db: Database, seq: number): Promise<DueRecord | null> {
  const row = await db.get<DueRow | undefined>(sql`
    SELECT r.seq, r.version, r.data, r.publish_at AS publishAt, r.unpublish_at AS unpublishAt,
      r.published_version AS publishedVersion, m.id, m.type_model AS typeModel, m.name, m.version AS modelVersion,
      m.title_field AS titleField, m.fields, m.drafts
    FROM records r JOIN models m ON m.id = r.model_id WHERE r.seq = ${int(seq)} AND r.deleted_at IS NULL`);
  if (!row) return null;
  const model = modelOf({ ...row, version: row.modelVersion });
  return { record: row, model, lacking: lackingFields(model, row.data).map(({ name }) => name) };
}
