/**
 * Publishes the contents of lines (RULES 18.4). A content becomes the draft, is published, and then the draft is what it was
 * before. A locale is published with the line that has its content, so that no visitor sees a draft.
 */
import { ApiError } from "../../../../errors.ts";
import { RETRY } from "../../../../limits.ts";
import { isEmptyValue } from "../../../../content/field-types/fields.ts";
import { lackingIn } from "../../../../content/field-types/nested/references.ts";
import { isPublishedAnywhere } from "../../../../content/model/editions.ts";
import { numberOfCode } from "../../../../content/locales/locales.ts";
import { baseOf, fieldIn, isLocalized } from "../../../../content/model/localized-model.ts";
import { valuesOf, type Model, type StoredContent } from "../../../../content/model/model.ts";
import { checkPublishable } from "../../../records/write/publish.ts";
import type { Held } from "../../../storage/locales/held.ts";
import type { ImportContext } from "../context.ts";
import type { LocaleIn, PublishedIn } from "../line-schemas.ts";
import type { Converted } from "./compare-records.ts";
import { coverDraft, publishPlans, putBack } from "./cover-draft.ts";
import { apartFrom, bodyOf, bodyOfLocale, read, type Entry, type Members } from "./overwrite-content.ts";
import { known, stateOfLine, step } from "./overwrite-publication.ts";

/** A content that is to be published. */
interface Content {
  /** The body that gives the draft this content. */
  body: Members;
  /** The codes of the locales that are published. */
  codes: readonly string[];
  /** The data of the record's own row, and those of its sides by their numbers. */
  own: string;
  sides: ReadonlyMap<number, StoredContent>;
}

/** Returns which values a content has in the locales but the default, as `readHeld` finds them for a draft. */
function heldIn(model: Model, { sides }: Content): Held {
  const localized = baseOf(model).fields.filter(isLocalized);
  const values = [...sides].flatMap(([no, { data }]) => {
    const inLocale = localized.map((field) => fieldIn(field, no));
    const held = valuesOf({ ...model, fields: inLocale, stored: inLocale }, data);
    return inLocale.map((field) => ({ field, value: held.get(field.no) ?? null }));
  });
  const fields = values.filter(({ field, value }) => !isEmptyValue(field, value));
  return {
    locales: new Set(sides.keys()),
    fields: new Set(fields.map(({ field }) => field.no)),
    lacking: new Map(fields.map(({ field, value }) => [field.no, lackingIn(field, value)])),
  };
}

const isStale = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "PRECONDITION_FAILED";

/**
 * Publishes a content. An editor may write at any moment: nothing but the content of the line is published, and what the
 * editor has written stays in the draft. Each try reads the record anew.
 * @param contentFor returns the content for a record, or the reason why it is not published
 * @returns the difference that is left; null for none
 * @throws ApiError if it does not fit, or lacks what a published record must have
 */
async function publish(
  context: ImportContext,
  model: Model,
  id: string,
  contentFor: (entry: Entry) => Content | string,
): Promise<string | null> {
  for (let tries = 1; ; tries++) {
    const entry = await read(context, model, id);
    if (!entry) return `${id} is in the trash`;
    const content = contentFor(entry);
    if (typeof content === "string") return content;
    const record = { ...entry.record, data: content.own };
    checkPublishable({ model: entry.model, record, held: heldIn(entry.model, content) }, content.codes);
    try {
      await publishOver(context, entry, content);
      return null;
    } catch (error) {
      if (!isStale(error) || tries >= RETRY.modelTriesMax) throw error;
    }
  }
}

/** @throws ApiError PRECONDITION_FAILED if an editor wrote before the publication; the draft is put back all the same */
async function publishOver(context: ImportContext, entry: Entry, { body, codes }: Content): Promise<void> {
  const covered = await coverDraft(context, entry, body);
  let cancelled: ReadonlyMap<string, number> = new Map();
  try {
    const written = await read(context, entry.model, entry.record.id);
    if (!written) return;
    cancelled = publishPlans(written, codes);
    await step(context, written, "publish", codes, new Set([covered.version]));
  } catch (error) {
    // Nothing was published, so no plan was cancelled.
    if (error instanceof ApiError) cancelled = new Map();
    throw error;
  } finally {
    await putBack(context, covered, cancelled);
  }
}

/**
 * Publishes the content of a line, in the locales whose contents it has.
 * @returns the difference that is left; null for none
 * @throws ApiError as `publish`
 */
export async function overwritePublished(
  context: ImportContext,
  model: Model,
  { line: given, row, sides }: Converted,
): Promise<string | null> {
  const line = given as PublishedIn;
  return publish(context, model, line.id, (entry) => {
    const apart = apartFrom(context, entry.model, line);
    const codes = known(context, stateOfLine(entry.model, line).codes).filter((code) => !apart.has(code));
    if (codes.length === 0)
      return `another content of ${line.id} is published, and its line has that of no published locale`;
    const body = bodyOf(context, entry.model, line.data, apart);
    return { body, codes, own: row.data, sides };
  });
}

/**
 * Publishes the content of a locale's line.
 * @returns the difference that is left; null for none
 * @throws ApiError as `publish`
 */
export async function overwritePublishedLocale(
  context: ImportContext,
  model: Model,
  line: LocaleIn,
  content: StoredContent,
): Promise<string | null> {
  return publish(context, model, line.id, (entry) => {
    const { scope } = entry.model;
    const no = scope ? numberOfCode(scope.locales, line.locale) : undefined;
    if (no === undefined) return `${line.locale} is no locale of this space any more`;
    // The first publication would publish the shared fields of the draft too.
    if (!isPublishedAnywhere(entry.record)) return `${line.id} is not published`;
    const body = bodyOfLocale(entry.model, line);
    return { body, codes: [line.locale], own: entry.record.data, sides: new Map([[no, content]]) };
  });
}
