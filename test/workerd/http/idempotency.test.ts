/** `Idempotency-Key` (RULES 1.9): one answer per key, whatever crashes. */
import { beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../../src/edge/app.ts";
import { DAY_MS, IDEMPOTENCY } from "../../../src/limits.ts";
import { call, Client, type CallOptions } from "../support/api.ts";
import { failingD1 } from "../support/bindings/failing-d1.ts";
import { requestWith, ROOT } from "../support/http.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";

let client: Client;
const LIST = "/data/collections/posts";

const post = (key: string, body: unknown, path = LIST, options: CallOptions = {}) =>
  client.call<{ id: string }>("POST", path, body, { ...options, headers: { "Idempotency-Key": key } });

const titled = async (title: string): Promise<number | undefined> =>
  (await client.call("GET", `${LIST}?count=true&filter[title][eq]=${title}`)).meta.total;

const stored = async (): Promise<number | undefined> =>
  (await bindings.DB.prepare("SELECT count(*) AS n FROM idempotency_keys").first<{ n: number }>())?.n;

beforeAll(async () => {
  client = await Client.make();
  await client.model("posts", [
    { name: "title", type: "string", required: true },
    { name: "slug", type: "string", unique: true },
  ]);
});

describe("a POST with an Idempotency-Key", () => {
  it("is done once and answered again with the same answer", async () => {
    const first = await post("a", { title: "once" });
    const again = await post("a", { title: "once" });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.data).toEqual(first.data);
    for (const name of ["ETag", "Location", "Content-Type", "Cache-Control"]) {
      expect(again.headers.get(name)).toBe(first.headers.get(name));
    }
    expect(first.headers.get("Idempotent-Replayed")).toBeNull();
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(again.headers.get("X-Request-Id")).not.toBe(first.headers.get("X-Request-Id"));
    expect(await titled("once")).toBe(1);
  });

  it("stores no host, and begins Location as other answers to the same host do (RULES 1.7)", async () => {
    const path = `/api/v1/${client.space.name}${LIST}`;
    const ask = async (PUBLIC_BASE_URL: string): Promise<string | null> => {
      const headers = { ...ROOT, "Content-Type": "application/json", "Idempotency-Key": "hosts" };
      const body = JSON.stringify({ title: "hosts" });
      const response = await requestWith({ PUBLIC_BASE_URL }, path, { method: "POST", headers, body });
      await response.body?.cancel();
      return response.headers.get("Location");
    };
    const first = await ask("https://one.test/below");
    expect(first).toMatch(/^https:\/\/one\.test\/below\/api\/v1\//);
    expect(await ask("https://two.test")).toBe(first?.replace("one.test/below", "two.test"));
    const { results } = await bindings.DB.prepare("SELECT * FROM idempotency_keys").all();
    expect(JSON.stringify(results)).not.toMatch(/(?:one|two|images)\.test/);
  });

  it("stores refusals, too", async () => {
    const first = await post("refused", { nope: 1 });
    const again = await post("refused", { nope: 1 });
    expect([first.status, again.status]).toEqual([400, 400]);
    expect(again.error).toEqual(first.error);
  });

  it("is 422 with another body, address or query", async () => {
    await post("b", { title: "b" });
    for (const [body, path] of [
      [{ title: "c" }, LIST],
      [{ title: "b" }, `${LIST}/bulk`],
    ] as const) {
      const reply = await post("b", body, path);
      expect([reply.status, reply.error.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    }
    const { data } = await client.call<{ id: string }>("POST", LIST, { title: "b" });
    const restore = `${LIST}/${data.id}/versions/1/restore`;
    expect((await post("query", undefined, restore)).status).toBe(200);
    expect((await post("query", undefined, `${restore}?dropMissing=true`)).status).toBe(422);
  });

  it("is separate for each caller", async () => {
    const [one, two] = [await client.key("write"), await client.key("write")];
    const first = await post("own", { title: "own" }, LIST, { key: one });
    const second = await post("own", { title: "own" }, LIST, { key: two });
    expect(second.data.id).not.toBe(first.data.id);
    const read = await client.key("read");
    expect((await post("own", { title: "own" }, LIST, { key: read })).status).toBe(403);
  });

  it("stores nothing for what the caller may not do, or asks in a way that the route does not know", async () => {
    const read = await client.key("read");
    const write = await client.key("write");
    const stranger = await (await Client.make()).key("admin");
    const before = await stored();
    const refused: [number, string | null, string][] = [
      [401, "sp_unknown", LIST],
      [401, null, LIST],
      [403, read, LIST],
      [403, read, `${LIST}/bulk`],
      [403, read, `${LIST}/01ARZ3NDEKTSV4RRFFQ69G5FAV/publish`],
      [403, read, "/trash/01ARZ3NDEKTSV4RRFFQ69G5FAV/restore"],
      [403, write, "/models"],
      [400, write, `${LIST}?unknown=1`],
      [404, stranger, LIST],
      [404, stranger, "/models"],
      [404, write, "/data/collections/no-such-model"],
      [404, write, "/data/collections/no-such-model/bulk"],
      [404, write, "/data/nothing/posts"],
      [404, write, "/no-such-route"],
      [405, write, "/usage"],
    ];
    for (const [index, [status, key, path]] of refused.entries()) {
      const reply = await post(`refused-${index}`, { title: "x" }, path, { key });
      expect([reply.status, path]).toEqual([status, path]);
    }
    const spaces = await call(
      "POST",
      "/api/v1/spaces",
      { name: "other" },
      { key: write, headers: { "Idempotency-Key": "s" } },
    );
    expect(spaces.status).toBe(403);
    expect(await stored()).toBe(before);
  });

  it("works for routes without a body, and for bulks", async () => {
    const { data } = await post("c", { title: "c" });
    await client.call("DELETE", `${LIST}/${data.id}`);
    expect((await post("restore", undefined, `/trash/${data.id}/restore`)).status).toBe(200);
    expect((await post("restore", undefined, `/trash/${data.id}/restore`)).status).toBe(200);
    expect((await client.call("POST", `/trash/${data.id}/restore`)).status).toBe(404);
    const bulk = {
      operations: [
        { op: "create", data: { title: "many" } },
        { op: "create", data: { title: "many" } },
      ],
    };
    await post("bulk", bulk, `${LIST}/bulk`);
    expect((await post("bulk", bulk, `${LIST}/bulk`)).status).toBe(200);
    expect(await titled("many")).toBe(2);
  });

  it.each(["", "a b", "é", "x".repeat(IDEMPOTENCY.keyMaxCharacters + 1)])(
    "refuses the key %j",
    async (key) => {
      const reply = await post(key, { title: "x" });
      expect([reply.status, reply.error.code]).toEqual([400, "INVALID_PARAMETER"]);
    },
  );

  it("accepts a key of the largest length", async () => {
    expect((await post("x".repeat(IDEMPOTENCY.keyMaxCharacters), { title: "long" })).status).toBe(201);
  });

  it("is ignored by the route that makes API keys", async () => {
    const make = () => post("key", { name: "k", role: "read" }, "/keys");
    const [one, two] = [await make(), await make()];
    expect(one.data.id).not.toBe(two.data.id);
  });
});

describe("requests at the same time", () => {
  it("run once", async () => {
    const replies = await Promise.all(Array.from({ length: 5 }, () => post("race", { title: "race" })));
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(201);
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expect([reply.status, reply.error.code]).toEqual([409, "REQUEST_IN_PROGRESS"]);
    }
    expect((await post("race", { title: "race" })).status).toBe(201);
    expect(await titled("race")).toBe(1);
  });
});

describe("a crash", () => {
  const app = createApp();
  const send = (db: D1Database, key: string, body: unknown, path = LIST) => {
    const init = {
      method: "POST",
      headers: {
        Authorization: `Bearer ${bindings.ROOT_TOKEN}`,
        "Content-Type": "application/json",
        "Idempotency-Key": key,
      },
      body: JSON.stringify(body),
    };
    const context = { waitUntil: () => undefined, passThroughOnException: () => undefined } as never;
    return app.request(`/api/v1/${client.space.name}${path}`, init, { ...bindings, DB: db }, context);
  };

  it.each(["before", "after"] as const)(
    "%s any round trip makes nothing twice, and keeps no key running",
    async (at) => {
      for (let number = 0, failed = true; failed; number++) {
        const title = `crash-${at}-${number}`;
        const lost = failingD1(bindings.DB, { call: number, at });
        const body = { title, slug: title };
        await send(lost.db, title, body);
        failed = lost.failed();
        await bindings.DB.prepare("UPDATE idempotency_keys SET runs_until = 0 WHERE status IS NULL").run();
        const again = await post(title, body);
        expect([again.status, again.data]).toMatchObject([201, { title }]);
        expect(await titled(title)).toBe(1);
        const bulk = {
          operations: [
            { op: "create", data: { title: `${title}-bulk` } },
            { op: "create", data: { title: `${title}-bulk` } },
          ],
        };
        await send(failingD1(bindings.DB, { call: number, at }).db, `${title}-bulk`, bulk, `${LIST}/bulk`);
        await bindings.DB.prepare("UPDATE idempotency_keys SET runs_until = 0 WHERE status IS NULL").run();
        expect((await post(`${title}-bulk`, bulk, `${LIST}/bulk`)).status).toBe(200);
        expect(await titled(`${title}-bulk`)).toBe(2);
      }
    },
  );

  it("of a run releases its key after a minute, and not before", async () => {
    await post("late", { title: "late" });
    const until = (ms: number) =>
      bindings.DB.prepare("UPDATE idempotency_keys SET status = NULL, runs_until = ? WHERE key = 'late'")
        .bind(ms)
        .run();
    await until(Date.now() + IDEMPOTENCY.runMs);
    expect((await post("late", { title: "late" })).status).toBe(409);
    await until(Date.now());
    expect((await post("late", { title: "late" })).status).toBe(201);
    expect(await titled("late")).toBe(1);
  });
});

describe("after 24 hours", () => {
  it("the key is new, and the sweep removes it", async () => {
    await post("old", { title: "old" });
    await bindings.DB.prepare("UPDATE idempotency_keys SET expires_at = ? WHERE key = 'old'")
      .bind(Date.now())
      .run();
    expect((await post("old", { title: "other" })).status).toBe(201);
    await runSweep(Date.now());
    expect((await post("old", { title: "third" })).status).toBe(422);
    expect((await runSweep(Date.now() + DAY_MS)).expiredKeys).toBeGreaterThan(0);
    expect((await post("old", { title: "third" })).status).toBe(201);
  });
});

it("is allowed from other origins", async () => {
  const reply = await call("GET", "/api/v1/openapi.json");
  expect(reply.headers.get("Access-Control-Expose-Headers")).toContain("Idempotent-Replayed");
});
