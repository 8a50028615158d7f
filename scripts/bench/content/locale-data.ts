/**
 * Writes records in several locales straight into D1, for the bench of the content API and for rehearsals of changes.
 * The first record of a space is written through the API; the others have its columns, and values by their number. The
 * index rows are written by the service's own statements.
 */
import { sql, type SQL } from "drizzle-orm";
import type { StoredField } from "../../../src/content/field-types/fields.ts";
import { localesIn } from "../../../src/content/locales/locales.ts";
import { heldOf, numberIn } from "../../../src/content/locales/numbers.ts";
import { isLocalized } from "../../../src/content/model/localized-model.ts";
import { addAllIndexRows } from "../../../src/edge/storage/records/record-index.ts";
import { filledOf } from "../../../src/edge/storage/records/index-parts.ts";
import { idOf, run, type BenchDatabase } from "./data.ts";

const BATCH = 2000;
const BODY_WORDS = 60;

/** The values of record number `n` in a language, as SQL: in the order of the names of fields. */
const VALUES: Record<string, (code: string) => string> = {
  title: (code) => `'Stone ' || (n * 7919 % 1000003) || ' ${code}'`,
  slug: (code) => `'${code}-' || n`,
  body: (code) => `'${`${code} `.repeat(BODY_WORDS)}'`,
  views: () => "n * 104729 % 1000003",
};

interface FilledModel {
  id: number;
  spaceId: string;
  fields: string;
  locales: string | null;
}

async function modelIn(db: BenchDatabase, space: string, name: string): Promise<FilledModel> {
  const { results } = await db
    .prepare(
      `SELECT m.id, m.space_id AS spaceId, m.fields, s.locales FROM models m JOIN spaces s ON s.id = m.space_id
      WHERE s.name = ? AND m.name = ?`,
    )
    .bind(space, name)
    .all();
  const [model] = results as FilledModel[];
  if (!model) throw new Error(`There is no model ${name} in ${space}`);
  return model;
}

/** Returns the columns `data` and `folded` of a content in a locale. Objects are those of the first record. */
function columnsOf(fields: readonly StoredField[], code: string, first: string): { data: SQL; folded: SQL } {
  const values = fields.map(({ no, name, type }) => {
    const isCopied = type === "component" || type === "blocks" || type === "richtext";
    const copied = `(SELECT json_extract(f.data, '$."${no}"') ${first})`;
    return `'${no}', ${isCopied ? `json(${copied})` : (VALUES[name]?.(code) ?? "NULL")}`;
  });
  const title = fields.some(({ name }) => name === "title") ? VALUES["title"]?.(code) : undefined;
  return {
    data: sql.raw(`json_object(${values.join(", ")})`),
    folded: sql.raw(title === undefined ? "'{}'" : `json_object('words', lower(${title}))`),
  };
}

/**
 * Writes records `from` to `to - 1` of a model. `code` is the language of those in a space without locales, and of the
 * shared row of others.
 */
export async function fillLocales(
  db: BenchDatabase,
  { space, model: name, code }: { space: string; model: string; code: string },
  from: number,
  to: number,
  batch = BATCH,
): Promise<void> {
  const model = await modelIn(db, space, name);
  const fields = JSON.parse(model.fields) as StoredField[];
  const locales = localesIn(model.locales);
  const sides = Object.entries(locales.numbers).filter(() => fields.some(isLocalized));
  const id = sql.raw(String(model.id));
  for (let start = from; start < to; start += batch) {
    const end = Math.min(to, start + batch);
    const first = `FROM records f WHERE f.model_id = ${model.id} ORDER BY f.seq LIMIT 1`;
    const own = columnsOf(fields, code, first);
    await run(
      db,
      sql`WITH RECURSIVE i(n) AS (SELECT ${sql.raw(String(start))} UNION ALL SELECT n + 1 FROM i WHERE n + 1 < ${sql.raw(String(end))})
        INSERT OR IGNORE INTO records (model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at, locales, held)
        SELECT ${id}, ${model.spaceId}, printf('R%025d', n), ${own.data}, ${own.folded}, 500, 1, 1600000000000 + n,
          1600000000000 + n, (SELECT f.locales ${sql.raw(first)}), ${heldOf(sides.map(([, no]) => no))} FROM i`,
    );
    const isIn = sql`r.model_id = ${id} AND r.id >= ${idOf("R", start)} AND r.id < ${idOf("R", end)}`;
    await run(
      db,
      sql`INSERT OR IGNORE INTO record_versions (record, no, version, event, is_content, created_at, changed, data)
        SELECT r.seq, 1, 1, 'created', 1, r.created_at, '[1]', NULL FROM records r WHERE ${isIn}`,
    );
    for (const [side, no] of sides) {
      const localized = fields.filter(isLocalized).map((field) => ({ ...field, no: numberIn(field, no) }));
      const content = columnsOf(localized, side, first);
      await run(
        db,
        sql`INSERT OR IGNORE INTO record_locales (record, locale, model_id, size_bytes, folded, data, filled)
          SELECT seq, ${sql.raw(String(no))}, ${id}, 500, ${content.folded}, ${content.data}, ${filledOf(content.data)}
          FROM (SELECT r.seq, CAST(substr(r.id, 2) AS INTEGER) AS n FROM records r WHERE ${isIn})`,
      );
    }
    for (const statement of addAllIndexRows(fields, isIn)) await run(db, statement);
  }
}
