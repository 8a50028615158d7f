/**
 * Numbers of rows, which are unique in the deployment, so that rows move unchanged and cursors hold (RULES 12.2). Each
 * database counts within a block of its own. The numbers of all blocks fit into a double, and so do their negatives.
 */
import { sql, type SQL } from "drizzle-orm";
import { SHARDS } from "../../../limits.ts";

/** The number below the first one of a shard. */
export const numbersBefore = (shard: number): number => shard * SHARDS.rowNumbersPerBlock;

/**
 * Returns statements that have every counting table of a database count from its block on, for the batch that puts a
 * space there: before its first row, and with no effect after it.
 */
export function countFrom(shard: number): SQL[] {
  const before = numbersBefore(shard);
  return [
    sql`UPDATE sqlite_sequence SET seq = ${before} WHERE seq < ${before} AND name NOT GLOB 'd1_*'`,
    sql`INSERT INTO sqlite_sequence (name, seq) SELECT t.name, ${before} FROM sqlite_master t
      WHERE t.type = 'table' AND t.sql LIKE '%AUTOINCREMENT%' AND t.name NOT GLOB 'd1_*'
        AND NOT EXISTS (SELECT 1 FROM sqlite_sequence s WHERE s.name = t.name)`,
  ];
}
