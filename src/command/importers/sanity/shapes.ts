/**
 * The shapes of values: an export of Sanity has no schema, so models follow from the documents. Every value of a field is
 * looked at, and the field gets the narrowest type that holds all of them.
 */
import type { Json, JsonObject } from "../site.ts";
import { assetIn, isBlock, isObject, localizedIn, referenceIn, typeOf } from "./export.ts";

/** The kinds of values. */
export type Kind =
  | ("string" | "number" | "boolean" | "slug" | "reference" | "asset" | "object" | "named" | "block" | "list")
  | ("other" | "localized");

const DATETIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;
const STRING_MAX_CHARACTERS = 2000;
/** Members of an image beside its own: the rest makes it an object with a picture in it. */
const IMAGE_MEMBERS: readonly string[] = [
  "_type",
  "_key",
  "_sanityAsset",
  "_upload",
  "asset",
  "crop",
  "hotspot",
  "alt",
];

/** The types of objects that a field keeps when its file is taken out of it. */
const EMPTIED: readonly string[] = ["image", "file"];

/** The members of objects of one type, or in one place. */
export class ObjectShape {
  readonly members = new Map<string, Shape>();
}

/** The facts that were seen of the values of one field. */
export class Shape {
  readonly kinds = new Set<Kind>();
  /** Named types of objects, and types of documents that references lead to. */
  readonly types = new Set<string>();
  readonly targets = new Set<string>();
  readonly codes = new Set<string>();
  isLong = false;
  isDatetime = true;
  hasPictures = false;
  hasFiles = false;
  /** Whether some image has members of its own, such as a caption. */
  hasMembers = false;
  /** The shape of the members of objects without a type, and of images with members. */
  readonly object = new ObjectShape();
  #items: Shape | null = null;
  #inner: Shape | null = null;

  /** The shape of the items of lists. */
  get items(): Shape {
    return (this.#items ??= new Shape());
  }

  /** The shape of the values in each language. */
  get inner(): Shape {
    return (this.#inner ??= new Shape());
  }
}

export class Shapes {
  /** The members of documents and of objects, by their type. */
  readonly documents = new Map<string, ObjectShape>();
  readonly named = new Map<string, ObjectShape>();
  /** How many values there are in each language. */
  readonly codes = new Map<string, number>();
  readonly #typeOfDocument: (id: string) => string | undefined;

  constructor(typeOfDocument: (id: string) => string | undefined) {
    this.#typeOfDocument = typeOfDocument;
  }

  seeDocument(document: JsonObject): void {
    const type = typeOf(document);
    const shape = this.documents.get(type) ?? new ObjectShape();
    this.documents.set(type, shape);
    this.#seeMembers(document, shape, true);
  }

  #seeMembers(object: JsonObject, { members }: ObjectShape, isTop = false): void {
    for (const [name, value] of Object.entries(object)) {
      if (name.startsWith("_") || value === null) continue;
      const shape = members.get(name) ?? new Shape();
      members.set(name, shape);
      const localized = isTop ? localizedIn(value) : null;
      if (localized) this.#seeLocalized(localized, shape);
      else this.#see(value, shape);
    }
  }

  #seeLocalized(values: ReadonlyMap<string, Json>, shape: Shape): void {
    shape.kinds.add("localized");
    for (const [code, value] of values) {
      if (value === null) continue;
      this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
      this.#see(value, shape.inner);
    }
  }

  #see(value: Json, shape: Shape): void {
    if (typeof value === "string") {
      shape.kinds.add("string");
      shape.isLong ||= value.length > STRING_MAX_CHARACTERS || value.includes("\n");
      shape.isDatetime &&= DATETIME.test(value) && !Number.isNaN(Date.parse(value));
    } else if (typeof value === "number") shape.kinds.add("number");
    else if (typeof value === "boolean") shape.kinds.add("boolean");
    else if (Array.isArray(value)) {
      shape.kinds.add("list");
      for (const item of value) if (item !== null) this.#see(item, shape.items);
    } else if (isObject(value)) this.#seeObject(value, shape);
  }

  #seeObject(value: JsonObject, shape: Shape): void {
    const asset = assetIn(value);
    const reference = referenceIn(value);
    const type = typeOf(value);
    if (asset) {
      shape.kinds.add("asset");
      if (asset.isImage) shape.hasPictures = true;
      else shape.hasFiles = true;
      shape.hasMembers ||= Object.keys(value).some((name) => !IMAGE_MEMBERS.includes(name));
      this.#seeMembers(withoutAsset(value), shape.object);
    } else if (reference !== null) {
      shape.kinds.add("reference");
      const target = this.#typeOfDocument(reference);
      if (target !== undefined) shape.targets.add(target);
    } else if (isBlock(value)) this.#seeBlock(value, shape);
    else if (type === "slug") {
      shape.kinds.add("slug");
    } else if (EMPTIED.includes(type)) {
      shape.kinds.add("asset");
      shape.hasPictures ||= type === "image";
    } else if (type === "" || type === "object") {
      shape.kinds.add("object");
      this.#seeMembers(value, shape.object);
    } else if ("_ref" in value) shape.kinds.add("other");
    else {
      shape.kinds.add("named");
      shape.types.add(type);
      const named = this.named.get(type) ?? new ObjectShape();
      this.named.set(type, named);
      this.#seeMembers(value, named);
    }
  }

  #seeBlock({ markDefs }: JsonObject, shape: Shape): void {
    shape.kinds.add("block");
    for (const def of Array.isArray(markDefs) ? markDefs.filter(isObject) : []) {
      const id = linkedDocument(def);
      const target = id === null ? undefined : this.#typeOfDocument(id);
      if (target !== undefined) shape.targets.add(target);
    }
  }
}

/** Returns the document that a definition of a mark leads to; null for none. */
export function linkedDocument(def: JsonObject): string | null {
  const references = [def, ...Object.values(def).filter(isObject)].map(referenceIn);
  return references.find((id) => id !== null) ?? null;
}

export const withoutAsset = (value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value).filter(([name]) => !IMAGE_MEMBERS.includes(name) || name === "alt"),
  );
