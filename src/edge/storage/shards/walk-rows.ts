/**
 * Walks through the rows of a space in one table, by a cursor: in legs, one for each model where rows are found by
 * models. It gives units, the keys by which rows are copied. Each query uses an index for its leg and its order.
 */
import { sql, type SQL } from "drizzle-orm";
import { MOVE } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import { int } from "../records/record-index.ts";
import type { SpaceTable } from "./tables.ts";

/** The key of a row, or of several that are copied together. */
export type Unit = readonly (string | number)[];

/** The place where a walk goes on: after `after` in a leg. */
export interface Cursor {
  leg: number;
  after: Unit | null;
}

interface Leg {
  /** Grows from leg to leg. A new model has a higher one than those before. */
  no: number;
  from: SQL;
  where: SQL;
}

const raw = (text: string): SQL => sql.raw(text);

/** Returns the numbers of a space's models, those of their published contents behind each. */
async function modelLegs(db: Database, spaceId: string): Promise<{ no: number; model: number }[]> {
  const found = await db.all<{ id: number }>(
    sql`SELECT id FROM models WHERE space_id = ${spaceId} ORDER BY id`,
  );
  return found.flatMap(({ id }) => [
    { no: 2 * id, model: id },
    { no: 2 * id + 1, model: -id },
  ]);
}

/** Returns whether the rows of a record are one unit. */
export const isWhole = ({ by, unit }: SpaceTable): boolean => by === "record" && unit.length === 1;

async function legsOf(db: Database, table: SpaceTable, spaceId: string): Promise<Leg[]> {
  const { name, by, space, parts } = table;
  const from = raw(`${name} t`);
  switch (by) {
    case "space":
      return (parts ?? ["1"]).map((part, no) => ({
        no,
        from,
        where: sql`t.${raw(space)} = ${spaceId} AND ${raw(part)}`,
      }));
    case "object":
      return [{ no: 0, from, where: sql`substr(t.key, 3, 26) = ${spaceId}` }];
    case "model":
      return (await modelLegs(db, spaceId)).map(({ no, model }) => ({
        no,
        from,
        where: sql`t.model_id = ${int(model)}`,
      }));
    case "record": {
      const records = isWhole(table)
        ? raw("records r")
        : raw(`records r CROSS JOIN ${name} t ON t.record = r.seq`);
      const legs = await modelLegs(db, spaceId);
      return legs.map(({ no, model }) => ({ no, from: records, where: sql`r.model_id = ${int(model)}` }));
    }
    default:
      return by satisfies never;
  }
}

/** Returns the expressions that give the order, one or two. */
function orderOf(table: SpaceTable): string[] {
  if (table.by !== "record") return [`t.${table.order ?? table.unit[0]}`];
  return ["r.id", ...table.unit.slice(1).map((column) => `t.${column}`)];
}

const keysOf = (table: SpaceTable): string[] =>
  isWhole(table) ? ["r.seq"] : table.unit.map((column) => `t.${column}`);

/** Returns about how many characters the rows of a unit have. */
const sizeOf = (table: SpaceTable): string =>
  isWhole(table)
    ? `300 * (SELECT count(*) FROM ${table.name} t WHERE t.record = r.seq)`
    : ["100", ...table.texts.map((column) => `coalesce(octet_length(t.${column}), 0)`)].join(" + ");

function isAfter([first = "", second]: string[], after: Unit | null): SQL {
  if (after === null) return sql`1`;
  const [a, b] = after;
  if (second === undefined) return sql`${raw(first)} > ${a}`;
  return sql`${raw(first)} >= ${a} AND (${raw(first)} > ${a} OR ${raw(second)} > ${b})`;
}

export interface Walked {
  units: Unit[];
  /** Null after the last unit. */
  next: Cursor | null;
}

/** Returns the query of a leg's next units: their keys, the values of the order, their size. */
export function unitsQuery(table: SpaceTable, { from, where }: Omit<Leg, "no">, after: Unit | null): SQL {
  const order = orderOf(table);
  const limit = isWhole(table) ? MOVE.recordsPerSlice : MOVE.unitsPerSlice;
  return sql`SELECT ${raw([...keysOf(table), ...order, sizeOf(table)].join(", "))}
    FROM ${from} WHERE ${where} AND ${isAfter(order, after)}
    ORDER BY ${raw(order.join(", "))} LIMIT ${int(limit)}`;
}

/** Returns the queries of all legs of a space, for tests of their plans. */
export const legQueries = async (
  db: Database,
  table: SpaceTable,
  spaceId: string,
  after: Unit,
): Promise<SQL[]> => (await legsOf(db, table, spaceId)).map((leg) => unitsQuery(table, leg, after));

/** Takes as many units as fit into a slice, but at least one. */
export async function walk(
  db: Database,
  table: SpaceTable,
  spaceId: string,
  cursor: Cursor,
): Promise<Walked> {
  const keys = table.unit.length;
  for (const leg of await legsOf(db, table, spaceId)) {
    if (leg.no < cursor.leg) continue;
    const after = leg.no === cursor.leg ? cursor.after : null;
    const rows = await db.values<(string | number)[]>(unitsQuery(table, leg, after));
    let size = 0;
    const taken = rows.filter((row, index) => {
      size += Number(row.at(-1));
      return index === 0 || size <= MOVE.sliceMaxCharacters;
    });
    const last = taken.at(-1);
    if (!last) continue;
    return {
      units: taken.map((row) => row.slice(0, keys)),
      next: { leg: leg.no, after: last.slice(keys, -1) },
    };
  }
  return { units: [], next: null };
}

/** Returns a query that counts the rows of a space. */
function countQuery(table: SpaceTable, spaceId: string): SQL {
  const { name, by, space, parts } = table;
  const ofModels = raw("models m CROSS JOIN");
  const counted = (from: SQL, where: SQL): SQL => sql`(SELECT count(*) FROM ${from} WHERE ${where})`;
  const count = (): SQL => {
    switch (by) {
      case "space":
        return sql.join(
          (parts ?? ["1"]).map((part) =>
            counted(raw(`${name} t`), sql`t.${raw(space)} = ${spaceId} AND ${raw(part)}`),
          ),
          sql` + `,
        );
      case "object":
        return counted(raw(`${name} t`), sql`substr(t.key, 3, 26) = ${spaceId}`);
      case "model":
        return counted(
          sql`${ofModels} ${raw(name)} t ON t.model_id IN (m.id, -m.id)`,
          sql`m.space_id = ${spaceId}`,
        );
      case "record":
        return counted(
          sql`${ofModels} records r ON r.model_id IN (m.id, -m.id) CROSS JOIN ${raw(name)} t ON t.record = r.seq`,
          sql`m.space_id = ${spaceId}`,
        );
      default:
        return by satisfies never;
    }
  };
  return sql`SELECT ${count()} AS n`;
}

/** Counts the rows of a space in one table. */
export async function countRows(db: Database, table: SpaceTable, spaceId: string): Promise<number> {
  const [row] = await db.all<{ n: number }>(countQuery(table, spaceId));
  return row?.n ?? 0;
}

/** Counts the rows of a space in several tables, as they are at one moment. */
export async function countAllRows(
  db: Database,
  tables: readonly SpaceTable[],
  spaceId: string,
): Promise<number[]> {
  const counts = await batchSql(
    db,
    tables.map((table) => countQuery(table, spaceId)),
  );
  return counts.map(([row]) => (row as { n: number } | undefined)?.n ?? 0);
}
