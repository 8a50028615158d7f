/** Preview tokens (RULES 2.5). */
import { beforeAll, expect, it, vi } from "vitest";
import { PREVIEW_TOKEN } from "../../../src/limits.ts";
import { Client, type CallOptions } from "../support/api.ts";
import { moveClock } from "../support/clean.ts";
import { bindings, makeMedia } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";

let client: Client;
let draft: string;
let picture: string;
let writer: { id: string; key: string };

async function makeKey(role: string, scopes?: object): Promise<{ id: string; key: string }> {
  return (await client.call<{ id: string; key: string }>("POST", "/keys", { name: role, role, scopes })).data;
}

async function tokenOf(options: CallOptions = { key: writer.key }, ttlSeconds = 60): Promise<string> {
  const made = await client.call("POST", "/preview-tokens", { ttlSeconds }, options);
  expect(made.status).toBe(201);
  return String(made.data["token"]);
}

const statusOf = async (key: string, path: string, method = "GET", body?: unknown): Promise<number> =>
  (await client.call(method, path, body, { key })).status;

beforeAll(async () => {
  client = await Client.make();
  for (const name of ["posts", "hidden"]) {
    const fields = [{ name: "title", type: "string" }];
    await client.call("POST", "/models", { typeModel: "collections", name, drafts: true, fields });
  }
  draft = await client.create("posts", { title: "draft" });
  await client.create("hidden", { title: "draft" });
  picture = (await makeMedia(client.space)).id;
  writer = await makeKey("write", { models: ["posts"] });
});

it("reads records and media as the role preview, with the scopes of its maker", async () => {
  const token = await tokenOf();
  const read = await client.call("GET", `/data/collections/posts/${draft}?status=draft`, undefined, {
    key: token,
  });
  expect(read.data).toMatchObject({ title: "draft" });
  expect(await statusOf(token, "/data/collections/posts?status=draft")).toBe(200);
  expect(await statusOf(token, `/media/${picture}`)).toBe(200);
  expect(await statusOf(token, "/media")).toBe(200);
  expect(await statusOf(token, "/data/collections/hidden?status=draft")).toBe(404);
  const self = await client.call("GET", "/keys/self", undefined, { key: token });
  expect(self.data).toMatchObject({ role: "preview", scopes: { models: ["posts"] } });
});

it("reads no trash, no history and nothing else, and writes nothing", async () => {
  const token = await tokenOf();
  for (const path of [
    "/trash",
    `/trash/${draft}`,
    `/data/collections/posts/${draft}/versions`,
    `/data/collections/posts/${draft}/versions/1`,
    "/models",
    "/settings",
    "/usage",
    "/activity",
    "/keys",
  ]) {
    expect([path, await statusOf(token, path)]).toEqual([path, 403]);
  }
  expect(await statusOf(token, "/data/collections/posts", "POST", {})).toBe(403);
  expect(await statusOf(token, `/data/collections/posts/${draft}`, "DELETE")).toBe(403);
  expect(await statusOf(token, `/media/${picture}`, "DELETE")).toBe(403);
  expect(await statusOf(token, "/preview-tokens", "POST", { ttlSeconds: 60 })).toBe(403);
});

it("is made by writers alone, for a day at most", async () => {
  const { key } = await makeKey("preview");
  expect(await statusOf(key, "/preview-tokens", "POST", { ttlSeconds: 60 })).toBe(403);
  const most = PREVIEW_TOKEN.ttlMaxSeconds;
  const before = Date.now();
  const { data } = await client.call("POST", "/preview-tokens", { ttlSeconds: most });
  const lasts = Date.parse(String(data["expiresAt"])) - before;
  expect(lasts).toBeGreaterThanOrEqual(most * 1000);
  expect(lasts).toBeLessThan((most + 60) * 1000);
  for (const ttlSeconds of [most + 1, 0, 1.5, "60", undefined]) {
    expect(await statusOf(writer.key, "/preview-tokens", "POST", { ttlSeconds })).toBe(400);
  }
});

it("ends by itself, and the sweep removes it", async () => {
  moveClock(0);
  const token = await tokenOf(undefined, 1);
  expect(await statusOf(token, "/media")).toBe(200);
  moveClock(1000);
  expect(await statusOf(token, "/media")).toBe(401);
  expect(await statusOf(token, "/data/collections/posts")).toBe(401);
  expect((await runSweep(Date.now())).endedTokens).toBeGreaterThan(0);
  expect(await statusOf(token, "/media")).toBe(401);
});

it("ends with its maker", async () => {
  const maker = await makeKey("write");
  const [token, other] = [await tokenOf({ key: maker.key }), await tokenOf({})];
  expect(await statusOf(token, "/media")).toBe(200);
  await client.call("DELETE", `/keys/${maker.id}`);
  expect(await statusOf(token, "/media")).toBe(401);
  expect(await statusOf(other, "/media")).toBe(200);
});

it("lasts no longer than the key that makes it", async () => {
  const expiresAt = new Date(Date.now() + 30_000).toISOString();
  const made = await client.call("POST", "/keys", { name: "k", role: "write", expiresAt });
  const { data } = await client.call(
    "POST",
    "/preview-tokens",
    { ttlSeconds: 3600 },
    { key: String(made.data["key"]) },
  );
  expect(data["expiresAt"]).toBe(expiresAt);
});

it("is a token of its space alone", async () => {
  const other = await Client.make();
  const reply = await other.call("GET", "/media", undefined, { key: await tokenOf() });
  expect(reply.status).toBe(404);
});

it("costs one query a request, among a thousand keys and a thousand tokens", async () => {
  const count = 1000;
  const keys = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  await bindings.DB.batch([
    bindings.DB.prepare(
      `INSERT INTO api_keys (id, space_id, name, role, hash, created_at)
      ${keys} SELECT 'K' || i, ?1, 'k', 'read', 'h' || i, 1 FROM n`,
    ).bind(client.space.id),
    bindings.DB.prepare(
      `INSERT INTO preview_tokens (hash, space_id, maker_kind, maker_id, maker_name, created_at, expires_at)
      ${keys} SELECT 'p' || i, ?1, 'root', '', 'root', 1, 9e15 FROM n`,
    ).bind(client.space.id),
  ]);
  const token = await tokenOf();
  const logs: string[] = [];
  const spy = vi.spyOn(console, "log").mockImplementation((line: string) => void logs.push(line));
  const path = `/data/collections/posts/${draft}?status=draft`;
  for (const key of [token, writer.key]) expect(await statusOf(key, path)).toBe(200);
  spy.mockRestore();
  const queries = logs.map((line) => (JSON.parse(line) as { queries: number }).queries);
  expect(queries).toEqual([1, 1]);
});
