/** The models that hold a component, in D1, and their records as one (RULES 3.26). */
import { sql, type SQL } from "drizzle-orm";
import type { ModelSource } from "../../../content/model/model.ts";
import { CONTENT } from "../../../limits.ts";
import type { Database } from "../database/database.ts";
import { int } from "../records/record-index.ts";
import { holdsComponent } from "./components.ts";

/** A model that holds a component, directly or inside another one. */
export type HolderRow = ModelSource;

const holders = (spaceId: string, name: string): SQL => sql`
  models m WHERE m.space_id = ${spaceId} AND ${holdsComponent(name)}`;

export async function readHolders(db: Database, spaceId: string, name: string): Promise<HolderRow[]> {
  return db.all<HolderRow>(sql`
    SELECT m.id, m.type_model AS typeModel, m.name, m.version, m.title_field AS titleField, m.drafts, m.fields, m.components
    FROM ${holders(spaceId, name)} ORDER BY m.id`);
}

const printOf = (rows: readonly Pick<HolderRow, "id" | "version">[]): string =>
  rows.map(({ id, version }) => `${id}.${version}`).join(",");

/**
 * Returns the condition that the holders of a component are the same models, in the same versions, as they were read.
 */
export const areHolders = (spaceId: string, name: string, rows: readonly HolderRow[]): SQL => sql`
  coalesce((SELECT group_concat(id || '.' || version) FROM
    (SELECT m.id, m.version FROM ${holders(spaceId, name)} ORDER BY m.id)), '') = ${printOf(rows)}`;

/** Returns the numbers under which models have records, published contents included. */
export const numbersOf = (ids: readonly number[]): number[] => ids.flatMap((id) => [id, -id]);

const listed = (numbers: readonly number[]): SQL =>
  sql`(SELECT value FROM json_each(${JSON.stringify(numbers)}))`;

/** Returns a value that changes with every write, creation and removal of a record under these numbers. */
export const fingerprintOf = (numbers: readonly number[]): SQL => sql`
  (SELECT count(*) || '/' || coalesce(sum(version), 0) || '/' || coalesce(max(seq), 0)
    FROM records WHERE model_id IN ${listed(numbers)})`;

export async function readFingerprintOf(db: Database, numbers: readonly number[]): Promise<string> {
  return (await db.get<{ print: string }>(sql`SELECT ${fingerprintOf(numbers)} AS print`)).print;
}

/** Counts the records of models, up to one more than a change may check in a request. */
export async function countHeldRecords(db: Database, ids: readonly number[]): Promise<number> {
  const row = await db.get<{ n: number }>(sql`
    SELECT count(*) AS n FROM (SELECT 1 FROM records WHERE model_id IN ${listed(ids)}
      LIMIT ${int(CONTENT.checkedRecordsMax + 1)})`);
  return row.n;
}

export const totalOf = (numbers: readonly number[]): SQL =>
  sql`(SELECT count(*) FROM records WHERE model_id IN ${listed(numbers)})`;
