/** The locales of a space in D1: changed under conditions, and removed with their values once these are kept no longer. */
import { sql, type SQL } from "drizzle-orm";
import {
  hasLocales,
  isLeftOver,
  localesIn,
  numberOfCode,
  type SpaceLocales,
} from "../../../content/locales/locales.ts";
import { LOCALE_FACTOR } from "../../../content/locales/numbers.ts";
import { without } from "../../../content/locales/without.ts";
import { LOCALE_FIELDS } from "../../../content/locales/reserved.ts";
import { batchSql, type Database } from "../database/database.ts";
import type { By } from "../events/actor.ts";
import { eventStatement } from "../events/events.ts";
import { guard, isGuardFailure } from "../database/guard.ts";
import { int } from "../records/index-parts.ts";
import { readSpaceById, type SpaceRow } from "./spaces.ts";

/** Returns the condition that a record of the space, or its published content, holds a value in a locale. */
const holdsValues = (spaceId: string, locale: SQL): SQL => sql`EXISTS (SELECT 1 FROM models m
  CROSS JOIN record_locales l ON l.model_id IN (m.id, -m.id) AND l.locale = ${locale}
  WHERE m.space_id = ${spaceId})`;

const holdsAlt = (spaceId: string, code: SQL): SQL => sql`EXISTS (SELECT 1 FROM media i
  WHERE i.space_id = ${spaceId} AND i.alts IS NOT NULL AND i.alts ->> ('$."' || ${code} || '"') <> '')`;

/** Selects those of the locales `j` (code and number) in which something of the space has a value. */
const heldOf = (spaceId: string, locales: readonly { code: string; no: number }[]): SQL => sql`
  FROM json_each(${JSON.stringify(locales)}) j
  WHERE ${holdsValues(spaceId, sql`j.value ->> 'no'`)} OR ${holdsAlt(spaceId, sql`(j.value ->> 'code')`)}`;

/** Returns the codes of those locales in which a record or a media item of the space has a value, in the trash too. */
export async function heldLocales(
  db: Database,
  spaceId: string,
  locales: readonly { code: string; no: number }[],
): Promise<string[]> {
  const rows = await db.all<{ code: string }>(
    sql`SELECT j.value ->> 'code' AS code ${heldOf(spaceId, locales)}`,
  );
  return rows.map(({ code }) => code);
}

const RESERVED = JSON.stringify(Object.keys(LOCALE_FIELDS));

const reservedFields = (spaceId: string): SQL => sql`FROM models m, json_each(m.fields) f
  WHERE m.space_id = ${spaceId} AND f.value ->> 'name' IN (SELECT value FROM json_each(${RESERVED}))`;

/** Lists fields of the space that have a name which locales reserve, as `model.field`. */
export async function fieldsWithReservedNames(db: Database, spaceId: string): Promise<string[]> {
  const rows = await db.all<{ path: string }>(
    sql`SELECT m.name || '.' || (f.value ->> 'name') AS path ${reservedFields(spaceId)}`,
  );
  return rows.map(({ path }) => path);
}

const localizedFields = (spaceId: string): SQL => sql`FROM models m, json_each(m.fields) f
  WHERE m.space_id = ${spaceId} AND f.value ->> 'localized'`;

/** Lists the localized fields of a space, as `model.field`. */
export async function localizedFieldsOf(db: Database, spaceId: string): Promise<string[]> {
  const rows = await db.all<{ path: string }>(
    sql`SELECT m.name || '.' || (f.value ->> 'name') AS path ${localizedFields(spaceId)} LIMIT 10`,
  );
  return rows.map(({ path }) => path);
}

const altTexts = (spaceId: string, { numbers }: SpaceLocales): SQL => sql`EXISTS (SELECT 1 FROM media i
  CROSS JOIN json_each(i.alts) a WHERE i.space_id = ${spaceId} AND i.alts IS NOT NULL AND a.value <> ''
    AND a.key IN (SELECT value FROM json_each(${JSON.stringify(Object.keys(numbers))})))`;

/** Returns whether a media item of the space has an alt text in a locale but the default, in the trash too. */
export async function hasAltTexts(db: Database, spaceId: string, locales: SpaceLocales): Promise<boolean> {
  const { found } = await db.get<{ found: number }>(sql`SELECT ${altTexts(spaceId, locales)} AS found`);
  return found === 1;
}

export interface LocalesUpdate {
  space: Pick<SpaceRow, "id" | "name" | "locales">;
  after: SpaceLocales;
  /** The locales that may only be removed while nothing has a value in them. */
  mustBeUnused: readonly { code: string; no: number }[];
  /** Whether the default becomes another one, which no field may be localized for. */
  isDefaultChanged: boolean;
  by: By;
}

