/** Where a space's queue says what it did: the log, its activity (RULES 8.6), and the deployment's figures (RULES 10.10). */
import type { Env } from "../config.ts";
import type { Admission, QueueActivity, Settlement } from "../messages.ts";
import { Activity } from "./store/activity.ts";
import { activityStatements } from "./store/activity-sql.ts";
import { logBuild } from "./log.ts";
import type { Outcome } from "./work/outcome.ts";
import { reportAdmission, reportTry } from "./report.ts";
import type { JobRow } from "./store/sql.ts";

export interface EndedTry {
  row: JobRow;
  outcome: Outcome;
  /** Null when the build goes on from the queue. */
  settled: Settlement | null;
  /** In milliseconds. */
  startedAt: number;
}

export class Journal {
  readonly #env: Env;
  readonly #q;
  readonly #activity;

  constructor(env: Env, sql: SqlStorage) {
    this.#env = env;
    this.#q = activityStatements(sql);
    this.#activity = new Activity(this.#q);
  }

  createTables(): void {
    this.#q.createTables();
  }

  admitted(admission: Admission, now: number): void {
    this.#activity.admitted(admission, now);
    reportAdmission(this.#env, admission);
  }

  tried({ row, outcome, settled, startedAt }: EndedTry, now: number): void {
    const milliseconds = Math.max(0, now - startedAt);
    logBuild(row, outcome, settled);
    if (settled) this.#activity.ended({ row, outcome, milliseconds }, now);
    reportTry(this.#env, { row, outcome, settled, milliseconds });
  }

  read(now: number): Pick<QueueActivity, "builds" | "perSecond"> {
    return this.#activity.read(now);
  }
}
