/** Lists in order of creation of a collection that older records were imported into: they have the higher `seq`. */
import { afterEach, beforeAll, expect, it } from "vitest";
import { CONTENT } from "../../../src/limits.ts";
import { Client, type Reply } from "../support/api.ts";
import { imported } from "../support/exchange.ts";
import { bindings } from "../support/rows.ts";

const NEWER = 5;
const OLDER = 6;
const LIMIT = 3;
const PATH = "/data/collections/notes";
const FIELDS = [
  { name: "title", type: "string", localized: true },
  { name: "price", type: "number" },
  { name: "kind", type: "relation", to: "kinds" },
];
const { fewMatches } = CONTENT;

let client: Client;
/** The ids of all notes in order of creation. */
let inOrder: string[];

beforeAll(async () => {
  client = await Client.make();
  await client.call("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] });
  await client.model("kinds", [{ name: "slug", type: "string", unique: true }]);
  await client.model("notes", FIELDS);
  const kind = await client.create("kinds", { slug: "one" });
  const data = { title: { en: "same", de: "gleich" }, price: 5, kind };
  const newer: string[] = [];
  for (let n = 0; n < NEWER; n++) {
    const made = await client.call("POST", `${PATH}?locale=all`, data);
    expect(made.status).toBe(201);
    newer.push(String(made.data["id"]));
  }
  const older = Array.from({ length: OLDER }, (_, n) => `01ARZ3NDEKTSV4RRFFQ69G5FA${n}`);
  const lines = older.map((id, n) => {
    const time = `2020-01-0${n + 1}T00:00:00.000Z`;
    return lineOf("notes", id, time, data);
  });
  expect(await imported(client, lines)).toMatchObject({ imported: OLDER, refused: [] });
  inOrder = [...older, ...newer];
});
afterEach(() => void Object.assign(CONTENT, { fewMatches }));

const isMarked = async (name: string): Promise<boolean> => {
  const found = await bindings.DB.prepare(
    `SELECT 1 FROM disordered_models d JOIN models m ON m.id = d.model_id WHERE m.space_id = ? AND m.name = ?`,
  )
    .bind(client.space.id, name)
    .all();
  return found.results.length > 0;
};

const lineOf = (model: string, id: string, time: string, data: object): string =>
  JSON.stringify({
    ...{ kind: "record", typeModel: "collections", model, id },
    ...{ version: 1, createdAt: time, updatedAt: time, data },
  });

/** Reads a list page by page. @param few the largest number of matches that are sorted, by the number of the page */
async function walked(query: string, few: (page: number) => number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = "";
  for (let page = 0; cursor !== null; page++) {
    Object.assign(CONTENT, { fewMatches: few(page) });
    const from: string = cursor && `&cursor=${cursor}`;
    const reply: Reply<{ id: string }[]> = await client.call("GET", `${PATH}?limit=${LIMIT}&${query}${from}`);
    expect(reply.status).toBe(200);
    ids.push(...reply.data.map(({ id }) => id));
    cursor = reply.meta.nextCursor;
  }
  return ids;
}

const FILTERS = [
  "",
  "filter[price][eq]=5",
  "filter[price][in]=4,5",
  "filter[price][lt]=10",
  "filter[price][gte]=1&filter[price][lte]=9",
  "filter[price][null]=false",
  "filter[title][startsWith]=sa",
  "filter[title][eq]=same&filter[price][eq]=5",
  "filter[kind.slug][eq]=one",
  "filter[kind.slug][startsWith]=o",
  "filter[or][0][price][eq]=5&filter[or][1][title][eq]=none",
  "filter[createdAt][gt]=2019-01-01T00:00:00.000Z",
  "locale=de&filter[title][eq]=gleich",
  "locale=de&filter[title][startsWith]=g",
];

async function expectOrder(query: string): Promise<void> {
  const ways: [string, (page: number) => number][] = [
    ["sorted", () => fewMatches],
    ["walked", () => 0],
    ["sorted, then walked", (page) => (page === 0 ? fewMatches : 0)],
    ["walked, then sorted", (page) => (page === 0 ? 0 : fewMatches)],
  ];
  for (const [name, few] of ways) {
    expect([name, await walked(query, few)]).toEqual([name, inOrder.toReversed()]);
    expect([name, await walked(`sort=createdAt&${query}`, few)]).toEqual([name, inOrder]);
  }
}

it.each(FILTERS)("have the older records last, page by page, by %s", expectOrder);

it("have the older records last of what is published in a locale", async () => {
  const drafts = await client.call("PUT", "/models/collections/notes", { fields: FIELDS, drafts: true });
  expect(drafts.status).toBe(200);
  for (const query of ["locale=de", "locale=de&filter[price][lt]=10", "filter[price][eq]=5"])
    await expectOrder(query);
});

it("go on where they were when older records come between two pages", async () => {
  await client.model("events", [{ name: "price", type: "number" }]);
  const made: string[] = [];
  for (let n = 0; n < NEWER; n++) made.push(await client.create("events", { price: 5 }));
  const path = `/data/collections/events?filter[price][eq]=5&limit=${LIMIT}`;
  const [newest, oldest] = [
    await client.call("GET", path),
    await client.call("GET", `${path}&sort=createdAt`),
  ];
  expect(await isMarked("events")).toBe(false);
  const older = Array.from({ length: 2 }, (_, n) => `01ARZ3NDEKTSV4RRFFQ69G5FB${n}`);
  const lines = older.map((id, n) => lineOf("events", id, `2020-01-0${n + 1}T00:00:00.000Z`, { price: 5 }));
  expect(await imported(client, lines)).toMatchObject({ imported: older.length, refused: [] });
  expect(await isMarked("events")).toBe(true);
  const rest = async (after: Reply<unknown>, query: string): Promise<string[]> => {
    const all: string[] = [];
    for (let cursor = after.meta.nextCursor; cursor !== null;) {
      const reply: Reply<{ id: string }[]> = await client.call("GET", `${path}${query}&cursor=${cursor}`);
      all.push(...reply.data.map(({ id }) => id));
      cursor = reply.meta.nextCursor;
    }
    return all;
  };
  expect(await rest(newest, "")).toEqual([...older, ...made.slice(0, NEWER - LIMIT)].toReversed());
  expect(await rest(oldest, "&sort=createdAt")).toEqual(made.slice(LIMIT));
});

it("mark no model whose records are imported in order", async () => {
  await client.model("copies", [{ name: "price", type: "number" }]);
  const lines = Array.from({ length: OLDER }, (_, n) =>
    lineOf("copies", `01ARZ3NDEKTSV4RRFFQ69G5FC${n}`, `2020-01-0${n + 1}T00:00:00.000Z`, { price: 5 }),
  );
  expect(await imported(client, lines)).toMatchObject({ imported: OLDER, refused: [] });
  await client.create("copies", { price: 5 });
  expect(await isMarked("copies")).toBe(false);
  expect(await isMarked("notes")).toBe(true);
});
