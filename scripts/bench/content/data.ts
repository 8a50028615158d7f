/**
 * Writes records for the bench of the content API straight into D1, with their versions and their published copies. The
 * index rows are written by the service's own statements.
 */
import { sql, type SQL } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { isSearchable, type StoredField } from "../../../src/content/field-types/fields.ts";
import { publishedSeqOf } from "../../../src/edge/storage/records/published.ts";
import { addIndexRows } from "../../../src/edge/storage/records/record-index.ts";

interface Statement {
  bind(...values: unknown[]): Statement;
  run(): Promise<unknown>;
  all(): Promise<{ results: unknown[] }>;
}
export interface BenchDatabase {
  prepare(query: string): Statement;
}

const BATCH = 2000;
/** Tries per statement. On a busy machine a connection to the local D1 may be lost; every statement may run twice. */
const TRIES = 3;
/** Versions per record, with the present one. */
const VERSIONS = 10;
const dialect = new SQLiteSyncDialect();

export const MODELS: { name: string; drafts?: boolean; fields: object[] }[] = [
  { name: "cities", fields: [{ name: "name", type: "string" }] },
  {
    name: "companies",
    fields: [
      { name: "name", type: "string" },
      { name: "city", type: "relation", to: "cities" },
    ],
  },
  {
    name: "authors",
    fields: [
      { name: "name", type: "string" },
      { name: "company", type: "relation", to: "companies" },
    ],
  },
  {
    name: "articles",
    drafts: true,
    fields: [
      { name: "title", type: "string", searchable: true },
      { name: "slug", type: "string", unique: true },
      { name: "views", type: "number" },
      { name: "kind", type: "enum", values: ["draft", "published"] },
      { name: "day", type: "datetime" },
      { name: "author", type: "relation", to: "authors" },
      { name: "body", type: "text" },
    ],
  },
];

/** Returns the id of record number `n`, as long as a ULID. */
export const idOf = (letter: string, n: number): string => `${letter}${String(n).padStart(25, "0")}`;

const id = (letter: string, n: string): string => `printf('${letter}%025d', ${n})`;
/**
 * Values in the order of the model's fields, for record number `n`. The factors differ, so that sorting by one field
 * does not sort by another.
 */
const VALUES: Record<string, { letter: string; values: string[] }> = {
  cities: { letter: "C", values: ["'City ' || n"] },
  companies: { letter: "F", values: ["'Company ' || n", id("C", "n % 20")] },
  authors: { letter: "A", values: ["'Author ' || n", id("F", "n % 100")] },
  articles: {
    letter: "R",
    values: [
      "'Title ' || (n * 7919 % 1000003)",
      "'slug-' || n",
      "n * 104729 % 1000003",
      "CASE WHEN n % 10 THEN 'published' ELSE 'draft' END",
      "strftime('%Y-%m-%dT%H:%M:%S.000Z', 1600000000 + n * 7907 % 100000000, 'unixepoch')",
      id("A", "n % 1000"),
      "printf('%.*c', 400, 'x')",
    ],
  },
};

/** Runs a statement, which may run twice. */
export async function run(db: BenchDatabase, statement: SQL): Promise<void> {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  for (let tries = 1; ; tries++) {
    try {
      await db
        .prepare(text)
        .bind(...params)
        .run();
      return;
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
}

/** Publishes the drafts for which `isNew` (a condition on `r`) holds: adds published rows with the same content. */
const publishAll = (isNew: SQL): SQL => sql`
  INSERT OR IGNORE INTO records (seq, model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at,
    published_version, published_at)
  SELECT ${publishedSeqOf(sql`r.seq`)}, -r.model_id, r.space_id, r.id, r.data, r.folded, r.size_bytes, r.version,
    r.created_at, r.updated_at, r.version, r.updated_at FROM records r WHERE ${isNew}`;

/**
 * Adds the versions of the records for which `isNew` (a condition on `r`) holds. The record itself stores the present
 * one.
 */
const keepVersions = (isNew: SQL): SQL =>
  sql
    .raw(
      `
  WITH RECURSIVE v(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM v WHERE n < ${VERSIONS})
  INSERT OR IGNORE INTO record_versions (record, no, version, event, is_content, created_at, changed, data)
  SELECT r.seq, v.n, v.n, CASE v.n WHEN 1 THEN 'created' ELSE 'updated' END, 1, r.created_at, '[1]',
    CASE WHEN v.n < ${VERSIONS} THEN r.data END FROM records r CROSS JOIN v WHERE `,
    )
    .append(isNew);

/** Writes records `from` to `to - 1` of one model. */
export async function fillModel(db: BenchDatabase, name: string, from: number, to: number): Promise<void> {
  const { results } = await db
    .prepare("SELECT id, space_id AS spaceId, fields, drafts FROM models WHERE name = ?")
    .bind(name)
    .all();
  const [model] = results as { id: number; spaceId: string; fields: string; drafts: number }[];
  const { letter, values } = VALUES[name] ?? { letter: "", values: [] };
  if (!model) throw new Error(`There is no model ${name}`);
  const fields = JSON.parse(model.fields) as StoredField[];
  const data = fields.map(({ no }, index) => `'${no}', ${values[index] ?? "NULL"}`).join(", ");
  const isSearched = fields.some(isSearchable);
  const folded = isSearched ? `json_object('words', lower(${values[0] ?? "''"}))` : "'{}'";
  for (let start = from; start < to; start += BATCH) {
    const end = Math.min(to, start + BATCH);
    await run(
      db,
      sql`${sql.raw(`WITH RECURSIVE i(n) AS (SELECT ${start} UNION ALL SELECT n + 1 FROM i WHERE n + 1 < ${end})
        INSERT OR IGNORE INTO records (model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at)
        SELECT ${model.id}, '${model.spaceId}', ${id(letter, "n")}, json_object(${data}), ${folded}, 600, ${VERSIONS}, 1600000000000 + n, 1600000000000 + n FROM i`)}`,
    );
    const isIn = (id: number): SQL =>
      sql`r.model_id = ${sql.raw(String(id))} AND r.id >= ${idOf(letter, start)} AND r.id < ${idOf(letter, end)}`;
    await run(db, keepVersions(isIn(model.id)));
    for (const statement of addIndexRows(fields, isIn(model.id))) await run(db, statement);
    if (model.drafts === 0) continue;
    await run(db, publishAll(isIn(model.id)));
    await run(
      db,
      sql`UPDATE records AS r SET published_version = version, published_at = updated_at WHERE ${isIn(model.id)}`,
    );
    const plain = fields.map((field) => ({ ...field, unique: false }) as StoredField);
    for (const statement of addIndexRows(plain, isIn(-model.id))) await run(db, statement);
  }
}
