/**
 * D1 lost before each round trip and each statement of a batch, one after the other on the same records: as long as the
 * request fails, no table has changed.
 */
import { afterEach, describe, expect, it } from "vitest";
import type { Client } from "../support/api.ts";
import { callFailing, expectConsistent, type Step } from "../support/content/content-crash.ts";
import { FIELDS, makePosts, makePublished, POSTS, publish, unpublish } from "../support/content/drafts.ts";
import { bindings, emptyStorage } from "../support/rows.ts";

/** No measure of speed: a request per statement, on a machine that may be busy. */
const MANY_REQUESTS_MS = 120_000;

/**
 * Returns every row of every table, those behind the words of searches included, but for the pace of invalidations,
 * which is no request's own: an invalidation that an earlier test left may still count its calls.
 */
async function tables(): Promise<Map<string, string[]>> {
  const { results } = await bindings.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
       AND name NOT GLOB '_cf_*' AND name NOT GLOB 'd1_*' AND name NOT GLOB 'sqlite_*'
       AND name <> 'purge_allowance' ORDER BY name`,
  ).all<{ name: string }>();
  const rows = await bindings.DB.batch(
    results.map(({ name }) => bindings.DB.prepare(`SELECT * FROM "${name}"`)),
  );
  return new Map(
    results.map(({ name }, index) => [name, rows[index]?.results.map((row) => JSON.stringify(row)) ?? []]),
  );
}

/** Returns how many rows each table of content has. */
const counts = (of: Map<string, string[]>): [string, number][] =>
  [...of].filter(([name]) => !name.includes("_search_")).map(([name, rows]) => [name, rows.length]);

/** Makes a record whose draft differs from its published content. */
async function changed(client: Client, n: number): Promise<string> {
  const id = await makePublished(client, { title: `published ${n}`, slug: `a${n}`, n });
  await client.call("PUT", `${POSTS}/${id}`, { title: `draft ${n}`, slug: `b${n}`, friends: [id] });
  return id;
}

const STEPS: Record<string, (client: Client) => Promise<Step>> = {
  "a bulk of every operation": async (client) => {
    const ids: string[] = [];
    for (const n of [0, 1, 2, 3, 4]) ids.push(await changed(client, n));
    const [update, renamed, remove, publishes, unpublishes] = ids;
    const operations = [
      { op: "create", data: { title: "new", slug: "new", friend: update } },
      { op: "update", id: update, data: { title: "changed", friends: [renamed] } },
      { op: "update", id: renamed, data: { slug: "renamed", n: null } },
      { op: "delete", id: remove },
      { op: "publish", id: publishes },
      { op: "unpublish", id: unpublishes },
    ];
    return { method: "POST", path: `${POSTS}/bulk`, body: { operations } };
  },
  "a planned publishing": async (client) => {
    const id = await changed(client, 1);
    await unpublish(client, id, { at: "2100-01-01T00:00:00Z" });
    return { method: "POST", path: `${POSTS}/${id}/publish`, body: { at: "2099-01-01T00:00:00Z" } };
  },
  "a plan taken back": async (client) => {
    const id = await changed(client, 1);
    await publish(client, id, { at: "2099-01-01T00:00:00Z" });
    return { method: "POST", path: `${POSTS}/${id}/publish`, body: { at: null } };
  },
  "a restore of a version": async (client) => ({
    method: "POST",
    path: `${POSTS}/${await changed(client, 1)}/versions/1/restore`,
  }),
  "a change of a model": async (client) => {
    await changed(client, 1);
    const kept = FIELDS.filter(({ name }) => name !== "n" && name !== "slug");
    const fields = [...kept, { name: "address", type: "text", required: true }];
    const rename = { slug: "address" };
    return { method: "PUT", path: "/models/collections/posts", body: { fields, rename, drop: ["n"] } };
  },
};

afterEach(emptyStorage);

describe("D1 lost at every statement of", () => {
  it.each(Object.entries(STEPS))(
    "%s changes nothing, or all of it at once",
    async (_name, prepare) => {
      let client = await makePosts();
      let step = await prepare(client);
      const before = await tables();
      let statements = 0;
      let done: Map<string, string[]> | null = null;
      for (let call = 0; done === null; call++) {
        const { status, lost } = await callFailing(client, step, { call, at: "before" });
        const failed = lost.failed();
        expect([call, status]).toEqual([call, failed ? 500 : 200]);
        const left = await tables();
        // A failure after the change leaves all of it: only the answer is missing.
        if (!failed || JSON.stringify([...left]) !== JSON.stringify([...before])) done = left;
        else statements += 1;
        for (let at = 0; done === null && at < lost.batchStatements(); at++) {
          const failing = await callFailing(client, step, { call, at });
          expect([call, at, failing.lost.failed(), failing.status]).toEqual([call, at, true, 500]);
          expect(await tables()).toEqual(before);
          statements += 1;
        }
      }
      expect(statements).toBeGreaterThan(1);
      await expectConsistent();
      await emptyStorage();
      client = await makePosts();
      step = await prepare(client);
      expect((await client.call(step.method, step.path, step.body)).status).toBe(200);
      expect(counts(done)).toEqual(counts(await tables()));
    },
    MANY_REQUESTS_MS,
  );
});
