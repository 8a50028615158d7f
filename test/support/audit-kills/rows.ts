/** Reads the rows of a running service from its file, beside the process that is killed. */
import { globSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";

type Row = Record<string, unknown>;

export interface EventRow {
  no: number;
  action: string;
  target: string;
  /** The ids that an import has written. */
  imported: string | null;
}

/** The time for which a read waits while the service that starts again holds the file. */
const BUSY_MS = 10_000;

export class Rows {
  readonly #database: DatabaseSync;

  /** @param dataDir of a service with one database */
  constructor(dataDir: string) {
    const [file = ""] = globSync(join(dataDir, "v3/d1/*/*.sqlite")).filter(
      (path) => !path.endsWith("metadata.sqlite"),
    );
    this.#database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS });
  }

  all<T = Row>(query: string, ...values: SQLInputValue[]): T[] {
    return this.#database.prepare(query).all(...values) as T[];
  }

  /** Returns the ids that a query finds in its first column. */
  ids(query: string, ...values: SQLInputValue[]): string[] {
    return this.all(query, ...values).map((row) => String(Object.values(row)[0]));
  }

  has(query: string, ...values: SQLInputValue[]): boolean {
    return this.all(query, ...values).length > 0;
  }

  /** Returns what several reads find in one state of the rows. */
  atOnce<T>(look: () => T): T {
    this.#database.exec("BEGIN");
    try {
      return look();
    } finally {
      this.#database.exec("COMMIT");
    }
  }

  /** Returns the number of the last line of the audit of a space; 0 for none. */
  lastLine(spaceId: string): number {
    const [no = 0] = this.ids("SELECT coalesce(max(no), 0) FROM events WHERE space_id = ?", spaceId).map(
      Number,
    );
    return no;
  }

  /** Returns the lines of the audit of a space after one, oldest first. Lines of the service itself are left out. */
  linesAfter(no: number, spaceId: string): EventRow[] {
    return this.all<EventRow>(
      `SELECT no, action, target_id AS target, facts ->> '$.ids' AS imported FROM events
       WHERE space_id = ? AND no > ? AND actor_kind <> 'system' AND hour IS NULL ORDER BY no`,
      spaceId,
      no,
    );
  }

  /**
   * Returns the history of the records of a space, and what the audit says of them, as sorted texts. Imports are left out:
   * one line of the audit tells of many of them.
   */
  historyAndLines(spaceId: string): { history: string[]; lines: string[] } {
    const imported = `SELECT i.value FROM events e, json_each(e.facts, '$.ids') i
      WHERE e.space_id = ?1 AND e.action = 'import.created'`;
    const history = this.ids(
      `SELECT r.id || ' record.' || v.event || ' ' || v.version || ' ' || v.actor_kind || ' ' || v.key_name AS line
       FROM record_versions v JOIN records r ON r.seq = v.record
       WHERE r.space_id = ?1 AND r.id NOT IN (${imported}) ORDER BY line`,
      spaceId,
    );
    const lines = this.ids(
      `SELECT target_id || ' ' || action || ' ' || (facts ->> '$.version') || ' ' || actor_kind || ' ' || actor_name AS line
       FROM events WHERE space_id = ?1 AND target_kind = 'record' AND action <> 'record.scheduled'
         AND target_id IN (SELECT id FROM records WHERE space_id = ?1) ORDER BY line`,
      spaceId,
    );
    return { history, lines };
  }

  /** Returns the ids of records whose `updatedBy` is not the actor of their last line in the audit. */
  withAnotherMaker(spaceId: string): string[] {
    return this.ids(
      `SELECT r.id FROM records r JOIN events e ON e.no =
         (SELECT coalesce(max(no), 0) FROM events WHERE space_id = r.space_id AND target_id = r.id AND target_kind = 'record')
       WHERE r.space_id = ? AND (r.updated_by ->> '$[1]') IS NOT e.actor_id`,
      spaceId,
    );
  }

  /** Returns the lines of spaces that were never made. */
  linesWithoutSpace(): string[] {
    return this.ids(
      "SELECT action || ' ' || space_id FROM events WHERE space_id NOT IN (SELECT id FROM spaces)",
    );
  }

  close(): void {
    this.#database.close();
  }
}
