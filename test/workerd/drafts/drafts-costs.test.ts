/**
 * The costs of drafts: round trips, and rows read that are the same for either content and do not grow with the table.
 */
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../../src/edge/app.ts";
import { askedFilters } from "../../../src/edge/lists/asked-filters.ts";
import { parseFilters } from "../../../src/edge/lists/filters.ts";
import { parseSort } from "../../../src/edge/records/read/selection.ts";
import { modelOf, type Model } from "../../../src/content/model/model.ts";
import { CONTENTS, rowsOf, type Content } from "../../../src/content/model/publication.ts";
import { countedD1, database, prepareSql } from "../../../src/edge/storage/database/database.ts";
import { finishDrafts } from "../../../src/edge/storage/models/switch-drafts.ts";
import { readModel } from "../../../src/edge/storage/models/models.ts";
import { addIndexRows } from "../../../src/edge/storage/records/record-index.ts";
import { listStatement } from "../../../src/edge/storage/lists/record-list.ts";
import { Client } from "../support/api.ts";
import { FIELDS, makePosts, makePublished, POSTS } from "../support/content/drafts.ts";
import { plansOf, walksIn } from "../support/builder/plans.ts";
import { bindings } from "../support/rows.ts";

const app = createApp();
const db = database(bindings.DB);

/** Returns the D1 round trips of one request. */
async function queriesOf(client: Client, method: string, path: string): Promise<number> {
  const count = { queries: 0 };
  const response = await app.request(
    `/api/v1/${client.space.name}${path}`,
    { method, headers: { Authorization: `Bearer ${await client.key("admin")}` } },
    { ...bindings, DB: countedD1(bindings.DB, count) },
  );
  expect([path, response.status < 300]).toEqual([path, true]);
  await response.text();
  return count.queries;
}

describe("D1 round trips", () => {
  it("of either content are those of a model without drafts", async () => {
    const client = await makePosts();
    const id = await makePublished(client, { title: "a" });
    await makePublished(client, { title: "b", friend: id });
    for (const status of CONTENTS) {
      expect(await queriesOf(client, "GET", `${POSTS}/${id}?status=${status}`)).toBe(1);
      expect(await queriesOf(client, "GET", `${POSTS}?filter[title][eq]=a&status=${status}`)).toBe(2);
      expect(await queriesOf(client, "GET", `${POSTS}?populate=friend&status=${status}`)).toBe(3);
    }
    expect(await queriesOf(client, "GET", `${POSTS}/${id}/versions`)).toBe(2);
    expect(await queriesOf(client, "GET", `${POSTS}/${id}/versions/1`)).toBe(2);
    expect(await queriesOf(client, "POST", `${POSTS}/${id}/unpublish`)).toBe(3);
    expect(await queriesOf(client, "POST", `${POSTS}/${id}/publish`)).toBe(3);
  });
});

describe("no statement walks a whole table", () => {
  it("on any route of drafts and histories", async () => {
    const client = await makePosts();
    const id = await makePublished(client, { title: "a", slug: "a" });
    await makePublished(client, { title: "b", friend: id });
    const steps: [string, string, object?][] = [
      ["GET", `${POSTS}/${id}?populate=friend,friends`],
      ["GET", `${POSTS}?filter[title][eq]=a&sort=-n`],
      ["GET", `${POSTS}/${id}/references`],
      ["PUT", `${POSTS}/${id}`, { slug: "b" }],
      ["POST", `${POSTS}/${id}/publish`, {}],
      ["POST", `${POSTS}/${id}/publish`, { at: "2999-01-01T00:00:00Z" }],
      ["POST", `${POSTS}/${id}/unpublish`, {}],
      ["GET", `${POSTS}/${id}/versions`],
      ["GET", `${POSTS}/${id}/versions/1`],
      ["POST", `${POSTS}/${id}/versions/1/restore`],
      ["DELETE", `${POSTS}/${id}`],
      ["GET", `/trash/${id}`],
      ["POST", `/trash/${id}/restore`],
    ];
    for (const step of steps) {
      const plan = await plansOf(client, ...step);
      expect(plan.length).toBeGreaterThan(0);
      expect([step, walksIn(plan)]).toEqual([step, []]);
    }
  });
});

const RECORDS = 6000;

describe("rows read", () => {
  let model: Model;
  beforeAll(async () => {
    const client = await Client.make();
    await client.model("posts", FIELDS);
    const row = await readModel(db, client.space.id, "collections", "posts");
    if (!row) throw new Error("no model");
    model = modelOf({ ...row, drafts: true });
    const [title, slug, n] = [0, 1, 2].map((index) => `'$."${model.fields[index]?.no ?? 0}"'`);
    const data = sql.raw(`json_set('{}', ${title}, 't' || i, ${slug}, 's' || i, ${n}, i % 50)`);
    await db.run(sql`/* fixture */ WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${RECORDS})
      INSERT INTO records (model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at)
      SELECT ${model.id}, ${client.space.id}, printf('%026d', i), ${data}, '{}', 60, 1, i, i FROM numbers`);
    await bindings.DB.batch(
      [
        ...addIndexRows(model.fields, sql`r.model_id = ${model.id}`),
        ...finishDrafts(model, 1),
        sql`/* fixture */ UPDATE models SET drafts = 1 WHERE id = ${model.id}`,
      ].map((statement) => prepareSql(db, statement)),
    );
  });

  async function rowsRead(content: Content, query: string): Promise<number> {
    const parameters = [...new URLSearchParams(query)];
    const sorts = parameters.find(([name]) => name === "sort")?.[1];
    const filters = askedFilters(parameters.filter(([name]) => name.startsWith("filter")));
    const statement = listStatement({
      modelId: rowsOf(model, content),
      conditions: parseFilters(model, filters, new Map(), content),
      sorts: parseSort(model, sorts),
      search: null,
      after: null,
      limit: 25,
    });
    const { meta, results } = await prepareSql(db, statement).all();
    expect(results).toHaveLength(26);
    return meta.rows_read;
  }

  const QUERIES = [
    "",
    "sort=title",
    "sort=-n",
    "filter[n][eq]=7",
    "filter[n][gte]=40&sort=title",
    "sort=-updatedAt",
  ];
  for (const query of QUERIES) {
    it(`of "${query}" are the same for drafts and published contents`, async () => {
      const [published, draft] = [await rowsRead("published", query), await rowsRead("draft", query)];
      expect(published).toBeLessThanOrEqual(draft * 1.2);
      expect(draft).toBeLessThanOrEqual(published * 1.2);
      expect(published).toBeLessThan(RECORDS);
    });
  }
});
