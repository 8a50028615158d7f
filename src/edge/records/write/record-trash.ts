/** Records deleted and restored (RULES 3.8). */
import { sql } from "drizzle-orm";
import { ulid } from "ulid";
import { ApiError, notFound } from "../../../errors.ts";
import { DAY_MS } from "../../../limits.ts";
import { refuseReferenced, type Deleted } from "../../media/trash.ts";
import { retryUntilWritten } from "../../storage/database/retry.ts";
import type { Space } from "../../spaces/authorize.ts";
import { isUniqueViolation } from "../../storage/database/database.ts";
import type { RecordRow } from "../../storage/spaces/entries.ts";
import { runWrite, type PlannedWrite } from "../../storage/database/planned-write.ts";
import { replacePage, wasPublished, type PageEntry } from "../../storage/trash/page-trash.ts";
import { cancelPlans } from "../../storage/records/publish.ts";
import { removeRecord, restoreRecord, trashRecord } from "../../storage/trash/record-trash.ts";
import { isReferenced, type Referenced } from "../../storage/references/references.ts";
import { readPublishedEntry, readTrashEntry, type TrashEntry } from "../../storage/trash/trash.ts";
import { modelOf, valuesOf, type Model } from "../../../content/model/model.ts";
import { checkVersion } from "../read/preconditions.ts";
import { contentOf, defaultContentOf } from "./stored-content.ts";
import { dataOf } from "./validate.ts";
import { throwTakenByAny } from "./taken-uniques.ts";
import { current, eventOf, type WriteContext } from "./write.ts";

const iso = (ms: number): string => new Date(ms).toISOString();

/** Where content goes that is deleted now; null when the plan keeps no trash. */
export function entryOf(space: Space, now: number): PageEntry | null {
  if (space.trashRetentionDays === 0) return null;
  return { id: ulid(now), deletedAt: now, purgeAt: now + space.trashRetentionDays * DAY_MS };
}

export interface DeleteConditions {
  /** Versions that it may be deleted at; null for any. */
  versions: ReadonlySet<number> | null;
  /** Only while no other record names it. */
  ifUnreferenced: boolean;
}

/** Returns whether the model alone gave the draft its content: no key wrote it, or it is what the model gives now. */
const isUntouched = (model: Model, page: RecordRow): boolean =>
  page.version === 1 || dataOf(valuesOf(model, page.data)) === defaultContentOf(model).data;

/** Returns whether a page shows content that a key wrote, in another version than the draft. */
const showsOther = ({ publishedVersion, version }: RecordRow): boolean =>
  publishedVersion !== null && publishedVersion > 1 && publishedVersion !== version;

/**
 * Into the trash, or away at once when the plan keeps none. A page goes back to its defaults and its content into
 * the trash, what was published of it and its plans included, under an entry id of its own, which is what is answered;
 * untouched content leaves no entry.
 * @throws ApiError PRECONDITION_FAILED, NOT_FOUND (gone meanwhile), CONFLICT (others kept changing it, or name it)
 */
export async function deleteRecord(
  context: WriteContext,
  space: Space,
  found: { model: Model; record: RecordRow },
  { versions, ifUnreferenced }: DeleteConditions,
): Promise<Deleted> {
  let { model, record } = found;
  const isUnnamed = ifUnreferenced && model.typeModel === "collections";
  const referenced = isUnnamed ? { spaceId: space.id, collection: model.name, id: record.id } : null;
  return retryUntilWritten(async () => {
    checkVersion(record, versions);
    if (referenced) await refuseReferenced(context.db, referenced);
    const isPage = model.typeModel === "pages";
    const isKept = !isPage || !isUntouched(model, record) || showsOther(record);
    const entry = isKept ? entryOf(space, context.now()) : null;
    if (await discard(context, model, record, entry, referenced))
      return deletedView(record.id, isPage, entry);
    const again = await current(context, model, record.id);
    if (!again.record) throw notFound("The record");
    model = again.model;
    record = again.record;
    return null;
  });
}

function deletedView(id: string, isPage: boolean, entry: PageEntry | null): Deleted {
  if (!entry) return { id, state: "removed" };
  const { deletedAt, purgeAt } = entry;
  return {
    id: isPage ? entry.id : id,
    state: "trashed",
    deletedAt: iso(deletedAt),
    purgeAt: iso(purgeAt),
  };
}

async function discard(
  context: WriteContext,
  model: Model,
  record: RecordRow,
  entry: PageEntry | null,
  referenced: Referenced | null,
): Promise<boolean> {
  if (model.typeModel === "pages") {
    const content = defaultContentOf(model);
    if (content.data === record.data && record.publishedVersion === null) {
      const hasPlans = record.publishAt !== null || record.unpublishAt !== null;
      return hasPlans ? runWrite(context.db, cancelPlans(model, record)) : true;
    }
    const event = eventOf(context, "trashed", model.fields);
    return replacePage(context.db, model, record, content, { event, entry });
  }
  const condition = referenced ? sql`NOT ${isReferenced(referenced)}` : sql`1`;
  return runWrite(context.db, planDelete(context, record, entry, condition));
}

/** Plans to delete a record of a collection: away at once without an entry. */
export const planDelete = (
  context: WriteContext,
  record: RecordRow,
  entry: PageEntry | null,
  condition = sql`1`,
): PlannedWrite<boolean> =>
  entry
    ? trashRecord(record, entry, eventOf(context, "trashed"), condition)
    : removeRecord(record, condition);

const noModel = (): ApiError =>
  new ApiError(
    "CONFLICT",
    "The model of this entry is gone. Make it again with the same fields, or purge the entry.",
  );

/**
 * Puts a trashed record back as it was, but for plans whose time has passed, or a page's content back into the page: what
 * the page holds by then goes to the trash in its place, unless it is the defaults.
 * @throws ApiError CONFLICT when a unique value was taken meanwhile or the model is gone, NOT_FOUND
 */
export async function restoreEntry(
  context: WriteContext,
  space: Space,
  entry: TrashEntry & { kind: "record" },
): Promise<void> {
  if (!entry.model) throw noModel();
  const { record } = entry;
  let model = modelOf(entry.model);
  await retryUntilWritten(async () => {
    try {
      const restored =
        model.typeModel === "pages"
          ? await restorePage(context, space, model, record)
          : await restoreRecord(context.db, model, record.seq, eventOf(context, "restored"));
      if (restored) return true;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      const published = await readPublishedEntry(context.db, entry);
      const rows = [record, ...(published?.kind === "record" ? [published.record] : [])];
      const contents = rows.map(({ data }) => valuesOf(model, data));
      await throwTakenByAny(context.db, model, contents, record.id, error);
    }
    const again = await readTrashEntry(context.db, space.id, record.id);
    if (again?.kind !== "record") throw notFound("The trash entry");
    if (!again.model) throw noModel();
    model = modelOf(again.model);
    return null;
  });
}

async function restorePage(
  context: WriteContext,
  space: Space,
  model: Model,
  from: RecordRow,
): Promise<boolean> {
  const { record: page } = await current(context, model, model.name);
  if (!page) throw noModel();
  const now = context.now();
  // The published content is replaced if the entry has one; else it stays.
  const isKept = !isUntouched(model, page) || (wasPublished(model, from) && showsOther(page));
  const content = contentOf(model, valuesOf(model, from.data));
  return replacePage(context.db, model, page, content, {
    event: eventOf(context, "restored", model.fields),
    entry: isKept ? entryOf(space, now) : null,
    from,
  });
}
