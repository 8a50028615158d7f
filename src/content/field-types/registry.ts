/**
 * The registry of field types. A new type is a file that states its meaning, and an entry here. The code that reads
 * fields asks the registry, and the switches over a type's properties are exhaustive, so no type falls through.
 */
import * as z from "zod";
import { BOOLEAN } from "./boolean.ts";
import { DATETIME_TYPE } from "./datetime.ts";
import { ENUM } from "./enum.ts";
import type { FieldMeaning, IndexKind } from "./field-type.ts";
import { JSON_TYPE } from "./json.ts";
import { MEDIA } from "./media.ts";
import { BLOCKS } from "./nested/blocks.ts";
import { COMPONENT } from "./nested/component.ts";
import { RICH_TEXT_TYPE } from "./nested/rich-text.ts";
import { NUMBER } from "./number.ts";
import { RELATION } from "./relation.ts";
import { STRING } from "./string.ts";
import { TEXT } from "./text.ts";

/** The field types by their names, in the order in which the API document has them. */
export const FIELD_TYPES = {
  string: STRING,
  text: TEXT,
  number: NUMBER,
  boolean: BOOLEAN,
  datetime: DATETIME_TYPE,
  enum: ENUM,
  json: JSON_TYPE,
  media: MEDIA,
  relation: RELATION,
  component: COMPONENT,
  blocks: BLOCKS,
  richtext: RICH_TEXT_TYPE,
};

type Registry = typeof FIELD_TYPES;
export type FieldType = keyof Registry;

export const isFieldType = (name: unknown): name is FieldType =>
  typeof name === "string" && Object.hasOwn(FIELD_TYPES, name);

type SchemaOfField = Registry[FieldType]["schema"];

/** The definition of a field, as an admin writes it. */
export const fieldSchema = z
  .discriminatedUnion(
    "type",
    // `Object.values` loses that there is a first one, which Zod's type asks for.
    Object.values(FIELD_TYPES).map(({ schema }) => schema) as [SchemaOfField, ...SchemaOfField[]],
  )
  .meta({ id: "Field" });

export type Field = z.output<SchemaOfField>;

/** Each entry stands under the name that its definitions have as their type. */
FIELD_TYPES satisfies { [Name in FieldType]: FieldMeaning<Extract<Field, { type: Name }>> };

/** Returns the meaning of a field's type. */
export const meaningOf = (field: Field): FieldMeaning<Field, IndexKind> =>
  FIELD_TYPES[field.type] as unknown as FieldMeaning<Field, IndexKind>;

/** The names of the types that are indexed in one of these ways. */
type TypeIndexedAs<Kind extends IndexKind> = {
  [Name in FieldType]: Registry[Name]["index"] extends Kind ? Name : never;
}[FieldType];

export type FieldIndexedAs<Kind extends IndexKind> = Extract<Field, { type: TypeIndexedAs<Kind> }>;

/** Returns whether a field is indexed in one of these ways. */
export const isIndexedAs = <Kind extends IndexKind, F extends Field>(
  field: F,
  ...kinds: Kind[]
): field is F & FieldIndexedAs<Kind> => (kinds as IndexKind[]).includes(FIELD_TYPES[field.type].index);

/** Lists the names of the types with a property, for SQL that reads the definitions of fields. */
export const typesWhere = (has: (type: Registry[FieldType]) => boolean): FieldType[] =>
  (Object.keys(FIELD_TYPES) as FieldType[]).filter((name) => has(FIELD_TYPES[name]));
