/** The ceilings of keyed requests (RULES 1.10), over HTTP. Each test uses keys and client addresses of its own. */
import { beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, KEYED } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { requestWith } from "../support/http.ts";
import { bindings } from "../support/rows.ts";

cleanBetweenTests();

const API_RATE = "20";
const READS = 20;
const WRITES = 2;

let client: Client;
let nextAddress = 1;
/** An address that no other test has used: counts of a client outlive a test. */
let address: string;

beforeEach(async () => {
  // However long the requests take, all of them are in one minute.
  moveClock(0);
  client = await Client.make();
  await client.model("posts", [{ name: "title", type: "string" }]);
  address = `203.0.113.${nextAddress++}`;
});

interface Sent {
  status: number;
  code: string | null;
  retryAfter: string | null;
}

async function send(
  key: string,
  path: string,
  init: RequestInit = {},
  overrides: object = {},
): Promise<Sent> {
  const response = await requestWith({ API_RATE, ...overrides }, `/api/v1/${client.space.name}${path}`, {
    ...init,
    headers: {
      Authorization: `Bearer ${key}`,
      "CF-Connecting-IP": address,
      "Content-Type": "application/json",
    },
  });
  const text = await response.text();
  const { error } = (text === "" ? {} : JSON.parse(text)) as { error?: { code: string } };
  return {
    status: response.status,
    code: error?.code ?? null,
    retryAfter: response.headers.get("Retry-After"),
  };
}

const post = { method: "POST", body: JSON.stringify({ title: "a" }) };

/** A database that fails whoever asks it. */
const NO_DATABASE = {
  DB: {
    prepare: () => {
      throw new Error("the database was asked");
    },
  },
};

describe("a key", () => {
  it("is charged a read for an agent's message, and for what the tool calls as well (RULES 19.2)", async () => {
    const key = await client.key("write");
    const call = (name: string, args: object): Promise<Sent> =>
      send(key, "/mcp", {
        method: "POST",
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name, arguments: args },
        }),
      });
    for (let n = 0; n < READS / 2; n++) expect((await call("list_models", {})).status).toBe(200);
    expect((await call("list_models", {})).code).toBe("RATE_LIMITED");
    for (let n = 0; n < WRITES; n++) {
      expect((await send(key, "/data/collections/posts", post)).status).toBe(201);
    }
  });

  it("may make API_RATE reads in a minute, then gets 429 without a query", async () => {
    const key = await client.key("read");
    const paths = ["/data/collections/posts", "/keys/self", "/usage", "/media", "/models"];
    for (let n = 0; n < READS; n++) {
      expect((await send(key, paths[n % paths.length] ?? "")).status).toBe(200);
    }
    const refused = await send(key, "/data/collections/posts", {}, NO_DATABASE);
    expect(refused).toMatchObject({ status: 429, code: "RATE_LIMITED" });
    expect(Number(refused.retryAfter)).toBeGreaterThan(0);
    expect(Number(refused.retryAfter)).toBeLessThanOrEqual(60);
    expect((await send(key, "/data/collections/posts", { method: "HEAD" })).status).toBe(429);
    expect((await send(await client.key("read"), "/data/collections/posts")).status).toBe(200);
  });

  it("may make a tenth of that in writes, whatever they come to", async () => {
    const key = await client.key("write");
    expect((await send(key, "/data/collections/posts", post)).status).toBe(201);
    expect((await send(key, "/models", post)).status).toBe(403);
    for (const path of ["/data/collections/posts", "/models", "/media", "/media/uploads"]) {
      expect(await send(key, path, post, NO_DATABASE)).toMatchObject({ status: 429, code: "RATE_LIMITED" });
    }
    expect((await send(key, "/data/collections/posts")).status).toBe(200);
  });

  it("is told of the ceiling across origins", async () => {
    const key = await client.key("write");
    for (let n = 0; n < WRITES; n++) await send(key, "/data/collections/posts", post);
    const path = `/api/v1/${client.space.name}/data/collections/posts`;
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const { status, headers: answered } = await requestWith({ API_RATE }, path, { ...post, headers });
    expect([status, answered.get("Access-Control-Allow-Origin"), answered.get("Cache-Control")]).toEqual([
      429,
      "*",
      "no-store",
    ]);
  });
});

describe("the root token", () => {
  it("may make ten times as many requests", async () => {
    // A minute in which no other test has used it: files share the isolate, and some move the clock by weeks.
    moveClock(1000 * DAY_MS);
    const statuses: number[] = [];
    for (let n = 0; n <= 10 * WRITES; n++) {
      statuses.push((await send(bindings.ROOT_TOKEN, "/data/collections/posts", post)).status);
    }
    expect(statuses.filter((status) => status === 201)).toHaveLength(10 * WRITES);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("unknown keys", () => {
  it("are refused without a query after 60 in a minute, while a known key of the same client is served", async () => {
    const known = await client.key("read");
    expect((await send(known, "/data/collections/posts")).status).toBe(200);
    for (let n = 0; n < KEYED.unknownKeysMax; n++) {
      const path = n % 2 === 0 ? "/data/collections/posts" : "/usage";
      expect((await send(`sp_guess-${n}`, path)).status).toBe(401);
    }
    const unseen = await client.key("read");
    for (const key of ["sp_another-guess", unseen]) {
      expect(await send(key, "/data/collections/posts", {}, NO_DATABASE)).toMatchObject({
        status: 429,
        code: "RATE_LIMITED",
      });
    }
    expect((await send(known, "/data/collections/posts")).status).toBe(200);
    address = "203.0.113.250";
    expect((await send(unseen, "/data/collections/posts")).status).toBe(200);
  });

  it("cannot be made known by a request that asks nothing", async () => {
    for (let n = 0; n <= KEYED.unknownKeysMax; n++) {
      await send(`sp_false-${n}`, "/no-such-route");
      const { status } = await send(`sp_false-${n}`, "/usage");
      expect(status).toBe(n < KEYED.unknownKeysMax ? 401 : 429);
    }
  });
});
