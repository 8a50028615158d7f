/**
 * Deliveries in D1 (RULES 15.3, 15.4). Of the pending deliveries of a lane the first has a time (`due_at`), and the
 * others get theirs when it is settled: so events of one record go out in their order, and what waits is not looked at.
 * A `webhookId` is the key of the webhook's row (keys.ts).
 */
import { and, desc, eq, lt, sql, type SQL } from "drizzle-orm";
import { webhookDeliveries, webhooks } from "../../../../schema/tables.ts";
import { WEBHOOKS } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import { OF_SYSTEM } from "../events/actor.ts";
import { eventStatement, HAS_CHANGED } from "../events/events.ts";
import { standsHere } from "../shards/space-rows.ts";
import { int } from "../records/index-parts.ts";
import { idOfKey } from "./keys.ts";
import type { Attempt } from "./rows.ts";

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** A delivery that an invocation has taken, for as long as its lease. */
export interface TakenDelivery {
  id: string;
  type: string;
  lane: string;
  at: number;
  data: string;
  attempts: string;
  tries: number;
}

/**
 * Takes the delivery that has waited longest, if the webhook is enabled and has a place free. Another invocation does not
 * get it before the lease is over. @returns null if none is due, or none may be taken
 */
export async function takeDelivery(
  db: Database,
  webhookId: string,
  now: number,
): Promise<TakenDelivery | null> {
  const leased = int(now + WEBHOOKS.leaseMs);
  const [row] = await db.all<TakenDelivery>(sql`
    UPDATE webhook_deliveries SET leased_until = ${leased}, due_at = ${leased}
    WHERE id = (SELECT id FROM webhook_deliveries WHERE webhook_id = ${webhookId} AND due_at <= ${int(now)}
        ORDER BY due_at, id LIMIT 1)
      AND (SELECT count(*) FROM webhook_deliveries WHERE webhook_id = ${webhookId} AND due_at > ${int(now)}
        AND due_at <= ${leased} AND leased_until > ${int(now)}) < ${int(WEBHOOKS.atOnceMax)}
      AND EXISTS (SELECT 1 FROM webhooks WHERE id = ${webhookId} AND state = 'enabled')
    RETURNING id, type, lane, at, data, attempts, tries`);
  return row ?? null;
}

const isDelivery = (id: string): SQL => sql`id = ${id} AND state = 'pending'`;

/** Gives the next delivery of a lane its time, once the ones before are settled. */
const promote = (webhookId: string, lane: string, now: number): SQL => sql`
  UPDATE webhook_deliveries SET due_at = ${int(now)} WHERE due_at IS NULL AND id = (
    SELECT id FROM webhook_deliveries WHERE webhook_id = ${webhookId} AND lane = ${lane} AND state = 'pending'
    ORDER BY event_no LIMIT 1)`;

/** Notes that a delivery came. Another attempt of the same that goes on changes nothing of that. */
export async function settleDelivered(
  db: Database,
  webhookId: string,
  { id, lane }: TakenDelivery,
  attempts: readonly Attempt[],
  now: number,
): Promise<void> {
  await batchSql(db, [
    sql`UPDATE webhook_deliveries SET state = 'delivered', due_at = NULL, leased_until = 0,
      attempts = ${JSON.stringify(attempts)} WHERE id = ${id}`,
    promote(webhookId, lane, now),
    sql`UPDATE webhooks SET failing_since = NULL WHERE id = ${webhookId} AND failing_since IS NOT NULL`,
  ]);
}

/** The consequences of a failed attempt. */
export interface Failed {
  /** The time of the next attempt; null if the delivery is given up. */
  nextAt: number | null;
  /** Disables the webhook, for this reason, whatever happened before. */
  disabledFor: string | null;
}

/** The reason of a webhook that was disabled because a delivery was given up, and nothing came through for too long. */
export const FAILED_TOO_LONG = `Every attempt failed for ${WEBHOOKS.failingMaxMs / 86_400_000} days.`;

/**
 * Notes a failed attempt, and disables the webhook if it has to be. Attempts that failed for too long disable it when a
 * delivery is given up, not before: after days without an event, one failure says little, and its retries run first.
 * @returns whether it was disabled by this
 */
export async function settleFailed(
  db: Database,
  { id: webhookId, spaceId }: DueWebhook,
  { id, lane, tries }: TakenDelivery,
  attempts: readonly Attempt[],
  { nextAt, disabledFor }: Failed,
  now: number,
): Promise<boolean> {
  const target = { kind: "webhook", id: idOfKey(webhookId) } as const;
  const tooLong = nextAt === null ? sql`failing_since <= ${int(now - WEBHOOKS.failingMaxMs)}` : sql`0`;
  const [, , , disabled = []] = await batchSql(db, [
    sql`UPDATE webhook_deliveries SET attempts = ${JSON.stringify(attempts)}, tries = ${int(tries + 1)}, leased_until = 0,
      due_at = ${nextAt}, state = ${nextAt === null ? "failed" : "pending"} WHERE ${isDelivery(id)}`,
    promote(webhookId, lane, now),
    sql`UPDATE webhooks SET failing_since = ${int(now)} WHERE id = ${webhookId} AND failing_since IS NULL`,
    sql`UPDATE webhooks SET state = 'disabled', disabled_at = ${int(now)},
        disabled_reason = ${disabledFor ?? FAILED_TOO_LONG}
      WHERE id = ${webhookId} AND state = 'enabled' AND ${disabledFor === null ? tooLong : sql`1`} RETURNING id`,
    eventStatement(spaceId, OF_SYSTEM, now, { action: "webhook.disabled", target }, HAS_CHANGED),
  ]);
  return disabled.length > 0;
}

