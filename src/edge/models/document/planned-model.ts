/** The planned changes of models, as an answer has them. */
import type { TypeModel } from "../../../content/model/type-models.ts";
import { changeView, type PlannedChange } from "../change/3-plan-change.ts";
import { NO_OPTIONS, OPTIONS } from "../model-options.ts";
import { optionsOf, type DocumentModel } from "./document.ts";

/** The change of one model, as an answer has it. */
export interface PlannedModel {
  action: "create" | "change" | "none";
  typeModel: TypeModel;
  model: string;
  added: string[];
  removed: string[];
  /** The new names of fields by their old ones. */
  renamed: Record<string, string>;
  changed: string[];
  options: string[];
  /** Whether the fields change their order. */
  reordered: boolean;
  /** The records that the change concerns. */
  records: number;
  inBackground: boolean;
}

export const createdEntry = (model: DocumentModel): PlannedModel => {
  const options = optionsOf(model);
  return {
    ...{ action: "create", typeModel: model.typeModel, model: model.name },
    ...{ added: model.fields.map(({ name }) => name), removed: [], renamed: {}, changed: [] },
    options: OPTIONS.filter((name) => (options[name] ?? false) !== (NO_OPTIONS[name] ?? false)),
    ...{ reordered: false, records: 0, inBackground: false },
  };
};

export const unchangedEntry = ({ typeModel, name }: DocumentModel): PlannedModel => ({
  ...{ action: "none", typeModel, model: name },
  ...{ added: [], removed: [], renamed: {}, changed: [], options: [] },
  ...{ reordered: false, records: 0, inBackground: false },
});

export function changedEntry({ typeModel, name }: DocumentModel, planned: PlannedChange): PlannedModel {
  const view = changeView(planned);
  const kept = new Set(planned.change.kept.map(({ before }) => before.no));
  const before = planned.model.fields.filter(({ no }) => kept.has(no)).map(({ no }) => no);
  const after = planned.change.kept.map(({ after: field }) => field.no);
  const { added, removed, renamed, changed, options } = view;
  return {
    ...{ action: "change", typeModel, model: name },
    ...{ added, removed, renamed, changed, options },
    reordered: before.join() !== after.join(),
    records: planned.records,
    inBackground: planned.isLarge,
  };
}
