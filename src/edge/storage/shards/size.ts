/** The size of a database, which D1 says with each answer. */
import { sql } from "drizzle-orm";
import { prepareSql, type Database } from "../database/database.ts";

export interface DatabaseSize {
  bytes: number;
  /** The number of spaces, removed ones included while the sweep empties them. */
  spaces: number;
}

export async function readSize(db: Database): Promise<DatabaseSize> {
  const { results, meta } = await prepareSql(db, sql`SELECT count(*) AS spaces FROM spaces`).all<{
    spaces: number;
  }>();
  return { bytes: meta.size_after, spaces: results[0]?.spaces ?? 0 };
}