/** Returns the next time at which a delivery of a webhook is due; null if none waits, or the webhook is disabled. */
export async function nextDueAt(db: Database, webhookId: string): Promise<number | null> {
  const [row] = await db.all<{ dueAt: number | null }>(sql`
    SELECT min(due_at) AS dueAt FROM webhook_deliveries WHERE webhook_id = ${webhookId} AND due_at IS NOT NULL
      AND EXISTS (SELECT 1 FROM webhooks WHERE id = ${webhookId} AND state = 'enabled')`);
  return row?.dueAt ?? null;
}

/** Returns at most `limit` deliveries of a webhook with ids below `beforeId`, made after `since`, newest first. */
export async function listDeliveries(
  db: Database,
  webhookId: string,
  since: number,
  limit: number,
  beforeId: string | null,
): Promise<DeliveryRow[]> {
  const below = beforeId === null ? undefined : lt(webhookDeliveries.id, beforeId);
  return db
    .select()
    .from(webhookDeliveries)
    .where(
      and(eq(webhookDeliveries.webhookId, webhookId), sql`${webhookDeliveries.createdAt} > ${since}`, below),
    )
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit);
}

/** Inserts a ping, which waits for nothing else. */
export async function insertPing(
  db: Database,
  { id, webhookId, spaceId }: { id: string; webhookId: string; spaceId: string },
  now: number,
): Promise<DeliveryRow | null> {
  const rows = await db
    .insert(webhookDeliveries)
    .values({
      ...{ id, webhookId, spaceId, type: "ping", lane: `ping:${id}`, state: "pending", at: now, dueAt: now },
      ...{ data: JSON.stringify({ webhookId: idOfKey(webhookId) }), createdAt: now },
    })
    .returning();
  return rows[0] ?? null;
}

/**
 * Has a delivery attempted at once, with all its attempts before it. One that was settled has a lane of its own from then
 * on: what came after it has gone out. One that waits behind another of its record goes on waiting.
 * @returns null if the webhook has no such delivery
 */
export async function redeliver(
  db: Database,
  webhookId: string,
  id: string,
  now: number,
): Promise<DeliveryRow | null> {
  const rows = await db
    .update(webhookDeliveries)
    .set({
      lane: sql`CASE state WHEN 'pending' THEN lane ELSE 'again:' || id END`,
      dueAt: sql`CASE WHEN state = 'pending' AND (due_at IS NULL OR leased_until > ${now}) THEN due_at ELSE ${now} END`,
      tries: sql`CASE state WHEN 'pending' THEN tries ELSE 0 END`,
      state: "pending",
    })
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.webhookId, webhookId)))
    .returning();
  return rows[0] ?? null;
}

/** A webhook that has something to do. */
export interface DueWebhook {
  id: string;
  spaceId: string;
}

/** Returns the condition that a webhook `w` has new events or a delivery that is due. */
const hasWork = (now: number): SQL => sql`w.state = 'enabled' AND (
  EXISTS (SELECT 1 FROM events e WHERE e.space_id = w.space_id AND e.no > w.cursor)
  OR EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.due_at <= ${int(now)}))`;

/** Returns the webhooks of a space that have something to do. */
export const dueOfSpace = (db: Database, spaceId: string, now: number): Promise<DueWebhook[]> =>
  db.all<DueWebhook>(
    sql`SELECT w.id, w.space_id AS spaceId FROM webhooks w WHERE w.space_id = ${spaceId} AND ${hasWork(now)}`,
  );

/** Returns webhooks of a database that have something to do, others each time: some that hang keep none from its turn. */
export const someDue = (db: Database, now: number, limit: number): Promise<DueWebhook[]> =>
  db.all<DueWebhook>(sql`SELECT w.id, w.space_id AS spaceId FROM webhooks w
    WHERE ${hasWork(now)} AND ${standsHere(sql`w.space_id`)} ORDER BY random() LIMIT ${int(limit)}`);

/** Returns the id of the space of a name, if it has a webhook that is enabled. */
export async function spaceWithWebhooks(db: Database, spaceName: string): Promise<string | null> {
  const [row] = await db.all<{ spaceId: string }>(sql`SELECT w.space_id AS spaceId FROM webhooks w
    WHERE w.space_id = (SELECT space_id FROM space_names WHERE name = ${spaceName}) AND w.state = 'enabled' LIMIT 1`);
  return row?.spaceId ?? null;
}

/** A webhook as a delivery needs it. */
export interface SendingWebhook {
  id: string;
  spaceId: string;
  spaceName: string;
  url: string;
  events: string;
  models: string | null;
  secret: string | null;
  previousSecret: string | null;
  previousUntil: number | null;
  cursor: number;
}

/** Returns a webhook that is enabled, with the present name of its space. */
export async function readSending(db: Database, webhookId: string): Promise<SendingWebhook | null> {
  const [row] = await db.all<SendingWebhook>(sql`
    SELECT w.id, w.space_id AS spaceId, s.name AS spaceName, w.url, w.events, w.models, w.secret,
      w.previous_secret AS previousSecret, w.previous_until AS previousUntil, w.cursor
    FROM ${webhooks} w JOIN spaces s ON s.id = w.space_id AND s.removed_at IS NULL
    WHERE w.id = ${webhookId} AND w.state = 'enabled'`);
  return row ?? null;
}
