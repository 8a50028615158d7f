/** Records found by words (RULES 3.15): which ones, in which order, and the refused searches. */
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { CONTENT } from "../../../src/limits.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { wordsOf } from "../../../src/content/search/words.ts";
import { Client, type Reply } from "../support/api.ts";
import { bindings } from "../support/rows.ts";

const db = database(bindings.DB);
let client: Client;

type Found = Reply<{ id: string; title: string }[]>;

const search = (words: string, more = "", model = "posts", of = client): Promise<Found> =>
  of.call("GET", `/data/collections/${model}?search=${encodeURIComponent(words)}${more}`);

const titles = async (words: string, more = ""): Promise<string[]> =>
  (await search(words, more)).data.map(({ title }) => title);

const POSTS = [
  { title: "Crème brûlée", body: "A dessert of cream and sugar", kind: "sweet", rating: 5 },
  { title: "Cream soup", body: "cream cream cream", kind: "salty", rating: 3 },
  { title: "Sugar, sugar", body: "A song", kind: "song", rating: 4 },
  { title: "東京タワー", body: "A tower", kind: "place", rating: 1 },
  { title: "Plain", body: null, kind: "cream", rating: 2 },
];

beforeAll(async () => {
  client = await Client.make();
  await client.model("posts", [
    { name: "title", type: "string", searchable: true },
    { name: "body", type: "text", searchable: true },
    { name: "kind", type: "string" },
    { name: "rating", type: "number" },
  ]);
  for (const post of POSTS) await client.create("posts", post);
});

describe("the results of a search", () => {
  it.each([
    ["cream", ["Cream soup", "Crème brûlée"]],
    ["CRÈME", ["Crème brûlée"]],
    ["cre", ["Cream soup", "Crème brûlée"]],
    ["sug dess", ["Crème brûlée"]],
    ["sugar song", ["Sugar, sugar"]],
    ["京タ", ["東京タワー"]],
    ["京東", []],
    ["eam", []],
    ["cream nothing", []],
  ])("%s", async (words, expected) => {
    expect(await titles(words)).toEqual(expected);
  });

  it("are found by searchable fields only, and never come from another model or space", async () => {
    const other = await Client.make();
    await other.model("posts", [{ name: "title", type: "string", searchable: true }]);
    await other.create("posts", { title: "salty cream" });
    await client.model("more", [{ name: "title", type: "string", searchable: true }]);
    await client.create("more", { title: "salty cream" });
    expect(await titles("salty")).toEqual([]);
    expect(await titles("cream")).toHaveLength(2);
    expect((await search("cream", "", "posts", other)).data).toHaveLength(1);
  });

  it("can be filtered, counted and selected", async () => {
    expect(await titles("cream", "&filter[rating][gt]=4")).toEqual(["Crème brûlée"]);
    expect(await titles("a", "&filter[or][0][kind][eq]=song&filter[or][1][rating][lt]=2")).toEqual(
      expect.arrayContaining(["Sugar, sugar", "東京タワー"]),
    );
    const reply = await search("cream", "&count=true&limit=1&selectFields=rating");
    expect(reply.meta).toMatchObject({ total: 2, limit: 1 });
    expect(Object.keys(reply.data[0] ?? {})).toEqual(["id", "rating"]);
  });
});

