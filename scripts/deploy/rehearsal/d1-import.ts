/**
 * D1's import of a file: `init` names a place for the file, which is sent there, `ingest` starts the work, and `poll` asks
 * how it ended. An import that fails leaves the database as it was. A file is known by its hash: one that is sent again
 * is answered with how it ended before.
 */
import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { Database } from "./account.ts";
import { answer, type ApiResponse, refuse, type Routes } from "./route.ts";

const BOOKMARK = "00000001-00000002-00000004";

interface ImportRequest {
  action: "init" | "ingest" | "poll";
  etag?: string;
  filename?: string;
  current_bookmark?: string;
}

/** Runs all of it or nothing. @throws Error with SQLite's words */
export function executeAll(sqlite: DatabaseSync, sql: string): void {
  sqlite.exec("BEGIN");
  try {
    sqlite.exec(sql);
    sqlite.exec("COMMIT");
  } catch (error) {
    sqlite.exec("ROLLBACK");
    throw error;
  }
}

const hashOf = (text: string): string => createHash("md5").update(text).digest("hex");

function ended(database: Database, etag: string): ApiResponse {
  const result = database.imports.get(etag);
  const common = { type: "import", at_bookmark: etag, messages: [] };
  if (!result) return answer({ ...common, success: false, error: "Not currently importing anything." });
  if (result.error !== null)
    return answer({ ...common, success: true, status: "error", errors: [result.error] });
  const meta = { duration: 1, rows_read: 0, rows_written: 0, size_after: 0, changes: 0 };
  const done = { num_queries: 1, final_bookmark: BOOKMARK, meta };
  return answer({ ...common, success: true, status: "complete", result: done });
}

function ingest(database: Database, sql: string, etag: string): ApiResponse {
  let error: string | null = null;
  try {
    executeAll(database.sqlite, sql);
  } catch (thrown) {
    error = thrown instanceof Error ? thrown.message : String(thrown);
  }
  database.imports.set(etag, { error });
  return answer({ type: "import", success: true, status: "active", at_bookmark: etag, messages: [] });
}

export const importRoutes: Routes = {
  "POST /d1/database/:id/import": (account, { params, json, baseUrl }) => {
    const database = account.databases.get(params["id"] ?? "");
    if (!database) return refuse(404, 7404, `The database ${params["id"]} could not be found`);
    const {
      action,
      etag = "",
      filename = "",
      current_bookmark: bookmark = "",
    } = json() as unknown as ImportRequest;
    if (action === "poll") return ended(database, bookmark);
    if (action === "ingest") {
      const sql = account.uploads.get(filename);
      if (sql === undefined || hashOf(sql) !== etag) return refuse(400, 7500, "No such upload.");
      return ingest(database, sql, etag);
    }
    if (database.imports.has(etag)) return ended(database, etag);
    const name = `${etag}.sql`;
    return answer({ upload_url: `${baseUrl}/d1-uploads/${name}`, filename: name });
  },
  "PUT /d1-uploads/:filename": (account, { params, text }) => {
    account.uploads.set(params["filename"] ?? "", text());
    return { ...answer(null), headers: { ETag: `"${hashOf(text())}"` } };
  },
};
