/** Spaces in D1, with every name that they have or had. */
import { and, desc, eq, getTableColumns, isNull, lt, sql, type SQL } from "drizzle-orm";
import { spaceNames, spaces } from "../../../../schema/tables.ts";
import { BACKGROUND, CROP } from "../../../limits.ts";
import { batchSql, isUniqueViolation, prepareQuery, type Database } from "../database/database.ts";
import type { Action } from "../events/actions.ts";
import type { By } from "../events/actor.ts";
import { eventStatement } from "../events/events.ts";
import { guard } from "../database/guard.ts";
import { countFrom } from "../shards/row-numbers.ts";
import { lookAgainQuery } from "../pictures/placeholders.ts";
import { spaceTag } from "../invalidation/tags.ts";
import { invalidationQuery, invalidationStatement } from "../invalidation/outbox.ts";

export type SpaceRow = typeof spaces.$inferSelect;

/** The columns that a change of a space may set. The others never change. */
export type SpaceSettingsRow = Pick<
  SpaceRow,
  | "adaptiveLoading"
  | "compression"
  | "quality"
  | "aspectRatios"
  | "backgrounds"
  | "suggestFocalPoint"
  | "prebuild"
  | "origins"
  | "metadata"
  | "gamut"
>;

/** Returns the ratios that a space's crops may have, from its column (RULES 5.8). */
export const aspectRatiosIn = (column: string | null): readonly string[] =>
  column === null ? CROP.aspectRatiosDefault : (JSON.parse(column) as string[]);

/** Returns the backgrounds that a space's pictures may have, from its column (RULES 5.14). */
export const backgroundsIn = (column: string | null): readonly string[] =>
  column === null ? BACKGROUND.backgroundsDefault : (JSON.parse(column) as string[]);

const isThere = (id: string) => and(eq(spaces.id, id), isNull(spaces.removedAt));

/** Returns a space by its canonical name; null when there is none. */
export async function readSpace(db: Database, name: string): Promise<SpaceRow | null> {
  const where = and(eq(spaces.name, name), isNull(spaces.removedAt));
  return (await db.select().from(spaces).where(where).get()) ?? null;
}

export async function readSpaceById(db: Database, id: string): Promise<SpaceRow | null> {
  const where = and(eq(spaces.id, id), isNull(spaces.removedAt));
  return (await db.select().from(spaces).where(where).get()) ?? null;
}

export interface SpacesOfDatabase {
  rows: SpaceRow[];
  databaseBytes: number;
}

/** Returns at most `limit` spaces with ids below `beforeId`, newest first, and the size of their database. */
export async function listSpaceRows(
  db: Database,
  limit: number,
  beforeId: string | null,
): Promise<SpacesOfDatabase> {
  const below = beforeId === null ? undefined : lt(spaces.id, beforeId);
  const query = db
    .select()
    .from(spaces)
    .where(and(isNull(spaces.removedAt), below))
    .orderBy(desc(spaces.id))
    .limit(limit);
  // D1 says the size with its answer, which Drizzle leaves out.
  const { results, meta } = await prepareQuery(db, query).all();
  return { rows: results.map(spaceOf), databaseBytes: meta.size_after };
}

const COLUMNS = Object.entries(getTableColumns(spaces));

const spaceOf = (row: Record<string, unknown>): SpaceRow =>
  Object.fromEntries(
    COLUMNS.map(([name, column]) => {
      const value = row[column.name];
      return [name, value === null ? null : column.mapFromDriverValue(value)];
    }),
  ) as SpaceRow;

/** Returns an event of a space, under the condition of its change. */
const spaceEvent = (
  { id, name }: Pick<SpaceRow, "id" | "name">,
  action: Extract<Action, `space.${string}`>,
  { origin, now }: By,
  { facts = {}, condition }: { facts?: Record<string, unknown>; condition?: SQL } = {},
): SQL => eventStatement(id, origin, now, { action, target: { kind: "space", id: name }, facts }, condition);

