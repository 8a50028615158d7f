/**
 * Before each file: D1's tables as the migrations make them, and nothing that an earlier file left. Files share a
 * runtime, its modules and its storage.
 */
import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { bindings, databases } from "./rows.ts";
import { clean } from "./clean.ts";

const { TEST_MIGRATIONS } = bindings as unknown as { TEST_MIGRATIONS: D1Migration[] };

for (const database of databases) await applyD1Migrations(database, TEST_MIGRATIONS);
await clean();
