/**
 * The limits of a deployed D1, which the local one does not have. A call that passes one fails, and is remembered, so that
 * a test fails even if the code that made the call goes on without it.
 *
 * D1's documents ("Limits", read on 2026-11-26): 100 parameters, 100 KB of SQL and 2 MB in a string or row; 30 s for a
 * call, a batch included; 1,000 queries in one invocation; six connections at a time. For statements that change many
 * rows they advise slices of 1,000. Here a statement fails that changes 5,000. Two counts are there, and the larger one
 * counts: `changes`, with rows that triggers and searched tables change; `rows_written`, with rows of indexes.
 */
import { AsyncLocalStorage } from "node:async_hooks";

export const D1_LIMITS = {
  statementChangedRows: 5000,
  callMs: 30_000,
  valueBytes: 2_000_000,
  parameters: 100,
  sqlBytes: 100_000,
  callsPerInvocation: 1000,
  connections: 6,
} as const;

/** The mark of a statement by which a test makes rows that would take a caller many requests. */
export const FIXTURE = "/* fixture */";

interface Answer {
  success: boolean;
  results?: unknown;
  meta?: { changes?: number; rows_written?: number; duration?: number };
}

type Send = (
  endpoint: string,
  sql: string | string[],
  params: unknown[],
  ...rest: unknown[]
) => Promise<Answer | Answer[]>;

interface SessionPrototype {
  _sendOrThrow: Send;
  isLimited?: boolean;
}

interface Invocation {
  calls: number;
  open: number;
  /** Calls that wait for a connection. */
  waiting: (() => void)[];
}

const invocations = new AsyncLocalStorage<Invocation>();
const passed: string[] = [];

/** Runs the work of one invocation, whose calls are counted together. */
export const inOneInvocation = <T>(work: () => T): T =>
  invocations.run({ calls: 0, open: 0, waiting: [] }, work);

/** Returns a function that runs later work of this invocation, such as that of the stream that it answered with. */
export function sameInvocation(): <T>(work: () => T) => T {
  const invocation = invocations.getStore();
  return (work) => (invocation ? invocations.run(invocation, work) : work());
}

/** Returns the limits that calls have passed since the last time. */
export const takePassedLimits = (): string[] => passed.splice(0);

const bytesOf = (value: unknown): number => {
  if (typeof value === "string") return new TextEncoder().encode(value).byteLength;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength;
  return Array.isArray(value) ? value.length : 0;
};

function check(isWithin: boolean, limit: string, sql: string): void {
  if (isWithin) return;
  const message = `${limit}: ${sql.replaceAll(/\s+/g, " ").slice(0, 300)}`;
  passed.push(message);
  throw new Error(`D1_ERROR: ${message}`);
}

function checkStatement(sql: string, params: unknown[]): void {
  check(params.length <= D1_LIMITS.parameters, `${params.length} parameters`, sql);
  check(bytesOf(sql) <= D1_LIMITS.sqlBytes, `${bytesOf(sql)} bytes of SQL`, sql);
  for (const param of params)
    check(bytesOf(param) <= D1_LIMITS.valueBytes, `a value of ${bytesOf(param)} bytes`, sql);
}

function checkAnswer(sql: string, { meta }: Answer): void {
  const rows = Math.max(meta?.changes ?? 0, meta?.rows_written ?? 0);
  check(rows <= D1_LIMITS.statementChangedRows, `${rows} changed rows`, sql);
}

/** Runs a call. A seventh of an invocation waits until one of the six has its answer. */
async function withConnection<T>(invocation: Invocation | undefined, call: () => Promise<T>): Promise<T> {
  if (!invocation) return call();
  const { waiting } = invocation;
  if (invocation.open < D1_LIMITS.connections) invocation.open += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await call();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else invocation.open -= 1;
  }
}

/**
 * Makes a database refuse rows that are larger than a deployed one takes, by triggers beside its own. The next file of
 * tests finds them in the database.
 */
export async function limitRows(d1: D1Database): Promise<void> {
  const found = await d1.prepare("SELECT 1 FROM sqlite_master WHERE name = 'limit_UPDATE_spaces'").first();
  if (found !== null) return;
  const { results } = await d1
    .prepare(
      `SELECT t.name AS "table", group_concat('coalesce(length(CAST(NEW."' || c.name || '" AS BLOB)), 0)', ' + ') AS bytes
       FROM sqlite_master t JOIN pragma_table_info(t.name) c
       WHERE t.type = 'table' AND t.sql NOT LIKE '%VIRTUAL%' AND t.name NOT GLOB '_cf_*' AND t.name NOT GLOB 'd1_*'
         AND t.name NOT GLOB 'sqlite_*' AND t.name NOT GLOB '*_search_*' AND t.name NOT GLOB 'copy_of_*'
       GROUP BY t.name`,
    )
    .all<{ table: string; bytes: string }>();
  const triggers = results.flatMap(({ table, bytes }) =>
    ["INSERT", "UPDATE"].map(
      (event) => `CREATE TRIGGER IF NOT EXISTS "limit_${event}_${table}" AFTER ${event} ON "${table}"
        WHEN ${bytes} > ${D1_LIMITS.valueBytes}
        BEGIN SELECT RAISE(ABORT, 'string or blob too big, in a row of ${table}'); END`,
    ),
  );
  await d1.batch(triggers.map((sql) => d1.prepare(sql)));
}

/** Gives every D1 binding of this isolate the limits. A second call changes nothing. */
export function limitD1(d1: D1Database): void {
  const prototype = Object.getPrototypeOf(d1.withSession()) as SessionPrototype;
  if (prototype.isLimited) return;
  prototype.isLimited = true;
  const send = prototype._sendOrThrow;
  prototype._sendOrThrow = async function (endpoint, sql, params, ...rest) {
    const statements = [sql].flat();
    if (statements.some((one) => one.includes(FIXTURE)))
      return send.call(this, endpoint, sql, params, ...rest);
    const invocation = invocations.getStore();
    if (invocation) {
      invocation.calls += 1;
      check(
        invocation.calls <= D1_LIMITS.callsPerInvocation,
        "a further query in one invocation",
        statements[0] ?? "",
      );
    }
    const bound = Array.isArray(sql) ? (params as unknown[][]) : [params];
    statements.forEach((one, index) => checkStatement(one, bound[index] ?? []));
    const answer = await withConnection(invocation, () => send.call(this, endpoint, sql, params, ...rest));
    const answers = [answer].flat();
    answers.forEach((one, index) => checkAnswer(statements[index] ?? "", one));
    const ms = answers.reduce((sum, { meta }) => sum + (meta?.duration ?? 0), 0);
    check(ms <= D1_LIMITS.callMs, `${ms} ms`, statements[0] ?? "");
    return answer;
  };
}