/** Writes the locales of a space. Null if a condition that was checked before does not hold any more. */
export async function updateLocales(
  db: Database,
  { space, after, mustBeUnused, isDefaultChanged, by: { origin, now } }: LocalesUpdate,
): Promise<SpaceRow | null> {
  const isFirst = !hasLocales(localesIn(space.locales)) && hasLocales(after);
  const text = JSON.stringify(after);
  const target = { kind: "settings", id: space.name } as const;
  const line = { action: "settings.changed", target, facts: { changed: ["locales"] } } as const;
  try {
    await batchSql(db, [
      guard(
        sql`EXISTS (SELECT 1 FROM spaces s WHERE s.id = ${space.id} AND s.removed_at IS NULL AND s.locales IS ${space.locales})`,
      ),
      ...(mustBeUnused.length === 0
        ? []
        : [guard(sql`NOT EXISTS (SELECT 1 ${heldOf(space.id, mustBeUnused)})`)]),
      ...(isFirst ? [guard(sql`NOT EXISTS (SELECT 1 ${reservedFields(space.id)})`)] : []),
      ...(isDefaultChanged
        ? [
            guard(
              sql`NOT EXISTS (SELECT 1 ${localizedFields(space.id)}) AND NOT ${altTexts(space.id, localesIn(space.locales))}`,
            ),
          ]
        : []),
      sql`UPDATE spaces SET locales = ${text} WHERE id = ${space.id}`,
      ...(text === space.locales ? [] : [eventStatement(space.id, origin, now, line)]),
    ]);
  } catch (error) {
    if (isGuardFailure(error)) return null;
    throw error;
  }
  return readSpaceById(db, space.id);
}

interface DueLocale {
  spaceId: string;
  code: string;
  no: number;
  locales: string;
}

/**
 * Removes what is left of one dropped locale that is kept no longer, at most `limit` rows of each kind.
 * @returns "none" if no locale is due, else "more"
 */
export async function removeDroppedLocale(
  db: Database,
  now: number,
  limit: number,
): Promise<"none" | "more"> {
  const due = await db.get<DueLocale | undefined>(sql`
    SELECT s.id AS spaceId, d.key AS code, d.value ->> 'no' AS no, s.locales
    FROM spaces s, json_each(s.locales, '$.dropped') d
    WHERE s.locales IS NOT NULL AND d.value ->> 'until' <= ${now} LIMIT 1`);
  if (!due) return "none";
  const { spaceId, code, no, locales } = due;
  const models = sql`(SELECT id FROM models WHERE space_id = ${spaceId}
    UNION ALL SELECT -id FROM models WHERE space_id = ${spaceId})`;
  const [low, high] = [int(no * LOCALE_FACTOR), int((no + 1) * LOCALE_FACTOR)];
  const ofLocale = sql`model_id IN ${models} AND field >= ${low} AND field < ${high}`;
  const alt = `$."${code}"`;
  const hasReturned = isLeftOver(code) || numberOfCode(localesIn(locales), code) !== undefined;
  const removed = await batchSql(db, [
    sql`DELETE FROM record_locales WHERE (record, locale) IN (SELECT record, locale FROM record_locales
      WHERE model_id IN ${models} AND locale = ${int(no)} LIMIT ${int(limit)}) RETURNING 1`,
    sql`DELETE FROM record_values WHERE (model_id, field, value, record) IN
      (SELECT model_id, field, value, record FROM record_values WHERE ${ofLocale} LIMIT ${int(limit)}) RETURNING 1`,
    sql`DELETE FROM record_uniques WHERE (model_id, field, value) IN
      (SELECT model_id, field, value FROM record_uniques WHERE ${ofLocale} LIMIT ${int(limit)}) RETURNING 1`,
    // The alt texts of a code that has returned are its own.
    ...(hasReturned
      ? []
      : [
          sql`UPDATE media SET alts = json_remove(alts, ${alt}) WHERE space_id = ${spaceId} AND id IN (SELECT id FROM media
      WHERE space_id = ${spaceId} AND json_type(alts, ${alt}) IS NOT NULL LIMIT ${int(limit)}) RETURNING 1`,
        ]),
  ]);
  if (removed.every((rows) => rows.length === 0)) {
    const dropped = without(localesIn(locales).dropped, code);
    const after = JSON.stringify({ ...localesIn(locales), dropped });
    await batchSql(db, [
      sql`UPDATE spaces SET locales = ${after} WHERE id = ${spaceId} AND locales = ${locales}`,
    ]);
  }
  return "more";
}
