/**
 * The rows that lists read by a sort of a localized field, among thousands of records: with a value in each, in none, and
 * in all but a few, by the record's locale and by the field. Each page of a list is held to one ceiling.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillLocales } from "../../../scripts/bench/content/locale-data.ts";
import { idOf } from "../../../scripts/bench/content/data.ts";
import { fillSides } from "../../../src/edge/storage/records/fill-columns.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { CONTENT } from "../../../src/limits.ts";
import { rounds } from "../../support/ring.ts";
import { Client } from "../support/api.ts";
import { expectTexts, setLocales, walk, type Data } from "../support/content/localized-lists.ts";
import { countedCall } from "../support/counted.ts";
import { bindings } from "../support/rows.ts";

const RECORDS = rounds(400, 5000);
const FILLED_AT_ONCE = 200;
const LIMIT = 20;
/** The rows of a page: some 19 a record, and those that the streams of gaps begin with. A look at each record would be more. */
const ROWS_MAX = 500;
/** No measure of speed: thousands of rows are made first. */
const MANY_ROWS_MS = 300_000;
/** The largest number of matches that are read and sorted, for so few records. */
const FEW = 50;
const { fewMatches } = CONTENT;
/** The slices of a sweep between which the order is compared. */
const SLICES_COMPARED = 4;
const PATH = "/data/collections/pieces";
const FIELDS = [
  { name: "title", type: "string", localized: true },
  { name: "slug", type: "string", localized: true },
  { name: "views", type: "number" },
];

let client: Client;
let path: string;
/** The titles of all records in German by their id. */
const titles = new Map<string, string | null>();

/** Returns some records, the oldest and the newest among them. */
const some = (step: number): string[] =>
  Array.from({ length: 7 }, (_, n) => idOf("R", 1 + ((n * step) % (RECORDS - 1))));

beforeAll(async () => {
  Object.assign(CONTENT, { fewMatches: FEW });
  client = await Client.make();
  await setLocales(client, ["en", "de"]);
  await client.model("pieces", FIELDS);
  const first = { title: { en: "first", de: "first" }, slug: { en: "first", de: "first" } };
  const made = await client.call("POST", `${PATH}?locale=all`, first);
  expect(made.status).toBe(201);
  const target = { space: client.space.name, model: "pieces", code: "en" };
  await fillLocales(bindings.DB, target, 1, RECORDS, FILLED_AT_ONCE);
  // A locale in which nothing is translated.
  await setLocales(client, ["en", "de", "fr"]);
  path = `/api/v1/${client.space.name}${PATH}`;
  for (const record of (await walk(path, "sort=views&limit=100")).rows)
    titles.set(String(record["id"]), record["title"] as string | null);
  expect(titles.size).toBe(RECORDS);
}, MANY_ROWS_MS);
afterAll(() => {
  Object.assign(CONTENT, { fewMatches });
});

/** Returns the ids of all records in the order of a sort by title: of code points, null last, then of creation. */
function inOrder(descending: boolean): string[] {
  const ids = [...titles.keys()].sort();
  const first = ids.findIndex((id) => !id.startsWith("R"));
  // The first record was made before the others, and its id is a random one.
  ids.unshift(...ids.splice(first, 1));
  const place = new Map(ids.map((id, index) => [id, index]));
  const compare = (a: string, b: string): number => {
    const [left, right] = [titles.get(a) ?? null, titles.get(b) ?? null];
    if (left === right) return (place.get(a) ?? 0) - (place.get(b) ?? 0);
    if (left === null) return 1;
    return right === null || left < right ? -1 : 1;
  };
  const sorted = ids.sort(compare);
  return descending ? sorted.reverse() : sorted;
}

async function expectOrder(): Promise<void> {
  for (const sort of ["title", "-title"]) {
    const { rows, rowsRead } = await walk(path, `sort=${sort}&limit=${LIMIT}&selectFields=title`);
    expect(rows.map(({ id }) => id)).toEqual(inOrder(sort.startsWith("-")));
    expect(rowsRead).toBeLessThan(ROWS_MAX);
  }
}

