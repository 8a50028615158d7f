/** Counts refusals of routes that need an admin (RULES 14.4): one line per actor, action and hour. */
import { sql } from "drizzle-orm";
import { EVENTS } from "../../../limits.ts";
import { prepareSql, type Database } from "../database/database.ts";
import { int } from "../records/index-parts.ts";
import type { TargetKind } from "./actions.ts";
import type { By } from "./actor.ts";

export interface Refused {
  spaceId: string;
  kind: TargetKind;
  /** The name of the operation that was refused first. */
  operation: string;
}

export async function countRefusal(
  db: Database,
  { spaceId, kind, operation }: Refused,
  { origin, now }: By,
): Promise<void> {
  const { actor, requestId } = origin;
  const hour = Math.floor(now / EVENTS.refusalsMs);
  await prepareSql(
    db,
    sql`INSERT INTO events (space_id, at, request_id, actor_kind, actor_id, actor_name, action, target_kind, target_id,
        facts, count, hour)
      VALUES (${spaceId}, ${now}, ${requestId}, ${actor.kind}, ${actor.id}, ${actor.name}, ${`${kind}.refused`},
        ${kind}, ${operation}, '{}', 1, ${int(hour)})
      ON CONFLICT (space_id, actor_id, action, hour) WHERE hour IS NOT NULL DO UPDATE SET count = count + 1`,
  ).run();
}
