/** Lists the events of a space for its audit, and removes those past their time (RULES 14.3, 14.5). */
import { sql, type SQL } from "drizzle-orm";
import { EVENTS, SWEEP } from "../../../limits.ts";
import type { Database } from "../database/database.ts";
import { int } from "../records/index-parts.ts";
import { standsHere } from "../shards/space-rows.ts";
import type { Action, TargetKind } from "./actions.ts";
import type { ActorKind } from "./actor.ts";

export interface EventRow {
  no: number;
  at: number;
  requestId: string | null;
  actorKind: ActorKind;
  actorId: string;
  actorName: string;
  action: Action;
  targetKind: TargetKind;
  targetId: string;
  /** `collections/articles`, of records and models. */
  targetModel: string | null;
  count: number;
  /** Null for changes, the hour of refusals. */
  hour: number | null;
}

/** The events that a request asks for. */
export interface AskedEvents {
  actor?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  /** Milliseconds, both included. */
  from?: number | undefined;
  to?: number | undefined;
}

/** The position where a page ended. */
export interface EventPlace {
  at: number;
  no: number;
}

const COLUMNS = sql.raw(`no, at, request_id AS requestId, actor_kind AS actorKind, actor_id AS actorId,
  actor_name AS actorName, action, target_kind AS targetKind, target_id AS targetId, target_model AS targetModel,
  count, hour`);

/** Returns the index that leads: that of the filter which leaves the fewest events, each in order of time. */
function indexFor({ target, actor, action }: AskedEvents): string {
  if (target !== undefined) return "events_by_target";
  if (actor !== undefined) return "events_by_actor";
  return action === undefined ? "events_by_time" : "events_by_action";
}

/** Returns the statement of a page. Tests ask D1 for its query plan. */
export function eventsStatement(
  spaceId: string,
  asked: AskedEvents,
  { limit, before }: { limit: number; before: EventPlace | null },
): SQL {
  const { actor, action, target, from, to } = asked;
  const conditions = [
    sql`space_id = ${spaceId}`,
    ...(target === undefined ? [] : [sql`target_id = ${target}`]),
    ...(actor === undefined ? [] : [sql`actor_id = ${actor}`]),
    ...(action === undefined ? [] : [sql`action = ${action}`]),
    ...(from === undefined ? [] : [sql`at >= ${from}`]),
    ...(to === undefined ? [] : [sql`at <= ${to}`]),
    ...(before === null ? [] : [sql`at <= ${before.at} AND (at, no) < (${before.at}, ${int(before.no)})`]),
  ];
  return sql`SELECT ${COLUMNS} FROM events INDEXED BY ${sql.raw(indexFor(asked))}
    WHERE ${sql.join(conditions, sql` AND `)} ORDER BY at DESC, no DESC LIMIT ${int(limit)}`;
}

/** Lists at most `limit` events before a place, newest first. */
export const listEvents = (
  db: Database,
  spaceId: string,
  asked: AskedEvents,
  page: { limit: number; before: EventPlace | null },
): Promise<EventRow[]> => db.all<EventRow>(eventsStatement(spaceId, asked, page));

/**
 * Removes at most one slice of the events that are past their time. It looks into each space by the index of its times,
 * so that writes need no index for it. @returns how many
 */
export async function removeDueEvents(db: Database, now: number): Promise<number> {
  const removed = await db.all(sql`DELETE FROM events WHERE no IN (
    SELECT e.no FROM spaces s CROSS JOIN events e INDEXED BY events_by_time
      ON e.space_id = s.id AND e.at <= ${now - EVENTS.keptMs}
    WHERE ${standsHere(sql`s.id`)} LIMIT ${int(SWEEP.eventsPerBatch)}) RETURNING 1`);
  return removed.length;
}
