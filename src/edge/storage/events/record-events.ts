/** Writes the events of records. Each stands beside the history of the same change, under the same condition. */
import { sql, type SQL } from "drizzle-orm";
import type { VerbOf } from "./actions.ts";
import type { Origin } from "./actor.ts";
import { EVENT_COLUMNS, originValues } from "./events.ts";

/** The names of fields and locales that an event has changed, for the audit and webhooks. */
export interface RecordFacts {
  /** The names of the changed fields. */
  changed: readonly string[];
  /** The codes of the locales whose values or publication changed; absent in a space without locales. */
  locales?: readonly string[];
}

/** An event of a record that its history does not have: a plan, or a removal. */
export interface PlanEvent {
  event: "scheduled" | "removed";
  origin: Origin;
  now: number;
  facts: RecordFacts;
}

/** An event of a record, of its history or not. */
export interface AnyRecordEvent extends Omit<PlanEvent, "event"> {
  event: VerbOf<"record">;
}

/** The facts of an event in which no field is named. */
export const NO_FACTS: RecordFacts = { changed: [] };

/**
 * Writes an event of the records `r` for which `records` holds, and which have the version `version` after the change.
 * The names of the model are null in the event of a record whose model is gone.
 */
export const recordEvent = (
  records: SQL,
  { event, origin, now, facts }: AnyRecordEvent,
  version = sql`r.version`,
): SQL => sql`
  INSERT INTO ${EVENT_COLUMNS}
  SELECT r.space_id, ${originValues(origin, now)}, ${origin.isImport ? "import.created" : `record.${event}`}, 'record',
    r.id, em.type_model || '/' || em.name,
    json_set(${JSON.stringify(facts)}, '$.version', ${version})
  FROM records r LEFT JOIN models em ON em.id = r.model_id WHERE ${records}`;
