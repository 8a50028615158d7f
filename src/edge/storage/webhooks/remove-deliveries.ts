/** Removes rows of webhooks for the sweep, in bounded steps. */
import { sql, type SQL } from "drizzle-orm";
import { WEBHOOKS } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import { int } from "../records/index-parts.ts";
import { standsHere } from "../shards/space-rows.ts";

/**
 * Removes deliveries that are listed no longer. If one was still pending, because its webhook is disabled, the first of
 * its lane that stays gets its time. @returns how many
 */
export async function removeOldDeliveries(db: Database, now: number): Promise<number> {
  const old = sql`SELECT d.id FROM webhook_deliveries d WHERE d.created_at <= ${int(now - WEBHOOKS.keptMs)}
    AND ${standsHere(sql`d.space_id`)} ORDER BY d.created_at, d.id LIMIT ${int(WEBHOOKS.removedPerBatch)}`;
  const [, removed = []] = await batchSql(db, [
    sql`UPDATE webhook_deliveries SET due_at = ${int(now)} WHERE due_at IS NULL AND state = 'pending' AND id IN (
      SELECT (SELECT n.id FROM webhook_deliveries n WHERE n.webhook_id = o.webhook_id AND n.lane = o.lane
          AND n.state = 'pending' AND n.event_no > o.event_no ORDER BY n.event_no LIMIT 1)
      FROM webhook_deliveries o WHERE o.state = 'pending' AND o.id IN (${old}))`,
    sql`DELETE FROM webhook_deliveries WHERE id IN (${old}) RETURNING 1`,
  ]);
  return removed.length;
}

/** Removes a slice of the deliveries of webhooks that `which` selects. @returns how many */
async function removeDeliveriesOf(db: Database, which: SQL): Promise<number> {
  const removed = await db.all(sql`DELETE FROM webhook_deliveries WHERE id IN (
    SELECT d.id FROM webhook_deliveries d WHERE d.webhook_id IN (${which}) LIMIT ${int(WEBHOOKS.removedPerBatch)})
    RETURNING 1`);
  return removed.length;
}

/** Removes a slice of the deliveries of removed webhooks, and then these. @returns how many rows */
export async function removeRemovedWebhooks(db: Database): Promise<number> {
  const removed = sql`SELECT w.id FROM webhooks w WHERE w.state = 'removed' AND ${standsHere(sql`w.space_id`)}`;
  const deliveries = await removeDeliveriesOf(db, removed);
  const rows =
    await db.all(sql`DELETE FROM webhooks WHERE id IN (${removed} LIMIT ${int(WEBHOOKS.removedPerBatch)})
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = webhooks.id) RETURNING 1`);
  return deliveries + rows.length;
}

/** Removes a slice of the webhooks of a space that is removed, with their deliveries. @returns whether none is left */
export async function removeWebhooksOfSpace(db: Database, spaceId: string): Promise<boolean> {
  const removed = await db.all(sql`DELETE FROM webhook_deliveries WHERE id IN (
    SELECT id FROM webhook_deliveries WHERE space_id = ${spaceId} LIMIT ${int(WEBHOOKS.removedPerBatch)}) RETURNING 1`);
  if (removed.length === WEBHOOKS.removedPerBatch) return false;
  await db.run(sql`DELETE FROM webhooks WHERE space_id = ${spaceId}`);
  return true;
}
