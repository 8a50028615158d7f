/** Plans models from shapes: which type each field gets, and which components there are. */
import type { Losses } from "../losses.ts";
import { Names } from "../names.ts";
import { TextUse } from "../text/portable-text.ts";
import type { Kind, ObjectShape, Shape, Shapes } from "./shapes.ts";

export type FieldKind =
  | ("string" | "text" | "number" | "boolean" | "datetime" | "slug" | "json" | "media" | "links")
  | ("component" | "blocks" | "richtext");

export interface PlannedField {
  /** The name of the member. */
  source: string;
  name: string;
  key: string;
  kind: FieldKind;
  isList: boolean;
  isLocalized: boolean;
  /** The collections that references lead to. */
  targets: string[];
  /** The component of objects without a type, and of images with members. */
  component: PlannedModel | null;
  /** The types of objects that it holds. */
  types: string[];
  hasPictures: boolean;
  urlName: string | null;
  use: TextUse;
  linkTo: string | null;
}

export interface PlannedModel {
  name: string;
  label: string;
  isPage: boolean;
  fields: PlannedField[];
}

const LEVELS_MAX = 5;
/** The name of the picture in a component that an image with members becomes. */
export const IMAGE_FIELD = "image";

export class Plan {
  readonly documents = new Map<string, PlannedModel>();
  /** Components by the type of their objects. */
  readonly named = new Map<string, PlannedModel>();
  /** Components of objects without a type. */
  readonly anonymous: PlannedModel[] = [];
  readonly #names: Names;
  readonly #losses: Losses;

