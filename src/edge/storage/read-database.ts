/** How image delivery reads D1: from the nearest replica, and from the primary where that matters. */
import type { SQL } from "drizzle-orm";
import { countedD1, database, prepareSql, type Database, type QueryCount } from "./database.ts";

export interface ReadDatabase {
  /** The nearest replica. It may be out of date by any time. */
  nearest: Database;
  primary: Database;
}

/**
 * A session of its own for each request: the platform then picks the replica. Both are made when they are first used: a
 * redirect from memory asks neither, and Drizzle takes longer than all the rest of it.
 */
export function readDatabase(d1: D1Database, count: QueryCount): ReadDatabase {
  let nearest: Database | null = null;
  let primary: Database | null = null;
  return {
    get nearest() {
      return (nearest ??= database(countedD1(d1.withSession("first-unconstrained"), count)));
    },
    get primary() {
      return (primary ??= database(countedD1(d1, count)));
    },
  };
}

/** Where a fact is from. `held`: from the isolate's memory past its time, as D1 does not answer. */
export type ReadFrom = "memory" | "replica" | "primary" | "held";

/** One database for both, where there are no replicas. */
export const readPrimary = (db: Database): ReadDatabase => ({ nearest: db, primary: db });

export interface Read<Row> {
  row: Row | null;
  /** Whether the primary answered, whichever was asked. */
  isFromPrimary: boolean;
}

async function readFrom<Row>(db: Database, statement: SQL): Promise<Read<Row>> {
  const { results, meta } = await prepareSql(db, statement).all<Row>();
  return { row: results[0] ?? null, isFromPrimary: meta.served_by_primary === true };
}

/** One row, of the primary alone. */
export async function readRowOfPrimary<Row>({ primary }: ReadDatabase, statement: SQL): Promise<Row | null> {
  return (await readFrom<Row>(primary, statement)).row;
}

/** One row. What the nearest replica does not find (`isFound`) is asked of the primary. */
export async function readRow<Row>(
  db: ReadDatabase,
  statement: SQL,
  isFound: (row: Row) => boolean = () => true,
): Promise<Read<Row>> {
  const read = await readFrom<Row>(db.nearest, statement);
  if (read.isFromPrimary || (read.row && isFound(read.row))) return read;
  if (db.nearest === db.primary) return { ...read, isFromPrimary: true };
  return { ...(await readFrom<Row>(db.primary, statement)), isFromPrimary: true };
}
