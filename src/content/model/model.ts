/** A model in memory: its row, with the fields parsed and by name. */
import type { models } from "../../../schema/tables.ts";
import type { Json } from "../field-types/field-type.ts";
import { fieldView, inPresentForm, type StoredField } from "../field-types/fields.ts";
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
}

/** The columns of which a model is made. */
export type ModelSource = Pick<
  ModelRow,
  "id" | "typeModel" | "name" | "version" | "titleField" | "fields"
> & {
  /** 1 or 0 in JSON that D1 has made. */
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
 * Reads a record's data as values of the model's present fields. Data of an earlier version may be older than the
 * change of a field to a list or back; its values get the form that the field has now.
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
