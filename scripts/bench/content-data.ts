/** Records for the bench of the content API: written straight into D1, their index rows by the service's own statements. */
import { sql, type SQL } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import type { StoredField } from "../../src/edge/content-model/fields.ts";
import { isSearchable } from "../../src/edge/content-model/words.ts";
import { addIndexRows } from "../../src/edge/storage/record-index.ts";

interface Statement {
  bind(...values: unknown[]): Statement;
  run(): Promise<unknown>;
  all(): Promise<{ results: unknown[] }>;
}
export interface BenchDatabase {
  prepare(query: string): Statement;
}

const BITE = 5000;
const dialect = new SQLiteSyncDialect();

export const MODELS: { name: string; fields: object[] }[] = [
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
    fields: [
      { name: "title", type: "string", searchable: true },
      { name: "slug", type: "string", unique: true },
      { name: "views", type: "number" },
      { name: "status", type: "enum", values: ["draft", "published"] },
      { name: "day", type: "datetime" },
      { name: "author", type: "relation", to: "authors" },
      { name: "body", type: "text" },
    ],
  },
];

/** A record's id by its number: as long as a ULID. */
export const idOf = (letter: string, n: number): string => `${letter}${String(n).padStart(25, "0")}`;

const id = (letter: string, n: string): string => `printf('${letter}%025d', ${n})`;
/** Values by the order of the model's fields; `n` is the record's number. Multiplied so that no order is another's. */
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

async function run(db: BenchDatabase, statement: SQL): Promise<void> {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  await db
    .prepare(text)
    .bind(...params)
    .run();
}

/** Records from number `from` to below `to` of one model. */
export async function fillModel(db: BenchDatabase, name: string, from: number, to: number): Promise<void> {
  const { results } = await db
    .prepare("SELECT id, space_id AS spaceId, fields FROM models WHERE name = ?")
    .bind(name)
    .all();
  const [model] = results as { id: number; spaceId: string; fields: string }[];
  const { letter, values } = VALUES[name] ?? { letter: "", values: [] };
  if (!model) throw new Error(`no model ${name}`);
  const fields = JSON.parse(model.fields) as StoredField[];
  const data = fields.map(({ no }, index) => `'${no}', ${values[index] ?? "NULL"}`).join(", ");
  const isSearched = fields.some(isSearchable);
  const folded = isSearched ? `json_object('words', lower(${values[0] ?? "''"}))` : "'{}'";
  for (let start = from; start < to; start += BITE) {
    const end = Math.min(to, start + BITE);
    await run(
      db,
      sql`${sql.raw(`WITH RECURSIVE i(n) AS (SELECT ${start} UNION ALL SELECT n + 1 FROM i WHERE n + 1 < ${end})
        INSERT INTO records (model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at)
        SELECT ${model.id}, '${model.spaceId}', ${id(letter, "n")}, json_object(${data}), ${folded}, 600, 1, 1600000000000 + n, 1600000000000 + n FROM i`)}`,
    );
    const isNew = sql`r.model_id = ${model.id} AND r.id >= ${idOf(letter, start)} AND r.id < ${idOf(letter, end)}`;
    for (const statement of addIndexRows(fields, isNew)) await run(db, statement);
  }
}
