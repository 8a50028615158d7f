/** The costs of finding: rows that D1 reads, each with its stated ceiling, and the limits of one statement. */
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { askedFilters } from "../../../src/edge/lists/asked-filters.ts";
import { parseFilters } from "../../../src/edge/lists/filters.ts";
import { parseSort } from "../../../src/edge/records/read/selection.ts";
import { modelOf, type Model } from "../../../src/content/model/model.ts";
import { database, prepareSql, toQuery } from "../../../src/edge/storage/database/database.ts";
import { mediaPageStatement, type MediaListRequest } from "../../../src/edge/storage/lists/media-list.ts";
import { readModel } from "../../../src/edge/storage/models/models.ts";
import { addIndexRows, int } from "../../../src/edge/storage/records/record-index.ts";
import { countOf, listStatement } from "../../../src/edge/storage/lists/record-list.ts";
import type { ListRequest } from "../../../src/edge/storage/lists/record-branches.ts";
import { CONTENT } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { bindings } from "../support/rows.ts";

const ROWS = 20_000;
const KINDS = 200;
const LIMIT = 10;
/** No measure of speed: tens of thousands of rows are made first. */
const MANY_ROWS_MS = 120_000;

const db = database(bindings.DB);
let client: Client;
let rows: Model;
let kinds: Model;

const read = async (name: string): Promise<Model> => {
  const row = await readModel(db, client.space.id, "collections", name);
  if (!row) throw new Error("no model");
  return modelOf(row);
};

async function fill(model: Model, count: number, data: string, folded = "'{}'"): Promise<void> {
  await db.run(sql`/* fixture */ WITH RECURSIVE i(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM i WHERE n + 1 < ${int(count)})
    INSERT INTO records (model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at)
    SELECT ${model.id}, ${client.space.id}, printf(${`${model.name}%025d`}, n), ${sql.raw(data)}, ${sql.raw(folded)}, 40, 1,
      1000 + n, 1000 + n FROM i`);
  for (const statement of addIndexRows(model.fields, sql`r.model_id = ${model.id}`))
    await db.run(sql`/* fixture */ ${statement}`);
}

beforeAll(async () => {
  client = await Client.make();
  await client.model("kinds", [
    { name: "slug", type: "string", unique: true },
    { name: "size", type: "number" },
  ]);
  await client.model("rows", [
    { name: "price", type: "number" },
    { name: "rare", type: "string" },
    { name: "common", type: "number" },
    { name: "kind", type: "relation", to: "kinds" },
    { name: "body", type: "text" },
    { name: "words", type: "text", searchable: true },
  ]);
  kinds = await read("kinds");
  rows = await read("rows");
  await fill(kinds, KINDS, `json_object('1', 'kind-' || n, '2', n % 100)`);
  await fill(
    rows,
    ROWS,
    `json_object('1', n * 7919 % 100003, '2', 'r' || (n / 5), '3', n % 2,
      '4', printf('kinds%025d', n % ${KINDS - 1}), '5', CASE n % 500 WHEN 0 THEN 'Needle' ELSE 'hay' END)`,
    `json_object('words', 'all half' || (n % 2) || ' few' || (n / 100) || 'x w' || (n * 7919 % 100003))`,
  );
}, MANY_ROWS_MS);

function requestOf(query: string): ListRequest {
  const parameters = new URLSearchParams(query);
  const asked = askedFilters([...parameters].filter(([name]) => name.startsWith("filter")));
  return {
    modelId: rows.id,
    conditions: parseFilters(rows, asked, new Map([["kinds", kinds]])),
    sorts: parseSort(rows, parameters.get("sort") ?? undefined),
    search: parameters.get("search"),
    after: null,
    limit: LIMIT,
  };
}

