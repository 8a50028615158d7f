/**
 * The rows that lists read by a sort of a localized field, among thousands of records: with a value in each, in none, and
 * in all but a few, by the record's locale and by the field. Each page of a list is held to one ceiling.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillLocales } from "../../../scripts/bench/content/locale-data.ts";
import { idOf } from "../../../scripts/bench/content/data.ts";
import { sql } from "drizzle-orm";
import type { StoredField } from "../../../src/content/field-types/fields.ts";
import { heldOf, numberIn } from "../../../src/content/locales/numbers.ts";
import { gapTables } from "../../../src/edge/storage/lists/gaps.ts";
import { fillSides } from "../../../src/edge/storage/records/fill-columns.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { CONTENT } from "../../../src/limits.ts";
import { rounds } from "../../support/ring.ts";
import { Client } from "../support/api.ts";
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

type Data = Record<string, unknown>;

let client: Client;
let path: string;
/** The titles of all records in German by their id. */
const titles = new Map<string, string | null>();

/** Returns some records, the oldest and the newest among them. */
const some = (step: number): string[] =>
  Array.from({ length: 7 }, (_, n) => idOf("R", 1 + ((n * step) % (RECORDS - 1))));

const settings = (codes: readonly string[]) =>
  client.call("PATCH", "/settings", { locales: codes.map((code) => ({ code })) });

beforeAll(async () => {
  Object.assign(CONTENT, { fewMatches: FEW });
  client = await Client.make();
  await settings(["en", "de"]);
  await client.model("pieces", FIELDS);
  const first = { title: { en: "first", de: "first" }, slug: { en: "first", de: "first" } };
  const made = await client.call("POST", `${PATH}?locale=all`, first);
  expect(made.status).toBe(201);
  const target = { space: client.space.name, model: "pieces", code: "en" };
  await fillLocales(bindings.DB, target, 1, RECORDS, FILLED_AT_ONCE);
  // A locale in which nothing is translated.
  await settings(["en", "de", "fr"]);
  path = `/api/v1/${client.space.name}${PATH}`;
  for (const record of (await walk("sort=views&limit=100")).rows)
    titles.set(String(record["id"]), record["title"] as string | null);
  expect(titles.size).toBe(RECORDS);
}, MANY_ROWS_MS);
afterAll(() => {
  Object.assign(CONTENT, { fewMatches });
});

/** Reads a list to its end, or some pages of it. @returns its records, and the rows of its dearest page */
async function walk(
  query: string,
  locale = "de",
  pages = Infinity,
): Promise<{ rows: Data[]; rowsRead: number }> {
  const rows: Data[] = [];
  let rowsRead = 0;
  let cursor = "";
  for (let page = 0; page < pages; page++) {
    const answer = await countedCall<Data[]>("GET", `${path}?locale=${locale}&${query}${cursor}`);
    expect(answer.status).toBe(200);
    rows.push(...answer.data);
    rowsRead = Math.max(rowsRead, answer.rowsRead);
    const next = answer.meta?.nextCursor ?? null;
    if (next === null) break;
    cursor = `&cursor=${next}`;
  }
  return { rows, rowsRead };
}

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
    const { rows, rowsRead } = await walk(`sort=${sort}&limit=${LIMIT}&selectFields=title`);
    expect(rows.map(({ id }) => id)).toEqual(inOrder(sort.startsWith("-")));
    expect(rowsRead).toBeLessThan(ROWS_MAX);
  }
}

