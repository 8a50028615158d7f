/** Requests with an Idempotency-Key, and their first answers (RULES 1.9). */
import { sql, type SQL } from "drizzle-orm";
import { IDEMPOTENCY } from "../../../limits.ts";
import { batchSql, prepareSql, type Database } from "../database/database.ts";
import type { Credential } from "./keys.ts";
import { int } from "../records/record-index.ts";
import { standsHere } from "../shards/space-rows.ts";

export interface KeyedRequest {
  credential: Credential;
  /** The space of the request; null outside any space. */
  spaceId: string | null;
  key: string;
  /** SHA-256 of the request. */
  request: string;
  /** A unique name of this run. */
  run: string;
  /** The seed of new ids, used unless an earlier run has set one. */
  seed: string;
  now: number;
}

export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export type Claim =
  /** The caller has as many keys, or as many bytes of answers, as are kept. */
  | { state: "too many" }
  | { state: "run"; seed: string }
  | { state: "running" }
  | { state: "another request" }
  | { state: "answered"; answer: StoredAnswer };

/**
 * Returns the caller. The root token is another one in each space, so that its keys move with the space (RULES 12.6).
 */
function callerOf({ credential, spaceId }: Pick<KeyedRequest, "credential" | "spaceId">): string {
  if (credential.kind === "key") return credential.hash;
  return spaceId === null ? "root" : `root/${spaceId}`;
}

interface Row {
  request: string;
  run: string;
  seed: string;
  status: number | null;
  headers: string | null;
  body: string | null;
}

/** Claims the key for this run, unless another run holds it or has answered. A late run counts as crashed. */
export async function claimKey(db: Database, asked: KeyedRequest): Promise<Claim> {
  const { spaceId, key, request, run, seed, now } = asked;
  const caller = callerOf(asked);
  const isThere = sql`EXISTS (SELECT 1 FROM idempotency_keys WHERE caller = ${caller} AND key = ${key})`;
  const { keysPerCallerMax, bytesPerCallerMax } = IDEMPOTENCY;
  const isFull = sql`EXISTS (SELECT 1 FROM idempotency_callers WHERE caller = ${caller}
    AND (keys >= ${int(keysPerCallerMax)} OR bytes >= ${int(bytesPerCallerMax)}))`;
  const isOver = sql`k.expires_at <= ${now}`;
  const [, found = []] = await batchSql(db, [
    sql`INSERT INTO idempotency_keys AS k (caller, key, space_id, request, seed, run, runs_until, expires_at)
      SELECT ${caller}, ${key}, ${spaceId}, ${request}, ${seed}, ${run}, ${now + IDEMPOTENCY.runMs}, ${now + IDEMPOTENCY.keptMs}
      WHERE ${isThere} OR NOT ${isFull}
      ON CONFLICT (caller, key) DO UPDATE SET space_id = excluded.space_id, request = excluded.request, run = excluded.run,
        seed = CASE WHEN ${isOver} THEN excluded.seed ELSE k.seed END, runs_until = excluded.runs_until,
        status = NULL, headers = NULL, body = NULL, expires_at = excluded.expires_at
      WHERE ${isOver} OR (k.status IS NULL AND k.runs_until <= ${now} AND k.request = excluded.request)`,
    sql`SELECT request, run, seed, status, headers, body FROM idempotency_keys
      WHERE caller = ${caller} AND key = ${key}`,
  ]);
  const [row] = found as Row[];
  if (!row) return { state: "too many" };
  if (row.run === run) return { state: "run", seed: row.seed };
  if (row.request !== request) return { state: "another request" };
  if (row.status === null) return { state: "running" };
  const headers = JSON.parse(row.headers ?? "{}") as Record<string, string>;
  return { state: "answered", answer: { status: row.status, headers, body: row.body ?? "" } };
}

const isOwn = (asked: KeyedRequest): SQL =>
  sql`caller = ${callerOf(asked)} AND key = ${asked.key} AND run = ${asked.run} AND status IS NULL`;

/** Stores the answer, unless another run has taken over. */
export async function keepAnswer(db: Database, asked: KeyedRequest, answer: StoredAnswer): Promise<void> {
  const { status, headers, body } = answer;
  const keep = sql`UPDATE idempotency_keys SET status = ${status}, headers = ${JSON.stringify(headers)}, body = ${body}
    WHERE ${isOwn(asked)}`;
  await prepareSql(db, keep).run();
}

/** Releases the key after an error of the service: the request may run again at once, and uses the same ids. */
export async function endRun(db: Database, asked: KeyedRequest): Promise<void> {
  await prepareSql(
    db,
    sql`UPDATE idempotency_keys SET runs_until = ${asked.now} WHERE ${isOwn(asked)}`,
  ).run();
}

/** Removes expired keys, `limit` at a time and at most in `batchesMax` batches. @returns how many */
export async function removeExpiredKeys(
  db: Database,
  now: number,
  { limit, batchesMax, goesOn }: { limit: number; batchesMax: number; goesOn: () => boolean },
): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < batchesMax && goesOn(); batch++) {
    const found = await removeBatch(db, now, limit);
    removed += found;
    if (found < limit) break;
  }
  return removed;
}

async function removeBatch(db: Database, now: number, limit: number): Promise<number> {
  const rows = await db.all(sql`DELETE FROM idempotency_keys WHERE (caller, key) IN
    (SELECT caller, key FROM idempotency_keys WHERE expires_at <= ${now}
      AND ${standsHere(sql`space_id`)} LIMIT ${int(limit)}) RETURNING 1`);
  return rows.length;
}
