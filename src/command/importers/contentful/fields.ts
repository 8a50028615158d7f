/** Converts the fields of content types, with their validations, to fields of models. */
import type { Conditions, Constraints } from "../constraints.ts";
import type { LinkComponents } from "../links.ts";
import type { Losses } from "../losses.ts";
import { Names } from "../names.ts";
import { mediaFields, numberField, stringField, textField } from "../simple-fields.ts";
import type { SiteField } from "../site.ts";
import { richTextOptions } from "../text/options.ts";
import { TextUse } from "../text/portable-text.ts";
import type { Catalogue } from "./catalogue.ts";
import type { ContentfulField, ContentType, Validation } from "./export.ts";

/** The form that the values of a field get. */
export type FieldKind =
  | ("string" | "text" | "richtext" | "number" | "datetime" | "boolean" | "json" | "location")
  | ("media" | "links");

export interface PlannedField {
  source: ContentfulField;
  name: string;
  /** `type.field` in the source. */
  key: string;
  kind: FieldKind;
  isList: boolean;
  /** The models that links lead to. */
  targets: string[];
  /** The name of the field that holds the addresses of files that are no pictures; null if it is not for files. */
  urlName: string | null;
  use: TextUse;
  /** The collection that the links of a rich text lead to. */
  linkTo: string | null;
}

const VALUE_MAX_CHARACTERS = 200;
const VALUES_MAX = 200;

const KINDS: Readonly<Record<string, FieldKind>> = {
  ...{ Symbol: "string", Text: "text", RichText: "richtext", Integer: "number", Number: "number" },
  ...{ Date: "datetime", Boolean: "boolean", Object: "json", Location: "location" },
};

function kindOf({ type, linkType, items }: ContentfulField): FieldKind {
  const link = type === "Array" ? items : { type, linkType };
  if (link?.type === "Link") return link.linkType === "Asset" ? "media" : "links";
  return KINDS[type] ?? "json";
}

const isChoice = (values: Validation["in"]): values is string[] =>
  values !== undefined &&
  values.length > 0 &&
  values.length <= VALUES_MAX &&
  new Set(values).size === values.length &&
  values.every((one) => typeof one === "string" && one !== "" && one.length <= VALUE_MAX_CHARACTERS);

/** Returns the conditions of validations that a field of a model can have. */
function conditionsOf(field: ContentfulField, kind: FieldKind): Conditions {
  const conditions: Conditions = field.required === true ? { required: true } : {};
  const isText = kind === "string" || kind === "text";
  for (const { unique, in: values, size, range, regexp } of field.validations ?? []) {
    if (unique === true && (kind === "string" || kind === "number")) conditions.unique = true;
    if (typeof range?.min === "number" && kind === "number") conditions.min = range.min;
    if (typeof range?.max === "number" && kind === "number") conditions.max = range.max;
    if (typeof size?.max === "number" && size.max > 0 && isText) conditions.maxLength = size.max;
    if (regexp && kind === "string" && (regexp.flags ?? "") === "") conditions.pattern = regexp.pattern;
    if (kind === "string" && isChoice(values)) conditions.values = values;
  }
  return conditions;
}

/** Validations that come along, and those that say nothing about a value. */
const KNOWN: readonly string[] = [
  ...["unique", "in", "linkContentType", "size", "range", "regexp"],
  ...["message", "enabledMarks", "enabledNodeTypes", "nodes", "linkMimetypeGroup"],
];

function listLost(field: ContentfulField, kind: FieldKind, place: string, losses: Losses): void {
  for (const validation of [...(field.validations ?? []), ...(field.items?.validations ?? [])]) {
    const { size, regexp } = validation;
    const isText = kind === "string" || kind === "text";
    if (typeof size?.min === "number" || (typeof size?.max === "number" && !isText)) {
      losses.add("a validation of a size is left out", place);
    }
    if (regexp && (kind !== "string" || (regexp.flags ?? "") !== "")) {
      losses.add("a validation by a pattern is left out: it has flags, or its field is no short text", place);
    }
    for (const name of Object.keys(validation)) {
      if (!KNOWN.includes(name)) losses.add(`the validation ${name} is left out`, place);
    }
  }
  if (field.type === "Array" && kind === "json") {
    losses.add("a list of texts becomes JSON, and its validations are left out", place);
  }
  if (field.type === "ResourceLink") losses.add("links to other spaces become JSON", place);
}

const targetsIn = (validations: Validation[] = []): string[] =>
  validations.flatMap(({ linkContentType = [] }) => linkContentType);

/** Plans the fields of a content type. */
export function plannedFields(
  type: ContentType,
  catalogue: Catalogue,
  constraints: Constraints,
  losses: Losses,
): PlannedField[] {
  const names = Names.ofFields(["archived"]);
  for (const { id } of type.fields) names.of(id);
  return type.fields.map((source) => {
    const key = `${type.sys.id}.${source.id}`;
    const kind = kindOf(source);
    const stated = targetsIn(source.type === "Array" ? source.items?.validations : source.validations);
    const types = [...new Set([...stated, ...(catalogue.targets.get(key) ?? [])])];
    const linkTo = catalogue.linkTo.get(key);
    listLost(source, kind, key, losses);
    constraints.define(key, conditionsOf(source, kind));
    return {
      ...{
        source,
        key,
        kind,
        name: names.of(source.id),
        isList: source.type === "Array",
        use: new TextUse(),
      },
      targets: types
        .filter((id) => catalogue.types.has(id))
        .map((id) => catalogue.models.of(id))
        .sort(),
      urlName: kind === "media" ? names.of(`${source.id}Url`) : null,
      linkTo: linkTo === undefined ? null : catalogue.models.of(linkTo),
    };
  });
}

interface Definitions {
  constraints: Constraints;
  links: LinkComponents;
  /** Whether some entry names a file in the field that is no picture. */
  hasUrls: boolean;
}

/** Returns the definitions of a field: one, or two where files are no pictures, or none for links to nothing. */
export function siteFields(field: PlannedField, { constraints, links, hasUrls }: Definitions): SiteField[] {
  const { source, name, kind, isList, targets, urlName } = field;
  const conditions = constraints.of(field.key);
  const { required } = conditions;
  const label = (source.name ?? "").trim().slice(0, VALUE_MAX_CHARACTERS);
  const localized = source.localized === true && { localized: true };
  const common = {
    ...(label !== "" && label !== name && { label }),
    ...localized,
    ...(required === true && { required }),
  };
  const named = { name, common };
  switch (kind) {
    case "string":
      return [stringField(named, conditions, true)];
    case "text":
      return [textField(named, conditions, true)];
    case "richtext": {
      const options = richTextOptions(field.use, field.linkTo);
      return [{ name, type: "richtext", ...common, searchable: true, ...options }];
    }
    case "number":
      return [numberField(named, conditions, source.type === "Integer")];
    case "datetime":
    case "boolean":
    case "json":
      return [{ name, type: kind, ...common }];
    case "location":
      return [{ name, type: "component", component: "location", ...common }];
    case "media":
      return mediaFields(named, { isList, urlName, hasUrls }, localized);
    case "links":
      return targets.length === 0 ? [] : [{ ...links.field(name, targets, isList), ...common }];
    default:
      return kind satisfies never;
  }
}