/** Inserts a space. False, with nothing written, when one of the names is or was another space's. */
export async function insertSpace(db: Database, space: SpaceRow, names: string[], by: By): Promise<boolean> {
  try {
    await batchSql(db, [
      db.insert(spaces).values(space).getSQL(),
      db
        .insert(spaceNames)
        .values(names.map((name) => ({ name, spaceId: space.id })))
        .getSQL(),
      spaceEvent(space, "space.created", by),
    ]);
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/**
 * Inserts a space on one of several databases, with a copy of its names, which the directory has claimed before.
 * @throws Error when the database was bound under another number before
 */
export async function insertOnShard(
  db: Database,
  shard: number,
  space: SpaceRow,
  names: readonly string[],
  by: By,
): Promise<void> {
  await batchSql(db, [
    sql`INSERT OR IGNORE INTO this_shard (id, shard) VALUES (1, ${shard})`,
    guard(sql`(SELECT shard FROM this_shard) = ${shard}`),
    ...countFrom(shard),
    db.insert(spaces).values(space).getSQL(),
    sql`INSERT OR REPLACE INTO space_names (name, space_id)
      SELECT value, ${space.id} FROM json_each(${JSON.stringify(names)})`,
    spaceEvent(space, "space.created", by),
  ]);
}

/** Returns the condition that one of the columns has another value than after the change. */
const isOther = (change: Record<string, unknown>): SQL =>
  sql.join(
    Object.entries(change).map(([name, value]) => {
      const column = getTableColumns(spaces)[name as keyof SpaceRow];
      return sql`${sql.raw(column.name)} IS NOT ${value === null ? null : column.mapToDriverValue(value)}`;
    }),
    sql` OR `,
  );

/** The plan of a space, and its name. */
export type SpacePlan = Pick<SpaceRow, "name" | "trashRetentionDays" | "historyDays" | "remoteBytes">;

/**
 * Updates a space, whose earlier names stay its own. Null when it was removed, or the name is or was another space's.
 */
export async function updateSpace(
  db: Database,
  space: Pick<SpaceRow, "id" | "name">,
  change: SpacePlan,
  by: By,
): Promise<SpaceRow | null> {
  const { id } = space;
  const { name } = change;
  const nameIsOwn = sql`EXISTS (SELECT 1 FROM space_names n WHERE n.name = ${name} AND n.space_id = ${id})`;
  const isChanged = sql`EXISTS (SELECT 1 FROM spaces WHERE id = ${id} AND removed_at IS NULL AND (${isOther(change)}))
    AND ${nameIsOwn}`;
  const action = name === space.name ? "space.changed" : "space.renamed";
  // The first statement claims the name. The others use it only if it belongs to this space.
  const [, , updated = []] = await batchSql(db, [
    db.insert(spaceNames).values({ name, spaceId: id }).onConflictDoNothing().getSQL(),
    spaceEvent({ id, name }, action, by, { facts: change, condition: isChanged }),
    db
      .update(spaces)
      .set(change)
      .where(and(isThere(id), nameIsOwn))
      .returning()
      .getSQL(),
  ]);
  return rowIn(updated);
}

/** Returns the first row that a statement returned, with the values as the code has them. */
function rowIn(rows: readonly unknown[]): SpaceRow | null {
  const [row] = rows;
  return row ? spaceOf(row as Record<string, unknown>) : null;
}

export interface SettingsEffects {
  /** Set when answers that are kept at the edge are no longer what the settings lead to, in milliseconds. */
  invalidatedAt: number | null;
  /** Pictures are to get a suggested focal point that did not get one before. */
  looksAgain: boolean;
}

/** Updates the settings of a space; null when it was removed. Settings as they are have no event. */
export async function updateSettings(
  db: Database,
  { id, name }: Pick<SpaceRow, "id" | "name">,
  settings: SpaceSettingsRow,
  { invalidatedAt, looksAgain }: SettingsEffects,
  { by: { origin, now }, changed }: { by: By; changed: readonly string[] },
): Promise<SpaceRow | null> {
  const isChanged = sql`EXISTS (SELECT 1 FROM spaces WHERE id = ${id} AND removed_at IS NULL AND (${isOther(settings)}))`;
  const target = { kind: "settings", id: name } as const;
  const line = { action: "settings.changed", target, facts: { changed } } as const;
  const [, updated = []] = await batchSql(db, [
    eventStatement(id, origin, now, line, isChanged),
    db.update(spaces).set(settings).where(isThere(id)).returning().getSQL(),
    ...(invalidatedAt === null ? [] : [invalidationQuery(db, spaceTag(id), "media", invalidatedAt).getSQL()]),
    ...(looksAgain ? [lookAgainQuery(db, id).getSQL()] : []),
  ]);
  return rowIn(updated);
}

/** Marks a space as removed and frees its names. False when it was removed before. */
export async function markSpaceRemoved(
  db: Database,
  { id, name }: Pick<SpaceRow, "id" | "name">,
  by: By,
): Promise<boolean> {
  const { now } = by;
  const condition = sql`EXISTS (SELECT 1 FROM spaces WHERE id = ${id} AND removed_at IS NULL)`;
  const [, , removed = []] = await batchSql(db, [
    spaceEvent({ id, name }, "space.removed", by, { condition }),
    invalidationStatement(
      sql`SELECT ${spaceTag(id)} FROM spaces WHERE id = ${id} AND removed_at IS NULL`,
      "media",
      now,
    ),
    sql`UPDATE spaces SET removed_at = ${now} WHERE id = ${id} AND removed_at IS NULL RETURNING id`,
    sql`DELETE FROM space_names WHERE space_id = ${id}`,
  ]);
  return removed.length > 0;
}
