/** The order of lists by localized fields with gaps, whichever way the gaps are found: by texts, or row by row. */
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StoredField } from "../../../src/content/field-types/fields.ts";
import { numberIn } from "../../../src/content/locales/numbers.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { gapTables } from "../../../src/edge/storage/lists/gaps.ts";
import { CONTENT } from "../../../src/limits.ts";
import { rounds } from "../../support/ring.ts";
import { Client } from "../support/api.ts";
import { expectTexts, setLocales, walk } from "../support/content/localized-lists.ts";
import { bindings } from "../support/rows.ts";

/** No measure of speed: many lists are read. */
const MANY_ROWS_MS = 300_000;
/** The largest number of matches that are read and sorted, for so few records. */
const FEW = 50;

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
  const { fewMatches, gapTextsMax } = CONTENT;
  let client: Client;
  let path: string;
  const all: Subset[] = [];
  let seed = 7;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >>> 8) % below;
  };
  afterAll(() => void Object.assign(CONTENT, { fewMatches, gapTextsMax }));

  beforeAll(async () => {
    Object.assign(CONTENT, { fewMatches: FEW });
    client = await Client.make();
    await setLocales(client, ["en", ...CODES]);
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
        const { rows } = await walk(path, `sort=${sort}&limit=3`, code);
        expect(
          rows.map(({ id }) => id),
          `${sort} in ${code}`,
        ).toEqual(sorted(all, code, sort));
      }
      await expectTexts(client.space.id);
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
        const { rows } = await walk(path, `sort=${sort}&limit=20`, "de");
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
