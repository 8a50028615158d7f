/**
 * Copies rows from one database to another, unchanged: numbers keep their types, and a value of any type (`record_values`)
 * goes as text with its type before it, because a number of JavaScript does not say whether it was whole or real.
 */
import { sql, type SQL } from "drizzle-orm";
import { MOVE } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import { contentTag } from "../invalidation/tags.ts";
import { spaceOfRow } from "./space-rows.ts";
import { spaceTable, type SpaceTable } from "./tables.ts";
import type { Unit } from "./walk-rows.ts";

/** A row as it travels: one value per column of its table. */
export type Row = readonly (string | number | null)[];

const raw = (text: string): SQL => sql.raw(text);

const encoded = (column: string): string =>
  `CASE typeof(${column}) WHEN 'integer' THEN 'i' || ${column} WHEN 'real' THEN 'r' || printf('%!.17g', ${column}) ` +
  `WHEN 'text' THEN 't' || ${column} ELSE 'b' || hex(${column}) END`;

const decoded = (value: string): string =>
  `CASE substr(${value}, 1, 1) WHEN 'i' THEN CAST(substr(${value}, 2) AS INTEGER) ` +
  `WHEN 'r' THEN CAST(substr(${value}, 2) AS REAL) WHEN 't' THEN substr(${value}, 2) ELSE unhex(substr(${value}, 2)) END`;

const listOf = (units: readonly Unit[]): SQL => sql`json_each(${JSON.stringify(units)}) j`;

const columnsAsSent = ({ columns, anyValues }: SpaceTable): string =>
  columns
    .map((column, at) => `${anyValues.includes(column) ? encoded(`t.${column}`) : `t.${column}`} AS c${at}`)
    .join(", ");

const unitIs = ({ unit }: SpaceTable): string =>
  unit.map((column, index) => `t.${column} = j.value ->> ${index}`).join(" AND ");

/** Units of one table, and their rows. */
export interface Part {
  table: SpaceTable;
  units: readonly Unit[];
}

/** Returns the query for the units that a database has: those of a space, or without `spaceId` those of any space. */
function rowsQuery({ table, units }: Part, spaceId: string | null): SQL {
  const isOf = spaceId === null ? sql`1` : sql`${raw(spaceOfRow(table, "t"))} = ${spaceId}`;
  return sql`SELECT ${raw(columnsAsSent(table))}
    FROM ${listOf(units)} CROSS JOIN ${raw(table.name)} t ON ${raw(unitIs(table))} WHERE ${isOf}`;
}

async function read(db: Database, parts: readonly Part[], spaceId: string | null): Promise<Row[][]> {
  if (parts.length === 0) return [];
  const results = await batchSql(
    db,
    parts.map((part) => rowsQuery(part, spaceId)),
  );
  return results.map((rows) => rows.map((row) => Object.values(row as object) as Row));
}

/** Reads the rows of units, without those of other spaces. */
export const readRows = (db: Database, parts: readonly Part[], spaceId: string): Promise<Row[][]> =>
  read(db, parts, spaceId);

/** Reads what a database has of units, whatever space it takes them for. */
export const readHeld = (db: Database, parts: readonly Part[]): Promise<Row[][]> => read(db, parts, null);

/** Returns the expression for the characters of a row, about. */
const sizeOf = ({ texts }: SpaceTable): string =>
  ["100", ...texts.map((column) => `coalesce(octet_length(t.${column}), 0)`)].join(" + ");

/** Returns the characters that the rows of each unit come to, about. */
export async function sizesOf(db: Database, parts: readonly Part[]): Promise<number[][]> {
  const results = await batchSql(
    db,
    parts.map(
      ({ table, units }) => sql`SELECT j.key AS at, sum(${raw(sizeOf(table))}) AS size
        FROM ${listOf(units)} CROSS JOIN ${raw(table.name)} t ON ${raw(unitIs(table))} GROUP BY j.key`,
    ),
  );
  return parts.map(({ units }, index) => {
    const sizes = new Map(
      (results[index] as { at: number; size: number }[]).map(({ at, size }) => [at, size]),
    );
    return units.map((_, at) => sizes.get(at) ?? 0);
  });
}

