/**
 * Brings a record that differs to what its lines say (RULES 18.4), by the writes that a caller makes too: each is a new
 * version, with its event in the history. What the space had stays in its history.
 */
import type { Model } from "../../../../content/model/model.ts";
import { deleteRecord, restoreEntry } from "../../../records/write/record-trash.ts";
import type { RecordRow } from "../../../storage/spaces/entries.ts";
import { WHOLE_SPACE } from "../../../storage/spaces/scopes.ts";
import { readTrashEntry } from "../../../storage/trash/trash.ts";
import type { ImportContext } from "../context.ts";
import type { LocaleIn, RecordIn } from "../line-schemas.ts";
import { apartFrom, bodyOf, bodyOfLocale, read, write, writingOf, type Entry } from "./overwrite-content.ts";
import { bringPlans, known, stateOfLine, stateOfRow, step } from "./overwrite-publication.ts";

/** The outcome of an overwrite: `trashed` if the record is in the trash now, with another content than the line's. */
export type Overwritten = "changed" | "unchanged" | "trashed";

/**
 * Writes what a record's line says: out of the trash or into it, its content, what is not published any more, and its plans.
 * @param isSameContent whether the record has the content of the line
 * @throws ApiError if the line does not fit
 */
export async function overwriteRecord(
  context: ImportContext,
  model: Model,
  { id, deletedAt }: Pick<RecordRow, "id" | "deletedAt">,
  line: RecordIn,
  isSameContent: boolean,
): Promise<Overwritten> {
  const { db, space } = context;
  if (deletedAt !== null) {
    const entry = await readTrashEntry(db, space.id, id, WHOLE_SPACE);
    if (entry?.kind === "record") await restoreEntry(writingOf(context, id), space, entry);
  }
  const entry = await read(context, model, id);
  if (!entry) return "unchanged";
  if (line.kind === "trash") return overwriteTrashed(context, entry, line, isSameContent);
  const isWritten = await write(context, entry, bodyOfLine(context, model, line));
  const isChanged = model.drafts && (await overwritePublication(context, entry, line));
  return isWritten || deletedAt !== null || isChanged ? "changed" : "unchanged";
}

const bodyOfLine = (context: ImportContext, model: Model, line: RecordIn) =>
  bodyOf(context, model, line.data, apartFrom(context, model, line));

/** Moves a record to the trash, with the content of its line where visitors do not see that in between: in a draft. */
async function overwriteTrashed(
  context: ImportContext,
  entry: Entry,
  line: RecordIn,
  isSameContent: boolean,
): Promise<Overwritten> {
  const { model, record } = entry;
  if (model.drafts) await write(context, entry, bodyOfLine(context, model, line));
  const again = model.drafts ? await read(context, model, record.id) : entry;
  const conditions = { versions: null, ifUnreferenced: false };
  if (again) await deleteRecord(writingOf(context, record.id), context.space, again, conditions);
  return model.drafts || isSameContent ? "changed" : "trashed";
}

/** Unpublishes what a line does not say to be published, and sets the plans. @returns whether anything was written */
async function overwritePublication(context: ImportContext, first: Entry, line: RecordIn): Promise<boolean> {
  const { model, record } = first;
  const to = stateOfLine(model, line);
  const gone = known(context, stateOfRow(first).codes).filter((code) => !to.codes.has(code));
  let entry = await read(context, model, record.id);
  if (entry && gone.length > 0) {
    await step(context, entry, "unpublish", gone);
    entry = await read(context, model, record.id);
  }
  const isPlanned = entry !== null && (await bringPlans(context, entry, to));
  return gone.length > 0 || isPlanned;
}

/** Writes the content of a record in one locale. @returns whether it was another one */
export async function overwriteLocale(
  context: ImportContext,
  model: Model,
  line: LocaleIn,
): Promise<boolean> {
  const entry = await read(context, model, line.id);
  return entry !== null && write(context, entry, bodyOfLocale(entry.model, line));
}
