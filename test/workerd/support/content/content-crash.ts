/** Writes of content during which D1 is lost, and the checks that must pass afterwards. */
import { sql, type SQL } from "drizzle-orm";
import { expect } from "vitest";
import { createApp } from "../../../../src/edge/app.ts";
import { modelOf } from "../../../../src/content/model/model.ts";
import { batchSql, database } from "../../../../src/edge/storage/database/database.ts";
import type { ModelRow } from "../../../../src/edge/storage/spaces/entries.ts";
import { modelNumbers } from "../../../../src/edge/storage/records/published.ts";
import { addIndexRows, dropIndexRows } from "../../../../src/edge/storage/records/record-index.ts";
import type { Client } from "../api.ts";
import { BESIDE } from "../context.ts";
import { FIXTURE } from "../bindings/deployed-d1.ts";
import { type FailingD1, failingD1, type Failure } from "../bindings/failing-d1.ts";
import { bindings } from "../rows.ts";

const app = createApp();
const db = database(bindings.DB);

export interface Step {
  method: string;
  path: string;
  body?: unknown;
}

/**
 * Sends a request during which D1 is lost. There are no webhooks to wake: the calls of an attempt are counted, and whether
 * the isolate looks for webhooks depends on how long ago it last looked.
 */
export async function callFailing(
  client: Client,
  step: Step,
  failure: Failure,
): Promise<{ status: number; lost: FailingD1 }> {
  const lost = failingD1(bindings.DB, failure);
  const response = await app.request(
    `/api/v1/${client.space.name}${step.path}`,
    {
      method: step.method,
      headers: { Authorization: `Bearer ${bindings.ROOT_TOKEN}`, "Content-Type": "application/json" },
      ...(step.body !== undefined && { body: JSON.stringify(step.body) }),
    },
    { ...bindings, DB: lost.db, WEBHOOKS: undefined },
    BESIDE,
  );
  await response.text();
  return { status: response.status, lost };
}

/** Returns the rows of an index, but for values that are being dropped. */
const rowsOf = (index: SQL, columns: SQL): Promise<unknown[]> =>
  db.all(sql`SELECT model_id, field, hex(value) AS value, ${columns} FROM ${index} v
    WHERE NOT EXISTS (SELECT 1 FROM doomed_fields d WHERE d.model_id = v.model_id AND d.field IN (v.field, 0))
    ORDER BY model_id, field, value, record`);

const indexed = async (): Promise<unknown[][]> => [
  await rowsOf(sql`record_values`, sql`typeof(value) AS type, record`),
  await rowsOf(sql`record_uniques`, sql`record`),
];

/** Events of a version that the record never had, versions without content, content kept twice, a version left out. */
const TORN_HISTORY = sql`SELECT v.* FROM record_versions v LEFT JOIN records r ON r.seq = v.record
  WHERE r.seq IS NULL OR v.version > r.version
    OR (v.is_content = 1 AND (v.data IS NULL) <> (v.version = r.version))
    OR (v.is_content = 1 AND v.version < r.version AND NOT EXISTS (SELECT 1 FROM record_versions n
      WHERE n.record = v.record AND n.is_content = 1 AND n.version = v.version + 1))`;

/** Checks that index rows agree with the records: making all of them again changes nothing. */
export async function expectConsistent(): Promise<void> {
  const before = await indexed();
  const rows = await db.all<ModelRow & { type_model: "collections" }>(sql`SELECT * FROM models`);
  const lost = sql`WHERE record NOT IN (SELECT seq FROM records)`;
  const seqs = sql`SELECT seq FROM records UNION SELECT record FROM record_values ${lost}
    UNION SELECT record FROM record_uniques ${lost}`;
  await batchSql(db, [
    sql.raw(`${FIXTURE} SELECT 1`),
    ...dropIndexRows(seqs),
    ...rows.flatMap((row) => {
      const model = modelOf({ ...row, typeModel: row.type_model });
      return addIndexRows(model.fields, sql`r.model_id IN ${modelNumbers(model)}`);
    }),
  ]);
  expect(await indexed()).toEqual(before);
  const pages = await db.all(sql`SELECT m.name FROM models m WHERE m.type_model = 'pages' AND
    (SELECT count(*) FROM records r WHERE r.model_id = m.id AND r.id = m.name AND r.deleted_at IS NULL) <> 1`);
  expect(pages).toEqual([]);
  expect(await db.all(TORN_HISTORY)).toEqual([]);
}
