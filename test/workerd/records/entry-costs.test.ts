/** The costs of the one query that finds key, space, model and record: a row of each, and no more. */
import { beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../../src/edge/app.ts";
import { hashKey, newToken } from "../../../src/edge/spaces/secrets.ts";
import { countedD1, type Database } from "../../../src/edge/storage/database/database.ts";
import { readEntry, type EntryAddress } from "../../../src/edge/storage/spaces/entries.ts";
import type { Credential } from "../../../src/edge/storage/spaces/keys.ts";
import { Client } from "../support/api.ts";
import { BESIDE } from "../support/context.ts";
import { bindings } from "../support/rows.ts";

let client: Client;
let key: Credential;
let id: string;
beforeAll(async () => {
  client = await Client.make();
  const names = ["a", "b", "c", "d", "e", "f", "g"];
  await client.model("things", [
    ...names.map((name) => ({ name, type: "string" })),
    { name: "other", type: "relation", to: "things" },
  ]);
  id = await client.create("things", { a: "x" });
  key = { kind: "key", of: "key", hash: await hashKey(await client.key("read")) };
});

async function rowsRead(credential: Credential, more: Partial<EntryAddress>): Promise<number> {
  const asked: D1PreparedStatement[] = [];
  const prepare = (text: string) => ({
    bind: (...values: unknown[]) => {
      const statement = bindings.DB.prepare(text).bind(...values);
      asked.push(statement);
      return statement;
    },
  });
  const db = { $client: { prepare } } as unknown as Database;
  const address = { spaceName: client.space.name, typeModel: "collections", model: "things", ...more };
  expect((await readEntry(db, credential, address))?.model?.name).toBe("things");
  expect(asked).toHaveLength(1);
  return (await asked[0]?.all())?.meta.rows_read ?? -1;
}

it("reads three rows of a record for the root token, and one more for a key", async () => {
  const root: Credential = { kind: "root" };
  for (const content of ["draft", "published", "by role"] as const) {
    expect([content, await rowsRead(root, { id, content })]).toEqual([content, 3]);
    expect([content, await rowsRead(key, { id, content })]).toEqual([content, 4]);
  }
  expect(await rowsRead(root, {})).toBe(2);
  expect(await rowsRead(key, {})).toBe(3);
});

it("reads the fields of the model as well where filters go through relations", async () => {
  expect(await rowsRead(key, { relations: ["other"] })).toBeLessThan(25);
});

describe("beside 1,000 members with sessions, and 1,000 keys", () => {
  const app = createApp();

  /** Makes a member with a session. @returns its token */
  async function makeSession(): Promise<string> {
    const made = await client.call("POST", "/members", { email: "ada@example.com", role: "write" });
    const token = newToken("session");
    await bindings.DB.batch([
      bindings.DB.prepare("UPDATE members SET iss = 'i', sub = 'ada' WHERE id = ?").bind(made.data["id"]),
      bindings.DB.prepare(
        "INSERT INTO sessions (hash, space_id, iss, sub, created_at, expires_at) VALUES (?, ?, 'i', 'ada', ?, 4e12)",
      ).bind(await hashKey(token), client.space.id, Date.now()),
    ]);
    return token;
  }

  /** Makes others of the space, up to a number of each kind. */
  async function makeOthers(count: number): Promise<void> {
    const numbers = JSON.stringify(Array.from({ length: count }, (_, n) => n));
    const insert = (text: string) => bindings.DB.prepare(text).bind(client.space.id, numbers);
    await bindings.DB.batch([
      insert(`INSERT OR IGNORE INTO members (id, space_id, email, role, iss, sub, created_at, maker_kind, maker_id)
        SELECT 'm' || value, ?1, value || '@example.com', 'write', 'i', 's' || value, 1, 'root', 'root'
        FROM json_each(?2)`),
      insert(`INSERT OR IGNORE INTO sessions (hash, space_id, iss, sub, created_at, expires_at)
        SELECT 's' || value, ?1, 'i', 's' || value, 1, 4e12 FROM json_each(?2)`),
      insert(`INSERT OR IGNORE INTO api_keys (id, space_id, name, role, hash, created_at, maker_kind, maker_id)
        SELECT 'k' || value, ?1, 'k', 'read', 'k' || value, 1, 'root', 'root' FROM json_each(?2)`),
    ]);
  }

  /** Returns the queries of one request as a client sends it. */
  async function queriesOf(token: string, method: string, path: string): Promise<number> {
    const count = { queries: 0 };
    const response = await app.request(
      `/api/v1/${client.space.name}${path}`,
      { method, headers: { Authorization: `Bearer ${token}` } },
      { ...bindings, DB: countedD1(bindings.DB, count) },
      BESIDE,
    );
    await response.text();
    expect([path, response.status]).toEqual([path, 200]);
    return count.queries;
  }

  it("a request costs the queries and reads the rows that it did before", async () => {
    const [token, session] = [await client.key("write"), await makeSession()];
    const requests: [string, string][] = [
      ["GET", `/data/collections/things/${id}`],
      ["GET", "/data/collections/things?limit=1"],
      ["GET", "/media"],
      ["GET", "/keys/self"],
      ["GET", "/models"],
    ];
    const costs = async (): Promise<unknown> => {
      const found: unknown[] = [];
      for (const one of [token, session]) {
        for (const [method, path] of requests) found.push([path, await queriesOf(one, method, path)]);
        const of = one === session ? "session" : "key";
        found.push(await rowsRead({ kind: "key", of, hash: await hashKey(one) }, { id }));
      }
      return found;
    };
    await makeOthers(2);
    const before = await costs();
    await makeOthers(1000);
    expect(await costs()).toEqual(before);
    const listed = await client.call("GET", "/members?limit=100");
    expect(listed.data).toHaveLength(100);
  });
});
