/** Media items in D1. Every change of several rows is one batch. Bytes are written before it and removed after it. */
import { and, eq, isNotNull, isNull, or, sql, type SQL } from "drizzle-orm";
import { masters, media } from "../../../../schema/tables.ts";
import type { FocalPoint } from "../../../image/geometry/focal-point.ts";
import { batchSql, type Database } from "../database/database.ts";
import { retryUntilWritten } from "../database/retry.ts";
import { readRowOfPrimary, type ReadDatabase } from "../database/read-database.ts";
import { actorColumn, type By, type Origin } from "../events/actor.ts";
import { eventStatement } from "../events/events.ts";
import { mediaEvent } from "../events/media-events.ts";
import { MASTER_COLUMNS, masterValues, type MasterRow } from "./master-versions.ts";
import { altTextsIn, refolded, type AltTexts } from "./media-facts.ts";
import { cancelPendingDelete } from "../sweep/pending-deletes.ts";
import { mediaTag } from "../invalidation/tags.ts";
import { invalidationStatement } from "../invalidation/outbox.ts";
import { isUnreferenced, type Referenced } from "../references/references.ts";
import type { UploadClaim } from "./uploads.ts";

export type MediaRow = typeof media.$inferSelect;

export interface MediaWithMaster {
  media: MediaRow;
  master: MasterRow;
}

/** Joins a media item with its present master. */
export const current = and(
  eq(masters.spaceId, media.spaceId),
  eq(masters.mediaId, media.id),
  eq(masters.version, media.masterVersion),
);

/** Returns a media item; null if it does not exist or is in the trash. */
export async function readMedia(db: Database, spaceId: string, id: string): Promise<MediaWithMaster | null> {
  const row = await db
    .select({ media, master: masters })
    .from(media)
    .innerJoin(masters, current)
    .where(and(eq(media.id, id), eq(media.spaceId, spaceId), isNull(media.deletedAt)))
    .get();
  return row ?? null;
}

/**
 * Inserts the rows of a new media item, whose bytes are stored under `key`. False when the space was removed meanwhile,
 * or the upload is not open any more: then nothing is written, and the sweep removes the bytes.
 */
export async function insertMedia(
  db: Database,
  row: MediaRow,
  master: MasterRow,
  { key, claim, origin }: { key: string; claim: UploadClaim | null; origin: Origin },
): Promise<boolean> {
  const spaceIsThere = sql`EXISTS (SELECT 1 FROM spaces WHERE id = ${row.spaceId} AND removed_at IS NULL)`;
  const isWanted = claim ? sql`${spaceIsThere} AND ${claim.isOpen}` : spaceIsThere;
  const isWritten = sql`EXISTS (SELECT 1 FROM media WHERE space_id = ${row.spaceId} AND id = ${row.id})`;
  const event = eventStatement(
    row.spaceId,
    origin,
    row.createdAt,
    {
      action: "media.created",
      target: { kind: "media", id: row.id },
      facts: { masterVersion: row.masterVersion },
    },
    isWanted,
  );
  const [, inserted = []] = await batchSql(db, [
    event,
    sql`
      INSERT INTO media (id, space_id, filename, alt, focal_x, focal_y, mime, width, height, animated, folded,
        words, master_version, last_version, created_at, updated_at, created_by, updated_by)
      SELECT ${row.id}, ${row.spaceId}, ${row.filename}, ${row.alt}, ${row.focalX}, ${row.focalY}, ${row.mime},
        ${row.width}, ${row.height}, ${row.animated ? 1 : 0}, ${row.folded}, ${row.words}, ${row.masterVersion},
        ${row.lastVersion}, ${row.createdAt}, ${row.updatedAt}, ${row.createdBy}, ${row.updatedBy}
      WHERE ${isWanted} RETURNING id`,
    sql`
      INSERT INTO masters (${MASTER_COLUMNS}) SELECT ${masterValues(master)} WHERE ${isWritten}`,
    cancelPendingDelete(key, isWritten),
    ...(claim ? [claim.complete(row.id, master.version)] : []),
  ]);
  return inserted.length > 0;
}

/** Returns the condition that the item `m` is one of those for which a condition on the table's own columns holds. */
const isOneOf = (condition: SQL): SQL =>
  sql`(m.space_id, m.id) IN (SELECT space_id, id FROM media WHERE ${condition})`;

export interface MediaTrashing {
  deletedAt: number;
  purgeAt: number;
  /** If given, the item is only moved while nothing refers to this target. */
  unreferenced?: Referenced | null;
  origin: Origin;
}

/**
 * Moves an item to the trash. False when it does not exist, is in the trash already, or something refers to
 * `unreferenced`.
 */
export async function trashMedia(
  db: Database,
  spaceId: string,
  id: string,
  { deletedAt, purgeAt, unreferenced = null, origin }: MediaTrashing,
): Promise<boolean> {
  const isThere = sql`id = ${id} AND space_id = ${spaceId} AND deleted_at IS NULL AND ${isUnreferenced(unreferenced)}`;
  const [, , trashed = []] = await batchSql(db, [
    invalidationStatement(sql`SELECT ${mediaTag(id)} FROM media WHERE ${isThere}`, "media", deletedAt),
    mediaEvent(isOneOf(isThere), "trashed", { origin, now: deletedAt }),
    sql`UPDATE media SET deleted_at = ${deletedAt}, purge_at = ${purgeAt} WHERE ${isThere} RETURNING id`,
  ]);
  return trashed.length > 0;
}

