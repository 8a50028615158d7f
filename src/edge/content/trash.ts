/** Records deleted, restored, purged (interface §3, completion §3). */
import { ulid } from "ulid";
import { ApiError, notFound } from "../../errors.ts";
import { CONTENT, DAY_MS } from "../../limits.ts";
import type { Deleted } from "../media/trash.ts";
import type { Space } from "../spaces/authorize.ts";
import { isUniqueViolation } from "../spaces/spaces.ts";
import type { RecordRow } from "../storage/entries.ts";
import {
  removeRecord,
  replacePage,
  restoreRecord,
  trashRecord,
  type PageEntry,
} from "../storage/record-trash.ts";
import { readTrashEntry, type TrashEntry } from "../storage/trash.ts";
import { defaultOf } from "../content-model/fields.ts";
import { modelOf, valuesOf, type Model } from "../content-model/model.ts";
import { dataOf, sizeOf } from "./validate.ts";
import { checkVersion, current, metOthers, throwTaken, type Place } from "./write.ts";

const iso = (ms: number): string => new Date(ms).toISOString();

const defaultsOf = (model: Model): string =>
  dataOf(new Map(model.fields.map((field) => [field.no, defaultOf(field)])));

/** Where content goes that is deleted now; null when the plan keeps no trash. */
function entryOf(space: Space, now: number): PageEntry | null {
  if (space.trashRetentionDays === 0) return null;
  return { id: ulid(now), deletedAt: now, purgeAt: now + space.trashRetentionDays * DAY_MS };
}

/**
 * Into the trash, or away at once when the plan keeps none. A page goes back to its defaults and its content into
 * the trash, under an entry id of its own, which is what is answered.
 * @throws ApiError PRECONDITION_FAILED, NOT_FOUND (gone meanwhile), CONFLICT (others kept changing it)
 */
export async function deleteRecord(
  place: Place,
  space: Space,
  found: { model: Model; record: RecordRow },
  versions: ReadonlySet<number> | null,
): Promise<Deleted> {
  let { model, record } = found;
  for (let tries = 0; tries < CONTENT.mergeTriesMax; tries++) {
    checkVersion(record, versions);
    const entry = entryOf(space, place.now());
    if (await discard(place, model, record, entry)) {
      const isPage = model.typeModel === "pages";
      if (!entry) return { id: record.id, state: "removed" };
      const { deletedAt, purgeAt } = entry;
      return {
        id: isPage ? entry.id : record.id,
        state: "trashed",
        deletedAt: iso(deletedAt),
        purgeAt: iso(purgeAt),
      };
    }
    const again = await current(place, model, record.id);
    if (!again.record) throw notFound("The record");
    model = again.model;
    record = again.record;
  }
  throw metOthers();
}

async function discard(
  place: Place,
  model: Model,
  record: RecordRow,
  entry: PageEntry | null,
): Promise<boolean> {
  if (model.typeModel === "pages") {
    const data = defaultsOf(model);
    const content = { data, sizeBytes: sizeOf(data) };
    return replacePage(place.db, model, record, content, { now: place.now(), entry });
  }
  if (!entry) return removeRecord(place.db, record);
  return trashRecord(place.db, record, entry.deletedAt, entry.purgeAt);
}

const noModel = (): ApiError =>
  new ApiError(
    "CONFLICT",
    "The model of this entry is gone. Make it again with the same fields, or purge the entry.",
  );

/**
 * Puts a trashed record back as it was, or a page's content back into the page: what the page holds by then goes to
 * the trash in its place, unless it is the defaults.
 * @throws ApiError CONFLICT when a unique value was taken meanwhile or the model is gone, NOT_FOUND
 */
export async function restoreEntry(
  place: Place,
  space: Space,
  entry: TrashEntry & { kind: "record" },
): Promise<void> {
  if (!entry.model) throw noModel();
  const { record } = entry;
  let model = modelOf(entry.model);
  for (let tries = 0; tries < CONTENT.mergeTriesMax; tries++) {
    try {
      const restored =
        model.typeModel === "pages"
          ? await restorePage(place, space, model, record)
          : await restoreRecord(place.db, model, record.seq);
      if (restored) return;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      await throwTaken(place.db, model, valuesOf(model, record.data), record.id, error);
    }
    const again = await readTrashEntry(place.db, space.id, record.id);
    if (again?.kind !== "record") throw notFound("The trash entry");
    if (!again.model) throw noModel();
    model = modelOf(again.model);
  }
  throw metOthers();
}

async function restorePage(place: Place, space: Space, model: Model, from: RecordRow): Promise<boolean> {
  const { record: page } = await current(place, model, model.name);
  if (!page) throw noModel();
  const now = place.now();
  const holdsDefaults = dataOf(valuesOf(model, page.data)) === defaultsOf(model);
  const content = { data: from.data, sizeBytes: from.sizeBytes };
  return replacePage(place.db, model, page, content, {
    now,
    entry: holdsDefaults ? null : entryOf(space, now),
    from: from.seq,
  });
}
