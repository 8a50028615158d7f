/** What a model says of itself beside its fields: what people read, and what titles its records. Pure. */
import type { ModelRow } from "../storage/spaces/entries.ts";
import type { Field, StoredField } from "../../content/field-types/fields.ts";
import { canTitle } from "../../content/model/title.ts";
import { isReservedWithDrafts } from "../../content/model/publication.ts";
import type { ValidationErrors } from "../../content/faults/validation-errors.ts";

/** Options of a request. What is left out stays as it is; null takes it back. */
export interface AskedOptions {
  label?: string | null | undefined;
  description?: string | null | undefined;
  /** The name of one of the fields given. */
  titleField?: string | null | undefined;
  drafts?: boolean | undefined;
  public?: boolean | undefined;
}

/** Columns of the model's row. */
export type StoredOptions = Pick<ModelRow, "label" | "description" | "titleField" | "drafts" | "public">;

export const OPTIONS = [
  "label",
  "description",
  "titleField",
  "drafts",
  "public",
] as const satisfies (keyof StoredOptions)[];

export const NO_OPTIONS: StoredOptions = {
  label: null,
  description: null,
  titleField: null,
  drafts: false,
  public: false,
};

function checkReserved(fields: readonly Field[], errors: ValidationErrors): void {
  for (const [index, { name }] of fields.entries()) {
    if (isReservedWithDrafts(name)) errors.add(`fields.${index}.name`, "is reserved in a model with drafts");
  }
}

/** Names of fields that the service has set since some models had fields of these names, which keep them. */
const RESERVED_FOR_NEW: readonly string[] = ["firstPublishedAt"];

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

export function checkOptions(
  { titleField, drafts }: AskedOptions,
  fields: readonly Field[],
  errors: ValidationErrors,
): void {
  if (drafts) checkReserved(fields, errors);
  if (titleField === undefined || titleField === null) return;
  const field = fields.find(({ name }) => name === titleField);
  if (!field) errors.add("titleField", `"${titleField}" is not one of the fields given`);
  else if (!canTitle(field))
    errors.add("titleField", `"${titleField}" has no values that can be read as a title`);
}

/** The options after a change. A title field goes with its field, and when that can title no more. */
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
  return { label, description, titleField: field?.no ?? null, drafts, public: isPublic };
}