describe("rows read by a page of 10 among 20,000 records", () => {
  it.each([
    // A list between two times is walked between them, however many records of another condition are newer.
    ["filter[common][eq]=1&filter[createdAt][lt]=1970-01-01T00:00:02.000Z", 1200],
    ["filter[common][eq]=1&filter[createdAt][gt]=1970-01-01T00:00:20.000Z&sort=createdAt", 1200],
    // Through a relation: one target, many targets, a target without records, none.
    ["filter[kind.slug][eq]=kind-7", 4 * 101 + 100],
    ["filter[kind.slug][eq]=kind-7&sort=price", 1500],
    ["filter[kind.size][eq]=7", 1800],
    ["filter[kind.size][lt]=50", 2200],
    ["filter[kind.size][lt]=50&sort=-price", 2200],
    ["filter[kind.slug][eq]=kind-199", 20],
    ["filter[kind.slug][eq]=none", 20],
    ["filter[kind.slug][ne]=kind-7", 200],
    // Groups: each with few matches, one with many.
    ["filter[or][0][rare][eq]=r3&filter[or][1][rare][eq]=r5", 250],
    ["filter[or][0][rare][in]=r3,r9&filter[or][1][price][lt]=100&sort=rare", 500],
    ["filter[or][0][rare][eq]=r3&filter[or][1][common][eq]=1", 1400],
    ["filter[or][0][rare][eq]=r3&filter[or][1][kind.slug][eq]=kind-7", 1200],
    // Case and accents: record by record, along the list or among the few that another filter leaves.
    ["filter[body][icontains]=HAY", 200],
    ["filter[rare][eq]=r3&filter[body][icontains]=hay", 120],
    ["filter[body][icontains]=needle", 2 * 10 * 500],
    ["filter[rare][startsWith]=r39", 2500],
    // Words: three rows per match that is ranked; where too many match, the newest alone.
    ["search=few7x", 4 * 100 + 60],
    // Each row that holds the rare word is read for the common one.
    ["search=few7x all", 5 * 100 + 60],
    ["search=half1", 3 * ROWS],
    ["search=all", CONTENT.searchRankedMax + 250],
    ["search=all&filter[common][eq]=1", CONTENT.searchRankedMax + 300],
    ["search=few7x&filter[rare][eq]=r141", 4 * 100 + 300],
  ])("%s: at most %i", async (query, ceiling) => {
    const { meta } = await prepareSql(db, listStatement(requestOf(query))).all();
    expect(meta.rows_read).toBeLessThanOrEqual(ceiling);
  });
});

it("sorts the records of a filter, up to the largest number, and walks the list with one more", async () => {
  const rowsRead = async (matches: number): Promise<number> => {
    const price = rows.byName.get("price")?.no ?? 0;
    const { value } = await db.get<{ value: number }>(sql`SELECT value FROM record_values
      WHERE model_id = ${rows.id} AND field = ${price} ORDER BY value LIMIT 1 OFFSET ${int(matches)}`);
    const request = requestOf(`filter[price][lt]=${value}`);
    const { meta, results } = await prepareSql(db, listStatement(request)).all<{ id: string }>();
    const sorted = await db.all<{
      id: string;
    }>(sql`SELECT r.id FROM record_values v JOIN records r ON r.seq = v.record
      WHERE v.model_id = ${rows.id} AND v.field = ${price} AND v.value < ${value} ORDER BY r.seq DESC LIMIT ${int(LIMIT + 1)}`);
    expect(results.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id));
    return meta.rows_read;
  };
  const { fewMatches } = CONTENT;
  // They are counted, read and sorted: four rows for each.
  const sorted = await rowsRead(fewMatches);
  expect(sorted).toBeLessThan(4 * fewMatches + 15 * LIMIT);
  // One more is counted, and the list is walked until the page is full.
  expect(await rowsRead(fewMatches + 1)).toBeLessThan(sorted - fewMatches / 2);
});

it("reads few rows of an equality whose many matches are old, unless older records were imported", async () => {
  await client.model("ages", [{ name: "age", type: "string" }]);
  const ages = await read("ages");
  const old = 3 * CONTENT.fewMatches;
  await fill(ages, 2 * old, `json_object('1', iif(n < ${old}, 'old', 'new'))`);
  const rowsRead = async (): Promise<number> => {
    const [filter] = parseFilters(ages, askedFilters([["filter[age][eq]", "old"]]));
    if (!filter) throw new Error("no filter");
    const list = { conditions: [filter], sorts: parseSort(ages, undefined), after: null, limit: LIMIT };
    const { meta, results } = await prepareSql(db, listStatement({ modelId: ages.id, ...list })).all();
    expect(results).toHaveLength(LIMIT + 1);
    return meta.rows_read;
  };
  expect(await rowsRead()).toBeLessThan(12 * LIMIT);
  await db.run(sql`INSERT INTO disordered_models (model_id) VALUES (${ages.id})`);
  expect(await rowsRead()).toBeGreaterThan(old);
});

