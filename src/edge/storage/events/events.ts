/**
 * Writes events (RULES 14.1): the lines of the audit, and the outbox of webhooks. An event stands in the batch of its
 * change and under the condition of its change, so that there is never one without the other.
 */
import { sql, type SQL } from "drizzle-orm";
import { SWEEP } from "../../../limits.ts";
import type { Database } from "../database/database.ts";
import { int } from "../records/index-parts.ts";
import type { Action, TargetKind } from "./actions.ts";
import type { Origin } from "./actor.ts";

/** The target of an event that is of a model: the model itself, or a record. */
export interface TargetModel {
  typeModel: string;
  name: string;
}

export interface EventTarget {
  kind: TargetKind;
  /** The id; of models, spaces and settings, the name. */
  id: string | SQL;
  model?: TargetModel;
}

/** An event, without its origin and its time. */
export interface EventLine {
  action: Action;
  target: EventTarget;
  /** The facts that receivers of webhooks are told beside the target, as JSON. */
  facts?: Readonly<Record<string, unknown>>;
}

export const EVENT_COLUMNS = sql.raw(
  `events (space_id, at, request_id, actor_kind, actor_id, actor_name, action, target_kind, target_id, target_model, facts)`,
);

/** Returns the values of the first columns after `space_id`: time, request and actor. */
export const originValues = ({ actor, requestId }: Origin, now: number): SQL =>
  sql`${now}, ${requestId}, ${actor.kind}, ${actor.id}, ${actor.name}`;

/** Returns the value of `target_model`. */
export const modelColumn = ({ typeModel, name }: TargetModel): string => `${typeModel}/${name}`;

/** The condition of an event that comes after its change: the statement before this one has changed a row. */
export const HAS_CHANGED = sql.raw("changes() > 0");

/** The condition of an event whose batch fails if its change is not made. */
export const ALWAYS = sql.raw("1");

/**
 * Returns the statement that writes an event, for the batch of its change. It comes before the change, unless the condition says otherwise.
 * @param condition the condition of the change; by default none, where a guard fails the batch or the change cannot fail
 */
export const eventStatement = (
  spaceId: string,
  origin: Origin,
  now: number,
  { action, target, facts = {} }: EventLine,
  condition: SQL = ALWAYS,
): SQL => sql`
  INSERT INTO ${EVENT_COLUMNS}
  SELECT ${spaceId}, ${originValues(origin, now)}, ${origin.isImport ? "import.created" : action}, ${target.kind}, ${target.id},
    ${target.model ? modelColumn(target.model) : null}, ${JSON.stringify(facts)}
  WHERE ${condition}`;

/** Removes a slice of the events of a removed space. @returns whether the space has none left */
export async function removeEventsOfSpace(db: Database, spaceId: string): Promise<boolean> {
  const removed = await db.all(sql`DELETE FROM events WHERE no IN
    (SELECT no FROM events WHERE space_id = ${spaceId} LIMIT ${int(SWEEP.eventsPerBatch)}) RETURNING 1`);
  return removed.length < SWEEP.eventsPerBatch;
}
