/** Looks into the databases of a stopped service: the rows of a space in each, and lets the time pass for what it has left. */
import { globSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { spaceOfRow } from "../../../src/edge/storage/shards/space-rows.ts";
import { SPACE_TABLES } from "../../../src/edge/storage/shards/tables.ts";

/** Opens the databases of a stopped service. */
export function databasesIn(dataDir: string): DatabaseSync[] {
  return globSync(`${dataDir}/v3/d1/**/*.sqlite`).flatMap((file) => {
    const database = new DatabaseSync(file);
    if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'space_moves'").get()) return [database];
    database.close();
    return [];
  });
}

function onEach<T>(dataDir: string, work: (database: DatabaseSync) => T): T[] {
  return databasesIn(dataDir).map((database) => {
    try {
      return work(database);
    } finally {
      database.close();
    }
  });
}

export interface Rows {
  /** The state of the space's move on the database. */
  state: string;
  rows: number;
  bytes: number;
}

/** Counts the rows of a space on each database that has a move of it. */
export function rowsOn(dataDir: string, spaceId: string): Rows[] {
  const found = onEach(dataDir, (database) => {
    const move = database.prepare("SELECT state FROM space_moves WHERE space_id = ?").get(spaceId);
    if (move === undefined) return null;
    // The directory keeps the names of all spaces.
    const rows = SPACE_TABLES.filter(({ isOfDirectory }) => isOfDirectory !== true).map((table) => {
      const of = `SELECT count(*) AS n FROM ${table.name} t WHERE ${spaceOfRow(table, "t")} = ?`;
      return Number(database.prepare(of).get(spaceId)?.["n"] ?? 0);
    });
    const pages = Number(database.prepare("PRAGMA page_count").get()?.["page_count"] ?? 0);
    const bytes = pages * Number(database.prepare("PRAGMA page_size").get()?.["page_size"] ?? 0);
    return { state: String(move["state"]), rows: rows.reduce((sum, n) => sum + n, 0), bytes };
  });
  return found.filter((one) => one !== null);
}

/** Sets back the end of moves, so that the sweep removes what was left. */
export function ageLeftRows(dataDir: string): void {
  onEach(dataDir, (database) => {
    database.exec("UPDATE space_moves SET ended_at = ended_at - 3600000 WHERE state = 'left'");
  });
}
