/** Reads the plans of records (RULES 3.12) whose time has come. */
import { sql, type SQL } from "drizzle-orm";
import { modelOf, type Model, type ModelSource } from "../../../content/model/model.ts";
import { inLocale, scopeOf } from "../../../content/model/localized-model.ts";
import { localesIn } from "../../../content/locales/locales.ts";
import { editionsIn } from "../../../content/model/editions.ts";
import { NOTHING_HELD, type Held } from "../locales/held.ts";
import { lackingPaths } from "../../../content/model/required.ts";
import { CONTENT } from "../../../limits.ts";
import type { Database } from "../database/database.ts";
import type { Schedule } from "./publish.ts";
import { int } from "./record-index.ts";
import { standsHere } from "../shards/space-rows.ts";

/** A plan of a record, or of its locales but the default. */
export type DueSchedule = Schedule | "withLocales";

export interface DueStep {
  seq: number;
  schedule: DueSchedule;
  /** Milliseconds. */
  at: number;
}

const COLUMNS_OF: Record<DueSchedule, string> = {
  publishAt: "publish_at",
  unpublishAt: "unpublish_at",
  withLocales: "locale_plan_at",
};

const columnsDue = (schedule: DueSchedule, now: number, limit: number, after: DueStep | null): SQL => {
  const at = sql.raw(COLUMNS_OF[schedule]);
  const name = sql.raw(`'${schedule}'`);
  const isAfter = after
    ? sql`AND ${at} >= ${after.at} AND (${at}, ${name}, seq) > (${after.at}, ${after.schedule}, ${int(after.seq)})`
    : sql``;
  return sql`SELECT seq, ${name} AS schedule, ${at} AS at FROM records
    WHERE ${at} IS NOT NULL AND deleted_at IS NULL AND ${at} <= ${now} AND ${standsHere(sql`space_id`)} ${isAfter} ORDER BY ${at}, seq LIMIT ${int(limit)}`;
};

/**
 * Lists at most `limit` due plans after `after`, earliest first, so that plans of an outage take effect in their order.
 */
export async function listDueSteps(
  db: Database,
  now: number,
  limit: number,
  after: DueStep | null = null,
): Promise<DueStep[]> {
  return db.all<DueStep>(sql`
    SELECT * FROM (${columnsDue("publishAt", now, limit, after)})
    UNION ALL SELECT * FROM (${columnsDue("unpublishAt", now, limit, after)})
    UNION ALL SELECT * FROM (${columnsDue("withLocales", now, limit, after)})
    ORDER BY at, schedule, seq LIMIT ${int(limit)}`);
}

interface DueRow extends Omit<ModelSource, "version"> {
  seq: number;
  version: number;
  data: string;
  publishAt: number | null;
  unpublishAt: number | null;
  publishedVersion: number | null;
  locales: string | null;
  localePlanAt: number | null;
  modelVersion: number;
  spaceLocales: string | null;
}

/** The present state of a record that has a plan. */
export interface DueRecord {
  record: Omit<DueRow, keyof ModelSource | "modelVersion" | "spaceLocales"> & { version: number };
  /** The model, in the default locale of its space. */
  model: Model;
  /** The values of the record in the locales of its space; none for a step that publishes nothing. */
  held: Held;
  /** The paths of required values that are missing. */
  lacking: string[];
}

const COLUMNS = sql.raw(`r.seq, r.version, r.data, r.publish_at AS publishAt, r.unpublish_at AS unpublishAt,
  r.published_version AS publishedVersion, m.id, m.type_model AS typeModel, m.name, m.version AS modelVersion,
  m.title_field AS titleField, m.fields, m.components, m.drafts, r.locales, r.locale_plan_at AS localePlanAt,
  (SELECT s.locales FROM spaces s WHERE s.id = m.space_id) AS spaceLocales`);

/** Reads what records hold in locales. The caller decides of which fields it needs to know. */
export type ReadHeld = (
  db: Database,
  model: Model,
  seqs: readonly number[],
) => Promise<(seq: number) => Held>;

/** Returns whether a step publishes something. That alone depends on the values in locales, which may be many bytes. */
const publishes = ({ schedule, at }: DueStep, { locales }: DueRow): boolean =>
  schedule === "withLocales"
    ? Object.values(editionsIn(locales)).some(({ pub }) => pub === at)
    : schedule === "publishAt";

async function dueRecordOf(db: Database, row: DueRow, step: DueStep, heldBy: ReadHeld): Promise<DueRecord> {
  const stored = modelOf({ ...row, version: row.modelVersion });
  const model = inLocale(stored, scopeOf(localesIn(row.spaceLocales)));
  const held = publishes(step, row) ? (await heldBy(db, model, [row.seq]))(row.seq) : NOTHING_HELD;
  return { record: row, model, held, lacking: lackingPaths(stored, row.data) };
}

/** Reads the record of a step; null when it does not exist any more. */
export async function readDueRecord(
  db: Database,
  step: DueStep,
  heldBy: ReadHeld,
): Promise<DueRecord | null> {
  const row = await db.get<DueRow | undefined>(sql`
    SELECT ${COLUMNS} FROM records r JOIN models m ON m.id = r.model_id
    WHERE r.seq = ${int(step.seq)} AND r.deleted_at IS NULL`);
  return row ? dueRecordOf(db, row, step, heldBy) : null;
}

/**
 * Reads the records of steps that exist, by `seq`: as many, from the first, as one answer may hold.
 * @param steps of different records
 */
export async function readDueRecords(
  db: Database,
  steps: readonly DueStep[],
  heldBy: ReadHeld,
): Promise<Map<number, DueRecord>> {
  const bySeq = new Map(steps.map((step) => [step.seq, step]));
  const rows = await db.all<DueRow>(sql`
    WITH measured AS (SELECT r.seq, sum(r.size_bytes) OVER (ORDER BY j.key) - r.size_bytes AS before
      FROM json_each(${JSON.stringify([...bySeq.keys()])}) j JOIN records r ON r.seq = j.value WHERE r.deleted_at IS NULL)
    SELECT ${COLUMNS} FROM measured d JOIN records r ON r.seq = d.seq JOIN models m ON m.id = r.model_id
    WHERE d.before < ${int(CONTENT.pageMaxBytes)}`);
  const found = new Map<number, DueRecord>();
  for (const row of rows) {
    const step = bySeq.get(row.seq);
    if (step) found.set(row.seq, await dueRecordOf(db, row, step, heldBy));
  }
  return found;
}
