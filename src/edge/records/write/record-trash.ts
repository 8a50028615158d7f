/** Deletes and restores records (RULES 3.8). */
import { ulid } from "ulid";
import { ApiError, notFound } from "../../../errors.ts";
import { DAY_MS } from "../../../limits.ts";
import { refuseReferenced, type Deleted } from "../../media/trash.ts";
import { retryUntilWritten } from "../../storage/database/retry.ts";
import type { Space } from "../../spaces/authorize.ts";
import { isUniqueViolation } from "../../storage/database/database.ts";
import type { RecordRow } from "../../storage/spaces/entries.ts";
import { runWrite, type PlannedWrite } from "../../storage/database/planned-write.ts";
import { joined, readSides } from "../../storage/locales/sides.ts";
import { replacePage, wasPublished, type PageEntry } from "../../storage/trash/page-trash.ts";
import { cancelPlans } from "../../storage/records/publish.ts";
import { removeRecord, restoreRecord, trashRecord } from "../../storage/trash/record-trash.ts";
import type { Referenced } from "../../storage/references/references.ts";
import { readPublishedEntry, readTrashEntry, type TrashEntry } from "../../storage/trash/trash.ts";
import { ALL } from "../../../content/locales/codes.ts";
import { codesOf, localesIn } from "../../../content/locales/locales.ts";
import { baseOf, inLocale, scopeOf } from "../../../content/model/localized-model.ts";
import { hasSides, isPublishedAnywhere } from "../../../content/model/editions.ts";
import { modelOf, valuesOf, type Model } from "../../../content/model/model.ts";
import { checkVersion } from "../read/preconditions.ts";
import { checkWhole } from "./scoped-write.ts";
import { contentOf, defaultContentOf } from "./stored-content.ts";
import { dataOf } from "./validate.ts";
import { throwTakenByAny } from "./taken-uniques.ts";
import { current, eventOf, planEventOf, type WriteContext } from "./write.ts";

const numbersOf = ({ fields }: Model): number[] => fields.map(({ no }) => no);

const iso = (ms: number): string => new Date(ms).toISOString();

/** Returns the trash entry for content that is deleted now; null if the plan keeps no trash. */
export function entryOf(space: Space, now: number): PageEntry | null {
  if (space.trashRetentionDays === 0) return null;
  return { id: ulid(now), deletedAt: now, purgeAt: now + space.trashRetentionDays * DAY_MS };
}

export interface DeleteConditions {
  /** The versions at which the record may be deleted; null for any. */
  versions: ReadonlySet<number> | null;
  /** Whether the record is only deleted while no other record refers to it. */
  ifUnreferenced: boolean;
}

/** Returns whether the model alone gave the draft its content: no key wrote it, or it is what the model gives now. */
const isUntouched = (model: Model, page: RecordRow): boolean =>
  page.version === 1 ||
  (!hasSides(page) && dataOf(valuesOf(model, page.data)) === defaultContentOf(model).data);

/** Returns whether a page shows content that a key wrote, in another version than the draft. */
const showsOther = (page: RecordRow): boolean => {
  const { publishedVersion, version } = page;
  const isOwn = publishedVersion !== null && publishedVersion > 1 && publishedVersion !== version;
  return isOwn || (hasSides(page) && isPublishedAnywhere(page));
};

/**
 * Moves a record to the trash, or removes it at once if the plan keeps no trash. A page is reset to its defaults. Its
 * content goes to the trash with its published content and its plans, as an entry with an id of its own, which is in
 * the answer. Content that no key wrote leaves no entry.
 * @throws ApiError PRECONDITION_FAILED, FORBIDDEN, NOT_FOUND (gone meanwhile), CONFLICT (others kept changing it, or name it)
 */
export async function deleteRecord(
  context: WriteContext,
  space: Space,
  found: { model: Model; record: RecordRow },
  { versions, ifUnreferenced }: DeleteConditions,
): Promise<Deleted> {
  let { record } = found;
  let model = baseOf(found.model);
  const isUnnamed = ifUnreferenced && model.typeModel === "collections";
  const referenced = isUnnamed ? { spaceId: space.id, collection: model.name, id: record.id } : null;
  return retryUntilWritten(async () => {
    checkVersion(record, versions);
    checkWhole(context.scopes, model, record, codesOf(localesIn(space.locales)));
    if (referenced) await refuseReferenced(context.db, referenced, context.scopes);
    const isPage = model.typeModel === "pages";
    const isKept = !isPage || !isUntouched(model, record) || showsOther(record);
    const entry = isKept ? entryOf(space, context.now()) : null;
    if (await discard(context, model, record, entry, referenced))
      return deletedView(record.id, isPage, entry);
    const again = await current(context, model, record.id);
    if (!again.record) throw notFound("The record");
    model = baseOf(again.model);
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
    if (content.data === record.data && !isPublishedAnywhere(record) && !hasSides(record)) {
      const hasPlans = record.publishAt !== null || record.unpublishAt !== null;
      return hasPlans
        ? runWrite(context.db, cancelPlans(model, record, planEventOf(context, "scheduled")))
        : true;
    }
    const event = eventOf(context, "trashed", model, numbersOf(model));
    return replacePage(context.db, model, record, content, { event, entry });
  }
  return runWrite(context.db, planDelete(context, { model, record }, entry, referenced));
}

/** Plans to delete a record of a collection. Without an entry it is removed at once. */
export const planDelete = (
  context: WriteContext,
  { model, record }: { model: Model; record: RecordRow },
  entry: PageEntry | null,
  unreferenced: Referenced | null = null,
): PlannedWrite<boolean> =>
  entry
    ? trashRecord(record, entry, eventOf(context, "trashed", model), unreferenced)
    : removeRecord(record, planEventOf(context, "removed"), unreferenced);

const noModel = (): ApiError =>
  new ApiError(
    "CONFLICT",
    "The model of this entry is gone. Make it again with the same fields, or delete the entry for good.",
  );

/**
 * Restores a trashed record, without the plans whose time has passed, or the content of a page. The present content of
 * the page takes the place of the entry in the trash, unless it is the defaults.
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
  checkWhole(context.scopes, model, record, codesOf(localesIn(space.locales)));
  await retryUntilWritten(async () => {
    try {
      const restored =
        model.typeModel === "pages"
          ? await restorePage(context, space, model, record)
          : await restoreRecord(context.db, model, record.seq, eventOf(context, "restored", model));
      if (restored) return true;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      const published = await readPublishedEntry(context.db, entry);
      const rows = [record, ...(published?.kind === "record" ? [published.record] : [])];
      const sides = await readSides(
        context.db,
        rows.map(({ seq }) => seq),
        null,
      );
      const whole = inLocale(model, scopeOf(localesIn(space.locales), ALL));
      const contents = rows.map(({ seq, data }) => valuesOf(whole, joined(data, sides.get(seq))));
      await throwTakenByAny(context.db, whole, contents, record.id, error);
    }
    const again = await readTrashEntry(context.db, space.id, record.id, context.scopes);
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
    event: eventOf(context, "restored", model, numbersOf(model)),
    entry: isKept ? entryOf(space, now) : null,
    from,
  });
}
