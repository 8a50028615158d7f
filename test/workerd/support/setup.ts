/**
 * Before each file: D1's tables as the migrations make them, and nothing that an earlier file left. Files share a
 * runtime, its modules and its storage.
 */
import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { afterEach, expect, vi } from "vitest";
import { limitD1, limitRows, takePassedLimits } from "./bindings/deployed-d1.ts";
import { clean } from "./clean.ts";
import { bindings, databases } from "./rows.ts";

const { TEST_MIGRATIONS } = bindings as unknown as { TEST_MIGRATIONS: D1Migration[] };

for (const database of databases) {
  await applyD1Migrations(database, TEST_MIGRATIONS);
  await limitRows(database);
}
limitD1(bindings.DB);
await clean();
takePassedLimits();

/** A test that fails leaves no held clock to the next one. */
afterEach(() => void vi.useRealTimers());

/** Also where the code under test has gone on without the call that a deployed D1 refuses. */
afterEach(() => expect(takePassedLimits()).toEqual([]));
