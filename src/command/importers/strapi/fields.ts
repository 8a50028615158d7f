/** Converts the attributes of content types and components to fields of models. */
import type { Conditions, Constraints } from "../constraints.ts";
import type { LinkComponents } from "../links.ts";
import type { Losses } from "../losses.ts";
import { Names } from "../names.ts";
import { mediaFields, numberField, stringField, textField } from "../simple-fields.ts";
import type { SiteField } from "../site.ts";
import { richTextOptions } from "../text/options.ts";
import { TextUse } from "../text/portable-text.ts";
import type { Catalogue } from "./catalogue.ts";
import { FILE, isLocalizedAttribute, SYSTEM_ATTRIBUTES, type Attribute, type Schema } from "./export.ts";

/** The form that the values of an attribute get. */
export type FieldKind =
  | ("string" | "text" | "markdown" | "blocks" | "number" | "datetime" | "boolean" | "json")
  | ("media" | "links" | "component" | "zone");

export interface PlannedField {
  attribute: Attribute;
  /** The name of the attribute. */
  source: string;
  name: string;
  /** The content type or component, and the attribute. */
  key: string;
  kind: FieldKind;
  isList: boolean;
  isLocalized: boolean;
  /** The models that links lead to. */
  targets: string[];
  /** The name of the field that holds the addresses of files that are no pictures; null if it is not for files. */
  urlName: string | null;
  use: TextUse;
}

const KINDS: Readonly<Record<string, FieldKind>> = {
  ...{ string: "string", email: "string", uid: "string", time: "string", biginteger: "string" },
  ...{ enumeration: "string", text: "text", richtext: "markdown", blocks: "blocks" },
  ...{ integer: "number", float: "number", decimal: "number" },
  ...{ date: "datetime", datetime: "datetime", timestamp: "datetime", boolean: "boolean", json: "json" },
  ...{ media: "media", relation: "links", component: "component", dynamiczone: "zone" },
};

const VALUES_MAX = 200;

function conditionsOf(attribute: Attribute, kind: FieldKind, isComponent: boolean): Conditions {
  const { required, unique, maxLength, min, max, regex, enum: values = [] } = attribute;
  const isText = kind === "string" || kind === "text";
  const isChoice = values.length > 0 && values.length <= VALUES_MAX && new Set(values).size === values.length;
  return {
    ...(required === true && { required }),
    // A field of a component cannot be unique.
    ...(unique === true && !isComponent && (kind === "string" || kind === "number") && { unique }),
    ...(isText && typeof maxLength === "number" && maxLength > 0 && { maxLength }),
    ...(kind === "number" && typeof min === "number" && { min }),
    ...(kind === "number" && typeof max === "number" && { max }),
    ...(kind === "string" && regex !== undefined && regex !== "" && { pattern: regex }),
    ...(attribute.type === "enumeration" && isChoice && { values }),
  };
}

const isToMany = (relation: string): boolean => /ToMany$/.test(relation);

/** Returns why an attribute becomes no field; null if it becomes one. */
function leftOut({ type, target, mappedBy, morphBy }: Attribute, catalogue: Catalogue): string | null {
  if (type === "password") return "a password is left out";
  if (type !== "relation") return null;
  if (mappedBy !== undefined && target !== FILE) {
    return "the other side of a relation is left out: a filter on the first side finds the same";
  }
  if (morphBy !== undefined) {
    return "the other side of a relation to anything is left out: the first side has it";
  }
  if (target === undefined) return null;
  if (!target.startsWith("api::")) return `a relation to ${target} is left out`;
  if (catalogue.schemas.get(target)?.kind === "singleType") {
    return "a relation to a single type is left out: relations lead to collections";
  }
  return null;
}

