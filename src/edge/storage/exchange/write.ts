/** Writes records and published contents of an import, many in one batch. */
import { getTableColumns, sql, type SQL } from "drizzle-orm";
import { records } from "../../../../schema/tables.ts";
import type { StoredField } from "../../../content/field-types/fields.ts";
import type { Model, StoredContent } from "../../../content/model/model.ts";
import { EXCHANGE } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import { guard } from "../database/guard.ts";
import { filledOf } from "../records/index-parts.ts";
import { addAllIndexRows, dropIndexRows, int } from "../records/record-index.ts";
import type { RecordRow } from "../spaces/entries.ts";
import type { SpaceRow } from "../spaces/spaces.ts";

const raw = (text: string): SQL => sql.raw(text);

const COLUMNS = Object.entries(getTableColumns(records)).map(([property, column]) => ({
  property: property as keyof RecordRow,
  name: column.name,
}));
const WITHOUT_SEQ = COLUMNS.filter(({ name }) => name !== "seq");

/** A row and its contents in locales other than the default. */
export interface WrittenRow {
  row: RecordRow;
  sides: ReadonlyMap<number, StoredContent>;
}

const bytesOfRow = ({ row, sides }: WrittenRow): number =>
  [...sides.values()].reduce((sum, side) => sum + side.data.length + side.folded.length, row.data.length) +
  (row.folded?.length ?? 0);

/** Fails the batch if the model or the locales of the space changed since the lines were checked against them. */
export const asChecked = (space: SpaceRow, model: Pick<Model, "id" | "version">): SQL =>
  guard(sql`EXISTS (SELECT 1 FROM models m JOIN spaces s ON s.id = m.space_id
    WHERE m.id = ${int(model.id)} AND m.version = ${int(model.version)} AND s.removed_at IS NULL
      AND s.locales IS ${space.locales})`);

/** Splits a list into parts that have few enough bytes for one statement; a large item is a part of its own. */
export function inParts<T>(list: readonly T[], bytesOf: (item: T) => number): T[][] {
  const parts: T[][] = [];
  let bytes = Infinity;
  for (const item of list) {
    const size = bytesOf(item);
    if (bytes + size > EXCHANGE.writeMaxBytes) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(item);
    bytes += size;
  }
  return parts;
}

/** Inserts rows; those of published contents with their numbers, the others with numbers in their order. */
function insertRows(rows: readonly RecordRow[]): SQL {
  const columns = (rows[0]?.modelId ?? 0) < 0 ? COLUMNS : WITHOUT_SEQ;
  const names = raw(columns.map(({ name }) => name).join(", "));
  const [only] = rows;
  if (rows.length === 1 && only) {
    // A large row would not fit into a list, in which its quotes take two characters.
    const values = columns.map(({ property }) => {
      const value = only[property];
      return typeof value === "number" ? int(value) : sql`${value}`;
    });
    return sql`INSERT INTO records (${names}) VALUES (${sql.join(values, sql`, `)})`;
  }
  const list = JSON.stringify(rows.map((row) => columns.map(({ property }) => row[property])));
  const values = raw(columns.map((_, index) => `j.value ->> ${index}`).join(", "));
  return sql`INSERT INTO records (${names}) SELECT ${values} FROM json_each(${list}) j ORDER BY j.key`;
}

interface SideOfRow {
  modelId: number;
  id: string;
  locale: number;
  content: StoredContent;
}

function insertSides(sides: readonly SideOfRow[]): SQL {
  const [only] = sides;
  if (sides.length === 1 && only) {
    const { modelId, id, locale, content } = only;
    return sql`INSERT OR IGNORE INTO record_locales (record, locale, model_id, size_bytes, folded, data, filled)
      SELECT r.seq, ${int(locale)}, r.model_id, ${int(content.sizeBytes)}, ${content.folded}, c.data, ${filledOf(sql`c.data`)}
      FROM records r CROSS JOIN (SELECT ${content.data} AS data) c WHERE r.model_id = ${int(modelId)} AND r.id = ${id}`;
  }
  const list = sides.map(({ modelId, id, locale, content }) => [
    modelId,
    id,
    locale,
    content.sizeBytes,
    content.folded,
    content.data,
  ]);
  return sql`INSERT OR IGNORE INTO record_locales (record, locale, model_id, size_bytes, folded, data, filled)
    SELECT r.seq, j.value ->> 2, r.model_id, j.value ->> 3, j.value ->> 4, j.value ->> 5, ${filledOf(sql`j.value ->> 5`)}
    FROM json_each(${JSON.stringify(list)}) j
    CROSS JOIN records r ON r.model_id = j.value ->> 0 AND r.id = j.value ->> 1`;
}

const sidesOfRows = (rows: readonly WrittenRow[]): SideOfRow[] =>
  rows.flatMap(({ row: { modelId, id }, sides }) =>
    [...sides].map(([locale, content]) => ({ modelId, id, locale, content })),
  );

export const isOneOf = (modelId: number, ids: readonly string[]): SQL =>
  sql`r.model_id = ${int(modelId)} AND r.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;

export interface RecordsToWrite {
  space: SpaceRow;
  /** The model as it is stored. */
  model: Model;
  rows: readonly WrittenRow[];
  /** Numbers of pages that nobody has changed, which rows replace. */
  replaced?: readonly number[];
  /** The event of the import. */
  event: SQL | null;
}

/** Removes pages as their models made them. */
const removePristine = (seqs: readonly number[]): SQL[] =>
  seqs.length === 0
    ? []
    : [
        sql`DELETE FROM records WHERE seq IN (SELECT value FROM json_each(${JSON.stringify(seqs)})) AND version = 1
          AND NOT EXISTS (SELECT 1 FROM record_versions v WHERE v.record = records.seq)`,
        ...dropIndexRows(
          sql`SELECT j.value FROM json_each(${JSON.stringify(seqs)}) j
            WHERE NOT EXISTS (SELECT 1 FROM records r WHERE r.seq = j.value)`,
        ),
      ];

/**
 * Writes new records, or published contents, of one model in one batch.
 * @throws the guard's error when the model changed meanwhile, and what a unique value that is taken throws
 */
export async function writeRecords(
  db: Database,
  { space, model, rows, replaced = [], event }: RecordsToWrite,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const ids = rows.map(({ row }) => row.id);
  await batchSql(db, [
    asChecked(space, model),
    ...removePristine(replaced),
    ...inParts(rows, bytesOfRow).map((part) => insertRows(part.map(({ row }) => row))),
    ...inParts(sidesOfRows(rows), ({ content }) => content.data.length + content.folded.length).map(
      insertSides,
    ),
    ...addAllIndexRows(model.fields, isOneOf(first.row.modelId, ids)),
    ...(event ? [event] : []),
  ]);
}

/** Writes the content of a record in one locale, which its record's line had no room for. */
export async function writeSide(
  db: Database,
  { space, model, event }: Pick<RecordsToWrite, "space" | "model" | "event">,
  { modelId, id, locale, content }: SideOfRow,
  fields: StoredField[],
  addIndexRows: (fields: StoredField[], records: SQL) => SQL[],
): Promise<void> {
  await batchSql(db, [
    asChecked(space, model),
    insertSides([{ modelId, id, locale, content }]),
    ...addIndexRows(fields, isOneOf(modelId, [id])),
    ...(event ? [event] : []),
  ]);
}
