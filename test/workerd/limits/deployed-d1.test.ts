/** The limits of a deployed D1, as every test inside workerd has them: at each limit, and one past it. */
import { afterEach, describe, expect, it } from "vitest";
import { D1_LIMITS, inOneInvocation, takePassedLimits } from "../support/bindings/deployed-d1.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { bindings, makeSpace } from "../support/rows.ts";

cleanBetweenTests();

const { DB } = bindings;
const KEYS = `INSERT INTO idempotency_keys (caller, key, request, seed, run, runs_until, expires_at)
  SELECT 'c', n, '', '', '', 0, 0 FROM n`;
const numbers = (count: number) =>
  `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})`;
/** Returns a statement that inserts `count` keys. Each is three rows: its own, and one of either index. */
const keys = (count: number) =>
  `${numbers(count)} INSERT INTO doomed_objects (key, due_at) SELECT 'x/' || n, 0 FROM n`;

/** Returns the reason of a refusal, of which the limits keep a note. */
async function refusal(work: () => Promise<unknown>): Promise<string> {
  const message = await work().then(
    () => "",
    (error: unknown) => String(error),
  );
  expect(takePassedLimits()).toHaveLength(1);
  return message;
}

describe("a statement", () => {
  it("may change 5,000 rows, rows of indexes and those that triggers write included", async () => {
    const { meta } = await DB.prepare(keys(1666)).run();
    expect(meta.rows_written).toBe(4998);
    await DB.prepare("DELETE FROM doomed_objects").run();
    expect(await refusal(() => DB.prepare(keys(1667)).run())).toContain("5001 changed rows");
    expect(
      await refusal(() => DB.batch([DB.prepare("SELECT 1"), DB.prepare(`${numbers(1300)} ${KEYS}`)])),
    ).toContain("changed rows");
  });

  it("may have 100 parameters, and 100 KB of SQL", async () => {
    const bound = (count: number) =>
      DB.prepare(`SELECT ${Array.from({ length: count }, (_, n) => `?${n + 1}`).join()}`).bind(
        ...Array.from({ length: count }, () => 1),
      );
    await bound(100).all();
    expect(await refusal(() => bound(101).all())).toContain("101 parameters");
    const long = (bytes: number) => DB.prepare("SELECT 1".padEnd(bytes)).all();
    await long(D1_LIMITS.sqlBytes);
    expect(await refusal(() => long(D1_LIMITS.sqlBytes + 1))).toContain("100001 bytes of SQL");
  });

  it("may bind 2 MB, and write a row of 2 MB", async () => {
    const { id } = await makeSpace();
    const insert = (bytes: number) =>
      DB.prepare(
        `INSERT OR REPLACE INTO records (seq, model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at)
         VALUES (1, 1, ?1, 'r', ?2, '{}', 1, 1, 1, 1)`,
      )
        .bind(id, "x".repeat(bytes))
        .run();
    await insert(1_999_900);
    await expect(insert(2_000_000)).rejects.toThrow("too big, in a row of records");
    expect(await refusal(() => insert(2_000_001))).toContain("a value of 2000001 bytes");
  });
});

describe("one invocation", () => {
  const LIMITS = D1_LIMITS as { callsPerInvocation: number };
  const { callsPerInvocation } = D1_LIMITS;
  afterEach(() => (LIMITS.callsPerInvocation = callsPerInvocation));

  it("may make 1,000 queries, of which a batch is one", async () => {
    expect(callsPerInvocation).toBe(1000);
    LIMITS.callsPerInvocation = 10;
    const ask = () => DB.batch([DB.prepare("SELECT 1"), DB.prepare("SELECT 2")]);
    await inOneInvocation(async () => {
      for (let call = 0; call < 10; call++) await ask();
      expect(await refusal(ask)).toContain("a further query in one invocation");
    });
  });

  it("has six connections: a seventh query waits for the answer of one of the six", async () => {
    const done: number[] = [];
    await inOneInvocation(async () => {
      const asked = Array.from({ length: 7 }, async (_, n) => {
        // The last one is the quickest.
        await DB.prepare(n === 6 ? "SELECT 1" : `${numbers(100_000)} SELECT count(*) FROM n`).all();
        done.push(n);
      });
      await Promise.all(asked);
    });
    expect(done[0]).not.toBe(6);
    expect(done).toHaveLength(7);
  });
});
