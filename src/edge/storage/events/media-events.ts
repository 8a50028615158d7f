/** Writes the events of media. */
import { sql, type SQL } from "drizzle-orm";
import type { VerbOf } from "./actions.ts";
import type { By } from "./actor.ts";
import { EVENT_COLUMNS, originValues } from "./events.ts";

/**
 * Writes an event of the media items `m` for which `items` holds. It comes before the change. Items of removed spaces have none: the events of such a
 * space are removed with it.
 */
export const mediaEvent = (items: SQL, verb: VerbOf<"media">, { origin, now }: By): SQL => sql`
  INSERT INTO ${EVENT_COLUMNS}
  SELECT m.space_id, ${originValues(origin, now)}, ${`media.${verb}`}, 'media', m.id, NULL,
    json_object('masterVersion', m.master_version)
  FROM media m WHERE ${items} AND EXISTS (SELECT 1 FROM spaces ms WHERE ms.id = m.space_id AND ms.removed_at IS NULL)`;
