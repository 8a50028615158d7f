/** Checks a body and plans the write of one record (RULES 3.6). It reads nothing and runs nothing. */
import type { Database } from "../../storage/database/database.ts";
import type { RecordRow } from "../../storage/spaces/entries.ts";
import { nothingToWrite, withOutcome, type PlannedWrite } from "../../storage/database/planned-write.ts";
import { actorColumn, type Origin } from "../../storage/events/actor.ts";
import { NO_FACTS, type PlanEvent, type RecordFacts } from "../../storage/events/record-events.ts";
import type { RecordEvent } from "../../storage/history/record-versions.ts";
import { seesTargets, type Scopes } from "../../storage/spaces/scopes.ts";
import type { FoundReference } from "../../../content/field-types/field-type.ts";
import { checkChanged } from "./scoped-write.ts";
import { insertRecord, updateRecord } from "../../storage/records/records.ts";
import { targetName, type TargetKey } from "../../storage/records/reference-targets.ts";
import { ACTOR_FIELDS, SYSTEM_FIELDS } from "../../../content/field-types/base.ts";
import { isEmptyValue, type StoredField } from "../../../content/field-types/fields.ts";
import { editionsColumn } from "../../../content/model/editions.ts";
import { baseOf, hasLocalized } from "../../../content/model/localized-model.ts";
import { DEFAULT_NUMBER, localeOfNumber } from "../../../content/locales/numbers.ts";
import { LOCALE_FIELDS } from "../../../content/locales/reserved.ts";
import { ValidationErrors } from "../../../content/faults/validation-errors.ts";
import { valuesOf, type Model, type Values } from "../../../content/model/model.ts";
import { DRAFT_FIELDS, UNPUBLISHED } from "../../../content/model/publication.ts";
import { checkVersion, etagOf } from "../read/preconditions.ts";
import { factsOf } from "../facts.ts";
import { targetOf } from "./references-in.ts";
import { recordView, type RecordView, type StoredRecord } from "../read/record-object.ts";
import type { StepBudget } from "../../../content/patterns/step-budget.ts";
import { addLacking, localesWritten } from "./localized-body.ts";
import { changeOfEditions, newEditions } from "./editions-after.ts";
import { ownContentOf, sideContentOf, sidesOf } from "./stored-content.ts";
import {
  addMissing,
  allFields,
  changedValues,
  dataOf,
  newReferences,
  newValues,
  type Validated,
} from "./validate.ts";

export interface WriteContext {
  db: Database;
  spaceId: string;
  /** The actor and the request, which history and events name. */
  origin: Origin;
  /** The scopes of the caller. */
  scopes: Scopes;
  /** The steps that the patterns of the request may take together. */
  patterns: StepBudget;
  now(): number;
  /** The id of a new record. */
  newId(now: number): string;
}

export interface Written {
  model: Model;
  version: number;
  view: RecordView;
  etag: string;
}

/** Returns the answer to a write: the stored record. */
export const written = (model: Model, record: StoredRecord): Written => ({
  model,
  version: record.version,
  view: recordView(model, record),
  etag: etagOf(model, record),
});

/** A planned write of a record. Its outcome is null when the record or the model has changed since they were read. */
export interface RecordWrite extends PlannedWrite<Written | null> {
  /** All values of the record after the write. */
  values: Values;
}

/** A write that is checked, except for the targets that it newly refers to. */
export interface CheckedWrite {
  targets: TargetKey[];
  /**
   * @param missing the names of the targets that are not there
   * @throws ApiError VALIDATION_FAILED with every fault of the body
   */
  plan: (missing: ReadonlySet<string>) => RecordWrite;
}

/** Returns the event of a change. @param changed the numbers of the fields, or of the locales */
export const eventOf = (
  { origin, now }: Pick<WriteContext, "origin" | "now">,
  event: RecordEvent["event"],
  model: Model,
  changed: readonly number[] = [],
): RecordEvent => ({ event, origin, now: now(), changed, facts: factsOf(model, changed) });

/** Returns the event of a plan or a removal, which the history does not have. */
export const planEventOf = (
  { origin, now }: Pick<WriteContext, "origin" | "now">,
  event: PlanEvent["event"],
  facts: RecordFacts = NO_FACTS,
): PlanEvent => ({ event, origin, now: now(), facts });

const numbersOf = (fields: readonly StoredField[]): number[] => fields.map(({ no }) => no);

/**
 * Checks the references of a write. A target outside the caller's scopes is as one that does not exist.
 * @param before the values that the record has: targets that it names already need not be there
 */
function checkedWrite(
  { scopes }: WriteContext,
  { values, references: given, errors }: Validated,
  before: Values,
  planOf: (values: Values) => RecordWrite,
): CheckedWrite {
  const references = newReferences(given, before);
  const isInside = ({ collection }: FoundReference): boolean => seesTargets(scopes, collection);
  return {
    targets: references.flatMap(({ found }) => found.filter(isInside).map(targetOf)),
    plan(missing) {
      addMissing(
        errors,
        references,
        (reference) => !isInside(reference) || missing.has(targetName(targetOf(reference))),
      );
      errors.throwIfAny();
      return planOf(values);
    },
  };
}

