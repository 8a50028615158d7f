/** Plans the steps to a document of models one by one, each in the space as it would be after those before it. */
import { ApiError, type ErrorDetail } from "../../../errors.ts";
import { CONTENT } from "../../../limits.ts";
import { ValidationErrors } from "../../../content/faults/validation-errors.ts";
import type { StoredField } from "../../../content/field-types/fields.ts";
import type { Field } from "../../../content/field-types/registry.ts";
import type { Space } from "../../spaces/authorize.ts";
import type { Database, QueryCount } from "../../storage/database/database.ts";
import type { ModelRow } from "../../storage/spaces/entries.ts";
import type { ChangeRequest } from "../change/1-compare-fields.ts";
import type { Origin } from "../../storage/events/actor.ts";
import { planModelChange } from "../change/3-plan-change.ts";
import { checkedFields } from "../models.ts";
import type { AskedOptions } from "../model-options.ts";
import { fieldOf, keyOf, optionsOf, renamesOf, type DocumentModel, type ModelsDocument } from "./document.ts";
import { ModelNames } from "./allowed-losses.ts";
import type { OrderedStep } from "./order.ts";
import type { DocumentConflict } from "./plan-settings.ts";
import { VirtualSpace } from "./virtual-space.ts";
import { changedEntry, createdEntry, type PlannedModel } from "./planned-model.ts";

/** A step that is to be made. */
export type DocumentStep =
  | { kind: "settings" }
  | { kind: "create"; model: DocumentModel; fields: Field[]; options: AskedOptions }
  | { kind: "change"; model: DocumentModel; asked: ChangeRequest };

export interface DocumentWriting {
  db: Database;
  space: Space;
  /** The actor and the request that the events of the changes name. */
  origin: Origin;
  now: number;
  /** The queries of the request so far. */
  queries: QueryCount;
}

export interface AskedDocument {
  document: ModelsDocument;
  /** The values that may be lost: `model.field`, `model.field@de`, and `@de` for a locale (allowed-losses.ts). */
  allowDrop: readonly string[];
}

/**
 * Returns the request that changes a model to what the document says.
 * @param allowed the values that may be lost, as `drop` of a model change names them
 */
function requestFor(
  model: DocumentModel,
  before: readonly StoredField[],
  allowed: readonly string[],
): ChangeRequest {
  const rename = renamesOf(before, model.fields);
  const stays = new Set(model.fields.map(({ name }) => name));
  const drop = allowed.filter((name) => !stays.has(name) && !rename.has(name));
  return { fields: model.fields.map(fieldOf), drop, rename, options: optionsOf(model), faults: [] };
}

/** Returns a conflict of a model change as one of the document. @param name of the model, as the document tells it apart */
export function conflictOf(name: string, { path, message, loss }: ErrorDetail): DocumentConflict {
  if (!loss) return { path: `${name}.${path}`, message };
  const allowed = `${name}.${loss.name}`;
  const isField = !loss.name.includes("@");
  const keep = isField ? `, or keep them by "renamedFrom" of the field that takes its place` : "";
  return {
    path: `${name}.${path}`,
    message: `${loss.fact}; lose them by "${allowed}" in allowDrop${keep}`,
    loss: { name: allowed, fact: loss.fact },
  };
}

/** Returns a fault of a model change as one of the document. */
function faultOf(index: number, { fields }: DocumentModel, { path, message }: ErrorDetail): ErrorDetail {
  const renamed = path.startsWith("rename.") ? path.slice("rename.".length) : null;
  const at = renamed === null ? -1 : fields.findIndex(({ renamedFrom }) => renamedFrom === renamed);
  return { path: `models.${index}.${at < 0 ? path : `fields.${at}.renamedFrom`}`, message };
}

/** Gathers the plan of a document, step by step. */
export class Planner {
  readonly virtual: VirtualSpace;
  readonly errors = new ValidationErrors();
  readonly conflicts: DocumentConflict[] = [];
  readonly steps: DocumentStep[] = [];
  readonly entries = new Map<string, PlannedModel>();
  readonly #writing: DocumentWriting;
  readonly #asked: AskedDocument;
  readonly #names: ModelNames;
  readonly #around;
  readonly #counts: ReadonlyMap<number, number>;
  readonly #queriesMax: number;

  constructor(
    writing: DocumentWriting,
    asked: AskedDocument,
    names: ModelNames,
    rows: readonly ModelRow[],
    counts: ReadonlyMap<number, number>,
  ) {
    this.#counts = counts;
    this.#queriesMax = writing.queries.queries + CONTENT.documentPlanQueriesMax;
    this.#writing = writing;
    this.#asked = asked;
    this.#names = names;
    this.virtual = new VirtualSpace(rows);
    this.#around = this.virtual.surroundings;
  }

  /** Checks a step, and takes it in the virtual space. */
  async take(
    { model, fields, isWhole }: OrderedStep<DocumentModel>,
    index: number,
    space: Space,
  ): Promise<void> {
    try {
      const row = this.virtual.find(model);
      if (row && row.id > 0) await this.#change(model, row, space);
      else
        await this.#make(model, { fields: fields.map(fieldOf), isWhole, isThere: row !== undefined }, space);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "VALIDATION_FAILED") throw error;
      for (const fault of error.details ?? []) {
        const { path, message } = faultOf(index, model, fault);
        this.errors.add(path, message);
      }
    }
  }

  async #make(
    model: DocumentModel,
    { fields, isWhole, isThere }: { fields: Field[]; isWhole: boolean; isThere: boolean },
    space: Space,
  ): Promise<void> {
    const { typeModel, name } = model;
    const all = optionsOf(model);
    const hasTitle = fields.some((field) => field.name === all.titleField);
    // The first of two steps may lack fields that these options name. The second one sets them.
    const titleField = hasTitle || isWhole ? all.titleField : null;
    const options = { ...all, titleField, previewUrl: isWhole ? all.previewUrl : null };
    const asked = { drop: [], rename: new Map<string, string>(), options, faults: [], fields };
    this.steps.push(isThere ? { kind: "change", model, asked } : { kind: "create", model, fields, options });
    this.entries.set(keyOf(model), createdEntry(model));
    const input = { typeModel, name, fields, options };
    const checked = await checkedFields(this.#around, space, input, new ValidationErrors());
    this.virtual.make(space.id, input, checked);
  }

  async #change(model: DocumentModel, row: ModelRow, space: Space): Promise<void> {
    const before = JSON.parse(row.fields) as StoredField[];
    const asked = requestFor(model, before, this.#names.dropsOf(model, this.#asked.allowDrop));
    this.steps.push({ kind: "change", model, asked });
    const { db, origin, now, queries } = this.#writing;
    const isSpent = (): boolean => queries.queries >= this.#queriesMax;
    const wasSpent = isSpent();
    const dryRun = { counts: this.#counts, isSpent };
    const writing = { db, origin, now, space, versions: null, around: this.#around, dryRun };
    const planned = await planModelChange(writing, row, asked);
    this.entries.set(keyOf(model), changedEntry(model, planned));
    const name = this.#names.of(model);
    this.conflicts.push(...planned.conflicts.map((one) => conflictOf(name, one)));
    // Its records may hold values that would be lost, which a plan must tell.
    if (wasSpent && planned.isLarge) this.conflicts.push({ path: name, message: NOT_LOOKED_AT });
    this.virtual.change(planned);
  }
}

const NOT_LOOKED_AT =
  "was not looked at: the document changes too many models that have records. Plan and apply it in parts, with fewer models each";
