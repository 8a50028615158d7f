/**
 * Makes deliveries of events (RULES 15.3). The table `events` is the outbox: a webhook's cursor is the number of the last
 * event that it has got, or did not ask for. D1 commits one batch after the other and numbers events in that order, so
 * no event appears behind a cursor.
 */
import { sql } from "drizzle-orm";
import { ulid } from "ulid";
import { WEBHOOKS } from "../../../limits.ts";
import { guard } from "../database/guard.ts";
import { batchSql, type Database } from "../database/database.ts";
import { int } from "../records/index-parts.ts";
import type { EventRow, NewDelivery } from "./rows.ts";

/** Returns the next events of a space after a webhook's cursor. */
export const nextEvents = (db: Database, spaceId: string, cursor: number): Promise<EventRow[]> =>
  db.all<EventRow>(sql`SELECT no, at, action, target_kind AS targetKind, target_id AS targetId,
      target_model AS targetModel, facts
    FROM events WHERE space_id = ${spaceId} AND no > ${int(cursor)} ORDER BY no LIMIT ${int(WEBHOOKS.eventsPerSlice)}`);

/** The place of a webhook in the events of its space. */
export interface Place {
  webhookId: string;
  spaceId: string;
  cursor: number;
}

/**
 * Stores deliveries and moves the cursor to `last`, if the cursor is where it was read. Of each lane only the first is
 * due, unless an earlier one is pending.
 * @throws the guard's error if another invocation has moved the cursor
 */
export async function addDeliveries(
  db: Database,
  { webhookId, spaceId, cursor }: Place,
  deliveries: readonly NewDelivery[],
  last: number,
  now: number,
): Promise<void> {
  const lanes = new Set<string>();
  const rows = deliveries.map(({ data, ...rest }) => {
    const isFirst = lanes.size < lanes.add(rest.lane).size;
    return { ...rest, id: ulid(now), data: JSON.stringify(data), isFirst: isFirst ? 1 : 0 };
  });
  const isHere = sql`EXISTS (SELECT 1 FROM webhooks WHERE id = ${webhookId} AND cursor = ${int(cursor)} AND state = 'enabled')`;
  await batchSql(db, [
    guard(isHere),
    ...(rows.length === 0
      ? []
      : [
          sql`INSERT INTO webhook_deliveries (id, webhook_id, space_id, event_no, type, lane, state, at, data, due_at, created_at)
            SELECT v.value ->> 'id', ${webhookId}, ${spaceId}, v.value ->> 'eventNo', v.value ->> 'type', v.value ->> 'lane',
              'pending', v.value ->> 'at', v.value ->> 'data',
              CASE WHEN v.value ->> 'isFirst' = 1 AND NOT EXISTS (SELECT 1 FROM webhook_deliveries e
                WHERE e.webhook_id = ${webhookId} AND e.lane = v.value ->> 'lane' AND e.state = 'pending'
                  AND e.event_no <= ${int(cursor)}) THEN ${now} END, ${now}
            FROM json_each(${JSON.stringify(rows)}) v`,
        ]),
    sql`UPDATE webhooks SET cursor = ${int(last)} WHERE id = ${webhookId}`,
  ]);
}
