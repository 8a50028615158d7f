/** How many Idempotency-Keys of one caller are kept (RULES 1.9). */
import type { D1Migration } from "cloudflare:test";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { IDEMPOTENCY } from "../../../src/limits.ts";
import { Client, type CallOptions } from "../support/api.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";

const LIST = "/data/collections/posts";

let client: Client;
beforeAll(async () => {
  client = await Client.make();
  await client.model("posts", [{ name: "title", type: "string", required: true }]);
});

const post = (key: string, body: unknown, path = LIST, options: CallOptions = {}) =>
  client.call<{ id: string }>("POST", path, body, { ...options, headers: { "Idempotency-Key": key } });

const titled = async (title: string): Promise<number | undefined> =>
  (await client.call("GET", `${LIST}?count=true&filter[title][eq]=${title}`)).meta.total;

describe("the keys of one caller", () => {
  const LIMITS = IDEMPOTENCY as { keysPerCallerMax: number };
  const { keysPerCallerMax } = LIMITS;
  afterEach(() => {
    LIMITS.keysPerCallerMax = keysPerCallerMax;
  });

  it("are as many as are kept, then 429, while known ones are answered again", async () => {
    LIMITS.keysPerCallerMax = 3;
    const key = await client.key("write");
    const of = (name: string, title = name) => post(name, { title }, LIST, { key });
    for (const name of ["k1", "k2", "k3"]) expect((await of(name)).status).toBe(201);
    const refused = await of("k4");
    expect([refused.status, refused.error.code]).toEqual([429, "RATE_LIMITED"]);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await titled("k4")).toBe(0);
    const again = await of("k2");
    expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([201, "true"]);
    expect((await client.call("POST", LIST, { title: "without" }, { key })).status).toBe(201);
    expect((await post("k4", { title: "k4" }, LIST, { key: await client.key("write") })).status).toBe(201);
  });

  it("make room when they expire, by being used again or by the sweep", async () => {
    LIMITS.keysPerCallerMax = 2;
    const key = await client.key("write");
    const of = (name: string, title: string) => post(name, { title }, LIST, { key });
    const expire = () =>
      bindings.DB.prepare("UPDATE idempotency_keys SET expires_at = 0 WHERE key LIKE 'room-%'").run();
    for (const name of ["room-1", "room-2"]) await of(name, name);
    await expire();
    expect((await of("room-1", "another")).status).toBe(201);
    expect((await of("room-3", "third")).status).toBe(429);
    await runSweep(Date.now());
    expect((await of("room-3", "third")).status).toBe(201);
    expect((await of("room-4", "fourth")).status).toBe(429);
  });

  it("are removed in one sweep, however many have expired", async () => {
    await bindings.DB.prepare(
      `/* fixture */ WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < ?1)
       INSERT INTO idempotency_keys (caller, key, request, seed, run, runs_until, expires_at)
       SELECT 'many', n, '', '', '', 0, 0 FROM i`,
    )
      .bind(keysPerCallerMax)
      .run();
    const kept = () =>
      bindings.DB.prepare("SELECT keys FROM idempotency_callers WHERE caller = 'many'").first("keys");
    expect(await kept()).toBe(keysPerCallerMax);
    expect((await runSweep(Date.now())).expiredKeys).toBeGreaterThanOrEqual(keysPerCallerMax);
    expect(await kept()).toBeNull();
  });
});

