/** Writes a space's models as the types that src/client/models.ts understands. Pure. */
import { isMultiple, isReference, type Field } from "../../src/content/field-types/fields.ts";

export interface ModelDescription {
  typeModel: "collections" | "pages";
  name: string;
  fields: Field[];
  drafts?: boolean;
}

function plainType(field: Field): string {
  switch (field.type) {
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "json":
      return "unknown";
    case "enum":
      return field.values.map((value) => JSON.stringify(value)).join(" | ");
    default:
      return "string";
  }
}

/** The type of a field's value. A required field is never null, except in pages (made of defaults) and in drafts. */
function valueType(field: Field, mayLack: boolean): string {
  if (isMultiple(field)) return "string[]";
  const type = plainType(field);
  return (field.required && !mayLack) || type === "unknown" ? type : `${type} | null`;
}

function inputType(field: Field, isDraft: boolean): string {
  const hasDefault = "default" in field && field.default !== undefined && field.default !== null;
  const type = isMultiple(field) ? "string[]" : plainType(field);
  const isRequired = field.required && !isDraft;
  const optional = !isRequired || hasDefault ? "?" : "";
  return `${JSON.stringify(field.name)}${optional}: ${isRequired || type === "unknown" ? type : `${type} | null`};`;
}

const referenceType = (field: Field): string =>
  `${JSON.stringify(field.name)}: { to: ${field.type === "relation" ? JSON.stringify(field.to) : "null"}; many: ${isMultiple(field)} };`;

function modelType({ name, typeModel, fields, drafts = false }: ModelDescription): string {
  const mayLack = typeModel === "pages" || drafts;
  const lines = (of: (field: Field) => string, some = fields): string =>
    some.map((field) => `        ${of(field)}`).join("\n");
  const linked = fields.filter(isReference);
  // `object` has no keys to populate, whereas `{}` would allow anything.
  const references = linked.length > 0 ? `{\n${lines(referenceType, linked)}\n      }` : "object";
  return `    ${JSON.stringify(name)}: {
      values: {
${lines((field) => `${JSON.stringify(field.name)}: ${valueType(field, mayLack)};`)}
      };
      input: {
${lines((field) => inputType(field, drafts))}
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