describe("several words", () => {
  const COUNT = 2 * CONTENT.searchRareMax + 2;
  /**
   * Returns the title of record `n`: `most` is in all but one, `half` in one more than counts as rare, and `rare` in as
   * many.
   */
  const titleOf = (n: number): string =>
    [
      n > 0 ? "most" : "none",
      n % 2 === 0 ? "half" : "",
      n % 2 === 1 && n > 1 ? "rarely" : "",
      n % 50 === 0 ? "東京 x1" : "",
      n % 100 === 50 ? "京東 most" : "",
    ]
      .filter(Boolean)
      .join(" ");
  const all = Array.from({ length: COUNT }, (_, n) => titleOf(n));

  /**
   * Returns whether a title holds each word as the beginning of one of its words, and each row of characters together.
   */
  const holds = (title: string, words: string): boolean =>
    words
      .split(" ")
      .every((word) => (/\w/.test(word) ? ` ${title}`.includes(` ${word}`) : title.includes(word)));

  beforeAll(async () => {
    await client.model("several", [{ name: "title", type: "string", searchable: true }]);
    const { id } = await db.get<{ id: number }>(
      sql`SELECT id FROM models WHERE space_id = ${client.space.id} AND name = 'several'`,
    );
    const rows = JSON.stringify(all.map((title) => [title, wordsOf(title)]));
    await db.run(sql`INSERT INTO records (model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at)
      SELECT ${id}, ${client.space.id}, printf('%026d', key), json_object('1', value ->> 0),
        json_object('words', value ->> 1), 12, 1, key, key FROM json_each(${rows})`);
  });

  it.each([
    "most half",
    "most rarely",
    "rare mo",
    "half rare",
    "x1 most",
    "most x1 half",
    "東京 most",
    "京東 most",
    "東京 京東",
    "most none",
    "most half nowhere",
  ])("%s: found wherever all of them are, however common each is", async (words) => {
    const expected = all.filter((title) => holds(title, words));
    const found: string[] = [];
    for (let cursor = ""; ;) {
      const { data, meta } = await search(words, `&limit=100&count=true${cursor}`, "several");
      found.push(...data.map(({ title }) => title));
      expect(meta.total).toBe(expected.length);
      if (meta.nextCursor === null) break;
      cursor = `&cursor=${meta.nextCursor}`;
    }
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  it("of which one is rare go with conditions", async () => {
    const { data } = await search("x1 most", "&filter[title][icontains]=京東&count=true", "several");
    expect(data.map(({ title }) => title)).toEqual(
      all.filter((title) => holds(title, "x1 most") && title.includes("京東")).toReversed(),
    );
  });
});

describe("pages", () => {
  it("continue where the last one ended, for the same search only", async () => {
    const first = await search("cre", "&limit=1");
    const cursor = `&limit=1&cursor=${first.meta.nextCursor}`;
    const second = await search("cre", cursor);
    expect([...first.data, ...second.data].map(({ title }) => title)).toEqual(["Cream soup", "Crème brûlée"]);
    expect(second.meta.nextCursor).toBeNull();
    expect((await search("crea", cursor)).error.code).toBe("INVALID_CURSOR");
  });

  it(`end at ${CONTENT.searchResultsMax} results`, async () => {
    await client.model("many", [{ name: "title", type: "string", searchable: true }]);
    const { id } = await db.get<{ id: number }>(
      sql`SELECT id FROM models WHERE space_id = ${client.space.id} AND name = 'many'`,
    );
    await db.run(sql`/* fixture */ WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < ${CONTENT.searchResultsMax + 1})
      INSERT INTO records (model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at)
      SELECT ${id}, ${client.space.id}, printf('%026d', n), '{"1":"word"}', '{"words":"word"}', 12, 1, n, n FROM i`);
    const found = new Set<string>();
    let cursor = "";
    let pages = 0;
    for (;;) {
      const { data, meta } = await search("word", `&limit=99&count=true${cursor}`, "many");
      data.forEach((one) => found.add(one.id));
      pages += 1;
      expect(meta.total).toBe(CONTENT.searchResultsMax + 1);
      if (meta.nextCursor === null) break;
      cursor = `&cursor=${meta.nextCursor}`;
    }
    expect([found.size, pages]).toEqual([CONTENT.searchResultsMax, 11]);
  });
});

describe("what is refused", () => {
  it.each([
    ["a model without searchable fields", "bare", "search=a"],
    ["a sort", "posts", "search=a&sort=title"],
    ["no word", "posts", "search="],
    ["too long a text", "posts", `search=${"a".repeat(CONTENT.searchMaxCharacters + 1)}`],
    ["too many words", "posts", `search=${"a+".repeat(CONTENT.searchWordsMax + 1)}`],
    ["two searches", "posts", "search=a&search=b"],
  ])("%s", async (_, model, query) => {
    if (model === "bare") await client.model("bare", [{ name: "title", type: "string" }]);
    const reply = await client.call("GET", `/data/collections/${model}?${query}`);
    expect([reply.status, reply.error.code]).toEqual([400, "INVALID_PARAMETER"]);
  });

  it("accepts requests at the limits", async () => {
    expect((await search("a".repeat(CONTENT.searchMaxCharacters))).status).toBe(200);
    expect((await search("a ".repeat(CONTENT.searchWordsMax))).status).toBe(200);
  });

  it.each([
    '"',
    "*",
    '" OR "cream',
    "words:cream",
    "NEAR(cream sugar)",
    "cream NOT sugar",
    "^",
    "{}",
    "-",
    "\u0000",
    "'; --",
  ])("%j is no syntax", async (words) => {
    const reply = await search(words);
    expect(reply.status).toBe(200);
    expect(reply.data.length).toBeLessThanOrEqual(2);
  });
});