describe("rows read by a count", () => {
  const max = CONTENT.countExactMax;
  it.each([
    ["", max + 100],
    ["filter[rare][eq]=r3", 20],
    ["filter[common][eq]=1", max + 100],
    ["filter[kind.slug][eq]=kind-7", 400],
    ["filter[rare][eq]=r3&filter[body][icontains]=hay", 40],
    ["search=few7x", 150],
    ["search=all", max + 100],
    // A filter that no index can narrow reads every record of the model.
    ["filter[body][icontains]=needle", 2 * ROWS],
  ])("%s: at most %i", async (query, ceiling) => {
    const statement = countOf(requestOf(query), max);
    const { meta, results } = await prepareSql(db, statement).all<{ n: number }>();
    expect(meta.rows_read).toBeLessThanOrEqual(ceiling);
    expect(results[0]?.n).toBeGreaterThan(0);
  });

  it("is exact to 10,000, and says when it is not", async () => {
    const total = async (query: string): Promise<object> => {
      const reply = await client.call("GET", `/data/collections/rows?limit=1&count=true&${query}`);
      return reply.meta;
    };
    expect(await total("filter[common][eq]=1")).toMatchObject({ total: 10_000 });
    expect(await total("filter[common][eq]=1")).not.toHaveProperty("totalIsExact");
    expect(await total("")).toMatchObject({ total: 10_000, totalIsExact: false });
  });
});

describe("the largest list that can be requested", () => {
  it("stays within D1's limits of one statement", async () => {
    const text = "é".repeat(CONTENT.stringMaxCharacters);
    const filters = Array.from({ length: CONTENT.filtersMax }, (_, index) =>
      index % 2
        ? `filter[or][${index}][kind.slug][icontains]=${text.slice(index)}`
        : `filter[or][${index}][body][startsWith]=${text.slice(index)}`,
    );
    const sorts = ["price", "-rare", "common"];
    const search = Array.from({ length: CONTENT.searchWordsMax }, (_, index) => `word${index}`).join(" ");
    for (const more of [filters, filters.map((one) => one.replace(/\[or\]\[\d+\]/, ""))]) {
      const parameters = [...new Set(more.map((one) => one.split("=")[0]))].length;
      const request = requestOf(`sort=${sorts.join(",")}&${more.slice(0, parameters).join("&")}`);
      for (const after of [{ after: [1, "a", null, 5] }, { after: [5], search }]) {
        const { sql: written, params } = toQuery(
          listStatement({ ...request, search: null, ...after, limit: 100 }),
        );
        expect(params.length).toBeLessThanOrEqual(100);
        expect(new TextEncoder().encode(written).byteLength).toBeLessThan(50_000);
        await bindings.DB.prepare(written)
          .bind(...params)
          .all();
      }
    }
  });
});

describe("rows read by a page of 10 among 2,000 media items", () => {
  beforeAll(async () => {
    await bindings.DB.batch([
      bindings.DB.prepare(
        `/* fixture */ WITH RECURSIVE i(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM i WHERE n + 1 < 2000)
         INSERT INTO media (id, space_id, filename, alt, mime, width, height, folded, master_version, last_version,
           created_at, updated_at)
         SELECT printf('M%025d', n), ?1, 'photo-' || n || '.jpg', 'alt', 'image/jpeg', n % 100, 10,
           json_array('photo-' || n || '.jpg', 'alt'), 1, 1, n, n FROM i`,
      ).bind(client.space.id),
    ]);
  });

  const page = (request: Partial<MediaListRequest>) =>
    mediaPageStatement({
      spaceId: client.space.id,
      filters: [],
      groups: [],
      sorts: [{ column: "created_at", descending: true }],
      after: null,
      limit: LIMIT,
      locale: null,
      countMax: null,
      ...request,
    });

  it.each<[string, Partial<MediaListRequest>, number]>([
    ["newest first", {}, 15],
    ["by name", { sorts: [{ column: "filename", descending: false }] }, 15],
    ["by width, deep", { sorts: [{ column: "width", descending: true }], after: [50, "M"] }, 60],
    ["one name", { filters: [{ column: "filename", operator: "eq", values: ["photo-7.jpg"] }] }, 20],
    ["a common width", { filters: [{ column: "width", operator: "eq", values: [7] }] }, 80],
    ["part of a name", { filters: [{ column: "filename", operator: "icontains", values: ["-7."] }] }, 2100],
  ])("%s", async (_name, request, ceiling) => {
    const { meta, results } = await prepareSql(db, page(request)).all();
    expect(results.length).toBeGreaterThan(0);
    expect(meta.rows_read).toBeLessThanOrEqual(ceiling);
  });
});