/** Restores an item from the trash. False when it is not there. */
export async function restoreMedia(db: Database, spaceId: string, id: string, by: By): Promise<boolean> {
  const isTrashed = sql`id = ${id} AND space_id = ${spaceId} AND deleted_at IS NOT NULL`;
  const [, , restored = []] = await batchSql(db, [
    invalidationStatement(sql`SELECT ${mediaTag(id)} FROM media WHERE ${isTrashed}`, "media", by.now),
    mediaEvent(isOneOf(isTrashed), "restored", by),
    sql`UPDATE media SET deleted_at = NULL, purge_at = NULL WHERE ${isTrashed} RETURNING id`,
  ]);
  return restored.length > 0;
}

export async function readTrashedMedia(db: Database, spaceId: string, id: string): Promise<MediaRow | null> {
  const where = and(eq(media.id, id), eq(media.spaceId, spaceId), isNotNull(media.deletedAt));
  return (await db.select().from(media).where(where).get()) ?? null;
}

export interface MediaChange {
  filename?: string | undefined;
  alt?: string | undefined;
  /** Alt texts in locales other than the default, by their codes. */
  alts?: AltTexts | undefined;
  /** Null for the centre. */
  focalPoint?: FocalPoint | null | undefined;
}

/** The alt texts of an item in all locales, as columns of its row. */
type AltColumns = Pick<MediaRow, "alt" | "alts">;

/** Returns the alt texts after a change. What stays has the text that it had, so that it compares as the same. */
function changedAlts(before: AltColumns, { alt = before.alt, alts = {} }: MediaChange): AltColumns {
  const texts = altTextsIn(before.alts);
  const isSame = Object.entries(alts).every(([code, text]) => (texts[code] ?? "") === text);
  return { alt, alts: isSame ? before.alts : JSON.stringify({ ...texts, ...alts }) };
}

/**
 * Changes the given properties. A change to what is there already writes nothing. False when the item does not exist.
 * @param hasLocales whether the space has or had locales, so that the words of all alt texts are written together
 */
export async function changeMedia(
  db: Database,
  spaceId: string,
  id: string,
  change: MediaChange,
  by: By,
  hasLocales = false,
): Promise<boolean> {
  if (!hasLocales || (change.alt === undefined && change.alts === undefined))
    return (await changeAsRead(db, [spaceId, id], change, null, by)) !== "none";
  return retryUntilWritten(async () => {
    const before = await readMedia(db, spaceId, id);
    if (!before) return false;
    const done = await changeAsRead(db, [spaceId, id], change, before.media, by);
    return done === "other" ? null : done === "changed";
  });
}

/**
 * Makes a change.
 * @param before the alt texts, where the change is only made while the item has these; null for any
 * @returns "none" if the item does not exist, "other" if it has other alt texts by now
 */
async function changeAsRead(
  db: Database,
  [spaceId, id]: [spaceId: string, id: string],
  { focalPoint, alts, ...change }: MediaChange,
  before: AltColumns | null,
  by: By,
): Promise<"changed" | "other" | "none"> {
  const { origin, now } = by;
  const focal = focalPoint !== undefined && { focalX: focalPoint?.x ?? null, focalY: focalPoint?.y ?? null };
  const after = before && changedAlts(before, { ...change, alts });
  const isIt = and(eq(media.id, id), eq(media.spaceId, spaceId), isNull(media.deletedAt));
  const isMoved =
    focal && sql`(${media.focalX} IS NOT ${focal.focalX} OR ${media.focalY} IS NOT ${focal.focalY})`;
  const isOther = or(
    change.filename === undefined ? undefined : sql`${media.filename} IS NOT ${change.filename}`,
    change.alt === undefined ? undefined : sql`${media.alt} IS NOT ${change.alt}`,
    after ? sql`${media.alts} IS NOT ${after.alts}` : undefined,
    isMoved || undefined,
  );
  const isAsRead = before
    ? sql` AND ${media.alt} = ${before.alt} AND ${media.alts} IS ${before.alts}`
    : sql``;
  const isChanged = sql`${isIt} AND ${isOther ?? sql`0`}${isAsRead}`;
  const update = db
    .update(media)
    .set({
      ...change,
      ...refolded(change, after ? { alt: after.alt, alts: altTextsIn(after.alts) } : undefined),
      ...focal,
      ...(after && { alts: after.alts }),
      updatedAt: now,
      updatedBy: actorColumn(origin.actor),
    })
    .where(isChanged);
  const statements = [
    // The first statement, because it compares with the present values.
    ...(isMoved
      ? [
          invalidationStatement(
            sql`SELECT ${mediaTag(id)} FROM media WHERE ${isIt} AND ${isMoved}${isAsRead}`,
            "media",
            now,
          ),
        ]
      : []),
    mediaEvent(isOneOf(isChanged), "updated", by),
    update.getSQL(),
    sql`SELECT ${after ? sql`alt = ${after.alt} AND alts IS ${after.alts}` : sql`1`} AS is_written FROM media WHERE ${isIt}`,
  ];
  const [row] = ((await batchSql(db, statements)).at(-1) ?? []) as { is_written: number }[];
  if (!row) return "none";
  return row.is_written === 1 ? "changed" : "other";
}

/** Asks the primary whether an item is in the trash, because a replica may not know of a restore yet. */
export async function isInTrash(
  db: ReadDatabase,
  space: { id: string } | { name: string },
  id: string,
): Promise<boolean> {
  const spaceId =
    "id" in space ? sql`${space.id}` : sql`(SELECT space_id FROM space_names WHERE name = ${space.name})`;
  const trashed = sql`SELECT 1 FROM media WHERE space_id = ${spaceId} AND id = ${id} AND deleted_at IS NOT NULL`;
  return (await readRowOfPrimary(db, trashed)) !== null;
}
