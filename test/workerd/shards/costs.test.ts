/** The queries of requests with one database and with three: none more where the isolate knows the space (RULES 12.1). */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../src/edge/config.ts";
import handlers from "../../../src/edge/worker.ts";
import { countedD1, type QueryCount } from "../../../src/edge/storage/database/database.ts";
import { Client } from "../support/api.ts";
import { bindings, databases, deployed, JPEG_FACTS, makeMedia, SHARD } from "../support/rows.ts";

const POSTS = "/data/collections/posts";
let client: Client;
let key: string;
let id: string;
let mediaId: string;
beforeAll(async () => {
  client = await Client.make();
  await client.model("posts", [{ name: "title", type: "string" }]);
  id = await client.create("posts", { title: "one" });
  key = await client.key("write");
  mediaId = (await makeMedia(client.space, { ...JPEG_FACTS, width: 1200, height: 900 })).id;
});

/** Returns a database whose round trips are counted, also those of its sessions. */
const counting = (d1: D1Database, count: QueryCount): D1Database =>
  new Proxy(countedD1(d1, count), {
    get(target, property) {
      if (property === "withSession") return () => countedD1(d1.withSession("first-unconstrained"), count);
      return Reflect.get(target, property, target) as unknown;
    },
  });

interface Counted {
  status: number;
  own: number;
  /** Queries of the directory, and of databases on which the space does not stand. */
  others: number;
}

async function ask(isAlone: boolean, path: string, init: RequestInit = {}): Promise<Counted> {
  const counts = databases.map((): QueryCount => ({ queries: 0 }));
  const own = counts[SHARD] as QueryCount;
  const [DB, DB_1, DB_2] = databases.map((d1, shard) => counting(d1, counts[shard] as QueryCount));
  const env = isAlone
    ? { ...bindings, DB: counting(databases[SHARD] as D1Database, own) }
    : { ...deployed, DB, DB_1, DB_2 };
  const context = createExecutionContext();
  const request = new Request(`https://api.test/api/v1/${client.space.name}${path}`, {
    redirect: "manual",
    ...init,
  });
  const response = await handlers.fetch(request, env as Env, context);
  await response.arrayBuffer();
  await waitOnExecutionContext(context);
  const all = counts.reduce((sum, { queries }) => sum + queries, 0);
  return { status: response.status, own: own.queries, others: all - own.queries };
}

const write = (title: string): RequestInit => ({
  method: "POST",
  headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
  body: JSON.stringify({ title }),
});
const read = (): RequestInit => ({ headers: { Authorization: `Bearer ${key}` } });

const REQUESTS: [name: string, path: () => string, init: () => RequestInit, most: number][] = [
  ["a record read", () => `${POSTS}/${id}`, read, 1],
  ["a list", () => POSTS, read, 2],
  ["a record written", () => POSTS, () => write(crypto.randomUUID()), 3],
  ["a media list", () => "/media", read, 2],
];

describe.each(REQUESTS)("%s", (_name, path, init, most) => {
  it("costs the same queries with three databases as with one, and none of the others", async () => {
    const alone = await ask(true, path(), init());
    expect(alone.status).toBeLessThan(300);
    expect(alone.own).toBeLessThanOrEqual(most);
    // The isolate finds out where the space stands.
    await ask(false, path(), init());
    expect(await ask(false, path(), init())).toEqual({ ...alone, others: 0 });
  });
});

it("a picture that the isolate holds costs no query, and one that it does not hold one", async () => {
  const picture = `/pictures/${mediaId}`;
  await ask(false, POSTS, read());
  expect(await ask(false, picture)).toEqual({ status: 302, own: 1, others: 0 });
  expect(await ask(false, picture)).toEqual({ status: 302, own: 0, others: 0 });
});

it("the first question of an isolate is answered for all spaces", async () => {
  const other = await Client.make();
  // Another isolate, which remembers nothing.
  vi.resetModules();
  const { lookInSpace } = await import("../../../src/edge/shards/where.ts");
  const counts = databases.map((): QueryCount => ({ queries: 0 }));
  const [DB, DB_1, DB_2] = databases.map((d1, shard) => counting(d1, counts[shard] as QueryCount));
  const env = { ...deployed, DB, DB_1, DB_2 } as Env;
  const shardOf = (name: string): Promise<number> =>
    lookInSpace(env, { name }, { queries: 0 }, (shard) => Promise.resolve(shard), { isFound: () => true });
  expect(await shardOf(client.space.name)).toBe(SHARD);
  expect(counts.map(({ queries }) => queries)).toEqual([1, 0, 0]);
  expect(await shardOf(other.space.name)).toBe(SHARD);
  expect(counts.map(({ queries }) => queries)).toEqual([1, 0, 0]);
});
