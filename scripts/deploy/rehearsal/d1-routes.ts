/** D1, with rows in SQLite. */
import { type Account, type Database, newDatabase } from "./account.ts";
import { executeAll, importRoutes } from "./d1-import.ts";
import { isIncompleteInput } from "./d1-query.ts";
import { answer, refuse, type Routes } from "./route.ts";

const DEFAULT_PER_PAGE = 10;

const shown = ({ uuid, name, created_at }: Database) => ({ uuid, name, version: "production", created_at });

const find = (account: Account, idOrName: string): Database | undefined =>
  account.databases.get(idOrName) ?? [...account.databases.values()].find(({ name }) => name === idOrName);

const missing = (id: string) => refuse(404, 7404, `The database ${id} could not be found`);

/**
 * Executes SQL as D1 does, which answers rows for a query and counts for the rest. It goes by the text before the first
 * statement's keyword.
 */
function execute({ sqlite }: Database, sql: string): unknown[] {
  if (/^\s*(?:select|pragma)\b/i.test(sql)) return sqlite.prepare(sql).all();
  if (isIncompleteInput(sql)) throw new Error("incomplete input: SQLITE_ERROR");
  executeAll(sqlite, sql);
  return [];
}

export const d1Routes: Routes = {
  "GET /d1/database": (account, { query }) => {
    const perPage = Number(query.get("per_page") ?? DEFAULT_PER_PAGE);
    const start = (Number(query.get("page") ?? 1) - 1) * perPage;
    const wanted = query.get("name") ?? "";
    const all = [...account.databases.values()].filter(({ name }) => name.includes(wanted));
    return answer(all.slice(start, start + perPage).map(shown));
  },
  "POST /d1/database": (account, { json }) => {
    const { name, primary_location_hint: hint } = json() as { name?: string; primary_location_hint?: string };
    if (name === undefined) return refuse(400, 7400, "Invalid property: name => Required");
    if (find(account, name)) return refuse(400, 7502, `A database named ${name} exists already`);
    const database = newDatabase(name, hint ?? null);
    account.databases.set(database.uuid, database);
    return answer(shown(database));
  },
  "GET /d1/database/:id": (account, { params }) => {
    const database = find(account, params["id"] ?? "");
    if (!database) return missing(params["id"] ?? "");
    return answer({ ...shown(database), read_replication: database.read_replication });
  },
  "PUT /d1/database/:id": (account, { params, json }) => {
    const database = account.databases.get(params["id"] ?? "");
    if (!database) return missing(params["id"] ?? "");
    database.read_replication = json()["read_replication"] as Database["read_replication"];
    return answer({ ...shown(database), read_replication: database.read_replication });
  },
  "GET /d1/database/:id/time_travel/bookmark": (account, { params }) => {
    const database = account.databases.get(params["id"] ?? "");
    return database ? answer({ bookmark: "00000001-00000002-00000003" }) : missing(params["id"] ?? "");
  },
  ...importRoutes,
  "POST /d1/database/:id/query": (account, { params, json }) => {
    const database = account.databases.get(params["id"] ?? "");
    if (!database) return missing(params["id"] ?? "");
    try {
      const results = execute(database, json()["sql"] as string);
      return answer([{ results, success: true, meta: { duration: 1, changes: 0 } }]);
    } catch (error) {
      return refuse(400, 7500, error instanceof Error ? error.message : String(error));
    }
  },
};
