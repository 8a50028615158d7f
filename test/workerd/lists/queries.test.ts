/** The costs of each route: D1 round trips, and rows read that do not grow with the table. Fails when a count grows. */
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Position } from "../../../src/edge/storage/pages/keyset.ts";
import { askedFilters } from "../../../src/edge/lists/asked-filters.ts";
import { parseFilters } from "../../../src/edge/lists/filters.ts";
import { modelOf, type Model } from "../../../src/content/model/model.ts";
import { parseSort } from "../../../src/edge/records/read/selection.ts";
import { database, prepareSql } from "../../../src/edge/storage/database/database.ts";
import { readModel } from "../../../src/edge/storage/models/models.ts";
import { addIndexRows, int } from "../../../src/edge/storage/records/record-index.ts";
import { listStatement } from "../../../src/edge/storage/lists/record-list.ts";
import { Client } from "../support/api.ts";
import { plansOf, walksIn } from "../support/builder/plans.ts";
import { bindings, makeMedia } from "../support/rows.ts";

interface LogLine {
  event: string;
  route: string;
  queries: number;
}

/** Returns the D1 round trips of one request, as its log line says. */
async function queriesOf(client: Client, method: string, path: string, body?: unknown): Promise<number> {
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
  const key = await client.key("admin");
  lines.length = 0;
  const reply = await client.call(method, path, body, { key });
  log.mockRestore();
  expect(reply.status).toBeLessThan(300);
  expect(lines.join()).not.toContain(key);
  const line = lines.map((text) => JSON.parse(text) as LogLine).find(({ event }) => event === "request");
  return line?.queries ?? -1;
}

describe("D1 round trips", () => {
  let client: Client;
  let id: string;
  beforeAll(async () => {
    client = await Client.make();
    await client.model("people", [
      { name: "name", type: "string" },
      { name: "photo", type: "media" },
      { name: "friends", type: "relation", to: "people", multiple: true },
    ]);
    await client.model("page", [{ name: "x", type: "string" }], "pages");
    const photo = await makeMedia(client.space);
    const friends: string[] = [];
    for (let i = 0; i < 10; i++)
      friends.push(await client.create("people", { photo: photo.id, friends: friends.slice(-1) }));
    id = await client.create("people", { name: "root", photo: photo.id, friends: friends.slice(-1) });
  });

  const people = "/data/collections/people";
  const cases: [string, () => [string, string, object?], number][] = [
    ["one record", () => ["GET", `${people}/${id}`], 1],
    ["one page", () => ["GET", "/data/pages/page/page"], 1],
    ["one record, selected", () => ["GET", `${people}/${id}?selectFields=name`], 1],
    ["populate, one level", () => ["GET", `${people}/${id}?populate=photo,friends`], 2],
    ["populate, two levels", () => ["GET", `${people}/${id}?populate=friends.photo,friends.friends`], 3],
    ["populate, three levels", () => ["GET", `${people}/${id}?populate=friends.friends.friends,photo`], 4],
    ["a list", () => ["GET", `${people}?sort=name&filter[name][ne]=x`], 2],
    ["a list, three levels", () => ["GET", `${people}?populate=friends.friends.photo`], 4],
    ["create", () => ["POST", people, { name: "new" }], 2],
    ["create with references", () => ["POST", people, { friends: [id] }], 3],
    ["update", () => ["PUT", `${people}/${id}`, { name: "changed" }], 2],
    ["a model", () => ["GET", "/models/collections/people"], 1],
    ["models", () => ["GET", "/models"], 2],
    ["trash", () => ["GET", "/trash"], 2],
    ["usage", () => ["GET", "/usage"], 2],
    ["delete", () => ["DELETE", `${people}/${id}`], 2],
    ["restore", () => ["POST", `/trash/${id}/restore`], 3],
  ];
  for (const [name, step, most] of cases) {
    it(`${name}: ${most}`, async () => {
      expect(await queriesOf(client, ...step())).toBe(most);
    });
  }
});

