/** Moves media to the trash and back (RULES 3.8, 4.4). */
import { sql } from "drizzle-orm";
import { ApiError, notFound } from "../../errors.ts";
import { DAY_MS } from "../../limits.ts";
import type { Space } from "../spaces/authorize.ts";
import type { Database } from "../storage/database/database.ts";
import { forgetFiles } from "../storage/pictures/files.ts";
import { readMedia, readTrashedMedia, restoreMedia, trashMedia } from "../storage/media/media.ts";
import { forgetPicture } from "../storage/pictures/pictures.ts";
import { isReferenced, listReferences, type Referenced } from "../storage/references/references.ts";
import { removeMedia } from "../storage/media/remove-media.ts";

export type Deleted =
  { id: string; state: "trashed"; deletedAt: string; purgeAt: string } | { id: string; state: "removed" };

/** @throws ApiError CONFLICT naming the first records that name it */
export async function refuseReferenced(db: Database, referenced: Referenced): Promise<void> {
  if (!(await db.get<{ is: number }>(sql`SELECT ${isReferenced(referenced)} AS "is"`)).is) return;
  const first = await listReferences(db, referenced, { limit: NAMED_MAX, before: null, seesDrafts: true });
  const details = first.map(({ typeModel, model, id, fields }) => ({
    path: `${typeModel}/${model}/${id}`,
    message: `names it in ${fields.map((name) => `"${name}"`).join(", ")}`,
  }));
  throw new ApiError("CONFLICT", "Other records name it; see details.", { details });
}

/**
 * Moves an item to the trash for the plan's retention, or removes it at once when that is 0.
 * @throws ApiError NOT_FOUND, CONFLICT when records name it and `ifUnreferenced` is set
 */
export async function deleteMedia(
  db: Database,
  space: Space,
  id: string,
  { now, ifUnreferenced }: { now: number; ifUnreferenced: boolean },
): Promise<Deleted> {
  const referenced = ifUnreferenced ? { spaceId: space.id, collection: null, id } : null;
  const deleted = await trashOrRemove(db, space, id, now, referenced);
  // After the row has changed: an entry that is forgotten earlier could be read and kept again.
  forgetPicture(id);
  forgetFiles(id);
  return deleted;
}

/** How many records a refusal names. */
const NAMED_MAX = 10;

async function trashOrRemove(
  db: Database,
  space: Space,
  id: string,
  now: number,
  referenced: Referenced | null,
): Promise<Deleted> {
  if (!(await readMedia(db, space.id, id))) throw notFound("The media item");
  if (referenced) await refuseReferenced(db, referenced);
  const condition = referenced ? sql`NOT ${isReferenced(referenced)}` : sql`1`;
  const purgeAt = now + space.trashRetentionDays * DAY_MS;
  const isGone =
    space.trashRetentionDays === 0
      ? await removeMedia(db, [id], now, condition)
      : await trashMedia(db, space.id, id, { deletedAt: now, purgeAt, condition });
  if (!isGone) {
    // Named, or deleted, since it was looked at.
    if (referenced) await refuseReferenced(db, referenced);
    throw notFound("The media item");
  }
  if (space.trashRetentionDays === 0) return { id, state: "removed" };
  const iso = (ms: number): string => new Date(ms).toISOString();
  return { id, state: "trashed", deletedAt: iso(now), purgeAt: iso(purgeAt) };
}

/** @throws ApiError NOT_FOUND */
export async function restoreFromTrash(db: Database, space: Space, id: string, now: number): Promise<void> {
  if (!(await restoreMedia(db, space.id, id, now))) throw notFound("The trash entry");
  // This isolate may have answered 404 a moment ago.
  forgetPicture(id);
}

/** Removes a trashed item for good. @throws ApiError NOT_FOUND */
export async function purgeFromTrash(db: Database, space: Space, id: string, now: number): Promise<void> {
  if (!(await readTrashedMedia(db, space.id, id))) throw notFound("The trash entry");
  await removeMedia(db, [id], now);
}
