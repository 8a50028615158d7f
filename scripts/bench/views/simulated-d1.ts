/**
 * Simulates D1 with SQLite in this process and the repository's migrations: a primary, and a replica that gets each
 * write a second later. Every call is counted. A batch counts as one.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

const MIGRATIONS = "schema/migrations";

export interface D1Calls {
  queries: number;
  /** Statements in those queries. */
  statements: number;
  /** Rows of tables that were inserted, changed or deleted. */
  changes: number;
  /** Queries for the place of a space, which the directory answers. */
  places: number;
}

export const newCalls = (): D1Calls => ({ queries: 0, statements: 0, changes: 0, places: 0 });

/** Returns one count of all databases. */
export const sumOf = (all: readonly D1Calls[], count: keyof D1Calls): number =>
  all.reduce((sum, calls) => sum + calls[count], 0);

interface Written {
  at: number;
  statements: Statement[];
}

/** An SQLite file with its prepared statements. */
class Store {
  readonly #db = new DatabaseSync(":memory:");
  readonly #prepared = new Map<string, StatementSync>();

  constructor() {
    for (const file of readdirSync(MIGRATIONS)
      .filter((name) => name.endsWith(".sql"))
      .sort())
      this.#db.exec(readFileSync(join(MIGRATIONS, file), "utf8"));
  }

  run({ sql, values }: Pick<Statement, "sql" | "values">): Record<string, unknown>[] {
    let prepared = this.#prepared.get(sql);
    if (!prepared) this.#prepared.set(sql, (prepared = this.#db.prepare(sql)));
    return prepared.all(...values);
  }

  get changes(): number {
    return Number(this.run({ sql: "SELECT total_changes() AS changes", values: [] })[0]?.["changes"]);
  }

  /** Runs all statements or none. */
  batch(statements: Statement[]): Record<string, unknown>[][] {
    this.#db.exec("BEGIN");
    try {
      const results = statements.map((statement) => this.run(statement));
      this.#db.exec("COMMIT");
      return results;
    } catch (error) {
      this.#db.exec("ROLLBACK");
      throw error;
    }
  }
}

class Statement {
  readonly sql: string;
  readonly values: SQLInputValue[];
  readonly #database: SimulatedD1;

  constructor(database: SimulatedD1, sql: string, values: SQLInputValue[] = []) {
    this.#database = database;
    this.sql = sql;
    this.values = values;
  }

  bind(...values: unknown[]): Statement {
    const taken = values.map((value) => (typeof value === "boolean" ? Number(value) : value));
    return new Statement(this.#database, this.sql, taken as SQLInputValue[]);
  }

  async all(): Promise<D1Answer> {
    return (await this.#database.batch([this]))[0] as D1Answer;
  }

  run(): Promise<D1Answer> {
    return this.all();
  }

  async first(column?: string): Promise<unknown> {
    const row = (await this.all()).results[0];
    return row && column !== undefined ? row[column] : (row ?? null);
  }

  async raw(): Promise<unknown[][]> {
    return (await this.all()).results.map((row) => Object.values(row));
  }
}

interface D1Answer {
  success: true;
  results: Record<string, unknown>[];
  meta: { served_by_primary: boolean };
}

export interface D1Storage {
  primary: Store;
  replica: Store;
  /** Writes that the replica does not have yet, the oldest first. */
  written: Written[];
}

export const newStorage = (): D1Storage => ({ primary: new Store(), replica: new Store(), written: [] });

const PLACE = /space_names n LEFT JOIN space_places p/;
const isWrite = (sql: string): boolean => /\b(INSERT|UPDATE|DELETE)\b/i.test(sql);

/** The binding of one region. */
export class SimulatedD1 {
  readonly #storage: D1Storage;
  readonly #now: () => number;
  readonly #calls: D1Calls;
  /** Null if the primary is the nearest. */
  readonly #replicaLagMs: number | null;
  readonly #isSession: boolean;

  constructor(
    storage: D1Storage,
    now: () => number,
    calls: D1Calls,
    replicaLagMs: number | null,
    isSession = false,
  ) {
    this.#storage = storage;
    this.#now = now;
    this.#calls = calls;
    this.#replicaLagMs = replicaLagMs;
    this.#isSession = isSession;
  }

  prepare(sql: string): Statement {
    return new Statement(this, sql);
  }

  withSession(): SimulatedD1 {
    return new SimulatedD1(this.#storage, this.#now, this.#calls, this.#replicaLagMs, true);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- its errors must be rejections, like D1's
  async batch(statements: Statement[]): Promise<D1Answer[]> {
    const writes = statements.some(({ sql }) => isWrite(sql));
    this.#calls.queries += 1;
    if (statements.some(({ sql }) => PLACE.test(sql))) this.#calls.places += 1;
    this.#calls.statements += statements.length;
    const ofReplica = this.#isSession && this.#replicaLagMs !== null && !writes;
    const { primary, written } = this.#storage;
    const before = primary.changes;
    const answers = (ofReplica ? this.#caughtUp() : primary).batch(statements);
    const changes = primary.changes - before;
    this.#calls.changes += changes;
    if (changes > 0) written.push({ at: this.#now(), statements });
    return answers.map((results) => ({ success: true, results, meta: { served_by_primary: !ofReplica } }));
  }

  #caughtUp(): Store {
    const { written, replica } = this.#storage;
    const until = this.#now() - (this.#replicaLagMs ?? 0);
    while (written[0] && written[0].at <= until) replica.batch(written.shift()?.statements ?? []);
    return replica;
  }
}
