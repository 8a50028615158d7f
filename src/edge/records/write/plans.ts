/** Sets the plans of a record, those of all its locales in one write (RULES 3.14, 3.33). */
import { notFound } from "../../../errors.ts";
import { numberOfCode } from "../../../content/locales/locales.ts";
import { without } from "../../../content/locales/without.ts";
import { DEFAULT_NUMBER, numberOfLocale } from "../../../content/locales/numbers.ts";
import type { Edition } from "../../../content/model/editions.ts";
import { baseOf } from "../../../content/model/localized-model.ts";
import type { Model } from "../../../content/model/model.ts";
import { runWrite, type PlannedWrite } from "../../storage/database/planned-write.ts";
import { retryUntilWritten } from "../../storage/database/retry.ts";
import { planLocales } from "../../storage/locales/publish-locales.ts";
import { planRecord } from "../../storage/records/publish.ts";
import type { RecordRow } from "../../storage/spaces/entries.ts";
import { allEditions } from "./editions-after.ts";
import { isPublishedByLocale } from "./complete-locales.ts";
import { editionsAfter, type Step } from "./publish-locales.ts";
import { current, eventOf, planEventOf, type WriteContext } from "./write.ts";

/** The times in milliseconds at which a locale is to be published and unpublished; null for none. */
export type Plans = Record<Step, number | null>;

const NONE: Plans = { publish: null, unpublish: null };

interface Target {
  model: Model;
  record: RecordRow;
}

/** Returns the write that sets the plans of a record without localized fields; null if it has them. */
function planOwn(context: WriteContext, { model, record }: Target, to: Plans): PlannedWrite<boolean> | null {
  const event = planEventOf(context, "scheduled");
  if (record.publishAt !== to.publish)
    return planRecord(model, record, { schedule: "publishAt", at: to.publish }, event);
  if (record.unpublishAt !== to.unpublish)
    return planRecord(model, record, { schedule: "unpublishAt", at: to.unpublish }, event);
  return null;
}

/** Returns the write that sets the plans of these locales; null if the record has them. */
function planAll(
  context: WriteContext,
  target: Target,
  plans: ReadonlyMap<number, Plans>,
): PlannedWrite<boolean> | null {
  const { record } = target;
  const model = { ...baseOf(target.model), scope: target.model.scope };
  const editions = allEditions(record);
  const changed: number[] = [];
  for (const [locale, { publish, unpublish }] of plans) {
    const before: Edition = editions[String(locale)] ?? { v: record.version };
    const isDefault = locale === DEFAULT_NUMBER;
    const pub = isDefault ? record.publishAt : (before.pub ?? null);
    const unpub = isDefault ? record.unpublishAt : (before.unpub ?? null);
    if (pub === publish && unpub === unpublish) continue;
    changed.push(locale);
    if (isDefault) continue;
    const rest: Edition = without(before, "pub", "unpub");
    editions[String(locale)] = {
      ...rest,
      ...(publish !== null && { pub: publish }),
      ...(unpublish !== null && { unpub: unpublish }),
    };
  }
  if (changed.length === 0) return null;
  const { publish, unpublish } = plans.get(DEFAULT_NUMBER) ?? NONE;
  const own = changed.includes(DEFAULT_NUMBER)
    ? ([
        { column: "publish_at", at: publish, before: record.publishAt },
        { column: "unpublish_at", at: unpublish, before: record.unpublishAt },
      ] as const)
    : [];
  // Another request may set the other plan meanwhile.
  const ownChanged = own.filter(({ at, before }) => at !== before);
  const { facts } = eventOf(context, "published", model, changed.map(numberOfLocale));
  return planLocales(
    model,
    record,
    editionsAfter(editions),
    ownChanged,
    planEventOf(context, "scheduled", facts),
  );
}

/**
 * Sets the plans of the locales of a record by their codes, and cancels those that are null. In a space without locales,
 * the code is empty.
 * @param plansFor returns the plans for the record as each attempt finds it
 * @returns whether the record had other plans
 * @throws ApiError NOT_FOUND (gone meanwhile), CONFLICT
 */
export async function setPlans(
  context: WriteContext,
  first: Target,
  plansFor: (target: Target) => ReadonlyMap<string, Plans>,
): Promise<boolean> {
  let target = first;
  let isChanged = false;
  return retryUntilWritten(async () => {
    // The plans to publish and to unpublish a record without localized fields are two writes.
    for (let writes = 0; writes <= 2; writes++) {
      const { model } = target;
      const numbered = [...plansFor(target)].flatMap(([code, one]): [number, Plans][] => {
        const no = model.scope ? numberOfCode(model.scope.locales, code) : DEFAULT_NUMBER;
        return no === undefined ? [] : [[no, one]];
      });
      const byNumber = new Map(numbered);
      const write = isPublishedByLocale(model)
        ? planAll(context, target, byNumber)
        : planOwn(context, target, byNumber.get(DEFAULT_NUMBER) ?? NONE);
      if (!write) return isChanged;
      const isWritten = await runWrite(context.db, write);
      isChanged ||= isWritten;
      const found = await current(context, model, target.record.id);
      if (!found.record) throw notFound("The record");
      target = { model: found.model, record: found.record };
      if (!isWritten) return null;
    }
    return null;
  });
}
