/**
 * Brings the local databases up to date. `wrangler d1 migrations apply` starts a runtime for each file, which takes longer
 * than all the rest of a first start. This runs all files in one, and keeps wrangler's own record of them.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions } from "miniflare";
import { localDatabases } from "./databases.ts";
import { newRuntime } from "./runtime.ts";

/** The separator that drizzle-kit writes between statements. */
const BREAKPOINT = "--> statement-breakpoint";

/**
 * Runs beside the database: from outside, each statement would be a round trip that keeps a processor busy. A file is
 * applied in a transaction, together with its record.
 */
const WORKER = `export default {
  async fetch(request, databases) {
    const migrations = await request.json();
    for (const [binding, database] of Object.entries(databases)) {
      const failed = await migrate(database, migrations);
      if (failed !== null) return new Response(binding + ", " + failed, { status: 500 });
    }
    return new Response(null, { status: 204 });
  },
};

// Returns the file that fails, with the database's words.
async function migrate(database, migrations) {
    // As wrangler makes it.
    await database.prepare(\`CREATE TABLE IF NOT EXISTS d1_migrations(
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT UNIQUE,
      applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
    )\`).run();
    const { results } = await database.prepare("SELECT name FROM d1_migrations").all();
    const applied = new Set(results.map(({ name }) => name));
    for (const { name, statements } of migrations) {
      if (applied.has(name)) continue;
      const record = database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name);
      try {
        await database.batch([...statements.map((statement) => database.prepare(statement)), record]);
      } catch (error) {
        return name + ": " + error.message;
      }
    }
    return null;
}`;

/**
 * @param dataDir where the local service keeps its data
 * @param folder the files, in the order of their names
 * @param databases how many databases there are
 * @throws Error with the name of the binding and of a file that fails and the database's words; nothing of that file stays
 */
export async function migrate(dataDir: string, folder = "schema/migrations", databases = 1): Promise<void> {
  const names = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  const migrations = names
    .sort()
    .map((name) => ({ name, statements: readFileSync(join(folder, name), "utf8").split(BREAKPOINT) }));
  const miniflare = newRuntime(
    convertV4MiniflareOptions({
      modules: true,
      script: WORKER,
      d1Databases: localDatabases(databases),
      // Where `wrangler dev --persist-to` keeps its data.
      resourcePersistencePath: join(dataDir, "v3"),
      cf: false,
    }),
  );
  try {
    const request = { method: "POST", body: JSON.stringify(migrations) };
    const answer = await miniflare.dispatchFetch("http://migrations", request);
    if (!answer.ok) throw new Error(await answer.text());
  } finally {
    await miniflare.dispose();
  }
}
