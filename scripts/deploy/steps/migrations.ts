/**
 * The migrations. D1 splits what it is sent as a query into statements, and fails at many files with triggers; what it
 * imports as a file it takes as SQLite does. All that are due are one file, each followed by its row in the ledger. The
 * ledger is the one of `wrangler d1 migrations apply`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { furtherDatabase } from "../deployment.ts";
import { type Session, step } from "../step.ts";
import { databasesOf } from "./database.ts";

const FOLDER = "schema/migrations";
const LEDGER = "d1_migrations";
/** As wrangler makes it. */
const CREATE_LEDGER = `CREATE TABLE IF NOT EXISTS "${LEDGER}"(
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);`;

export interface Migration {
  name: string;
  sql: string;
}

/** Returns the files, in the order of their names. */
export const readMigrations = (folder = FOLDER): Migration[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => ({ name, sql: readFileSync(join(folder, name), "utf8") }));

/** Returns a migration with LF line ends, whatever git made of them, and its row in the ledger. */
function withRow({ name, sql }: Migration): string {
  const statements = sql.replaceAll("\r\n", "\n").trimEnd();
  const end = statements.endsWith(";") ? "" : ";";
  return `${statements}${end}\nINSERT INTO "${LEDGER}" (name) VALUES ('${name.replaceAll("'", "''")}');`;
}

/**
 * Returns the file to import.
 *
 * @param attempt what no other attempt is called: D1 knows files by their hash, and one that is sent again could be
 *   answered with how it ended before
 */
export const importFile = (due: Migration[], attempt: string): string =>
  [`-- ${attempt}`, CREATE_LEDGER, ...due.map(withRow), ""].join("\n");

const Rows = z.array(z.object({ results: z.array(z.object({ name: z.string() })) }));

async function namesIn({ api, databaseIds }: Session, shard: number, sql: string): Promise<string[]> {
  const [first] = Rows.parse(await api.ask(`/d1/database/${databaseIds[shard]}/query`, { sql }));
  return (first?.results ?? []).map(({ name }) => name);
}

/** Returns the migrations that the ledger of a database does not name. */
async function dueMigrations(session: Session, shard: number): Promise<Migration[]> {
  const ledgers = await namesIn(
    session,
    shard,
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name = '${LEDGER}'`,
  );
  const applied =
    ledgers.length === 0 ? [] : await namesIn(session, shard, `SELECT name FROM "${LEDGER}" ORDER BY id`);
  return readMigrations().filter(({ name }) => !applied.includes(name));
}

const Bookmark = z.object({ bookmark: z.string() });

/** Returns whether an import that seemed to fail was done: its answer may have been lost. */
async function wasDone(session: Session, shard: number): Promise<boolean> {
  try {
    return (await dueMigrations(session, shard)).length === 0;
  } catch {
    return false;
  }
}

interface Due {
  /** The number of the database. */
  shard: number;
  migrations: Migration[];
}

/**
 * Before the edge Worker that needs them. They only add, so the version that still answers works with them, and with a
 * set of databases of which only some have them.
 */
export const migrationStep = step({
  subject: (deployment) => `migrations of ${databasesOf(deployment)}`,
  lookUp: async (session) => {
    const due: Due[] = [];
    for (const shard of session.databaseIds.keys())
      due.push({ shard, migrations: await dueMigrations(session, shard) });
    return due;
  },
  decide: (found) => {
    const due = found.filter(({ migrations }) => migrations.length > 0);
    return due.length === 0 ? null : due;
  },
  act: async (due, session) => {
    for (const one of due) await apply(session, one);
    return "applied";
  },
});

async function apply(session: Session, { shard, migrations: due }: Due): Promise<void> {
  const { api, databaseIds, deployment, print, wrangler } = session;
  const name = shard === 0 ? deployment.database : furtherDatabase(deployment, shard);
  const path = `/d1/database/${databaseIds[shard]}/time_travel/bookmark`;
  const { bookmark } = Bookmark.parse(await api.get(path));
  const restore = `npx wrangler d1 time-travel restore ${name} --bookmark ${bookmark}`;
  print(`  The database before its migrations: ${restore}`);
  const sql = importFile(due, `Silverprint ${new Date().toISOString()} ${crypto.randomUUID()}`);
  const binding = shard === 0 ? "DB" : `DB_${shard}`;
  try {
    await wrangler("edge", ["d1", "execute", binding, "--remote", "--yes"], { "--file": sql });
  } catch (error) {
    if (await wasDone(session, shard)) return;
    throw new Error(
      `${error instanceof Error ? error.message : String(error)}\n\n` +
        `These were due: ${due.map(({ name }) => name).join(", ")}. D1 takes back an import that fails. Wait a minute, in\n` +
        "case it is still at work, and run the deploy again. Should that find tables that exist already, go back first:\n" +
        `  ${restore}`,
      { cause: error },
    );
  }
}
