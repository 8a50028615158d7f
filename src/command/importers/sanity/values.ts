/** Converts the values of documents, by the plan of their models. */
import type { LinkComponents } from "../links.ts";
import type { Losses } from "../losses.ts";
import type { Json, JsonObject, MissingAssets, SiteAsset } from "../site.ts";
import { cleanText, hrefFrom } from "../text/portable-text.ts";
import type { Catalogue } from "./catalogue.ts";
import { assetIn, isBlock, isObject, referenceIn, typeOf } from "./export.ts";
import type { Plan, PlannedField, PlannedModel } from "./plan.ts";
import { keyIn, textBlock, withOwnKeys, type BlockSource } from "./portable-text.ts";

export interface Context {
  missing: MissingAssets;
  losses: Losses;
}

export class Values {
  readonly #catalogue: Catalogue;
  readonly #links: LinkComponents;
  readonly #plan: Plan;

  constructor(catalogue: Catalogue, links: LinkComponents, plan: Plan) {
    this.#catalogue = catalogue;
    this.#links = links;
    this.#plan = plan;
  }

  /** Returns the record that a document became; null for one that the export does not hold. */
  record(id: string): { id: string; model: string; isPage: boolean } | null {
    const type = this.#catalogue.documents.get(id)?.type;
    const model = type === undefined ? undefined : this.#plan.documents.get(type);
    return model ? { id: this.#catalogue.idOfDocument(id), model: model.name, isPage: model.isPage } : null;
  }

  convert(value: Json, field: PlannedField, place: string, context: Context): Json {
    if (value === null) return null;
    switch (field.kind) {
      case "string":
      case "text":
        return typeof value === "string" ? cleanText(value) : null;
      case "slug": {
        const text = isObject(value) ? (value["current"] ?? null) : value;
        return typeof text === "string" ? cleanText(text) : null;
      }
      case "datetime":
        return typeof value === "string" ? new Date(value).toISOString() : null;
      case "number":
      case "boolean":
        return typeof value === field.kind ? value : null;
      case "json":
        return this.#json(value, place, context);
      case "media":
        return this.#media(value, field, place, context);
      case "links":
        return this.#linked(value, field, place, context);
      case "component":
      case "blocks":
        return this.#objects(value, field, place, context);
      case "richtext":
        return this.#richText(value, field, place, context);
      default:
        return field.kind satisfies never;
    }
  }

  /** Returns the addresses of the files in a value that are no pictures; null for none. */
  addresses(value: Json): string | null {
    const files = this.#assetsIn(value).filter((asset) => !asset.isPicture);
    return files.length > 0 ? files.map(({ address }) => address).join("\n") : null;
  }

  /** Returns the members of an object by the names of the fields of its model. */
  #members(object: JsonObject, model: PlannedModel, place: string, context: Context): JsonObject {
    const values: JsonObject = {};
    for (const field of model.fields) {
      // The picture in an object that was an image is the object itself.
      const value = field.source === "" ? object : (object[field.source] ?? null);
      if (field.source === "" && !assetIn(object)) continue;
      const converted = this.convert(value, field, `${place}.${field.name}`, context);
      if (converted !== null && !(Array.isArray(converted) && converted.length === 0))
        values[field.name] = converted;
      const urls = field.urlName === null || value === null ? null : this.addresses(value);
      if (field.urlName !== null && urls !== null) values[field.urlName] = urls;
    }
    return values;
  }