/** Compares the texts that triggers keep of all records of the space with those that its contents give. */
async function expectTexts(): Promise<void> {
  const rowsOf = async <T>(columns: string): Promise<T[]> => {
    const found = await bindings.DB.prepare(
      `SELECT ${columns} FROM records r LEFT JOIN record_locales l ON l.record = r.seq WHERE r.space_id = ?1 ORDER BY r.seq`,
    )
      .bind(client.space.id)
      .all();
    return found.results as T[];
  };
  const held = await rowsOf<{ seq: number; held: string | null; locale: number | null }>(
    "r.seq, r.held, l.locale",
  );
  const locales = new Map<number, number[]>();
  for (const { seq, locale } of held)
    locales.set(seq, [...(locales.get(seq) ?? []), ...(locale === null ? [] : [locale])]);
  const wrongHeld = held.filter((row) => row.held !== heldOf(locales.get(row.seq) ?? []));
  expect(wrongHeld).toEqual([]);
  const sides = await rowsOf<{ filled: string | null; data: string | null }>("l.filled, l.data");
  const wrongFilled = sides.filter(({ filled, data }) => {
    if (data === null) return false;
    const values = Object.entries(JSON.parse(data) as Record<string, unknown>);
    const numbers = values
      .filter(([, value]) => value !== null)
      .map(([no]) => Number(BigInt(no) & 0xffffffffn));
    return filled !== (heldOf(numbers) ?? "");
  });
  expect(wrongFilled).toEqual([]);
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
      const { rows, rowsRead } = await walk(`sort=${sort}&limit=${LIMIT}`, "fr", 3);
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
    await expectTexts();
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
      const { rows } = await walk(`sort=${sort}&limit=100&selectFields=title`);
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
      const { rows: listed } = await walk("sort=-title&limit=100&selectFields=title");
      expect(listed.map(({ id }) => id)).toEqual(inOrder(true));
    }
    expect(filled).toBeGreaterThan(RECORDS / 4);
    await expectOrder();
    await expectTexts();
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
    await expectTexts();
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
    await expectTexts();
  });
});

/** In each locale, most records have `f`, and few have `g`. The other fields have gaps in some. */
const NAMES = ["a", "b", "c", "d", "e", "f", "g"];
const isFilled = (name: string, random: (below: number) => number): boolean => {
  if (name === "f") return random(20) > 0;
  return name === "g" ? random(20) === 0 : random(5) < 2;
};
const CODES = ["de", "fr", "it"];
const SUBSETS = rounds(24, 150);
const LISTS = rounds(14, 60);

interface Subset {
  id: string;
  views: number;
  /** The values by locale and name. */
  values: Map<string, string>;
}

