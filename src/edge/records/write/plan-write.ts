/** Plans writes of one record (RULES 3.6): a body is checked, and what is to be written follows. Nothing is read or run. */
import type { Database } from "../../storage/database/database.ts";
import type { RecordRow } from "../../storage/spaces/entries.ts";
import { nothingToWrite, withOutcome, type PlannedWrite } from "../../storage/database/planned-write.ts";
import type { Author, RecordEvent } from "../../storage/history/record-versions.ts";
import { insertRecord, updateRecord } from "../../storage/records/records.ts";
import { targetName, type TargetKey } from "../../storage/records/reference-targets.ts";
import { isEmptyValue, SYSTEM_FIELDS, type StoredField } from "../../../content/field-types/fields.ts";
import { valuesOf, type Model, type Values } from "../../../content/model/model.ts";
import { DRAFT_FIELDS, UNPUBLISHED } from "../../../content/model/publication.ts";
import { checkVersion, etagOf } from "../read/preconditions.ts";
import { referenceTo } from "./references-in.ts";
import { recordView, type RecordView, type StoredRecord } from "../read/record-object.ts";
import type { StepBudget } from "../../../content/patterns/step-budget.ts";
import { contentOf } from "./stored-content.ts";
import { addMissing, changedValues, newReferences, newValues, type Validated } from "./validate.ts";

export interface WriteContext {
  db: Database;
  spaceId: string;
  /** The author of the change, for the history. */
  author: Author;
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

/** The answer to a write: the record as it is stored. */
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

/** A write that is checked but for the targets that it newly names. */
export interface CheckedWrite {
  targets: TargetKey[];
  /**
   * @param missing the names of the targets that are not there
   * @throws ApiError VALIDATION_FAILED with every fault of the body
   */
  plan: (missing: ReadonlySet<string>) => RecordWrite;
}

export const eventOf = (
  context: WriteContext,
  event: RecordEvent["event"],
  changed: readonly StoredField[] = [],
): RecordEvent => ({
  event,
  author: context.author,
  now: context.now(),
  changed: changed.map(({ no }) => no),
});

/** @param before the values that the record has: targets that it names already need not be there */
function checkedWrite(
  model: Model,
  { values, strayIds, errors }: Validated,
  before: Values,
  planOf: (values: Values) => RecordWrite,
): CheckedWrite {
  const references = newReferences(model, new Map([...values, ...strayIds]), before);
  return {
    targets: references.flatMap(({ field, ids }) => ids.map((id) => referenceTo(field, id))),
    plan(missing) {
      addMissing(errors, references, (field, id) => missing.has(targetName(referenceTo(field, id))));
      errors.throwIfAny();
      return planOf(values);
    },
  };
}

/** Plans a new record. */
export function planCreate(context: WriteContext, model: Model, id: string, body: unknown): CheckedWrite {
  return checkedWrite(model, newValues(model, body, context.patterns), new Map(), (values) => {
    const content = contentOf(model, values);
    const given = model.fields.filter((field) => !isEmptyValue(field, values.get(field.no) ?? null));
    const event = eventOf(context, "created", given);
    const insert = insertRecord(model, { id, spaceId: context.spaceId, content, event });
    const write = withOutcome(insert, (createdAt) => {
      if (createdAt === null) return null;
      const times = { createdAt, updatedAt: createdAt };
      return written(model, { id, data: content.data, version: 1, ...times, ...UNPUBLISHED });
    });
    return { ...write, values };
  });
}

const systemValues = (model: Model, record: RecordRow): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(recordView(model, record, new Set([...SYSTEM_FIELDS, ...DRAFT_FIELDS]))));

export interface ChangeOptions {
  /** Versions that it may be made from; null for any. */
  versions: ReadonlySet<number> | null;
  event: RecordEvent["event"];
}

/**
 * Plans the change of the fields that the body names. What changes nothing is not written: version and time stay.
 * @throws ApiError PRECONDITION_FAILED
 */
export function planChange(
  context: WriteContext,
  { model, record }: { model: Model; record: RecordRow },
  body: unknown,
  { versions, event }: ChangeOptions,
): CheckedWrite {
  checkVersion(record, versions);
  const before = valuesOf(model, record.data);
  const validated = changedValues(model, body, systemValues(model, record), context.patterns);
  return checkedWrite(model, validated, before, (values) => {
    const after = new Map([...before, ...values]);
    const changed = model.fields.filter(
      ({ no }) => JSON.stringify(after.get(no)) !== JSON.stringify(before.get(no)),
    );
    if (changed.length === 0) {
      return { ...nothingToWrite(written(model, record)), values: after };
    }
    const content = contentOf(model, after);
    const { id, version } = record;
    const change = { id, version, content, event: eventOf(context, event, changed), changed };
    const write = withOutcome(updateRecord(model, change), (updatedAt) => {
      if (updatedAt === null) return null;
      return written(model, { ...record, data: content.data, version: version + 1, updatedAt });
    });
    return { ...write, values: after };
  });
}