/**
 * Returns the characters of the rows that triggers remove with each unit, about: of each record once, because a slice has
 * its rows once.
 */
export async function dependantSizesOf(db: Database, parts: readonly Part[]): Promise<number[][]> {
  const recordsOf = ({ units }: Part): Unit[number][] => [...new Set(units.map(([record = 0]) => record))];
  const asked = parts.flatMap((part) =>
    part.units.length === 0 ? [] : (part.table.dependants ?? []).map((name) => ({ part, name })),
  );
  const results =
    asked.length === 0
      ? []
      : await batchSql(
          db,
          asked.map(
            ({ part, name }) => sql`SELECT t.record AS record, sum(${raw(sizeOf(spaceTable(name)))}) AS size
              FROM json_each(${JSON.stringify(recordsOf(part))}) j CROSS JOIN ${raw(name)} t ON t.record = j.value
              GROUP BY t.record`,
          ),
        );
  return parts.map((part) => {
    const left = new Map<Unit[number], number>();
    for (const [index, one] of asked.entries())
      if (one.part === part)
        for (const { record, size } of results[index] as { record: number; size: number }[])
          left.set(record, (left.get(record) ?? 0) + size);
    return part.units.map(([record = 0]) => {
      const size = left.get(record) ?? 0;
      left.delete(record);
      return size;
    });
  });
}

const inTurns = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, turn) =>
    list.slice(turn * size, (turn + 1) * size),
  );

/** Has rows that are there changed in place, where triggers would write others with their removal. */
function inPlace({ isInPlace = false, unit, columns }: SpaceTable): SQL {
  if (!isInPlace) return sql``;
  const changes = columns
    .filter((column) => !unit.includes(column))
    .map((name) => `${name} = excluded.${name}`);
  return raw(` ON CONFLICT (${unit.join(", ")}) DO UPDATE SET ${changes.join(", ")}`);
}

function insert(table: SpaceTable, rows: readonly Row[]): SQL {
  const { name, columns, anyValues } = table;
  const values = columns.map((column, index) => {
    const value = `j.value ->> ${index}`;
    return anyValues.includes(column) ? decoded(`(${value})`) : value;
  });
  return sql`INSERT INTO ${raw(name)} (${raw(columns.join(", "))})
    SELECT ${raw(values.join(", "))} FROM json_each(${JSON.stringify(rows)}) j WHERE true${inPlace(table)}`;
}

/** Inserts a row that is too large for a list. Tables with such rows have no values of any type. */
const insertOne = (table: SpaceTable, row: Row): SQL =>
  sql`INSERT INTO ${raw(table.name)} (${raw(table.columns.join(", "))}) VALUES (${sql.join(
    row.map((value) => sql`${value}`),
    sql`, `,
  )})${inPlace(table)}`;

const isLarge = (row: Row): boolean =>
  row.reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 0), 0) >
  MOVE.rowOfListMaxCharacters;

/** Hides a copied space until the switch, as a removed one is hidden. */
function hidden(table: SpaceTable, row: Row): Row {
  if (table.name !== "spaces") return row;
  const at = table.columns.indexOf("removed_at");
  return row.map((value, index) => (index === at ? 0 : value));
}

/** Returns the row without what may differ on the other database: the field that hides a space, and derived columns. */
export function comparable({ name, columns, derived = [] }: SpaceTable, row: Row): Row {
  const differing = name === "spaces" ? ["removed_at"] : derived;
  if (differing.length === 0) return row;
  return row.map((value, index) => (differing.includes(columns[index] ?? "") ? null : value));
}

/** Returns those of the units that have no row. */
export function goneOf({ table, units }: Part, rows: readonly Row[]): Unit[] {
  const at = table.unit.map((column) => table.columns.indexOf(column));
  const there = new Set(rows.map((row) => JSON.stringify(at.map((index) => row[index]))));
  return units.filter((unit) => !there.has(JSON.stringify(unit)));
}

