/** Accounts as people have them, for rehearsals. */
import { readMigrations } from "../steps/migrations.ts";
import { type Account, emptyAccount, newBucket, newDatabase, newWorker } from "./account.ts";

/** Returns an account in which neither Workers nor R2 has been opened. */
export const untouchedAccount = (): Account => ({
  ...emptyAccount(),
  plan: "free",
  hasR2: false,
  subdomain: null,
});

export const freeAccount = (): Account => ({ ...emptyAccount(), plan: "free" });

export const accountWithoutR2 = (): Account => ({ ...emptyAccount(), hasR2: false });

export const accountWithoutQueues = (): Account => ({ ...emptyAccount(), hasQueues: false });

/** As `wrangler d1 migrations apply` makes it. */
const LEDGER = `CREATE TABLE IF NOT EXISTS "d1_migrations"(
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT UNIQUE,
		applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);`;

/**
 * Returns an earlier installation, which `wrangler d1 migrations apply` has brought to the migration that begins with
 * `last`.
 */
export function installationAt(last: string, name: string, rootToken: string): Account {
  const account = emptyAccount();
  const database = newDatabase(name, null);
  database.sqlite.exec(LEDGER);
  for (const { name: file, sql } of readMigrations().filter((migration) => migration.name < `${last}~`)) {
    database.sqlite.exec(sql);
    database.sqlite.prepare('INSERT INTO "d1_migrations" (name) values (?)').run(file);
  }
  account.databases.set(database.uuid, database);
  account.buckets.set(name, newBucket(name, null));
  for (const worker of [newWorker(name), newWorker(`${name}-builder`)]) {
    const id = crypto.randomUUID();
    const isEdge = worker.name === name;
    const secrets = isEdge ? [{ type: "secret_text", name: "ROOT_TOKEN", text: rootToken }] : [];
    worker.versions.push({ id, bindings: secrets });
    worker.deployed = id;
    worker.migrationTag = isEdge ? "v2" : "v1";
    worker.classes = new Set(isEdge ? ["SpaceQueue", "Metrics"] : ["BuildRoom"]);
    account.workers.set(worker.name, worker);
  }
  return account;
}
