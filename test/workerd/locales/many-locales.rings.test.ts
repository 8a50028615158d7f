/**
 * The costs of a record in 35 languages of 30 KB each: in one language those of a record in one, in reads, lists, writes
 * and the history. Reads and writes of one record have the row of the default language beside them, which holds the
 * shared fields.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { rounds } from "../../support/ring.ts";
import { Client } from "../support/api.ts";
import { moveClock } from "../support/clean.ts";
import { countedCall, type Counted } from "../support/counted.ts";
import { bindings } from "../support/rows.ts";

const CODES = [
  ...["en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "fi", "et", "lv", "lt", "pl", "cs", "sk"],
  ...[
    "hu",
    "ro",
    "bg",
    "el",
    "tr",
    "uk",
    "sr",
    "hr",
    "sl",
    "ga",
    "mt",
    "is",
    "he",
    "ar",
    "hi",
    "ja",
    "ko",
    "zh",
  ],
];
const TEXT_BYTES = 30_000;
/** The row of the default language, which a read of one record reads for the shared fields of any other. */
const DEFAULT_ROW_BYTES = TEXT_BYTES;
/** More than the names of fields, the times and the statuses of 35 languages in a row. */
const OVERHEAD_BYTES = 8_000;
const FIELDS = [
  { name: "title", type: "string", localized: true, searchable: true },
  { name: "body", type: "text", localized: true },
  { name: "rank", type: "number" },
];
const textOf = (code: string, turn: number): string =>
  `${code}${turn} `
    .padEnd(10, "x ")
    .repeat(TEXT_BYTES / 10)
    .slice(0, TEXT_BYTES);
const valuesOf = (codes: readonly string[]) => ({
  title: Object.fromEntries(codes.map((code) => [code, `Title ${code} 0`])),
  body: Object.fromEntries(codes.map((code) => [code, textOf(code, 0)])),
  rank: 0,
});

describe("a record of 35 languages with 30 KB of text each", () => {
  let client: Client;
  let localized: string;
  let plain: string;
  let collections: Record<"localized" | "plain", string>;

  async function space(locales: readonly string[], values: object): Promise<string> {
    client = await Client.make();
    if (locales.length > 0)
      await client.call("PATCH", "/settings", { locales: locales.map((code) => ({ code })) });
    await client.model("posts", FIELDS);
    const query = locales.length > 0 ? "?locale=all" : "";
    const made = await client.call("POST", `/data/collections/posts${query}`, values);
    expect(made.status).toBe(201);
    return `/api/v1/${client.space.name}/data/collections/posts/${String(made.data["id"])}`;
  }
  const collectionOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));

  beforeAll(async () => {
    // A memory of the Worker that runs out between two requests would cost the later one a query.
    moveClock(0);
    plain = await space([], { title: "Title de 0", body: textOf("de", 0), rank: 0 });
    // A body has at most 1 MB, so that these are two.
    localized = await space(CODES, valuesOf(CODES.slice(0, 20)));
    const rest = await countedCall("PUT", `${localized}?locale=all`, valuesOf(CODES.slice(20)));
    expect(rest.status).toBe(200);
    collections = { plain: collectionOf(plain), localized: collectionOf(localized) };
  });

  /** Returns the bytes of its history. */
  async function historyBytes(): Promise<number> {
    const row = await bindings.DB.prepare(
      `SELECT (SELECT coalesce(sum(length(v.data)), 0) FROM record_versions v JOIN records r ON r.seq = v.record WHERE r.id = ?1)
        + (SELECT coalesce(sum(length(p.data)), 0) FROM record_locale_versions p JOIN records r ON r.seq = p.record WHERE r.id = ?1) AS n`,
    )
      .bind(localized.split("/").at(-1))
      .first<{ n: number }>();
    return row?.n ?? 0;
  }

  const expectAsOne = (of: Counted<unknown>, one: Counted<unknown>, code = "de"): void => {
    expect([of.status, of.queries]).toEqual([one.status, one.queries]);
    expect(of.bytes).toBeLessThan(one.bytes + OVERHEAD_BYTES + (code === "en" ? 0 : DEFAULT_ROW_BYTES));
    expect(of.answerBytes).toBeLessThan(one.answerBytes + OVERHEAD_BYTES);
  };

  it.each(ofSome(CODES))("is read in %s at the cost of one", async (code) => {
    const one = await countedCall("GET", plain);
    const of = await countedCall("GET", `${localized}?locale=${code}`);
    expect(of.data).toMatchObject({ body: textOf(code, 0), rank: 0, locale: code });
    expectAsOne(of, one, code);
    expect(of.rowsRead - one.rowsRead).toBeLessThanOrEqual(code === "en" ? 0 : 2);
  });

  it.each([
    ["a list", ""],
    ["a sort", "sort=title"],
    ["a filter", "filter[title][eq]=Title de 0"],
    ["a search", "search=title"],
  ])("is found by %s at the cost of one", async (_, query) => {
    const one = await countedCall<unknown[]>("GET", `${collections.plain}?${query}`);
    const of = await countedCall<unknown[]>("GET", `${collections.localized}?locale=de&${query}`);
    expect([of.data.length, one.data.length]).toEqual([1, 1]);
    // The values of the default locale are left in the database.
    expectAsOne(of, { ...one, queries: of.queries }, "en");
    expect(of.queries).toBeLessThanOrEqual(one.queries + 1);
  });

  it("is read in all languages by one more query", async () => {
    const whole = await countedCall<{ body: object }>("GET", `${localized}?locale=all`);
    expect(whole.data.body).toEqual(valuesOf(CODES).body);
    expect(whole.queries).toBe((await countedCall("GET", plain)).queries + 1);
  });

  it("is written in one language at the cost of one, and its history grows by what changed", async () => {
    const before = await historyBytes();
    const turns = rounds(3, 30);
    for (let turn = 1; turn <= turns; turn++) {
      const code = CODES[(turn * 7) % CODES.length] ?? "en";
      const one = await countedCall("PUT", plain, { body: textOf("de", turn) });
      const of = await countedCall("PUT", `${localized}?locale=${code}`, { body: textOf(code, turn) });
      expect(of.data).toMatchObject({ body: textOf(code, turn) });
      expectAsOne(of, one);
      expect(of.rowsWritten - one.rowsWritten).toBeLessThanOrEqual(4);
    }
    const perTurn = ((await historyBytes()) - before) / turns;
    expect(perTurn).toBeGreaterThan(TEXT_BYTES);
    expect(perTurn).toBeLessThan(TEXT_BYTES + 500);
    const changed = await countedCall("PUT", localized, { rank: 7 });
    expect(changed.status).toBe(200);
    const first = await countedCall<{ record: { body: object } }>(
      "GET",
      `${localized}/versions/2?locale=all`,
    );
    expect(first.data.record.body).toEqual(valuesOf(CODES).body);
  });
});

/** Returns the default locale, a few others in the first ring, and the last. */
function ofSome(codes: readonly string[]): string[] {
  const step = rounds(17, 1);
  return codes.filter((_, index) => index % step === 0);
}
