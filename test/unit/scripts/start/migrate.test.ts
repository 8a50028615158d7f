/** The local database's migrations, against what wrangler says of them. */
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { migrate } from "../../../../scripts/start/migrate.ts";

const MIGRATIONS = "schema/migrations";
const names = readdirSync(MIGRATIONS)
  .filter((name) => name.endsWith(".sql"))
  .sort();
const run = promisify(execFile);

let dataDir = "";
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "silverprint-migrate-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** Returns the migrations that wrangler would apply, in its words. */
async function left(): Promise<string> {
  const args = ["d1", "migrations", "list", "DB", "--local", "--persist-to", dataDir];
  const env = { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false" };
  return (await run("node_modules/.bin/wrangler", args, { env })).stdout;
}

/** Makes a folder of the first migrations alone. */
function early(count: number): string {
  const folder = join(dataDir, "early");
  mkdirSync(folder);
  for (const name of names.slice(0, count)) copyFileSync(join(MIGRATIONS, name), join(folder, name));
  return folder;
}

it("applies what is missing, by wrangler's record, and nothing twice", async () => {
  await migrate(dataDir, early(3));
  await migrate(dataDir);
  await migrate(dataDir);
  expect(await left()).toContain("No migrations to apply");
});

it("applies them to each of several databases, and goes on with those that an earlier start did not make", async () => {
  await migrate(dataDir, early(3), 1);
  const folder = join(dataDir, "early");
  await migrate(dataDir, folder, 2);
  writeFileSync(join(folder, "0003_more.sql"), "CREATE TABLE more (a)");
  await migrate(dataDir, folder, 3);
  // A table that is there already: each database has applied the file, with a row in its ledger.
  writeFileSync(join(folder, "0004_more.sql"), "CREATE TABLE more (a)");
  for (const count of [1, 2, 3])
    await expect(migrate(dataDir, folder, count)).rejects.toThrow(/^DB, 0004_more/);
  rmSync(join(folder, "0004_more.sql"));
  await migrate(dataDir, folder, 3);
});

it("goes on with a set of databases of which one has fewer files", async () => {
  const folder = early(2);
  await migrate(dataDir, folder, 1);
  // The first database has the table; the second one makes it.
  writeFileSync(join(folder, "0002_half.sql"), "CREATE TABLE half (a)");
  await migrate(dataDir, folder, 1);
  await migrate(dataDir, folder, 2);
  writeFileSync(join(folder, "0003_again.sql"), "INSERT INTO half VALUES (1)");
  await migrate(dataDir, folder, 2);
});

it("names the file that fails, of which nothing stays, and goes on there", async () => {
  const folder = early(2);
  writeFileSync(
    join(folder, "0002_placeholder.sql"),
    "CREATE TABLE half (a);--> statement-breakpoint\nNONSENSE",
  );
  await expect(migrate(dataDir, folder)).rejects.toThrow(/0002_placeholder\.sql: .*NONSENSE/);
  writeFileSync(join(folder, "0002_placeholder.sql"), "CREATE TABLE half (a)");
  await migrate(dataDir, folder);
});
