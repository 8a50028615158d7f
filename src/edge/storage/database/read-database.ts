/** How image delivery reads D1: from the nearest replica, and from the primary if the answer must be current. */
import type { SQL } from "drizzle-orm";
import { countedD1, database, prepareSql, type Database, type QueryCount } from "./database.ts";

export interface ReadDatabase {
  /** The nearest replica, which may be arbitrarily out of date. */
  nearest: Database;
  primary: Database;
}

/**
 * Opens one session per request, for which the platform picks the replica. Both databases are made when they are first
 * used: a redirect from memory needs neither, and making Drizzle's objects takes longer than all the rest of it.
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

/** The source of a fact. `held`: the isolate's memory, past its lifetime, because D1 does not answer. */
export type ReadFrom = "memory" | "replica" | "primary" | "held";

/** Uses one database for both, if there are no replicas. */
export const readPrimary = (db: Database): ReadDatabase => ({ nearest: db, primary: db });

export interface Read<Row> {
  row: Row | null;
  /** Whether the answer came from the primary. */
  isFromPrimary: boolean;
}

async function readFrom<Row>(db: Database, statement: SQL): Promise<Read<Row>> {
  const { results, meta } = await prepareSql(db, statement).all<Row>();
  return { row: results[0] ?? null, isFromPrimary: meta.served_by_primary === true };
}

/** Reads one row from the primary. */
export async function readRowOfPrimary<Row>({ primary }: ReadDatabase, statement: SQL): Promise<Row | null> {
  return (await readFrom<Row>(primary, statement)).row;
}

/** Reads one row from the nearest replica, or from the primary if the replica does not have it (`isFound`). */
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
