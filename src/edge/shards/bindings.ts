/**
 * The databases of a deployment by their numbers. This is the only file that names their bindings: `DB` is the directory
 * and shard 0, `DB_1` to `DB_31` are the further shards (RULES 12.1).
 */
import { SHARDS } from "../../limits.ts";

/** The bindings of databases, as the platform gives them. */
export interface DatabaseBindings {
  DB: D1Database;
  [further: `DB_${number}`]: D1Database | undefined;
}

/** Returns how many databases are bound. Their numbers have no gap (`checkDatabases`). */
export function databaseCount(env: DatabaseBindings): number {
  let count = 1;
  while (count < SHARDS.databasesMax && env[`DB_${count}`] !== undefined) count += 1;
  return count;
}

/** @throws Error when a number is left out: the spaces of the databases after the gap would not be found */
export function checkDatabases(env: DatabaseBindings): void {
  const count = databaseCount(env);
  for (let shard = count + 1; shard < SHARDS.databasesMax; shard++) {
    if (env[`DB_${shard}`] === undefined) continue;
    throw new Error(
      `The binding DB_${shard} is there, but DB_${count} is missing. Bind the databases without a gap.`,
    );
  }
}

/** Returns the numbers of all databases. */
export const shardsOf = (env: DatabaseBindings): number[] => [...Array(databaseCount(env)).keys()];

/** Returns the database that knows the names of all spaces, and where each space stands. */
export const directoryD1 = (env: DatabaseBindings): D1Database => env.DB;

/** @throws Error when the deployment has no database of this number */
export function shardD1(env: DatabaseBindings, shard: number): D1Database {
  const d1 = shard === 0 ? env.DB : env[`DB_${shard}`];
  if (d1 === undefined) throw new Error(`A space stands on database ${shard}, but DB_${shard} is not bound.`);
  return d1;
}
