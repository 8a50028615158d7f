/**
 * The outbox of invalidations at the edge (RULES 10.7). A change writes its tags in its own batch. A drain takes the
 * tags that are due, and one call of the allowance with them, and settles them when the platform has confirmed the
 * invalidation. After a crash in between they become due again.
 */
import { sql, type SQL } from "drizzle-orm";
import { purges as outbox } from "../../../../schema/tables.ts";
import { INVALIDATION } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";

/** Media are invalidated first, because a trashed picture must not be seen. */
export type InvalidationRank = "media" | "content";

const RANK: Record<InvalidationRank, number> = { media: 0, content: 1 };
const CALLS = 2;

/**
 * Returns a statement for the batch of a change, which has tags invalidated now and once more later. `tags` is a SELECT
 * of one column that has no rows if the change was not made.
 */
export const invalidationStatement = (tags: SQL, rank: InvalidationRank, now: number): SQL => sql`
  WITH changed(tag) AS (${tags})
  INSERT INTO purges (tag, rank, due_at, calls_left, change)
  SELECT DISTINCT tag, ${RANK[rank]}, ${now}, ${CALLS}, 1 FROM changed WHERE true
  ON CONFLICT (tag) DO UPDATE SET rank = min(rank, excluded.rank), due_at = excluded.due_at,
    calls_left = excluded.calls_left, change = change + 1`;

/** Returns the same for one tag without a condition, as a query of Drizzle. */
export const invalidationQuery = (db: Database, tag: string, rank: InvalidationRank, now: number) =>
  db
    .insert(outbox)
    .values({ tag, rank: RANK[rank], dueAt: now, callsLeft: CALLS, change: 1 })
    .onConflictDoUpdate({
      target: outbox.tag,
      set: {
        rank: sql`min(${outbox.rank}, excluded.rank)`,
        dueAt: now,
        callsLeft: CALLS,
        change: sql`${outbox.change} + 1`,
      },
    });

export interface TakenTag {
  tag: string;
  change: number;
}

export interface Taken {
  /** The tags for one call of the platform; empty when no tag is due, or no call is allowed yet. */
  tags: TakenTag[];
  /** When to look again, in milliseconds; null when nothing is left. */
  nextAt: number | null;
}

/** The part of the platform's allowance that one of several databases may use. */
interface Allowance {
  burstCalls: number;
  mediaReserveCalls: number;
  refillMs: number;
}

function allowanceOf(databases: number): Allowance {
  const burstCalls = Math.max(1, Math.floor(INVALIDATION.burstCalls / databases));
  return {
    burstCalls,
    mediaReserveCalls: Math.min(burstCalls - 1, Math.floor(INVALIDATION.mediaReserveCalls / databases)),
    refillMs: (60_000 / INVALIDATION.callsPerMinute) * databases,
  };
}

/**
 * Takes the tags that are due, media first, and one call of the allowance. `claim` is a unique name of the taker.
 * @param databases how many databases share the platform's allowance
 */
export async function takeTags(db: Database, claim: string, now: number, databases = 1): Promise<Taken> {
  const allowance = allowanceOf(databases);
  const { burstCalls, mediaReserveCalls, refillMs } = allowance;
  const calls = sql`min(${burstCalls}, calls + 1.0 * max(0, ${now} - counted_at) / ${refillMs})`;
  const isDue = (rank: number) =>
    sql`EXISTS (SELECT 1 FROM purges WHERE rank = ${rank} AND due_at <= ${now})`;
  const [, , taken = [], left = []] = await batchSql(db, [
    sql`INSERT OR IGNORE INTO purge_allowance (id, calls, counted_at, claim)
      VALUES (1, ${burstCalls}, ${now}, '')`,
    sql`UPDATE purge_allowance SET calls = ${calls} - 1, counted_at = max(counted_at, ${now}), claim = ${claim}
      WHERE id = 1 AND ((${calls} >= 1 AND ${isDue(RANK.media)})
        OR (${calls} >= ${1 + mediaReserveCalls} AND ${isDue(RANK.content)}))`,
    sql`UPDATE purges SET due_at = ${now + INVALIDATION.leaseMs}
      WHERE EXISTS (SELECT 1 FROM purge_allowance WHERE claim = ${claim}) AND tag IN (
        SELECT tag FROM purges WHERE due_at <= ${now} ORDER BY rank, due_at LIMIT ${INVALIDATION.tagsPerCallMax})
      RETURNING tag, change`,
    sql`SELECT (SELECT min(due_at) FROM purges WHERE rank = ${RANK.media}) AS mediaAt,
        (SELECT min(due_at) FROM purges WHERE rank = ${RANK.content}) AS contentAt, calls, counted_at AS countedAt
      FROM purge_allowance`,
  ]);
  return { tags: taken as TakenTag[], nextAt: nextAt(left[0] as Left, allowance) };
}

interface Left {
  mediaAt: number | null;
  contentAt: number | null;
  calls: number;
  countedAt: number;
}

/** Returns the first time at which something is due and a call for it is allowed. */
function nextAt(
  { mediaAt, contentAt, calls, countedAt }: Left,
  { mediaReserveCalls, refillMs }: Allowance,
): number | null {
  const allowedAt = (needed: number): number => Math.ceil(countedAt + Math.max(0, needed - calls) * refillMs);
  const times = [
    mediaAt === null ? null : Math.max(mediaAt, allowedAt(1)),
    contentAt === null ? null : Math.max(contentAt, allowedAt(1 + mediaReserveCalls)),
  ].filter((at) => at !== null);
  return times.length === 0 ? null : Math.min(...times);
}

const isOf = (taken: TakenTag[]): SQL =>
  sql`(tag, change) IN (SELECT value ->> 'tag', value ->> 'change' FROM json_each(${JSON.stringify(taken)}))`;

/**
 * Records a successful call: tags called once become due for their repeat, others are removed. Newer changes stay due.
 */
export async function settleTags(db: Database, taken: TakenTag[], now: number): Promise<void> {
  await batchSql(db, [
    sql`DELETE FROM purges WHERE calls_left <= 1 AND ${isOf(taken)}`,
    sql`UPDATE purges SET calls_left = calls_left - 1, due_at = ${now + INVALIDATION.repeatMs} WHERE ${isOf(taken)}`,
  ]);
}

/** Records a call that was refused or lost: its tags become due again later, and no other call is made before. */
export async function deferTags(db: Database, taken: TakenTag[], now: number): Promise<void> {
  await batchSql(db, [
    sql`UPDATE purges SET due_at = ${now + INVALIDATION.refusedMs} WHERE ${isOf(taken)}`,
    sql`UPDATE purge_allowance SET calls = 0, counted_at = max(counted_at, ${now})`,
  ]);
}