  /** @param isPage says which types of documents are single pages */
  constructor(shapes: Shapes, losses: Losses, isPage: (type: string) => boolean) {
    this.#losses = losses;
    this.#names = Names.ofModels();
    const types = [...shapes.documents.keys()].sort();
    for (const type of types) this.#names.of(type);
    for (const type of [...shapes.named.keys()].sort()) {
      const name = this.#names.of(`${shapes.documents.has(type) ? "object-" : ""}${type}`);
      this.named.set(type, { name, label: type, isPage: false, fields: [] });
    }
    for (const type of types) {
      this.documents.set(type, { name: this.#names.of(type), label: type, isPage: isPage(type), fields: [] });
    }
    for (const [type, model] of this.named)
      model.fields = this.#fields(shapes.named.get(type)!, type, model.name);
    for (const [type, model] of this.documents) {
      model.fields = this.#fields(shapes.documents.get(type)!, type, model.name);
    }
    for (const [type, model] of this.documents) this.#cutCircles(model, [], type);
  }

  /** Returns the components that documents hold, in the order of their names. */
  components(): PlannedModel[] {
    const found = new Set<PlannedModel>();
    const visit = ({ fields }: PlannedModel): void => {
      for (const component of fields.flatMap((field) => this.held(field))) {
        if (found.has(component)) continue;
        found.add(component);
        visit(component);
      }
    };
    for (const model of this.documents.values()) visit(model);
    return [...found].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Returns the components that a field holds. */
  held({ kind, component, types }: PlannedField): PlannedModel[] {
    if (!["component", "blocks", "richtext"].includes(kind)) return [];
    return [...(component ? [component] : []), ...types.flatMap((type) => this.named.get(type) ?? [])];
  }

  #fields({ members }: ObjectShape, path: string, owner: string): PlannedField[] {
    const names = Names.ofFields();
    for (const source of members.keys()) names.of(source);
    return [...members].map(([source, shape]) => {
      const isLocalized = shape.kinds.has("localized");
      const isMixed = isLocalized && shape.kinds.size > 1;
      const own = isLocalized ? shape.inner : shape;
      const key = `${path}.${source}`;
      const field = this.#field(own, { source, name: names.of(source), key }, owner, names);
      if (isMixed) {
        this.#losses.add("a field with and without languages becomes JSON", key);
        return { ...field, kind: "json", isLocalized: false };
      }
      return { ...field, isLocalized };
    });
  }

  #field(
    shape: Shape,
    about: Pick<PlannedField, "source" | "name" | "key">,
    owner: string,
    names: Names,
  ): PlannedField {
    const isList = shape.kinds.has("list");
    const values = isList ? shape.items : shape;
    const kind = isList && shape.kinds.size > 1 ? "json" : kindOf(values, isList);
    const field: PlannedField = {
      ...about,
      ...{ kind, isList, isLocalized: false, component: null, use: new TextUse(), urlName: null },
      ...{ types: [...values.types].sort(), hasPictures: values.hasPictures },
      targets: [...values.targets].sort().map((type) => this.#names.of(type)),
      linkTo: null,
    };
    if (kind === "json" && values.kinds.size > 0) this.#listJson(values, field);
    if (kind === "links" && field.targets.length === 0) field.kind = "json";
    if (kind === "media" && values.hasFiles) field.urlName = names.of(`${about.source}Url`);
    if (kind === "richtext") field.linkTo = field.targets[0] ?? null;
    const isInText = kind === "richtext" && values.kinds.has("asset");
    const hasObject = values.kinds.has("object") || (values.kinds.has("asset") && !isInText);
    if ((kind === "component" || kind === "blocks" || kind === "richtext") && hasObject) {
      field.component = this.#anonymous(values, field, owner);
    }
    return field;
  }

  /** Returns the component of objects without a type, or of images with members, in one place. */
  #anonymous(values: Shape, field: PlannedField, owner: string): PlannedModel {
    const name = this.#names.of(`${owner}-${field.name}`);
    const model: PlannedModel = { name, label: field.key.slice(0, 200), isPage: false, fields: [] };
    this.anonymous.push(model);
    model.fields = this.#fields(values.object, field.key, name);
    if (values.kinds.has("asset")) {
      const names = Names.ofFields(model.fields.map((one) => one.name));
      const image: PlannedField = {
        ...{
          source: "",
          name: names.of(IMAGE_FIELD),
          key: `${field.key}.${IMAGE_FIELD}`,
          kind: "media",
          isList: false,
        },
        ...{ isLocalized: false, targets: [], component: null, types: [], hasPictures: values.hasPictures },
        ...{
          urlName: values.hasFiles ? names.of(`${IMAGE_FIELD}Url`) : null,
          use: new TextUse(),
          linkTo: null,
        },
      };
      model.fields.unshift(image);
    }
    return model;
  }

  #listJson({ kinds }: Shape, { key, isList }: PlannedField): void {
    const seen = [...kinds].sort().join(", ");
    const isTexts = isList && kinds.size === 1;
    this.#losses.add(
      isTexts ? "a list of plain values becomes JSON" : "a field of mixed values becomes JSON",
      `${key} (${seen})`,
    );
  }

  /** Makes JSON of each field that would put a component into itself, or more components into each other than may be. */
  #cutCircles(model: PlannedModel, above: readonly PlannedModel[], place: string): void {
    for (const field of model.fields) {
      const held = this.held(field);
      const levels = above.length + 1;
      const isCircle = held.some((one) => one === model || above.includes(one));
      if (held.length > 0 && (isCircle || levels > LEVELS_MAX)) {
        const reason = isCircle ? "an object that may hold itself" : "an object that is too deep in others";
        this.#losses.add(`${reason} becomes JSON`, `${place}.${field.name}`);
        field.kind = "json";
        continue;
      }
      for (const component of held) this.#cutCircles(component, [...above, model], `${place}.${field.name}`);
    }
  }
}

/** Returns the kind of field that holds all values of a shape. */
function kindOf(shape: Shape, isList: boolean): FieldKind {
  const kinds = [...shape.kinds];
  const isOnly = (...names: Kind[]): boolean =>
    kinds.length > 0 && kinds.every((kind) => names.includes(kind));
  if (isList && isOnly("block", "named", "asset") && shape.kinds.has("block")) return "richtext";
  if (isOnly("reference")) return "links";
  if (isOnly("asset")) return shape.hasMembers ? "component" : "media";
  if (isOnly("named")) return shape.types.size === 1 ? "component" : "blocks";
  if (isOnly("object")) return "component";
  if (isList && isOnly("named", "asset", "reference", "object")) return "blocks";
  if (isList) return "json";
  if (isOnly("string")) return shape.isDatetime ? "datetime" : shape.isLong ? "text" : "string";
  if (isOnly("number")) return "number";
  if (isOnly("boolean")) return "boolean";
  if (isOnly("slug", "string")) return "slug";
  return "json";
}
