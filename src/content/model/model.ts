/** A model in memory: its row, with the fields parsed and by name. */
import type { models } from "../../../schema/tables.ts";
import type { Json } from "../field-types/field-type.ts";
import { fieldView, inPresentForm, type StoredField } from "../field-types/fields.ts";
import type { LocaleScope } from "../locales/scope.ts";
import { componentsOf, NO_COMPONENTS, withComponents, type StoredComponents } from "./components.ts";
import { shownPreviewUrl } from "./preview-url.ts";
import type { TypeModel } from "./type-models.ts";

export type ModelRow = typeof models.$inferSelect;

/** A record's values by field number, as they are stored. */
export type Values = Map<number, Json>;

/** The columns that hold a record's values. */
export interface StoredContent {
  /** The values as JSON, by field number. */
  data: string;
  /** The texts that SQLite cannot fold by itself, with case and accents folded: JSON by field number. */
  folded: string;
  /** The bytes of `data`. */
  sizeBytes: number;
}

export interface Model {
  id: number;
  typeModel: TypeModel;
  name: string;
  version: number;
  /** The number of the field that titles records; null if none was named. */
  titleField: number | null;
  /** Whether records have a draft, and a published content once they are published (RULES 3.14). */
  drafts: boolean;
  fields: StoredField[];
  byName: ReadonlyMap<string, StoredField>;
  /** Whether answers name the actors of its records (RULES 14.6). */
  showsActors?: boolean | undefined;
  /** The locale in which its records are read or written. Absent in a space without locales, as the next two. */
  scope?: LocaleScope | undefined;
  /** The model as it is stored, with the numbers that its fields have in the default locale. */
  base?: Model | undefined;
  /** The fields with all numbers under which a record of the scope has values. */
  stored?: readonly StoredField[] | undefined;
}

/** The columns of which a model is made. */
export type ModelSource = Pick<
  ModelRow,
  "id" | "typeModel" | "name" | "version" | "titleField" | "fields" | "components"
> & {
  /** 1 or 0 in JSON that D1 has made. */
  drafts: boolean | number;
};

/** Parses the fields of a model, with the components that they may hold. */
export function fieldsOf({ fields, components }: Pick<ModelSource, "fields" | "components">): StoredField[] {
  const parsed = JSON.parse(fields) as StoredField[];
  if (components === NO_COMPONENTS) return parsed;
  const held = componentsOf(JSON.parse(components) as StoredComponents);
  return parsed.map((field) => withComponents(field, held));
}

export function modelOf(row: ModelSource): Model {
  const fields = fieldsOf(row);
  const { id, typeModel, name, version, titleField } = row;
  return {
    id,
    typeModel,
    name,
    version,
    titleField,
    drafts: Boolean(row.drafts),
    fields,
    byName: new Map(fields.map((field) => [field.name, field])),
  };
}

/**
 * Reads a record's data as values of the model's present fields. Data of an earlier version may be older than the
 * change of a field to a list or back; its values get the form that the field has now.
 */
export function valuesOf(model: Model, data: string): Values {
  const stored = new Map(Object.entries(JSON.parse(data) as Record<string, Json>));
  return new Map(
    (model.stored ?? model.fields).map((field) => {
      const value = stored.get(String(field.no));
      return [field.no, value === undefined ? field.absent : inPresentForm(field, value)];
    }),
  );
}

export function modelView(row: ModelRow): Record<string, unknown> {
  const fields = JSON.parse(row.fields) as StoredField[];
  return {
    typeModel: row.typeModel,
    name: row.name,
    label: row.label,
    description: row.description,
    titleField: fields.find(({ no }) => no === row.titleField)?.name ?? null,
    previewUrl: row.previewUrl === null ? null : shownPreviewUrl(row.previewUrl, fields),
    drafts: row.drafts,
    public: row.public,
    fields: fields.map(fieldView),
    version: row.version,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  };
}