describe(`lists of ${RECORDS} records by a localized field`, () => {
  it("read as many rows as by a shared field, where each record has a value", async () => {
    const shared = await countedCall("GET", `${path}?sort=-views`);
    for (const sort of ["title", "-title"]) {
      const localized = await countedCall("GET", `${path}?locale=de&sort=${sort}`);
      expect(localized.rowsRead - shared.rowsRead).toBeLessThan(5 * LIMIT);
    }
    await expectOrder();
  });

  it.each(["title", "-title", "title,-views", "-title,views", "title,slug,-views", "-title,createdAt"])(
    "read no more in a locale without translations, by %s",
    async (sort) => {
      const { rows, rowsRead } = await walk(path, `sort=${sort}&limit=${LIMIT}`, "fr", 3);
      expect(rows).toHaveLength(3 * LIMIT);
      expect(rowsRead).toBeLessThan(ROWS_MAX);
    },
  );

  it("read no more with gaps, of records that lack the locale and of fields that are empty", async () => {
    for (const id of some(211)) {
      const cleared = await client.call("PUT", `${PATH}/${id}?locale=de`, { title: null, slug: null });
      expect(cleared.status).toBe(200);
      titles.set(id, null);
    }
    for (const id of some(307)) {
      const cleared = await client.call("PUT", `${PATH}/${id}?locale=de`, { title: null });
      expect(cleared.status).toBe(200);
      titles.set(id, null);
    }
    const held = await bindings.DB.prepare(
      "SELECT count(DISTINCT coalesce(held, '')) AS held FROM records WHERE space_id = ?1",
    )
      .bind(client.space.id)
      .first<{ held: number }>();
    expect(held).toEqual({ held: 2 });
    await expectOrder();
    await expectTexts(client.space.id);
  });

  it("reads the same from rows that are older than the columns, before and after the sweep has filled them", async () => {
    const ofSpace = "SELECT seq FROM records WHERE space_id = ?1";
    const { DB } = bindings;
    const forget = async (): Promise<void> => {
      // In the order of an upgrade: no trigger has seen these rows. In parts, because D1 limits the rows of a statement.
      const parts = Array.from({ length: 8 }, (_, n) => 3 * n);
      for (const [table, column, key] of [
        ["record_locales", "filled", "record"],
        ["records", "held", "seq"],
      ] as const)
        for (const part of parts)
          await DB.prepare(
            `UPDATE ${table} SET ${column} = NULL WHERE ${key} IN (${ofSpace}) AND ${key} % 24 = ${part}`,
          )
            .bind(client.space.id)
            .run();
    };
    await forget();
    for (const sort of ["title", "-title"]) {
      const { rows } = await walk(path, `sort=${sort}&limit=100&selectFields=title`);
      expect(rows.map(({ id }) => id)).toEqual(inOrder(sort.startsWith("-")));
    }
    const db = database(DB);
    const { filledMaxBytes } = CONTENT;
    Object.assign(CONTENT, { filledMaxBytes: 1 });
    expect(await fillSides(db, 250)).toBe(1);
    Object.assign(CONTENT, { filledMaxBytes });
    let filled = 1;
    for (let rows = 1, slice = 0; rows > 0; slice++) {
      rows = await fillSides(db, slice < SLICES_COMPARED ? 20 : 250);
      filled += rows;
      if (slice >= SLICES_COMPARED) continue;
      const { rows: listed } = await walk(path, "sort=-title&limit=100&selectFields=title");
      expect(listed.map(({ id }) => id)).toEqual(inOrder(true));
    }
    expect(filled).toBeGreaterThan(RECORDS / 4);
    await expectOrder();
    await expectTexts(client.space.id);
  });

  it("follow a translation, its removal, the trash and a return from it", async () => {
    const [id = ""] = some(211);
    await client.call("PUT", `${PATH}/${id}?locale=de`, { title: "Zuletzt" });
    titles.set(id, "Zuletzt");
    await expectOrder();
    const gone = [...titles].find(([, title]) => title === null)?.[0] ?? "";
    await client.call("DELETE", `${PATH}/${gone}`);
    titles.delete(gone);
    await expectOrder();
    await client.call("POST", `/trash/${gone}/restore`);
    titles.set(gone, null);
    await expectOrder();
    await expectTexts(client.space.id);
  });

  it.each([
    `filter[views][lt]=${rounds(20_000, 2000)}`,
    "filter[title][startsWith]=Nie",
    "filter[views][gte]=0",
    "sort=-views",
  ])("read no more of what is published in a locale, by %s", async (query) => {
    const drafts = await client.call("PUT", "/models/collections/pieces", { fields: FIELDS, drafts: true });
    expect(drafts.status).toBe(200);
    const page = await countedCall<Data[]>("GET", `${path}?locale=de&limit=${LIMIT}&${query}`);
    expect(page.status).toBe(200);
    expect(page.rowsRead).toBeLessThan(ROWS_MAX + FEW);
    await expectTexts(client.space.id);
  });
});
