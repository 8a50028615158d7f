/** Reads the readable names of the records and media that events are about (RULES 14.3). */
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { titleOf } from "../records/record-title.ts";
import type { EventRow } from "./list-events.ts";

type Target = Pick<EventRow, "targetKind" | "targetId" | "targetModel">;

/** Returns the title of an event's target: null if the target is deleted or has none, undefined if its kind has no titles. */
export type TitleOfTarget = (event: EventRow) => string | null | undefined;

/** Returns whether events of the kind name a record or a media item. Those of refusals name a path instead. */
const isTitled = ({ targetKind, hour }: EventRow): boolean =>
  hour === null && (targetKind === "record" || targetKind === "media");

const keyOf = ({ targetKind, targetId, targetModel }: Target): string =>
  JSON.stringify([targetKind, targetId, targetModel]);

/**
 * Reads the titles of records and the file names of media, with one query for a page of events, as they are now: those
 * in the trash too, and those of drafts, in the default locale. It reads each target once, by its id. Only callers who
 * may read all of the space may see them.
 */
export async function readTargetTitles(
  db: Database,
  spaceId: string,
  events: readonly EventRow[],
): Promise<TitleOfTarget> {
  const targets = new Map(events.filter(isTitled).map((event) => [keyOf(event), event]));
  const titles = new Map<string, string | null>();
  if (targets.size > 0) {
    const asked = JSON.stringify(
      [...targets.values()].map(({ targetKind: kind, targetId: id, targetModel }) => {
        const [typeModel, model] = targetModel?.split("/") ?? [];
        return { kind, id, typeModel, model };
      }),
    );
    const found = await db.all<Target & { title: string | null }>(sql`
      WITH t AS MATERIALIZED (SELECT value ->> 'kind' AS kind, value ->> 'id' AS id, value ->> 'typeModel' AS type_model,
        value ->> 'model' AS model FROM json_each(${asked}))
      SELECT t.kind AS targetKind, t.id AS targetId, t.type_model || '/' || t.model AS targetModel,
        ${titleOf("r", "m")} AS title
      FROM t CROSS JOIN models m ON m.space_id = ${spaceId} AND m.type_model = t.type_model AND m.name = t.model
        CROSS JOIN records r ON r.model_id = m.id AND r.id = t.id
      WHERE t.kind = 'record'
      UNION ALL
      SELECT t.kind, t.id, NULL, p.filename FROM t CROSS JOIN media p ON p.space_id = ${spaceId} AND p.id = t.id
      WHERE t.kind = 'media'`);
    for (const { title, ...target } of found) titles.set(keyOf(target), title);
  }
  return (event) => (isTitled(event) ? (titles.get(keyOf(event)) ?? null) : undefined);
}
