/**
 * Writes schema/README.md from the tables and migrations: `node scripts/run.mjs scripts/readme/schema.ts`. A test fails
 * while the file says anything else.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { format, resolveConfig } from "prettier";

const FILE = "schema/README.md";
const MIGRATIONS = "schema/migrations";
const TABLES = "schema/tables.ts";

interface Table {
  name: string;
  columns: string[];
}

interface Trigger {
  name: string;
  table: string;
  sql: string;
}

/** Returns an empty database with all migrations applied. */
function migrated(): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  const files = readdirSync(MIGRATIONS).filter((file) => file.endsWith(".sql"));
  for (const file of files.sort()) db.exec(readFileSync(`${MIGRATIONS}/${file}`, "utf8"));
  return db;
}

/**
 * Returns whether a table belongs to a search index. SQLite keeps one in tables of its own, whose names begin with the
 * name of the virtual table.
 */
const isOfSearchIndex = (name: string, virtual: readonly string[]): boolean =>
  virtual.some((table) => name.startsWith(`${table}_`));

function tablesOf(db: DatabaseSync): Table[] {
  const all = db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
  const named = all.map(({ name, sql }) => ({ name: String(name), sql: String(sql) }));
  const virtual = named.filter(({ sql }) => sql.startsWith("CREATE VIRTUAL")).map(({ name }) => name);
  return named
    .filter(({ name }) => !name.startsWith("sqlite_") && !isOfSearchIndex(name, virtual))
    .map(({ name }) => ({
      name,
      columns: db
        .prepare(`SELECT name FROM pragma_table_info(?)`)
        .all(name)
        .map((column) => String(column["name"])),
    }));
}

const triggersOf = (db: DatabaseSync): Trigger[] =>
  db
    .prepare("SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY tbl_name, name")
    .all()
    .map((row) => ({ name: String(row["name"]), table: String(row["tbl_name"]), sql: String(row["sql"]) }));

/**
 * Returns what the tables hold, by their names: the comments above the tables of tables.ts, and for the search tables, which
 * only migrations make, the sentences that begin with their names.
 */
function purposes(): Map<string, string> {
  const source = readFileSync(TABLES, "utf8");
  const commented = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const \w+ = sqliteTable\(\s*"(\w+)"/g;
  const plain = (comment: string): string => comment.replaceAll(/\s*\n\s*\*\s?/g, " ").trim();
  const ofTables = [...source.matchAll(commented)].map(
    ([, comment = "", table = ""]) => [table, plain(comment)] as const,
  );
  const ofSearch = [...plain(source).matchAll(/`(\w+_search)` has .*?\.(?=\s)/g)].map(
    ([sentence, table = ""]) => [table, sentence] as const,
  );
  return new Map([...ofSearch, ...ofTables]);
}

/** Returns when a trigger runs: `insert`, `delete`, or `update` of some columns. */
function eventOf({ sql }: Trigger): string {
  const [, event = "", columns] = /AFTER (INSERT|DELETE|UPDATE)(?: OF ([^\n]*?))? ON /.exec(sql) ?? [];
  return event.toLowerCase() + (columns === undefined ? "" : ` of ${columns}`);
}

/** Returns the tables that a trigger writes. */
function writtenBy({ sql }: Trigger): string {
  const written = sql.matchAll(/(?:INSERT (?:OR \w+ )?INTO|UPDATE|DELETE FROM) `?(\w+)`?(?= )/g);
  const names = [...written].map(([, name = ""]) => name).filter((name) => !["OF", "SET"].includes(name));
  return [...new Set(names)].map((name) => `\`${name}\``).join(", ");
}

const cell = (text: string): string => text.replaceAll("|", "\\|");

/** Returns the text of schema/README.md. */
export async function schemaReadme(): Promise<string> {
  const db = migrated();
  const purposeOf = purposes();
  const tables = tablesOf(db).map(
    ({ name, columns }) =>
      `| \`${name}\` | ${cell(purposeOf.get(name) ?? "")} | ${columns.map((column) => `\`${column}\``).join(" ")} |`,
  );
  const triggers = triggersOf(db).map(
    (trigger) =>
      `| \`${trigger.table}\` | ${eventOf(trigger)} | ${writtenBy(trigger)} | \`${trigger.name}\` |`,
  );
  const text = `# Schema

<!-- Written by scripts/readme/schema.ts from tables.ts and migrations/. Do not edit. -->

[tables.ts](tables.ts) defines the tables of D1, \`migrations/\` creates them. Migrations are append-only: a deployed file
never changes. [CONTRIBUTING](../.github/CONTRIBUTING.md) says how to add one.

## Tables

| table | what it holds | columns |
| --- | --- | --- |
${tables.join("\n")}

## Triggers

Triggers keep derived tables true, whichever statement changes a row.

| after a change of | event | writes | name |
| --- | --- | --- | --- |
${triggers.join("\n")}
`;
  return format(text, { ...(await resolveConfig(FILE)), parser: "markdown" });
}

if (import.meta.main) writeFileSync(FILE, await schemaReadme());
