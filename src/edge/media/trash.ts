/** Moves media to the trash and back (RULES 3.8, 4.4). */
import { ApiError, notFound } from "../../errors.ts";
import { DAY_MS } from "../../limits.ts";
import type { Space } from "../spaces/authorize.ts";
import type { Database } from "../storage/database/database.ts";
import type { By } from "../storage/events/actor.ts";
import { forgetFiles } from "../storage/pictures/files.ts";
import { readMedia, readTrashedMedia, restoreMedia, trashMedia } from "../storage/media/media.ts";
import { forgetPicture } from "../storage/pictures/pictures.ts";
import { hasReferences, listReferences, type Referenced } from "../storage/references/references.ts";
import type { Scopes } from "../storage/spaces/scopes.ts";
import { removeMedia } from "../storage/media/remove-media.ts";

export type Deleted =
  { id: string; state: "trashed"; deletedAt: string; purgeAt: string } | { id: string; state: "removed" };

/** @throws ApiError CONFLICT naming the first records that name it, of models inside the caller's scopes */
export async function refuseReferenced(
  db: Database,
  referenced: Referenced,
  scopes: Pick<Scopes, "models">,
): Promise<void> {
  if (!(await hasReferences(db, referenced))) return;
  const page = { limit: NAMED_MAX, before: null, seesDrafts: true, scopes };
  const first = await listReferences(db, referenced, page);
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
  { ifUnreferenced, scopes, ...by }: By & { ifUnreferenced: boolean; scopes: Pick<Scopes, "models"> },
): Promise<Deleted> {
  const referenced = ifUnreferenced ? { spaceId: space.id, collection: null, id } : null;
  const deleted = await trashOrRemove(db, space, id, by, { referenced, scopes });
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
  by: By,
  { referenced, scopes }: { referenced: Referenced | null; scopes: Pick<Scopes, "models"> },
): Promise<Deleted> {
  const { now, origin } = by;
  if (!(await readMedia(db, space.id, id))) throw notFound("The media item");
  if (referenced) await refuseReferenced(db, referenced, scopes);
  const purgeAt = now + space.trashRetentionDays * DAY_MS;
  const isGone =
    space.trashRetentionDays === 0
      ? await removeMedia(db, [[space.id, id]], by, referenced)
      : await trashMedia(db, space.id, id, { deletedAt: now, purgeAt, unreferenced: referenced, origin });
  if (!isGone) {
    // Named, or deleted, since it was looked at.
    if (referenced) await refuseReferenced(db, referenced, scopes);
    throw notFound("The media item");
  }
  if (space.trashRetentionDays === 0) return { id, state: "removed" };
  const iso = (ms: number): string => new Date(ms).toISOString();
  return { id, state: "trashed", deletedAt: iso(now), purgeAt: iso(purgeAt) };
}

/** @throws ApiError NOT_FOUND */
export async function restoreFromTrash(db: Database, space: Space, id: string, by: By): Promise<void> {
  if (!(await restoreMedia(db, space.id, id, by))) throw notFound("The trash entry");
  // This isolate may have answered 404 a moment ago.
  forgetPicture(id);
}

/** Removes a trashed item for good. @throws ApiError NOT_FOUND */
export async function deleteTrashedMedia(db: Database, space: Space, id: string, by: By): Promise<void> {
  if (!(await readTrashedMedia(db, space.id, id))) throw notFound("The trash entry");
  await removeMedia(db, [[space.id, id]], by);
}
