/** The operations of a bulk, each checked and planned as it would be alone; nothing is read or run. */
import { notFound } from "../../../errors.ts";
import { valuesOf, type Model, type Values } from "../../../content/model/model.ts";
import { codesOf, localesIn } from "../../../content/locales/locales.ts";
import type { Space } from "../../spaces/authorize.ts";
import type { RecordRow } from "../../storage/spaces/entries.ts";
import { withOutcome, type PlannedWrite } from "../../storage/database/planned-write.ts";
import type { Held } from "../../storage/locales/held.ts";
import type { TargetKey } from "../../storage/records/reference-targets.ts";
import { planChange, planCreate, type CheckedWrite, type WriteContext } from "../write/plan-write.ts";
import { checkVersion, versionsOfIfMatch } from "../read/preconditions.ts";
import { planStep } from "../write/publish.ts";
import { checkWhole } from "../write/scoped-write.ts";
import { entryOf, planDelete } from "../write/record-trash.ts";
import { versionsOf } from "../write/write.ts";

export type Operation =
  | { op: "create"; data: unknown }
  | { op: "update"; id: string; ifMatch?: string | undefined; data: unknown }
  | { op: "delete"; id: string; ifMatch?: string | undefined }
  | {
      op: "publish" | "unpublish";
      id: string;
      ifMatch?: string | undefined;
      /** The codes of the locales that it is for; left out for all. */
      locales?: readonly string[] | undefined;
    };

/** The result of an operation. */
export interface Done {
  op: Operation["op"];
  id: string;
  /** The version of the record after the operation; for a deleted record, its last one. */
  version: number;
}

/** A planned operation. Its outcome is null when its record or the model has changed since they were read. */
export interface OperationWrite extends PlannedWrite<Done | null> {
  op: Operation["op"];
  id: string;
  /** The values of the record's own content afterwards; null when it is deleted. */
  values: Values | null;
}

/** An operation that is checked but for the targets that it newly names. */
export interface CheckedOperation {
  targets: TargetKey[];
  /** @throws ApiError */
  plan: (missing: ReadonlySet<string>) => OperationWrite;
}

/** The context that the operations of a bulk share. */
export interface BulkContext extends WriteContext {
  space: Space;
  model: Model;
  /** The records that the operations name, by id. */
  records: ReadonlyMap<string, RecordRow>;
  /** Returns the values of a draft in the locales of the space, by `seq`; nothing for a record that is not published. */
  held: (seq: number) => Held;
}

const ofWrite = (op: "create" | "update", id: string, { targets, plan }: CheckedWrite): CheckedOperation => ({
  targets,
  plan(missing) {
    const write = plan(missing);
    const done = withOutcome(write, (written) => written && { op, id, version: written.version });
    return { ...done, op, id, values: write.values };
  },
});

function planned(
  op: "delete" | "publish" | "unpublish",
  { id, version }: RecordRow,
  write: PlannedWrite<boolean>,
  values: Values | null,
): CheckedOperation {
  const done = withOutcome(write, (isDone) => (isDone ? { op, id, version } : null));
  return { targets: [], plan: () => ({ ...done, op, id, values }) };
}

/**
 * Checks an operation.
 * @param newId the id of the record that it would create
 * @throws ApiError NOT_FOUND, PRECONDITION_FAILED, CONFLICT (the model has no drafts), VALIDATION_FAILED (to publish)
 */
export function checkOperation(context: BulkContext, operation: Operation, newId: string): CheckedOperation {
  const { space, model, records } = context;
  const { op } = operation;
  if (op === "create") return ofWrite(op, newId, planCreate(context, model, newId, operation.data));
  const record = records.get(operation.id);
  if (!record) throw notFound("The record");
  const versions = versionsOfIfMatch(operation.ifMatch, model);
  if (op === "update") {
    const options = { versions: versionsOf(operation.data, versions), event: "updated" } as const;
    return ofWrite(op, record.id, planChange(context, { model, record }, operation.data, options));
  }
  if (op === "delete") {
    checkVersion(record, versions);
    checkWhole(context.scopes, model, record, codesOf(localesIn(space.locales)));
    return planned(op, record, planDelete(context, { model, record }, entryOf(space, context.now())), null);
  }
  const target = { model, record, held: context.held(record.seq) };
  const step = planStep(context, target, { step: op, at: undefined, versions, locales: operation.locales });
  return planned(op, record, step, valuesOf(model, record.data));
}