/** Plans the fields of a content type or component. */
export function plannedFields(
  schema: Schema,
  catalogue: Catalogue,
  constraints: Constraints,
  losses: Losses,
): PlannedField[] {
  const names = Names.ofFields();
  const isComponent = schema.modelType === "component";
  const own = Object.entries(schema.attributes).filter(
    ([name]) => isComponent || !SYSTEM_ATTRIBUTES.includes(name),
  );
  for (const [name] of own) names.of(name);
  return own.flatMap(([source, attribute]): PlannedField[] => {
    const key = `${schema.uid}.${source}`;
    const reason = leftOut(attribute, catalogue);
    if (reason !== null) return (losses.add(reason, key), []);
    const kind = KINDS[attribute.type] ?? "json";
    if (KINDS[attribute.type] === undefined)
      losses.add(`a field of type ${attribute.type} becomes JSON`, key);
    if (attribute.minLength !== undefined) losses.add("a validation of a least length is left out", key);
    constraints.define(key, conditionsOf(attribute, kind, isComponent));
    const { multiple, repeatable, relation = "", target } = attribute;
    return [
      {
        ...{ attribute, source, key, kind, name: names.of(source), use: new TextUse() },
        isList: multiple === true || repeatable === true || isToMany(relation),
        isLocalized: !isComponent && catalogue.hasLocales && isLocalizedAttribute(schema, attribute),
        targets: target === undefined ? seenTargets(schema, source, catalogue) : [catalogue.modelOf(target)],
        urlName: kind === "media" ? names.of(`${source}Url`) : null,
      },
    ];
  });
}

/** Returns the collections that a relation to anything leads to, in the content that is there. */
function seenTargets({ uid }: Schema, field: string, catalogue: Catalogue): string[] {
  const found = new Set<string>();
  for (const [key, targets] of catalogue.links) {
    if (!key.startsWith(`${uid}:`) || !key.endsWith(`:${field}`)) continue;
    for (const { type } of targets)
      if (catalogue.schemas.get(type)?.kind === "collectionType") found.add(type);
  }
  return [...found]
    .filter((type) => type.startsWith("api::"))
    .map((type) => catalogue.modelOf(type))
    .sort();
}

interface Definitions {
  catalogue: Catalogue;
  constraints: Constraints;
  links: LinkComponents;
  hasUrls: boolean;
}

/** Returns the definitions of a field: one, or two where files are no pictures, or none for links to nothing. */
export function siteFields(field: PlannedField, definitions: Definitions): SiteField[] {
  const { catalogue, constraints, links, hasUrls } = definitions;
  const { attribute, name, kind, isList, isLocalized, targets, source } = field;
  const conditions = constraints.of(field.key);
  const { required } = conditions;
  const localized = isLocalized && { localized: true };
  const common = {
    ...(name !== source && { label: source.slice(0, 200) }),
    ...localized,
    ...(required === true && { required }),
  };
  const named = { name, common };
  const isComponent = !field.key.startsWith("api::");
  // Words in components are searched where the field that holds the component is.
  const searchable = { searchable: true };
  switch (kind) {
    case "string":
      return [stringField(named, conditions, !isComponent)];
    case "text":
      return [textField(named, conditions, !isComponent)];
    case "markdown":
    case "blocks": {
      const options = richTextOptions(field.use, null);
      return [{ name, type: "richtext", ...common, ...(!isComponent && searchable), ...options }];
    }
    case "number":
      return [numberField(named, conditions, attribute.type === "integer")];
    case "datetime":
    case "boolean":
    case "json":
      return [{ name, type: kind, ...common }];
    case "media":
      return mediaFields(named, { isList, urlName: field.urlName, hasUrls }, localized);
    case "links":
      return targets.length === 0 ? [] : [{ ...links.field(name, targets, isList), ...common }];
    case "component": {
      const component = catalogue.modelOf(attribute.component ?? "");
      return [{ name, type: "component", component, ...(isList && { multiple: true }), ...common }];
    }
    case "zone": {
      const components = (attribute.components ?? []).map((uid) => catalogue.modelOf(uid)).sort();
      return [{ name, type: "blocks", components, ...common }];
    }
    default:
      return kind satisfies never;
  }
}