/** Returns the statements that put `rows` in the place of what the target has of `units`. */
export function replaceRows(part: Part, rows: readonly Row[]): SQL[] {
  const { table, units } = part;
  const keys = table.unit.map((_, index) => `j.value ->> ${index}`).join(", ");
  const removed = (some: readonly Unit[]): SQL =>
    sql`DELETE FROM ${raw(table.name)} WHERE (${raw(table.unit.join(", "))}) IN (SELECT ${raw(keys)} FROM ${listOf(some)})`;
  const small = rows.filter((row) => !isLarge(row)).map((row) => hidden(table, row));
  const gone = table.isInPlace ? goneOf(part, rows) : units;
  // With each row that has dependants go others, and a statement changes at most some thousand.
  const atOnce = table.dependants ? MOVE.recordsRemovedAtOnce : MOVE.rowsPerStatement;
  return [
    ...inTurns(gone, atOnce).map(removed),
    ...inTurns(small, MOVE.rowsPerStatement).map((some) => insert(table, some)),
    ...rows.filter(isLarge).map((row) => insertOne(table, row)),
  ];
}

/** Returns the units, beside those of `parts`, of which triggers remove rows with those of `parts` that are gone. */
export async function dependantsOf(
  db: Database,
  parts: readonly Part[],
  rows: readonly Row[][],
): Promise<Part[]> {
  const found = new Map<string, Map<string, Unit>>();
  for (const [index, part] of parts.entries()) {
    const { dependants } = part.table;
    const records = dependants ? goneOf(part, rows[index] ?? []).map(([record]) => record) : [];
    if (records.length === 0) continue;
    for (const name of dependants ?? []) {
      const { unit } = spaceTable(name);
      const units = await db.values<(string | number)[]>(sql`SELECT ${raw(unit.join(", "))} FROM ${raw(name)}
        WHERE record IN (SELECT value FROM json_each(${JSON.stringify(records)}))`);
      const known = new Set(
        parts.flatMap((one) =>
          one.table.name === name ? one.units.map((each) => JSON.stringify(each)) : [],
        ),
      );
      const more = found.get(name) ?? new Map<string, Unit>();
      for (const each of units) if (!known.has(JSON.stringify(each))) more.set(JSON.stringify(each), each);
      if (more.size > 0) found.set(name, more);
    }
  }
  return [...found].map(([name, units]) => ({ table: spaceTable(name), units: [...units.values()] }));
}

/** Takes back what triggers have noted: that public content has changed. The switch invalidates it once. */
export const unchanged = (spaceId: string): SQL => sql`DELETE FROM purges WHERE tag = ${contentTag(spaceId)}`;

/** The number of rows and the sum of their hashes, which does not depend on their order. */
export type Sum = readonly [rows: number, a: number, b: number];

export const NO_ROWS: Sum = [0, 0, 0];

/** Adds rows to a sum, or takes them away. */
export function addRows(sum: Sum, rows: readonly Row[], sign: 1 | -1 = 1): Sum {
  let [count, a, b] = sum;
  for (const row of rows) {
    const text = JSON.stringify(row);
    let h1 = 0xdeadbeef;
    let h2 = 0x41c6ce57;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      h1 = Math.imul(h1 ^ code, 2654435761);
      h2 = Math.imul(h2 ^ code, 1597334677);
    }
    h1 = Math.imul(h1 ^ (h1 >>> 16), 2246822507) ^ Math.imul(h2 ^ (h2 >>> 13), 3266489909);
    h2 = Math.imul(h2 ^ (h2 >>> 16), 2246822507) ^ Math.imul(h1 ^ (h1 >>> 13), 3266489909);
    count += sign;
    a = (a + sign * h1) >>> 0;
    b = (b + sign * h2) >>> 0;
  }
  return [count, a, b];
}
