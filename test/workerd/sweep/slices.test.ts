/** The slices in which the sweep removes and fills rows, within the queries of one invocation (RULES 10.11). */
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { modelOf } from "../../../src/content/model/model.ts";
import { countedD1, database } from "../../../src/edge/storage/database/database.ts";
import { addIndexRows } from "../../../src/edge/storage/records/record-index.ts";
import { readModel } from "../../../src/edge/storage/models/models.ts";
import { inTurns, shareOf } from "../../../src/edge/sweep/budget.ts";
import { SLICE, SWEEP } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { failingD1 } from "../support/bindings/failing-d1.ts";
import { bindings, makeMedia } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";

cleanBetweenTests();

const db = database(bindings.DB);
const count = async (from: string): Promise<number> =>
  (await bindings.DB.prepare(`SELECT count(*) AS n FROM ${from}`).first<number>("n")) ?? 0;
const numbers = (many: number) =>
  sql`/* fixture */ WITH RECURSIVE i(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM i WHERE n + 1 < ${many})`;

/**
 * Makes a space with records that have index rows and histories, with media that have variants, with keys and uploads.
 */
async function fullSpace(): Promise<void> {
  const client = await Client.make();
  const { id: spaceId } = client.space;
  const fields = Array.from({ length: 8 }, (_, n) => ({ name: `f${n}`, type: "string", unique: n === 0 }));
  await client.model("posts", fields);
  const model = modelOf((await readModel(db, spaceId, "collections", "posts"))!);
  const value = sql.raw(`json_object('${model.fields[0]?.no ?? 0}', 'v' || n)`);
  await db.run(sql`${numbers(2 * SLICE.records)}
    INSERT INTO records (model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at)
    SELECT ${model.id}, ${spaceId}, printf('R%025d', n), ${value}, '{}', 40, 1, n, n FROM i`);
  for (const statement of addIndexRows(model.fields, sql`r.model_id = ${model.id}`))
    await db.run(sql`/* fixture */ ${statement}`);
  await db.run(sql`${numbers(3)} INSERT INTO record_versions (record, no, version, event, is_content, created_at, changed)
    SELECT seq, n + 1, n + 1, 'updated', 1, 1, '[]' FROM records, i`);
  for (let n = 0; n < 3; n++) {
    const { id } = await makeMedia(client.space);
    await db.run(sql`${numbers(190)} INSERT INTO variants
        (media_id, version, file, space_id, encoder_version, size_bytes, created_at, expires_at)
      SELECT ${id}, 1, 'w' || n || '-q80-e3.webp', ${spaceId}, 3, 1, 1, 9e15 FROM i`);
  }
  await db.run(sql`${numbers(SWEEP.keysPerBatch + 5)} INSERT INTO api_keys (id, space_id, name, role, hash, created_at)
    SELECT 'k' || n, ${spaceId}, 'k', 'read', 'h' || n, 1 FROM i`);
  await db.run(sql`${numbers(SLICE.rows + 5)} INSERT INTO uploads (id, space_id, filename, size_bytes, created_at, expires_at)
    SELECT 'u' || n, ${spaceId}, 'f', 1, 1, 9e15 FROM i`);
}

const remove = () =>
  bindings.DB.batch(
    ["UPDATE spaces SET removed_at = 1", "DELETE FROM space_names"].map((text) => bindings.DB.prepare(text)),
  );

const TABLES = [
  ...[
    "spaces",
    "space_names",
    "api_keys",
    "models",
    "records",
    "record_values",
    "record_uniques",
    "record_versions",
  ],
  ...["media", "masters", "variants", "doomed_fields", "space_totals"],
];

async function left(): Promise<string[]> {
  const counts = await Promise.all(TABLES.map(async (table) => [table, await count(table)] as const));
  return counts.filter(([, rows]) => rows > 0).map(([table]) => table);
}