  #json(value: Json, place: string, { losses }: Context): Json {
    const hasLinks = (one: Json): boolean =>
      Array.isArray(one)
        ? one.some(hasLinks)
        : isObject(one) &&
          (referenceIn(one) !== null || assetIn(one) !== null || Object.values(one).some(hasLinks));
    if (hasLinks(value)) losses.add("references and files in JSON keep the ids of Sanity", place);
    return value;
  }

  #assetsIn(value: Json): SiteAsset[] {
    return (Array.isArray(value) ? value : [value]).filter(isObject).flatMap((one) => {
      const named = assetIn(one);
      return (named && this.#catalogue.assets.get(named.key)) ?? [];
    });
  }

  #picture(asset: SiteAsset, place: string, { missing, losses }: Context): string | null {
    const reason = asset.isPicture ? missing.get(asset.id) : undefined;
    if (asset.isPicture && reason === undefined) return asset.id;
    if (!asset.isPicture) losses.add("a file that is no picture becomes its address", place);
    else losses.add(`a picture is left out: ${reason ?? ""}`, `${place}: ${asset.address}`);
    return null;
  }

  #media(value: Json, { isList }: PlannedField, place: string, context: Context): Json {
    this.#loseCrops(value, place, context);
    const ids = this.#assetsIn(value).flatMap((asset) => this.#picture(asset, place, context) ?? []);
    return isList ? [...new Set(ids)] : (ids[0] ?? null);
  }

  #loseCrops(value: Json, place: string, { losses }: Context): void {
    for (const one of (Array.isArray(value) ? value : [value]).filter(isObject)) {
      const crop = one["crop"];
      const isCropped =
        isObject(crop) && Object.values(crop).some((side) => typeof side === "number" && side !== 0);
      if (isCropped) losses.add("the crop of an image is left out, its hotspot is not", place);
    }
  }

  #linked(value: Json, { targets, isList }: PlannedField, place: string, { losses }: Context): Json {
    const references = (Array.isArray(value) ? value : [value]).filter(isObject).flatMap((one, at) => {
      const id = referenceIn(one) ?? "";
      const record = this.record(id);
      if (!record || record.isPage) {
        losses.add("a reference to a document that the export does not hold is left out", `${place}: ${id}`);
        return [];
      }
      return [{ ...record, key: keyIn(one, place, at) }];
    });
    return this.#links.value(targets, isList, references);
  }

  /** Converts an object to one of a component, or a list of objects to blocks. */
  #objects(value: Json, field: PlannedField, place: string, context: Context): Json {
    const items = (Array.isArray(value) ? value : [value]).filter(isObject);
    const objects = items.flatMap((item, at) => {
      const own = field.isList ? `${place}.${at}` : place;
      const object = this.#object(item, field, own, context);
      return object ? [{ ...object, _key: keyIn(item, own) }] : [];
    });
    if (field.kind === "blocks") return withOwnKeys(objects, place);
    const plain = objects.map((object) => withoutType(object));
    return field.isList ? withOwnKeys(plain, place) : (plain[0] ?? null);
  }

  #object(item: JsonObject, field: PlannedField, place: string, context: Context): JsonObject | null {
    const reference = assetIn(item) ? null : referenceIn(item);
    if (reference !== null) {
      const record = this.record(reference);
      if (record && !record.isPage) return this.#links.object({ ...record, key: "" });
      context.losses.add(
        "a reference to a document that the export does not hold is left out",
        `${place}: ${reference}`,
      );
      return null;
    }
    const named = this.#plan.named.get(typeOf(item));
    const model = named && field.types.includes(typeOf(item)) ? named : field.component;
    if (!model) return null;
    this.#loseCrops(item, place, context);
    return { _type: model.name, ...this.#members(item, model, place, context) };
  }

  #richText(value: Json, field: PlannedField, place: string, context: Context): Json {
    const source: BlockSource = {
      ...{ place, use: field.use, losses: context.losses, linkTo: field.linkTo },
      record: (id) => this.record(id),
    };
    const blocks = (Array.isArray(value) ? value : []).flatMap((item, at): JsonObject[] => {
      if (isBlock(item)) return [textBlock(item, at, source)];
      if (!isObject(item)) return [];
      const key = keyIn(item, place, at);
      if (assetIn(item)) return [this.#imageBlock(item, key, source, context)];
      const object = this.#object(item, field, `${place}.${at}`, context);
      if (!object) return [];
      field.use.components.add(object["_type"] as string);
      return [{ ...object, _key: key }];
    });
    return withOwnKeys(blocks, place);
  }

  /** Returns a picture among the blocks; a link to its address where it cannot be had. */
  #imageBlock(
    item: JsonObject,
    key: string,
    { use, place, losses }: BlockSource,
    context: Context,
  ): JsonObject {
    const [asset] = this.#assetsIn(item);
    const text = (name: string): string =>
      typeof item[name] === "string" ? cleanText(item[name]).slice(0, 2000) : "";
    const [alt, caption] = [text("alt"), text("caption")];
    const further = Object.keys(item).filter((name) => !IMAGE_MEMBERS.includes(name));
    if (further.length > 0)
      losses.add("members of an image in a text are left out", `${place}: ${further.join(", ")}`);
    this.#loseCrops(item, place, context);
    const media = asset ? this.#picture(asset, place, context) : null;
    if (media !== null) {
      use.hasImage = true;
      return { _type: "image", _key: key, media, ...(alt && { alt }), ...(caption && { caption }) };
    }
    const href = hrefFrom(asset?.address ?? "");
    use.styles.add("normal");
    const words = caption || alt || (asset?.filename ?? "");
    return {
      ...{ _type: "block", _key: key, style: "normal" },
      children: [{ _type: "span", _key: `${key}s`, text: words, marks: href === null ? [] : [`${key}l`] }],
      markDefs: href === null ? [] : [{ _type: "link", _key: `${key}l`, href }],
    };
  }
}

const IMAGE_MEMBERS: readonly string[] = [
  ...["_type", "_key", "_sanityAsset", "_upload", "asset", "crop", "hotspot", "alt", "caption"],
];

/** Returns an object without its type: a field of one component names none. */
const withoutType = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== "_type"));
