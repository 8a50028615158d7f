/**
 * A document of models, as a team keeps it in its repository: the settings and models that a space is to have. A model
 * that it does not name is left alone, and an option that it leaves out is its default. Pure.
 */
import type { ValidationErrors } from "../../../content/faults/validation-errors.ts";
import { fieldView, type StoredField } from "../../../content/field-types/fields.ts";
import type { Field } from "../../../content/field-types/registry.ts";
import { shownPreviewUrl } from "../../../content/model/preview-url.ts";
import type { TypeModel } from "../../../content/model/type-models.ts";
import type { SettingsView } from "../../spaces/settings.ts";
import type { ModelRow } from "../../storage/spaces/entries.ts";
import type { Renames } from "../change/1-compare-fields.ts";
import { withStoredDefaults } from "../check-fields.ts";
import type { AskedOptions } from "../model-options.ts";

/** A field of a document. `renamedFrom` is the name that it had before; it has no meaning once it is renamed. */
export type DocumentField = Field & { renamedFrom?: string | undefined };

export interface DocumentModel extends AskedOptions {
  typeModel: TypeModel;
  name: string;
  fields: DocumentField[];
}

/** The settings of a document. One that is left out is kept. */
export type DocumentSettings = {
  [Name in Exclude<keyof SettingsView, "locales">]?: SettingsView[Name] | undefined;
} & { locales?: { code: string; fallback?: string | null | undefined }[] | undefined };

export interface ModelsDocument {
  settings?: DocumentSettings | undefined;
  models: DocumentModel[];
}

/** Returns a name that no other model of the space has. */
export const keyOf = ({ typeModel, name }: Pick<DocumentModel, "typeModel" | "name">): string =>
  `${typeModel}/${name}`;

/** Returns a field as it is stored, without its former name. */
export function fieldOf(field: DocumentField): Field {
  const own: DocumentField = { ...field };
  delete own.renamedFrom;
  return withStoredDefaults(own);
}

/** Returns all options of a model: the ones that it leaves out at their defaults. */
export const optionsOf = ({
  label = null,
  description = null,
  titleField = null,
  previewUrl = null,
  drafts = false,
  public: isPublic = false,
}: DocumentModel): AskedOptions => ({ label, description, titleField, previewUrl, drafts, public: isPublic });

/**
 * Returns the renames that are still to be done. A field is renamed if the model has it under the old name, and the new
 * name is free, or becomes free by another rename. So a document that was applied has none.
 */
export function renamesOf(
  before: readonly Pick<StoredField, "name">[],
  fields: readonly DocumentField[],
): Renames {
  const names = new Set(before.map(({ name }) => name));
  const asked = fields.flatMap(({ name, renamedFrom }): [string, string][] =>
    renamedFrom !== undefined && names.has(renamedFrom) ? [[renamedFrom, name]] : [],
  );
  const pending = new Map<string, string>();
  for (let found = true; found;) {
    found = false;
    for (const [from, to] of asked) {
      if (pending.has(from) || (names.has(to) && !pending.has(to))) continue;
      pending.set(from, to);
      found = true;
    }
  }
  return pending;
}

/** Adds the faults of a document that its schema cannot find. */
export function checkDocument({ models }: ModelsDocument, errors: ValidationErrors): void {
  const seen = new Set<string>();
  for (const [index, model] of models.entries()) {
    if (seen.has(keyOf(model))) errors.add(`models.${index}.name`, "is given twice");
    seen.add(keyOf(model));
    checkRenames(model, `models.${index}`, errors);
  }
}

function checkRenames({ fields }: DocumentModel, path: string, errors: ValidationErrors): void {
  const sources = new Map(fields.map(({ name, renamedFrom }) => [name, renamedFrom]));
  const seen = new Set<string>();
  for (const [index, { name, renamedFrom }] of fields.entries()) {
    if (renamedFrom === undefined) continue;
    const at = `${path}.fields.${index}.renamedFrom`;
    if (seen.has(renamedFrom)) errors.add(at, `"${renamedFrom}" is given twice`);
    seen.add(renamedFrom);
    if (isCircle(name, sources)) errors.add(at, "leads in a circle: rename in two steps, by a name between");
  }
}

/** Returns whether the former names of fields lead back to a field. */
function isCircle(name: string, sources: ReadonlyMap<string, string | undefined>): boolean {
  const seen = new Set<string>();
  for (let at = sources.get(name); at !== undefined && !seen.has(at); at = sources.get(at)) {
    if (at === name) return true;
    seen.add(at);
  }
  return false;
}

/** Returns whether a stored model is as the document says. */
export function isAsAsked(row: ModelRow, model: DocumentModel): boolean {
  const stored = JSON.parse(row.fields) as StoredField[];
  const asked = optionsOf(model);
  const titleField = stored.find(({ no }) => no === row.titleField)?.name ?? null;
  const previewUrl = row.previewUrl === null ? null : shownPreviewUrl(row.previewUrl, stored);
  return (
    row.label === asked.label &&
    row.description === asked.description &&
    titleField === asked.titleField &&
    previewUrl === asked.previewUrl &&
    row.drafts === asked.drafts &&
    row.public === asked.public &&
    JSON.stringify(stored.map(fieldView)) === JSON.stringify(model.fields.map(fieldOf))
  );
}