describe("a removed space with more rows than a statement may change", () => {
  it("is emptied by some runs, also if each is cut off", async () => {
    await fullSpace();
    await remove();
    let runs = 0;
    for (let call = 2; (await count("spaces")) > 0 && runs < 40; call += 15, runs += 1) {
      const { db: cut } = failingD1(bindings.DB, { call, at: "before" });
      await runSweep(Date.now(), { db: database(cut) });
    }
    expect(runs).toBeLessThan(40);
    expect(await left()).toEqual([]);
    expect(await count(`uploads WHERE expires_at > ${Date.now()}`)).toBe(0);
  });
});

describe("media whose time in the trash is over", () => {
  it("lose their variants in slices, keep their masters meanwhile, and leave all bytes to be removed", async () => {
    await fullSpace();
    await bindings.DB.prepare("UPDATE media SET deleted_at = 1, purge_at = 1").run();
    const { db: cut } = failingD1(bindings.DB, { call: 6, at: "before" });
    await runSweep(Date.now(), { db: database(cut) });
    expect([await count("variants"), await count("masters"), await count("media")]).toEqual([70, 3, 3]);
    expect((await runSweep(Date.now())).purgedMedia).toBe(3);
    expect([await count("masters"), await count("variants"), await count("media")]).toEqual([0, 0, 0]);
    expect(await count("doomed_objects")).toBe(3 * 191);
  });
});

describe("the queries of a run", () => {
  const LIMITS = SWEEP as { schedulesPerBatch: number };
  const { schedulesPerBatch } = SWEEP;
  afterEach(() => (LIMITS.schedulesPerBatch = schedulesPerBatch));

  it("stay within its part, however much is to be done", async () => {
    await fullSpace();
    await remove();
    await db.run(sql`${numbers(30_000)} INSERT INTO idempotency_keys (caller, key, request, seed, run, runs_until, expires_at)
      SELECT 'many', n, '', '', '', 0, 0 FROM i`);
    const queries = { queries: 0 };
    const counted = database(countedD1(bindings.DB, queries));
    await runSweep(Date.now(), { db: counted, queriesMax: 40 });
    // A step that goes on makes its batch to the end, of some queries.
    expect(queries.queries).toBeLessThanOrEqual(40 + 60);
    for (let run = 0; run < 60 && (await count("idempotency_keys")) > 0; run++)
      await runSweep(Date.now() + run * 60_000, { queriesMax: 40 });
    expect(await count("idempotency_keys")).toBe(0);
  });

  it("leave the database to requests after every few queries", async () => {
    await fullSpace();
    await remove();
    const queries = { queries: 0 };
    const rests = vi.spyOn(globalThis, "setTimeout");
    await runSweep(Date.now(), { db: database(countedD1(bindings.DB, queries)) });
    const restCount = rests.mock.calls.filter(([, ms = 0]) => ms >= SWEEP.restMinMs).length;
    rests.mockRestore();
    expect(queries.queries).toBeGreaterThan(2 * SWEEP.restEverySteps);
    expect(restCount).toBeGreaterThanOrEqual(Math.floor(queries.queries / SWEEP.restEverySteps));
  });

  it("are shared: a step has a third of what is left, and at least its first batch", () => {
    const used = { queries: 0 };
    const goesOn = shareOf(used, 90);
    used.queries = 29;
    expect(goesOn()).toBe(true);
    used.queries = 30;
    expect(goesOn()).toBe(false);
    used.queries = 500;
    expect(shareOf(used, 90)()).toBe(true);
  });

  it("go on with another step each minute, after those that come first", () => {
    expect(inTurns(["r", "a", "b", "c", "d"], 0)).toEqual(["r", "a", "b", "c", "d"]);
    expect(inTurns(["r", "a", "b", "c", "d"], 60_000)).toEqual(["r", "a", "c", "d", "b"]);
    expect(inTurns(["r", "a", "b", "c", "d"], 180_000)).toEqual(["r", "a", "b", "c", "d"]);
  });
});