describe("the answers of one caller", () => {
  const LIMITS = IDEMPOTENCY as { bytesPerCallerMax: number };
  const { bytesPerCallerMax } = LIMITS;
  afterEach(() => {
    LIMITS.bytesPerCallerMax = bytesPerCallerMax;
  });

  const { DB, TEST_MIGRATIONS } = bindings as unknown as { DB: D1Database; TEST_MIGRATIONS: D1Migration[] };
  const SIZE = "coalesce(octet_length(headers), 0) + coalesce(octet_length(body), 0)";

  /** Returns the bytes that are counted, and those that are stored. */
  async function bytesOf(where: string): Promise<{ counted: number | null; stored: number }> {
    const counted = await DB.prepare(`SELECT bytes FROM idempotency_callers WHERE caller = (${where})`).first(
      "bytes",
    );
    const sum = `SELECT coalesce(sum(${SIZE}), 0) AS n FROM idempotency_keys WHERE caller = (${where})`;
    return { counted: counted as number | null, stored: (await DB.prepare(sum).first("n"))! };
  }
  const callerOf = (key: string): string => `SELECT caller FROM idempotency_keys WHERE key = '${key}'`;

  it("have as many bytes as are kept, then 429, while known ones are answered again", async () => {
    const key = await client.key("write");
    const of = (name: string) => post(name, { title: `${name} ${"é".repeat(20)}` }, LIST, { key });
    expect((await of("b1")).status).toBe(201);
    const { counted, stored } = await bytesOf(callerOf("b1"));
    expect(counted).toBe(stored);
    expect(counted).toBeGreaterThan(20);
    LIMITS.bytesPerCallerMax = counted! + 1;
    expect((await of("b2")).status).toBe(201);
    LIMITS.bytesPerCallerMax = (await bytesOf(callerOf("b1"))).counted!;
    const refused = await of("b3");
    expect([refused.status, refused.error.code]).toEqual([429, "RATE_LIMITED"]);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    const again = await of("b2");
    expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([201, "true"]);
    expect((await post("b3", { title: "b3" }, LIST, { key: await client.key("write") })).status).toBe(201);
  });

  it("make room when they expire", async () => {
    const key = await client.key("write");
    const of = (name: string) => post(name, { title: name }, LIST, { key });
    for (const name of ["old-1", "old-2"]) await of(name);
    LIMITS.bytesPerCallerMax = (await bytesOf(callerOf("old-1"))).counted!;
    expect((await of("old-3")).status).toBe(429);
    await DB.prepare("UPDATE idempotency_keys SET expires_at = 0 WHERE key = 'old-2'").run();
    await runSweep(Date.now());
    const { counted, stored } = await bytesOf(callerOf("old-1"));
    expect(counted).toBe(stored);
    expect((await of("old-3")).status).toBe(201);
    await DB.prepare("UPDATE idempotency_keys SET expires_at = 0 WHERE key LIKE 'old-%'").run();
    expect((await of("old-1")).status).toBe(201);
    const reused = await bytesOf(callerOf("old-1"));
    expect(reused.counted).toBe(reused.stored);
  });

  it("are counted where they are stored with their row, and where they were stored before they were counted", async () => {
    const row = (name: string, body: string | null) =>
      DB.prepare(
        `INSERT INTO idempotency_keys (caller, key, request, seed, run, runs_until, expires_at, body)
         VALUES ('before', ?1, '', '', '', 0, ?2, ?3)`,
      ).bind(name, Number.MAX_SAFE_INTEGER, body);
    await DB.batch([row("one", "é".repeat(500)), row("two", null), row("three", "x")]);
    expect(await bytesOf("'before'")).toEqual({ counted: 1001, stored: 1001 });
    await DB.prepare("UPDATE idempotency_callers SET bytes = 0").run();
    const fills = TEST_MIGRATIONS.filter(({ name }) => name.startsWith("0016"))
      .flatMap(({ queries }) => queries)
      .filter((query) => query.includes("UPDATE `idempotency_callers` SET `bytes` = coalesce((SELECT"));
    expect(fills).toHaveLength(1);
    await DB.prepare(fills[0]!).run();
    expect(await bytesOf("'before'")).toEqual({ counted: 1001, stored: 1001 });
    await DB.prepare("DELETE FROM idempotency_keys WHERE caller = 'before' AND key = 'one'").run();
    expect(await bytesOf("'before'")).toEqual({ counted: 1, stored: 1 });
  });
});
