/**
 * Puts a content in place of a draft for as long as it is published, and puts the draft back (RULES 18.4). An editor who
 * writes meanwhile loses nothing: a field, or its value in a locale, that is not as the content has it any more is the
 * editor's, and stays.
 */
import { ApiError } from "../../../../errors.ts";
import { RETRY } from "../../../../limits.ts";
import { isLocalized } from "../../../../content/model/localized-model.ts";
import type { Model } from "../../../../content/model/model.ts";
import { recordView } from "../../../records/read/record-object.ts";
import { setPlans, type Plans } from "../../../records/write/plans.ts";
import { isPublishedByLocale } from "../../../records/write/complete-locales.ts";
import { changeTo } from "../../../records/write/write.ts";
import { lineData } from "../../record-lines.ts";
import type { ImportContext } from "../context.ts";
import { bodyOf, read, writingOf, type Entry, type Members } from "./overwrite-content.ts";
import { stateOfRow } from "./overwrite-publication.ts";

/** A draft with a content in its place. */
export interface Covered {
  draft: Entry;
  /** The record with the content in place of its draft, as an answer shows it, and its version. */
  view: Members;
  version: number;
}

const NONE: ReadonlySet<string> = new Set();

/** Gives the draft a content. @throws ApiError if it does not fit */
export async function coverDraft(context: ImportContext, entry: Entry, body: Members): Promise<Covered> {
  let draft = entry;
  const bodyFor = (model: Model, record: Entry["record"]): Members => {
    draft = { model, record };
    return body;
  };
  const writing = writingOf(context, entry.record.id);
  const { view, version } = await changeTo(writing, entry, bodyFor, { versions: null, event: "updated" });
  return { draft, view, version };
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Returns a body without what an editor has changed: the members that differ between the content that was put in place
 * of the draft, and the record as it is now.
 */
function withoutChanged(model: Model, body: Members, content: Members, now: Members): Members {
  return Object.fromEntries(
    model.fields.flatMap((field): [string, unknown][] => {
      const { name } = field;
      const [ours, theirs, own] = [content[name], now[name], body[name]];
      if (!Object.hasOwn(body, name)) return [];
      if (!model.scope || !isLocalized(field)) return isSame(ours, theirs) ? [[name, own]] : [];
      const [a, b] = [isObject(ours) ? ours : {}, isObject(theirs) ? theirs : {}];
      const kept = Object.entries(isObject(own) ? own : {}).filter(([code]) => isSame(a[code], b[code]));
      return kept.length > 0 ? [[name, Object.fromEntries(kept)]] : [];
    }),
  );
}

/** Puts a draft back over its content. @throws ApiError PRECONDITION_FAILED if an editor wrote since the read */
async function writeBack(context: ImportContext, covered: Covered, entry: Entry): Promise<void> {
  const { model, record } = covered.draft;
  const whole = bodyOf(context, entry.model, lineData(model, record.data), NONE);
  const view = recordView(entry.model, entry.record);
  const body = withoutChanged(entry.model, whole, covered.view, view);
  // Values of the draft may not fit what fields allow by now. They are checked where the editor's stand beside them.
  const isAsBefore = entry.model.version === model.version && isSame(body, whole);
  const versions = new Set([entry.record.version]);
  const options = { versions, event: "updated", ...(isAsBefore && { earlier: record.data }) } as const;
  await changeTo(writingOf(context, record.id), entry, () => body, options);
}

/** Returns the plans to publish that the publication of these locales cancels, by their codes. */
export function publishPlans(entry: Entry, codes: readonly string[]): Map<string, number> {
  const plans = [...stateOfRow(entry).plans].flatMap(([code, { publish }]): [string, number][] =>
    publish === null || (isPublishedByLocale(entry.model) && !codes.includes(code)) ? [] : [[code, publish]],
  );
  return new Map(plans);
}

/**
 * Gives a record the draft that it had, and the plans to publish that its publication has cancelled. What an editor has
 * planned since then stays, and so do plans to unpublish, which a publication does not touch.
 * @throws ApiError CONFLICT naming the version of the draft
 */
export async function putBack(
  context: ImportContext,
  covered: Covered,
  cancelled: ReadonlyMap<string, number>,
): Promise<void> {
  const { model, record } = covered.draft;
  try {
    for (let tries = 1; ; tries++) {
      const entry = await read(context, model, record.id);
      if (!entry) return;
      try {
        await writeBack(context, covered, entry);
        break;
      } catch (error) {
        const isStale = error instanceof ApiError && error.code === "PRECONDITION_FAILED";
        if (!isStale || tries >= RETRY.modelTriesMax) throw error;
      }
    }
    const again = cancelled.size > 0 ? await read(context, model, record.id) : null;
    if (!again) return;
    // A plan that is due by now is put back too, for the sweep to carry out.
    await setPlans(writingOf(context, record.id), again, (target) => {
      const plans = [...stateOfRow(target).plans].map(([code, { publish, unpublish }]): [string, Plans] => [
        code,
        { publish: publish ?? cancelled.get(code) ?? null, unpublish },
      ]);
      return new Map(plans);
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const message = `The draft of version ${record.version} could not be put back after the publication. Restore that version: ${error.message}`;
    throw new ApiError("CONFLICT", message);
  }
}
