/** A model as the code holds it: its row, with the fields parsed and at hand by name. */
import type { models } from "../../../schema/tables.ts";
import { fieldView, inPresentForm, type Json, type StoredField } from "../field-types/fields.ts";
import type { TypeModel } from "./type-models.ts";

export type ModelRow = typeof models.$inferSelect;

/** A record's values by field number: how they are stored. */
export type Values = Map<number, Json>;

/** Columns that hold a record's values. */
export interface StoredContent {
  /** The values as JSON, by field number. */
  data: string;
  /** Its texts with case and accents folded, as JSON by field number, where SQLite cannot fold them by itself. */
  folded: string;
  /** Bytes of `data`. */
  sizeBytes: number;
}

export interface Model {
  id: number;
  typeModel: TypeModel;
  name: string;
  version: number;
  /** The number of the field that titles records; null where none was named. */
  titleField: number | null;
  /** Its records have a draft, and a published content once they are published (RULES 3.14). */
  drafts: boolean;
  fields: StoredField[];
  byName: ReadonlyMap<string, StoredField>;
}

/** What a model is made of; of the row, or of what a query gives of it. */
export type ModelSource = Pick<
  ModelRow,
  "id" | "typeModel" | "name" | "version" | "titleField" | "fields"
> & {
  /** JSON that D1 makes has 1 and 0. */
  drafts: boolean | number;
};

export function modelOf(row: ModelSource): Model {
  const fields = JSON.parse(row.fields) as StoredField[];
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
 * Reads a record's data as values of the model's present fields. Data of an earlier version may be from before
 * a field became a list, or ceased to be one: its values have the form that the field has now.
 */
export function valuesOf(model: Model, data: string): Values {
  const stored = new Map(Object.entries(JSON.parse(data) as Record<string, Json>));
  return new Map(
    model.fields.map((field) => {
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
    drafts: row.drafts,
    public: row.public,
    fields: fields.map(fieldView),
    version: row.version,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  };
}
