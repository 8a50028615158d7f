/** Media into the trash and back (RULES 3.8, 4.4). */
import { notFound } from "../../errors.ts";
import { DAY_MS } from "../../limits.ts";
import type { Space } from "../spaces/authorize.ts";
import type { Database } from "../storage/database.ts";
import { forgetFiles } from "../storage/files.ts";
import { readMedia, readTrashedMedia, restoreMedia, trashMedia } from "../storage/media.ts";
import { forgetPicture } from "../storage/pictures.ts";
import { removeMedia } from "../storage/remove-media.ts";

export type Deleted =
  { id: string; state: "trashed"; deletedAt: string; purgeAt: string } | { id: string; state: "removed" };

/** Into the trash for the plan's retention, or removed at once when that is 0. @throws ApiError NOT_FOUND */
export async function deleteMedia(db: Database, space: Space, id: string, now: number): Promise<Deleted> {
  const deleted = await trashOrRemove(db, space, id, now);
  // After the row has changed: what is forgotten before could be read once more and kept.
  forgetPicture(id);
  forgetFiles(id);
  return deleted;
}

async function trashOrRemove(db: Database, space: Space, id: string, now: number): Promise<Deleted> {
  if (space.trashRetentionDays === 0) {
    if (!(await readMedia(db, space.id, id))) throw notFound("The media item");
    await removeMedia(db, [id], now);
    return { id, state: "removed" };
  }
  const purgeAt = now + space.trashRetentionDays * DAY_MS;
  if (!(await trashMedia(db, space.id, id, now, purgeAt))) throw notFound("The media item");
  const iso = (ms: number): string => new Date(ms).toISOString();
  return { id, state: "trashed", deletedAt: iso(now), purgeAt: iso(purgeAt) };
}

/** @throws ApiError NOT_FOUND */
export async function restoreFromTrash(db: Database, space: Space, id: string): Promise<void> {
  if (!(await restoreMedia(db, space.id, id))) throw notFound("The trash entry");
}

/** Removes a trashed item for good. @throws ApiError NOT_FOUND */
export async function purgeFromTrash(db: Database, space: Space, id: string, now: number): Promise<void> {
  if (!(await readTrashedMedia(db, space.id, id))) throw notFound("The trash entry");
  await removeMedia(db, [id], now);
}
