/** The options of a model: its label and description, the field that titles records, drafts and publicity. Pure. */
import { ACTOR_FIELDS } from "../../content/field-types/base.ts";
import type { ModelRow } from "../storage/spaces/entries.ts";
import type { StoredField } from "../../content/field-types/fields.ts";
import type { Field } from "../../content/field-types/registry.ts";
import { previewUrlFault, shownPreviewUrl, storedPreviewUrl } from "../../content/model/preview-url.ts";
import { canTitle } from "../../content/model/title.ts";
import { isReservedWithDrafts } from "../../content/model/publication.ts";
import { isLocaleField } from "../../content/locales/reserved.ts";
import type { ValidationErrors } from "../../content/faults/validation-errors.ts";

/** The options of a request. An option that is left out stays unchanged; null removes it. */
export interface AskedOptions {
  label?: string | null | undefined;
  description?: string | null | undefined;
  /** The name of one of the fields given. */
  titleField?: string | null | undefined;
  /** The template of the page that previews a record. */
  previewUrl?: string | null | undefined;
  drafts?: boolean | undefined;
  public?: boolean | undefined;
}

/** The columns of the model's row. */
export type StoredOptions = Pick<
  ModelRow,
  "label" | "description" | "titleField" | "previewUrl" | "drafts" | "public"
>;

export const OPTIONS = [
  "label",
  "description",
  "titleField",
  "previewUrl",
  "drafts",
  "public",
] as const satisfies (keyof StoredOptions)[];

export const NO_OPTIONS: StoredOptions = {
  label: null,
  description: null,
  titleField: null,
  previewUrl: null,
  drafts: false,
  public: false,
};

function checkReserved(fields: readonly Field[], errors: ValidationErrors): void {
  for (const [index, { name }] of fields.entries()) {
    if (isReservedWithDrafts(name)) errors.add(`fields.${index}.name`, "is reserved in a model with drafts");
  }
}

/** System fields that are younger than some models. A model that had a field of this name before keeps it. */
const RESERVED_FOR_NEW: readonly string[] = ["firstPublishedAt", ...ACTOR_FIELDS];

/** @param before the fields of the model that is changed; none for a new one */
export function checkNewNames(
  fields: readonly Field[],
  before: readonly StoredField[],
  errors: ValidationErrors,
): void {
  const known = new Set(before.map(({ name }) => name));
  for (const [index, { name }] of fields.entries()) {
    if (RESERVED_FOR_NEW.includes(name) && !known.has(name))
      errors.add(`fields.${index}.name`, "is reserved");
  }
}

/** Adds a fault for each name that the service sets on records of a space with locales. */
export function checkLocaleNames(fields: readonly Field[], errors: ValidationErrors): void {
  for (const [index, { name }] of fields.entries()) {
    if (isLocaleField(name)) errors.add(`fields.${index}.name`, "is reserved in a space with locales");
  }
}

export function checkOptions(
  { titleField, previewUrl, drafts }: AskedOptions,
  fields: readonly Field[],
  errors: ValidationErrors,
): void {
  if (drafts) checkReserved(fields, errors);
  const fault = typeof previewUrl === "string" ? previewUrlFault(previewUrl, fields) : null;
  if (fault !== null) errors.add("previewUrl", fault);
  if (titleField === undefined || titleField === null) return;
  const field = fields.find(({ name }) => name === titleField);
  if (!field) errors.add("titleField", `"${titleField}" is not one of the fields given`);
  else if (!canTitle(field))
    errors.add("titleField", `"${titleField}" has no values that can be read as a title`);
}

/** Adds a fault for each option of a component that only models with records have. */
export function checkComponentOptions(asked: AskedOptions, errors: ValidationErrors): void {
  for (const option of ["drafts", "public", "previewUrl"] as const) {
    if (asked[option]) errors.add(option, "is not for components: the records that hold them have it");
  }
}

/** Returns the stored template after a change: none if it names a field that is removed or holds strings no more. */
function previewUrlAfter(
  before: string | null,
  asked: string | null | undefined,
  fields: readonly StoredField[],
): string | null {
  if (asked !== undefined) return asked === null ? null : storedPreviewUrl(asked, fields);
  return before !== null && shownPreviewUrl(before, fields) !== null ? before : null;
}

/** Returns the options after a change. A title field is dropped if the field is removed, or cannot title any more. */
export function optionsAfter(
  before: StoredOptions,
  asked: AskedOptions,
  fields: readonly StoredField[],
): StoredOptions {
  const {
    label = before.label,
    description = before.description,
    drafts = before.drafts,
    public: isPublic = before.public,
  } = asked;
  const titles = fields.filter(canTitle);
  const field =
    asked.titleField === undefined
      ? titles.find(({ no }) => no === before.titleField)
      : titles.find(({ name }) => name === asked.titleField);
  const previewUrl = previewUrlAfter(before.previewUrl, asked.previewUrl, fields);
  return { label, description, titleField: field?.no ?? null, previewUrl, drafts, public: isPublic };
}
