/** Looks into the files of a stopped service: which objects of R2 have no row, and which masters have no object. */
import { globSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

export interface Stored {
  objects: number;
  withoutRow: string[];
  withoutObject: string[];
  /** Tables that have rows although the work is over that needs them. */
  grown: string[];
}

const CLAIMS = `
  SELECT 'm/' || space_id || '/' || media_id || '/' || version || '/' || file AS key, 1 AS isMaster FROM masters
  UNION ALL SELECT 'v/' || space_id || '/' || media_id || '/' || version || '/' || file, 0 FROM variants
  UNION ALL SELECT key, 0 FROM doomed_objects`;

/** Returns the rows of a query of each database in a folder that has the table. */
function rowsOf<Row>(folder: string, table: string, query: string): Row[] {
  return globSync(`${folder}/**/*.sqlite`).flatMap((file) => {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const known = database.prepare("SELECT 1 FROM sqlite_master WHERE name = ?").get(table);
      return known === undefined ? [] : (database.prepare(query).all() as Row[]);
    } finally {
      database.close();
    }
  });
}

/** Rows that only work under way needs. */
const OF_WORK = {
  move_touches: "SELECT 1 FROM move_touches LIMIT 1",
  model_change_touches: "SELECT 1 FROM model_change_touches LIMIT 1",
  batch_guards: "SELECT 1 FROM batch_guards LIMIT 1",
  waiting_media: "SELECT 1 FROM waiting_media LIMIT 1",
  space_moves: "SELECT 1 FROM space_moves WHERE state IN ('leaving', 'arriving') OR bypass LIMIT 1",
};

export function lookInto(dataDir: string): Stored {
  const objects = new Set(
    rowsOf<{ key: string }>(dataDir, "_mf_objects", "SELECT key FROM _mf_objects").map(({ key }) => key),
  );
  const claims = rowsOf<{ key: string; isMaster: number }>(dataDir, "doomed_objects", CLAIMS);
  const claimed = new Set(claims.map(({ key }) => key));
  return {
    objects: objects.size,
    withoutRow: [...objects].filter((key) => !claimed.has(key)),
    withoutObject: claims
      .filter(({ key, isMaster }) => isMaster === 1 && !objects.has(key))
      .map(({ key }) => key),
    grown: Object.entries(OF_WORK)
      .filter(([name, query]) => rowsOf(dataDir, name, query).length > 0)
      .map(([name]) => name),
  };
}
