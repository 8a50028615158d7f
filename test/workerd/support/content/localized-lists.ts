/** Lists by localized fields: their records, the rows that they read, and the texts from which gaps are found. */
import { expect } from "vitest";
import { heldOf } from "../../../../src/content/locales/numbers.ts";
import type { Client } from "../api.ts";
import { countedCall } from "../counted.ts";
import { bindings } from "../rows.ts";

export type Data = Record<string, unknown>;

export const setLocales = (client: Client, codes: readonly string[]) =>
  client.call("PATCH", "/settings", { locales: codes.map((code) => ({ code })) });

/** Reads the list at `path` to its end, or some pages of it. @returns its records, and the rows of its dearest page */
export async function walk(
  path: string,
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

/** Compares the texts that triggers keep of all records of the space with those that its contents give. */
export async function expectTexts(spaceId: string): Promise<void> {
  const rowsOf = async <T>(columns: string): Promise<T[]> => {
    const found = await bindings.DB.prepare(
      `SELECT ${columns} FROM records r LEFT JOIN record_locales l ON l.record = r.seq WHERE r.space_id = ?1 ORDER BY r.seq`,
    )
      .bind(spaceId)
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
