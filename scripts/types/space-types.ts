/** Writes a space's models as the types that src/client/models.ts understands. Pure. */
import type { ValueSchema } from "../../src/content/field-types/field-type.ts";
import {
  collectionOf,
  isList,
  isReference,
  type ReferenceField,
} from "../../src/content/field-types/fields.ts";
import { meaningOf, type Field } from "../../src/content/field-types/registry.ts";

export interface ModelDescription {
  typeModel: "collections" | "pages";
  name: string;
  fields: Field[];
  drafts?: boolean;
}

/** Converts the JSON Schema of one value to TypeScript. */
function typescriptOf(schema: ValueSchema): string {
  switch (schema.type) {
    case "string":
      return schema.enum ? schema.enum.map((value) => JSON.stringify(value)).join(" | ") : "string";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    case undefined:
      return "unknown";
    default:
      return schema satisfies never;
  }
}

/** Returns the type of a value that is not null. */
function plainType(field: Field): string {
  const type = typescriptOf(meaningOf(field).schemaOf(field));
  return isList(field) ? `${type}[]` : type;
}

/** The type of a field's value. A required field is never null, except in pages (made of defaults) and in drafts. */
function valueType(field: Field, mayLack: boolean): string {
  const type = plainType(field);
  return isList(field) || (field.required && !mayLack) || type === "unknown" ? type : `${type} | null`;
}

function inputType(field: Field, isDraft: boolean): string {
  const hasDefault = "default" in field && field.default !== undefined && field.default !== null;
  const type = plainType(field);
  const isRequired = field.required && !isDraft;
  const optional = !isRequired || hasDefault ? "?" : "";
  return `${JSON.stringify(field.name)}${optional}: ${isRequired || type === "unknown" ? type : `${type} | null`};`;
}

const referenceType = (field: ReferenceField): string =>
  `${JSON.stringify(field.name)}: { to: ${JSON.stringify(collectionOf(field))}; many: ${isList(field)} };`;

function modelType({ name, typeModel, fields, drafts = false }: ModelDescription): string {
  const mayLack = typeModel === "pages" || drafts;
  const lines = <Some extends Field>(of: (field: Some) => string, some: readonly Some[]): string =>
    some.map((field) => `        ${of(field)}`).join("\n");
  const linked = fields.filter((field) => isReference(field));
  // `object` has no keys to populate, whereas `{}` would allow anything.
  const references = linked.length > 0 ? `{\n${lines(referenceType, linked)}\n      }` : "object";
  return `    ${JSON.stringify(name)}: {
      values: {
${lines((field) => `${JSON.stringify(field.name)}: ${valueType(field, mayLack)};`, fields)}
      };
      input: {
${lines((field) => inputType(field, drafts), fields)}
      };
      references: ${references};${drafts ? "\n      drafts: true;" : ""}
    };`;
}

export function spaceTypes(space: string, models: ModelDescription[]): string {
  const of = (kind: ModelDescription["typeModel"]): string =>
    models
      .filter(({ typeModel }) => typeModel === kind)
      .map(modelType)
      .join("\n");
  return `/** The models of the space "${space}", written by \`npm run types\`. */
export interface Space {
  collections: {
${of("collections")}
  };
  pages: {
${of("pages")}
  };
}
`.replaceAll(/\n\s*\n/g, "\n");
}