describe("no statement walks a whole table", () => {
  it("on any route of the content API", async () => {
    const client = await Client.make();
    await client.model("things", [
      { name: "name", type: "string", unique: true },
      { name: "friends", type: "relation", to: "things", multiple: true },
      { name: "photo", type: "media" },
    ]);
    const photo = await makeMedia(client.space);
    const id = await client.create("things", { name: "one", photo: photo.id });
    const things = "/data/collections/things";
    const steps: [string, string, object?][] = [
      ["GET", `${things}/${id}?populate=friends.friends,photo`],
      ["GET", `${things}?filter[name][eq]=one&sort=-name&populate=friends`],
      ["GET", `${things}?filter[photo][eq]=${photo.id}&filter[name][contains]=o`],
      ["POST", things, { name: "two", friends: [id] }],
      ["PUT", `${things}/${id}`, { name: "three" }],
      ["DELETE", `${things}/${id}`],
      ["GET", "/trash"],
      ["POST", `/trash/${id}/restore`],
      ["GET", "/usage"],
      ["GET", "/models/collections/things"],
    ];
    for (const step of steps) {
      const plan = await plansOf(client, ...step);
      expect(plan.length).toBeGreaterThan(0);
      expect([step, walksIn(plan)]).toEqual([step, []]);
    }
  });
});

describe("rows read", () => {
  let model: Model;
  const db = database(bindings.DB);

  const fill = async (spaceId: string, from: number, to: number): Promise<void> => {
    const numbers = sql`/* fixture */ WITH RECURSIVE i(n) AS (SELECT ${int(from)} UNION ALL SELECT n + 1 FROM i WHERE n + 1 < ${int(to)})`;
    const [price, rare, common] = model.fields.map(({ no }) => no);
    await db.run(sql`${numbers} INSERT INTO records (model_id, space_id, id, data, size_bytes, version, created_at, updated_at)
      SELECT ${model.id}, ${spaceId}, printf('R%025d', n),
        json_object(${String(price)}, n * 7919 % 100003, ${String(rare)}, 'r' || (n / 5), ${String(common)}, n % 2),
        40, 1, 1000 + n, 1000 + n FROM i`);
    for (const statement of addIndexRows(model.fields, sql`r.model_id = ${model.id}`))
      await db.run(sql`/* fixture */ ${statement}`);
  };

  /** Returns the rows read. `deep`: near the end of the order, in the middle of equal values. */
  const rowsRead = async (query: string, deep = false): Promise<number> => {
    const params = new URLSearchParams(query);
    const filters = askedFilters([...params].filter(([name]) => name.startsWith("filter")));
    const statement = listStatement({
      modelId: model.id,
      conditions: parseFilters(model, filters),
      sorts: parseSort(model, params.get("sort") ?? undefined),
      after: deep ? await nearEnd(query) : null,
      limit: 10,
    });
    const { meta, results } = await prepareSql(db, statement).all();
    expect(results.length).toBeGreaterThan(0);
    return meta.rows_read;
  };

  const nearEnd = async (query: string): Promise<Position> => {
    const last = "SELECT max(seq) - 40 AS seq, max(created_at) - 40 AS at FROM records WHERE model_id = ?";
    const row = await bindings.DB.prepare(last).bind(model.id).first<{ seq: number; at: number }>();
    return [query.includes("common") ? 1 : (row?.at ?? 0), row?.seq ?? 0];
  };

  it("by lists do not grow with the table if there is an index", async () => {
    const client = await Client.make();
    await client.model("rows", [
      { name: "price", type: "number" },
      { name: "rare", type: "string" },
      { name: "common", type: "number" },
    ]);
    const row = await readModel(db, client.space.id, "collections", "rows");
    if (!row) throw new Error("no model");
    model = modelOf(row);
    await fill(client.space.id, 0, 3000);
    const queries = [
      "",
      "sort=createdAt",
      "sort=-updatedAt",
      "sort=id",
      "sort=price",
      "sort=-price",
      "filter[rare][eq]=r3",
      "filter[common][eq]=1",
      "filter[rare][eq]=r3&sort=-price",
      "filter[common][eq]=1&sort=price",
      "filter[price][gte]=500&sort=price",
      "filter[price][gt]=1000&filter[price][lt]=90000&sort=-price",
      "filter[rare][in]=r1,r2,r3&sort=price",
    ];
    const small = await Promise.all(queries.map((query) => rowsRead(query)));
    await fill(client.space.id, 3000, 30_000);
    const large = await Promise.all(queries.map((query) => rowsRead(query)));
    for (const query of ["sort=common", "sort=createdAt", "sort=common&filter[rare][ne]=x"]) {
      expect([query, (await rowsRead(query, true)) < 200]).toEqual([query, true]);
    }
    const grown = queries.filter((_, index) => (large[index] ?? 0) > 2 * (small[index] ?? 0) + 100);
    expect(
      grown.map((query) => [query, small[queries.indexOf(query)], large[queries.indexOf(query)]]),
    ).toEqual([]);
    expect(Math.max(...large)).toBeLessThan(4000);
  }, 120_000);
});
