/** Spaces in D1, with every name that they have or had. */
import { and, desc, eq, getTableColumns, isNull, lt, sql } from "drizzle-orm";
import { spaceNames, spaces } from "../../../../schema/tables.ts";
import { CROP } from "../../../limits.ts";
import { batchSql, isUniqueViolation, prepareQuery, type Database } from "../database/database.ts";
import { guard } from "../database/guard.ts";
import { countFrom } from "../shards/row-numbers.ts";
import { lookAgainQuery } from "../pictures/placeholders.ts";
import { spaceTag } from "../invalidation/purge-tags.ts";
import { purgeQuery, purgeStatement } from "../invalidation/purges.ts";

export type SpaceRow = typeof spaces.$inferSelect;

/** The columns that a change of a space may set. The others never change. */
export type SpaceSettingsRow = Pick<
  SpaceRow,
  "adaptiveLoading" | "compression" | "quality" | "aspectRatios" | "suggestFocalPoint" | "prebuild"
>;

/** Returns the ratios that a space's crops may have, from its column (RULES 5.8). */
export const aspectRatiosIn = (column: string | null): readonly string[] =>
  column === null ? CROP.aspectRatiosDefault : (JSON.parse(column) as string[]);

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

/** Inserts a space. False, with nothing written, when one of the names is or was another space's. */
export async function insertSpace(db: Database, space: SpaceRow, names: string[]): Promise<boolean> {
  try {
    await db.batch([
      db.insert(spaces).values(space),
      db.insert(spaceNames).values(names.map((name) => ({ name, spaceId: space.id }))),
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
): Promise<void> {
  await batchSql(db, [
    sql`INSERT OR IGNORE INTO this_shard (id, shard) VALUES (1, ${shard})`,
    guard(sql`(SELECT shard FROM this_shard) = ${shard}`),
    ...countFrom(shard),
    db.insert(spaces).values(space).getSQL(),
    sql`INSERT OR REPLACE INTO space_names (name, space_id)
      SELECT value, ${space.id} FROM json_each(${JSON.stringify(names)})`,
  ]);
}

/**
 * Updates a space, whose earlier names stay its own. Null when it was removed, or the name is or was another space's.
 */
export async function updateSpace(
  db: Database,
  id: string,
  change: Pick<SpaceRow, "name" | "trashRetentionDays" | "historyDays">,
): Promise<SpaceRow | null> {
  const { name } = change;
  const nameIsOwn = sql`EXISTS (SELECT 1 FROM space_names n WHERE n.name = ${name} AND n.space_id = ${id})`;
  // The first statement claims the name. The second one uses it only if it belongs to this space.
  const [, updated] = await db.batch([
    db.insert(spaceNames).values({ name, spaceId: id }).onConflictDoNothing(),
    db
      .update(spaces)
      .set(change)
      .where(and(isThere(id), nameIsOwn))
      .returning(),
  ]);
  return updated[0] ?? null;
}

export interface SettingsEffects {
  /** Set when answers that are kept at the edge are no longer what the settings lead to, in milliseconds. */
  purgedAt: number | null;
  /** Pictures are to get a suggested focal point that did not get one before. */
  looksAgain: boolean;
}

/** Null when the space was removed. */
export async function updateSettings(
  db: Database,
  id: string,
  settings: SpaceSettingsRow,
  { purgedAt, looksAgain }: SettingsEffects,
): Promise<SpaceRow | null> {
  const update = db.update(spaces).set(settings).where(isThere(id)).returning();
  const purge = purgedAt === null ? [] : [purgeQuery(db, spaceTag(id), "media", purgedAt)];
  const again = looksAgain ? [lookAgainQuery(db, id)] : [];
  const [updated] = await db.batch([update, ...purge, ...again]);
  return updated[0] ?? null;
}

/** Marks a space as removed and frees its names. False when it was removed before. */
export async function markSpaceRemoved(db: Database, id: string, now: number): Promise<boolean> {
  const [, removed = []] = await batchSql(db, [
    purgeStatement(
      sql`SELECT ${spaceTag(id)} FROM spaces WHERE id = ${id} AND removed_at IS NULL`,
      "media",
      now,
    ),
    sql`UPDATE spaces SET removed_at = ${now} WHERE id = ${id} AND removed_at IS NULL RETURNING id`,
    sql`DELETE FROM space_names WHERE space_id = ${id}`,
  ]);
  return removed.length > 0;
}
