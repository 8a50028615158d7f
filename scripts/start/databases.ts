/** The local databases: the directory, and the further shards that DATABASES asks for. */
import { readFileSync } from "node:fs";
import { SHARDS } from "../../src/limits.ts";

/** The name of the first local database, by which the edge Worker finds it. */
const [, FIRST = ""] = /^preview_database_id = "([^"]+)"$/m.exec(readFileSync("wrangler.toml", "utf8")) ?? [];

/** Returns the number that DATABASES names. @throws Error when a deployment cannot have so many */
export function databaseCountOf(text: string | undefined): number {
  if (text === undefined || text === "") return 1;
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= SHARDS.databasesMax) return count;
  throw new Error(`DATABASES must be a whole number from 1 to ${SHARDS.databasesMax}, not "${text}".`);
}

/** Returns the bindings of local databases, with the names under which their data is kept. */
export const localDatabases = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, shard) =>
      shard === 0 ? ["DB", FIRST] : [`DB_${shard}`, `${FIRST}-${shard}`],
    ),
  );