/** Orders records as a list does: of code points, null last, then of creation. */
function sorted(all: readonly Subset[], code: string, sort: string): string[] {
  const keys = sort
    .split(",")
    .map((key) => ({ name: key.replace("-", ""), sign: key.startsWith("-") ? -1 : 1 }));
  const valueOf = ({ views, values }: Subset, name: string): string | number | undefined =>
    name === "views" ? views : values.get(`${code} ${name}`);
  const places = new Map(all.map(({ id }, place) => [id, place]));
  const compare = (a: Subset, b: Subset): number => {
    for (const { name, sign } of keys) {
      const [left, right] = [valueOf(a, name), valueOf(b, name)];
      if (left === right) continue;
      return right === undefined || (left !== undefined && left < right) ? -sign : sign;
    }
    return (keys[0]?.sign ?? 1) * ((places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
  };
  return [...all].sort(compare).map(({ id }) => id);
}

describe("lists of records with any of seven fields in any of three locales", () => {
  const { gapTextsMax } = CONTENT;
  const all: Subset[] = [];
  let seed = 7;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >>> 8) % below;
  };
  afterAll(() => void Object.assign(CONTENT, { gapTextsMax }));

  beforeAll(async () => {
    client = await Client.make();
    await settings(["en", ...CODES]);
    const localized = NAMES.map((name) => ({ name, type: "string", localized: true }));
    await client.model("subsets", [...localized, { name: "views", type: "number" }]);
    path = `/api/v1/${client.space.name}/data/collections/subsets`;
    for (let n = 0; n < SUBSETS; n++) {
      const values = new Map<string, string>();
      const views = random(4);
      const data: Record<string, unknown> = { views };
      const codes = CODES.filter(() => random(3) > 0);
      for (const name of NAMES) {
        const texts: Record<string, string> = { en: "x" };
        for (const code of codes)
          if (isFilled(name, random)) values.set(`${code} ${name}`, (texts[code] = "klm"[random(3)] ?? ""));
        data[name] = texts;
      }
      const made = await client.call("POST", "/data/collections/subsets?locale=all", data);
      expect(made.status, JSON.stringify(made.error)).toBe(201);
      all.push({ id: String(made.data["id"]), views, values });
    }
  }, MANY_ROWS_MS);

  it.each([
    [gapTextsMax, FEW],
    [5, FEW],
    [1, FEW],
    [gapTextsMax, 3],
    [1, 3],
  ])(
    "have their order with at most %d texts and %d gaps that are sorted, page by page",
    async (max, few) => {
      Object.assign(CONTENT, { gapTextsMax: max, fewMatches: few });
      for (let list = 0; list < LISTS; list++) {
        const code = CODES[random(CODES.length)] ?? "";
        const name = NAMES[random(NAMES.length)] ?? "";
        const other = NAMES[random(NAMES.length - 1)] ?? "";
        const third = other === name ? "g" : other;
        const others = [`${name},-views`, `-${name},views`, `${name},-${third},views`, `-${name},${third}`];
        const sort = [name, `-${name}`, ...others][list % 6] ?? "";
        const { rows } = await walk(`sort=${sort}&limit=3`, code);
        expect(
          rows.map(({ id }) => id),
          `${sort} in ${code}`,
        ).toEqual(sorted(all, code, sort));
      }
      await expectTexts();
    },
    MANY_ROWS_MS,
  );

  it.each([
    ["a", "f"],
    ["f", "a"],
    ["g", "f"],
    ["f", "g"],
  ])("have their order by %s, %s and a third sort", async (first, second) => {
    // Some have few gaps and others many, by one of these numbers.
    for (const part of [0, 1 / 8, 1 / 2, 7 / 8, 1]) {
      Object.assign(CONTENT, { gapTextsMax, fewMatches: Math.round(part * SUBSETS) });
      for (const sort of [`${first},${second},-views`, `-${first},${second},views`]) {
        const { rows } = await walk(`sort=${sort}&limit=20`, "de");
        expect(
          rows.map(({ id }) => id),
          sort,
        ).toEqual(sorted(all, "de", sort));
      }
    }
  });

  it.each(["held", "filled"] as const)(
    "are read by texts up to the largest number of %s, and row by row with one more",
    async (column) => {
      const model = await bindings.DB.prepare(
        "SELECT id, fields FROM models WHERE space_id = ?1 AND name = 'subsets'",
      )
        .bind(client.space.id)
        .first<{ id: number; fields: string }>();
      const modelId = model?.id ?? 0;
      const [own] = JSON.parse(model?.fields ?? "[]") as StoredField[];
      if (!own) throw new Error("The model has no field.");
      const field = { ...own, no: numberIn(own, 1) };
      const db = database(bindings.DB);
      const from = {
        held: sql`records WHERE model_id = ${modelId}`,
        filled: sql`record_locales WHERE model_id = ${modelId} AND locale = 1`,
      }[column];
      const texts = await db.all<{ n: number }>(
        sql`SELECT count(DISTINCT ${sql.raw(column)}) AS n FROM ${from}`,
      );
      const count = texts[0]?.n ?? 0;
      expect(count).toBeGreaterThan(3);
      const streams = async (max: number): Promise<number[]> => {
        Object.assign(CONTENT, { gapTextsMax: max });
        const tables = gapTables({ modelId, field, descending: false, after: null });
        const found = await db.all<{ stream: number }>(
          sql`WITH ${sql.join(tables, sql`, `)} SELECT DISTINCT stream FROM gaps WHERE seq IS NOT NULL`,
        );
        return found.map(({ stream }) => stream);
      };
      const byRow = column === "held" ? 2 : 3;
      expect(await streams(count)).not.toContain(byRow);
      expect(await streams(count - 1)).toContain(byRow);
    },
  );
});
