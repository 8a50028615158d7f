/**
 * Numbers of rows, which are unique in the deployment, so that rows move unchanged and cursors hold (RULES 12.2). Each
 * database counts within a block of its own. The numbers of all blocks fit into a double, and so do their negatives.
 */
import { sql, type SQL } from "drizzle-orm";
import { MOVE, SHARDS } from "../../../limits.ts";
import type { Database } from "../database/database.ts";
import { SPACE_TABLES } from "./tables.ts";

/** Returns the number below the first one of a shard. */
export const numbersBefore = (shard: number): number => shard * SHARDS.rowNumbersPerBlock;

/**
 * Returns statements that have every counting table of a database count from its block on, for the batch that puts a
 * space there: before its first row, and with no effect after it.
 */
export const countFrom = (shard: number): SQL[] => countAfter(numbersBefore(shard));

/** Returns the same for any number. A table that has counted further goes on from there. */
export const countAfter = (before: number): SQL[] => [
  sql`UPDATE sqlite_sequence SET seq = ${before} WHERE seq < ${before} AND name NOT GLOB 'd1_*'`,
  sql`INSERT INTO sqlite_sequence (name, seq) SELECT t.name, ${before} FROM sqlite_master t
    WHERE t.type = 'table' AND t.sql LIKE '%AUTOINCREMENT%' AND t.name NOT GLOB 'd1_*'
      AND NOT EXISTS (SELECT 1 FROM sqlite_sequence s WHERE s.name = t.name)`,
];

/** Returns the lowest and the highest number that the tables of a database, whose rows move, have counted to. */
export async function countedTo(db: Database): Promise<{ lowest: number; highest: number }> {
  const names = SPACE_TABLES.filter(({ counter }) => counter !== undefined).map(({ name }) => name);
  const rows = await db.all<{ seq: number }>(sql`SELECT coalesce(s.seq, 0) AS seq
    FROM json_each(${JSON.stringify(names)}) n LEFT JOIN sqlite_sequence s ON s.name = n.value`);
  const counts = rows.map(({ seq }) => seq);
  return { lowest: Math.min(...counts), highest: Math.max(...counts) };
}

/**
 * Gives a database a block of its own above all that were given, and above `counted`: a directory that was set back to an
 * earlier time does not know the last ones. @returns the number below the first one of the block
 * @throws Error when no block is left
 */
export async function giveBlock(directory: Database, shard: number, counted: number): Promise<number> {
  const above = Math.max(SHARDS.databasesMax, Math.floor(counted / SHARDS.rowNumbersPerBlock) + 1);
  const [given] = await directory.all<{ block: number }>(sql`INSERT INTO number_blocks (block, shard)
    SELECT max(${above}, coalesce(max(block) + 1, 0)), ${shard} FROM number_blocks RETURNING block`);
  if (!given || given.block >= MOVE.blocksMax) throw new Error("No block of row numbers is left.");
  return given.block * SHARDS.rowNumbersPerBlock;
}
