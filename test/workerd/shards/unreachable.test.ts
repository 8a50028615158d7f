/** A database that does not answer holds up no other (RULES 12.4). */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { sweepAll } from "../../../src/edge/sweep-all.ts";
import worker from "../../../src/edge/worker.ts";
import type { Env } from "../../../src/edge/config.ts";
import { call, type Reply } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { BESIDE } from "../support/context.ts";
import { databases, deployed } from "../support/rows.ts";

cleanBetweenTests();

const d1 = (shard: number): D1Database => databases[shard] as D1Database;

/** A database whose every call fails. */
const AWAY = new Proxy(deployed.DB, {
  get: () => () => {
    throw new Error("D1_ERROR: away");
  },
});
/** Returns bindings without one database. The sweep runs with them, because objects have bindings of their own. */
const without = (shard: number): Env => ({
  ...deployed,
  SWEEPER: undefined as never,
  [shard === 0 ? "DB" : `DB_${shard}`]: AWAY,
});

async function ask(
  env: Env,
  path: string,
  body?: object,
): Promise<Pick<Reply, "status" | "error"> & { text: string }> {
  const headers = { Authorization: `Bearer ${deployed.ROOT_TOKEN}`, "Content-Type": "application/json" };
  const response = await worker.fetch(
    new Request(`https://api.test${path}`, {
      headers,
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    }),
    env,
    BESIDE as never,
  );
  const text = await response.text();
  const { error } = (text.startsWith("{") ? JSON.parse(text) : {}) as Pick<Reply, "error">;
  return { status: response.status, error, text };
}

beforeEach(async () => {
  vi.spyOn(console, "error").mockReturnValue(undefined);
  for (const shard of [0, 1, 2]) {
    const { status } = await call("POST", "/api/v1/spaces", { name: `on-${shard}`, shard });
    expect(status).toBe(201);
    expect((await call("GET", `/api/v1/on-${shard}/settings`)).status).toBe(200);
  }
});

describe.each([0, 1, 2])("while database %i does not answer", (away) => {
  it("the spaces of others are served, and its own are 500 or 503", async () => {
    for (const shard of [0, 1, 2]) {
      const { status } = await ask(without(away), `/api/v1/on-${shard}/settings`);
      expect(status >= 500).toBe(shard === away);
      const model = await ask(without(away), `/api/v1/on-${shard}/data/collections/none`);
      expect(model.status).toBe(shard === away ? 500 : 404);
    }
  });

  it("the sweep does its work on the others", async () => {
    const now = Date.now();
    for (const shard of [0, 1, 2]) {
      await d1(shard)
        .prepare("INSERT INTO doomed_objects (key, due_at) VALUES ('u/none/none/1', ?)")
        .bind(now - 1)
        .run();
    }
    const { report } = await sweepAll(without(away), { waitUntil: () => undefined, exports: {} });
    // Without the directory, the sweep cannot know whose bytes they are: they wait.
    const isDone = (shard: number): boolean => shard !== away && away !== 0;
    expect(report.removedObjects).toBe(away === 0 ? 0 : 2);
    expect(report.failed.length).toBeGreaterThan(8);
    expect(report.failed).toContain("removedObjects");
    for (const shard of [0, 1, 2]) {
      const left = await d1(shard).prepare("SELECT count(*) AS n FROM doomed_objects").first("n");
      expect(left).toBe(isDone(shard) ? 0 : 1);
    }
  });

  it("the figures leave out its size and the sums, the list of spaces says which it is", async () => {
    const { status, text } = await ask(without(away), "/api/v1/metrics");
    expect(status).toBe(200);
    for (const shard of [0, 1, 2]) {
      const line = new RegExp(`^silverprint_database_bytes\\{database="${shard}"\\} [1-9]`, "m");
      expect(line.test(text)).toBe(shard !== away);
    }
    expect(text).not.toContain("silverprint_stored_bytes{");
    expect((await ask(deployed, "/api/v1/metrics")).text).toContain(
      'silverprint_stored_bytes{kind="master"} 0',
    );
    const list = await ask(without(away), "/api/v1/spaces");
    expect([list.status, list.error.message]).toEqual([
      503,
      `Database ${away} does not answer at the moment. Try again.`,
    ]);
  });

  it("new spaces come to the others, unless it is the directory, which knows who has a name", async () => {
    for (const name of ["one", "two", "three"]) {
      const { status, text } = await ask(without(away), "/api/v1/spaces", { name });
      expect(status).toBe(away === 0 ? 500 : 201);
      if (away > 0) expect((JSON.parse(text) as { data: { shard: number } }).data.shard).not.toBe(away);
    }
  });
});