/** Checks the values of a new record that are not what an empty body would give. @throws ApiError FORBIDDEN */
function checkNewValues(
  { scopes, patterns }: WriteContext,
  model: Model,
  given: readonly StoredField[],
  values: Values,
): void {
  const without = scopes.locales === null ? values : newValues(model, {}, patterns).values;
  const isGiven = ({ no }: StoredField): boolean =>
    JSON.stringify(values.get(no)) !== JSON.stringify(without.get(no));
  checkChanged(scopes, model, given.filter(isGiven));
}

/** Returns the contents in the locales that hold some of these values, by their number. */
const sideContents = (model: Model, values: Values, numbers: readonly number[]) =>
  new Map(numbers.map((locale) => [locale, sideContentOf(model, values, locale)]));

/** Plans a new record. */
export function planCreate(context: WriteContext, model: Model, id: string, body: unknown): CheckedWrite {
  const validated = newValues(model, body, context.patterns);
  if (!model.drafts) {
    const written = localesWritten(model, validated.values);
    // The default locale is written where the body is in it: its other values are defaults.
    if (model.scope && model.scope.no !== DEFAULT_NUMBER) written.delete(DEFAULT_NUMBER);
    addLacking(model, validated.values, written, validated.errors);
  }
  return checkedWrite(context, validated, new Map(), (values) => {
    const base = baseOf(model);
    const content = ownContentOf(model, values);
    const given = allFields(model).filter(
      (field) => !isEmptyValue(field, values.get(field.no) ?? field.absent),
    );
    checkNewValues(context, model, given, values);
    const event = eventOf(context, "created", model, numbersOf(given));
    const sides = sideContents(model, values, sidesOf(given.map(({ no }) => no)));
    const editions = model.scope && hasLocalized(base) ? editionsColumn(newEditions(sides.keys())) : null;
    const fields = given.filter(({ no }) => localeOfNumber(no) !== DEFAULT_NUMBER);
    const localized = editions === null ? null : { sides, editions, fields };
    const insert = insertRecord(asStored(model), { id, spaceId: context.spaceId, content, event, localized });
    const write = withOutcome(insert, (createdAt) => {
      if (createdAt === null) return null;
      const by = actorColumn(context.origin.actor);
      const times = { createdAt, updatedAt: createdAt, createdBy: by, updatedBy: by };
      const record = { id, data: dataOf(values), version: 1, ...times, ...UNPUBLISHED, locales: editions };
      return written(model, record);
    });
    return { ...write, values };
  });
}

/** Returns the stored model, with the locales in which values were checked against it. */
const asStored = (model: Model): Model => ({ ...baseOf(model), scope: model.scope });

const systemValues = (model: Model, record: RecordRow): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries(
      recordView(
        model,
        record,
        new Set([
          ...SYSTEM_FIELDS,
          ...ACTOR_FIELDS,
          ...DRAFT_FIELDS,
          LOCALE_FIELDS.locale,
          LOCALE_FIELDS.statuses,
        ]),
      ),
    ),
  );

/** Returns the values of a record under all numbers that a body may give values for. */
const allValuesOf = (model: Model, data: string): Values =>
  valuesOf(model.scope ? { ...model, stored: allFields(model) } : model, data);

export interface ChangeOptions {
  /** The versions that the change may be made from; null for any. */
  versions: ReadonlySet<number> | null;
  event: RecordEvent["event"];
  /**
   * Data that the record had under this model. It is written in place of the body without a check, because values that
   * were stored may not fit what fields allow now, or name targets that are gone.
   */
  earlier?: string;
}

/**
 * Plans the change of the fields that the body names. A body that changes nothing is not written, so that version and
 * time stay.
 * @throws ApiError PRECONDITION_FAILED
 */
export function planChange(
  context: WriteContext,
  { model, record }: { model: Model; record: RecordRow },
  body: unknown,
  { versions, event, earlier }: ChangeOptions,
): CheckedWrite {
  checkVersion(record, versions);
  const before = allValuesOf(model, record.data);
  const validated =
    earlier === undefined
      ? changedValues(model, body, systemValues(model, record), context.patterns)
      : { values: allValuesOf(model, earlier), references: [], errors: new ValidationErrors() };
  if (!model.drafts && earlier === undefined) {
    const all = new Map([...before, ...validated.values]);
    addLacking(model, all, localesWritten(model, validated.values), validated.errors);
  }
  return checkedWrite(context, validated, before, (values) => {
    const after = new Map([...before, ...values]);
    const changed = allFields(model).filter(
      ({ no }) => JSON.stringify(after.get(no)) !== JSON.stringify(before.get(no)),
    );
    if (changed.length === 0) {
      return { ...nothingToWrite(written(model, record)), values: after };
    }
    checkChanged(context.scopes, model, changed);
    const { id, version } = record;
    const isOwnChanged = changed.some(({ no }) => localeOfNumber(no) === DEFAULT_NUMBER);
    const content = isOwnChanged ? ownContentOf(model, after) : null;
    const sides = sideContents(model, after, sidesOf(changed.map(({ no }) => no)));
    const localized = changeOfEditions(model, record, changed, sides);
    const change = {
      id,
      version,
      content,
      event: eventOf(context, event, model, numbersOf(changed)),
      changed,
      localized,
    };
    const write = withOutcome(updateRecord(asStored(model), change), (updatedAt) => {
      if (updatedAt === null) return null;
      const locales = localized ? localized.after : record.locales;
      const updatedBy = actorColumn(context.origin.actor);
      const change = { data: dataOf(after), version: version + 1, updatedAt, updatedBy, locales };
      return written(model, { ...record, ...change });
    });
    return { ...write, values: after };
  });
}
