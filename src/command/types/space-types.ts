/** Writes a space's models as the types that src/client/models.ts understands. Pure. */
import type { ValueSchema } from "../../content/field-types/field-type.ts";
import { collectionOf, isList, isReference } from "../../content/field-types/fields.ts";
import { meaningOf, type Field } from "../../content/field-types/registry.ts";
import { componentNamesOf } from "../../content/model/components.ts";
import type { TypeModel } from "../../content/model/type-models.ts";
import type { ModelDescription } from "./model-description.ts";
import { componentReferences, type InnerReference } from "./inner-references.ts";
import { RICH_TEXT_TYPES, richTextType } from "./rich-text-types.ts";

/** A kind of values: as they are read, or as they are written. */
type Kind = "values" | "input";

const quoted = (text: string): string => JSON.stringify(text);

/** Converts the JSON Schema of one value to TypeScript. */
function typescriptOf(schema: ValueSchema): string {
  switch (schema.type) {
    case "string":
      return schema.enum ? schema.enum.map(quoted).join(" | ") : "string";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    case "object":
      return "object";
    case undefined:
      return "unknown";
    default:
      return schema satisfies never;
  }
}

const KEY: Record<Kind, string> = { values: "_key: string", input: "_key?: string" };

/** Returns the type of an object of a component. @param type the member that says which component it is */
const objectType = (kind: Kind, name: string, type: string): string =>
  `({ ${KEY[kind]}${type} } & Space["components"][${quoted(name)}]["${kind}"])`;

const blockTypes = (kind: Kind, names: readonly string[]): string[] =>
  names.map((name) => objectType(kind, name, `; _type: ${quoted(name)}`));

/** Returns the type of one value, or of one item of a list. */
function itemType(field: Field, kind: Kind): string {
  switch (field.type) {
    case "component": {
      const type = kind === "input" ? `; _type?: ${quoted(field.component)}` : "";
      return objectType(kind, field.component, type);
    }
    case "blocks":
      return `(${blockTypes(kind, field.components).join(" | ")})`;
    case "richtext":
      return `(${[richTextType(field, kind), ...blockTypes(kind, componentNamesOf(field))].join(" | ")})`;
    default:
      return typescriptOf(meaningOf(field).schemaOf(field));
  }
}

/** Returns the type of a value that is not null. */
function plainType(field: Field, kind: Kind): string {
  const type = itemType(field, kind);
  return isList(field) ? `${type}[]` : type;
}

/**
 * Returns the type of a field's value. A required field is never null, except in pages (made of defaults) and in
 * drafts.
 */
function valueType(field: Field, mayLack: boolean): string {
  const type = plainType(field, "values");
  return isList(field) || (field.required && !mayLack) || type === "unknown" ? type : `${type} | null`;
}

function inputType(field: Field, isDraft: boolean): string {
  const hasDefault = "default" in field && field.default !== undefined && field.default !== null;
  const type = plainType(field, "input");
  const isRequired = field.required && !isDraft;
  const optional = !isRequired || hasDefault ? "?" : "";
  return `${quoted(field.name)}${optional}: ${isRequired || type === "unknown" ? type : `${type} | null`};`;
}

const referenceType = ({ path, to, many }: InnerReference): string =>
  `${quoted(path)}: { to: ${to === null ? "null" : quoted(to)}; many: ${many} };`;

/** Returns the line that names the localized fields; empty for none. */
function localizedLine(fields: readonly Field[]): string {
  const names = fields.flatMap(({ name, localized }) => (localized === true ? [quoted(name)] : []));
  return names.length === 0 ? "" : `\n      localized: ${names.join(" | ")};`;
}

/** Returns the references of a model by the paths of `populate`, those inside of its components too. */
const referencesOf = (fields: readonly Field[], models: readonly ModelDescription[]): InnerReference[] =>
  fields.flatMap((field) =>
    isReference(field)
      ? [{ path: field.name, to: collectionOf(field), many: isList(field) }]
      : componentReferences(field, models),
  );

function modelType(
  { name, typeModel, fields, drafts = false }: ModelDescription,
  models: readonly ModelDescription[],
): string {
  const isComponent = typeModel === "components";
  // A component may stand in drafts, which may lack what is required.
  const isDraft = drafts || (isComponent && models.some((model) => model.drafts === true));
  const mayLack = typeModel === "pages" || isDraft;
  const lines = <One>(of: (one: One) => string, some: readonly One[]): string =>
    some.map((one) => `        ${of(one)}`).join("\n");
  const linked = isComponent ? [] : referencesOf(fields, models);
  // `object` has no keys to populate, whereas `{}` would allow anything.
  const references = linked.length > 0 ? `{\n${lines(referenceType, linked)}\n      }` : "object";
  return `    ${quoted(name)}: {
      values: {
${lines((field) => `${quoted(field.name)}: ${valueType(field, mayLack)};`, fields)}
      };
      input: {
${lines((field) => inputType(field, isDraft), fields)}
      };${isComponent ? "" : `\n      references: ${references};`}${drafts ? "\n      drafts: true;" : ""}${localizedLine(fields)}
    };`;
}

export function spaceTypes(space: string, models: ModelDescription[]): string {
  const of = (kind: TypeModel): string =>
    models
      .filter(({ typeModel }) => typeModel === kind)
      .map((model) => modelType(model, models))
      .join("\n");
  const components = of("components");
  const hasRichText = models.some(({ fields }) => fields.some(({ type }) => type === "richtext"));
  return `/** The models of the space "${space}", written by \`silverprint types\`. */
export interface Space {
  collections: {
${of("collections")}
  };
  pages: {
${of("pages")}
  };${components === "" ? "" : `\n  components: {\n${components}\n  };`}
}
${hasRichText ? RICH_TEXT_TYPES : ""}`.replaceAll(/\n\s*\n/g, "\n");
}
