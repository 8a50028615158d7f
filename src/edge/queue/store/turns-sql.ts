/**
 * SQL of the turns that clients take in a lane (RULES 8.1). Each client has one build in a round, and rounds are built in
 * order.
 */
import type { JobLane } from "../../messages.ts";

/**
 * Columns that `jobs` did not have in its first version. Rows from before have the defaults: they are of one client
 * without a name, and in the first round.
 */
const COLUMNS = {
  /** The client that the build was admitted for; empty if no visitor waits for it. */
  client: "TEXT NOT NULL DEFAULT ''",
  /** The place in the lane. Within a round, `seq` decides. */
  round: "INTEGER NOT NULL DEFAULT 0",
};

export function turnStatements(sql: SqlStorage) {
  return {
    addColumns(): void {
      const present = sql.exec<{ name: string }>("SELECT name FROM pragma_table_info('jobs')").toArray();
      for (const [name, type] of Object.entries(COLUMNS)) {
        if (present.some((column) => column.name === name)) continue;
        sql.exec(`ALTER TABLE jobs ADD COLUMN ${name} ${type}`);
      }
    },

    /** The places of a lane that a client holds. */
    waitingOf: (lane: JobLane, client: string): number =>
      sql
        .exec<{ n: number }>(
          "SELECT count(*) AS n FROM jobs WHERE lease_owner IS NULL AND lane = ? AND client = ?",
          ...[lane, client],
        )
        .one().n,

    /**
     * The round of a client's next build: the one after the last in which it has a build that waits, and at least the
     * first in which anybody has one. So a client with few builds does not wait for all builds of another, and a client
     * that was away has saved no turns up.
     */
    nextRoundOf: (lane: JobLane, client: string): number =>
      sql
        .exec<{ round: number }>(
          `SELECT max(ifnull(min(round), 0), ifnull(max(round) FILTER (WHERE client = ?2) + 1, 0)) AS round
           FROM jobs WHERE lease_owner IS NULL AND lane = ?1`,
          ...[lane, client],
        )
        .one().round,
  };
}
