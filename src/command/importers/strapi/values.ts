/** Converts the values of rows and of the components in them. */
import type { Constraints } from "../constraints.ts";
import { keyOf } from "../ids.ts";
import type { LinkComponents } from "../links.ts";
import type { Losses } from "../losses.ts";
import type { Json, JsonObject, MissingAssets, SiteAsset } from "../site.ts";
import { richTextFromHtml, type FoundPicture, type TextSource } from "../text/html.ts";
import { richTextFromMarkdown } from "../text/markdown.ts";
import { cleanText } from "../text/portable-text.ts";
import { richTextOfBlocks } from "./blocks.ts";
import { linkKey, pathIn, type Catalogue, type Target } from "./catalogue.ts";
import type { PlannedField } from "./fields.ts";

/** The row or component whose values are converted. */
export interface Owner {
  /** The uid of the content type or component. */
  uid: string;
  /** The number of the row, by which links name it. */
  ref: number;
  data: JsonObject;
  /** The place in the site, the same for draft and published content, so that keys are the same. */
  place: string;
  /** The document: a value that is unique may stand in its draft, its published content and all of its languages. */
  record: string;
  isPublished: boolean;
}

export interface Context {
  missing: MissingAssets;
  losses: Losses;
}

export class Values {
  readonly #catalogue: Catalogue;
  readonly #links: LinkComponents;
  readonly #constraints: Constraints;
  readonly #fields: ReadonlyMap<string, PlannedField[]>;
  /** The fields that some row names a file in that is no picture. */
  readonly withUrls = new Set<string>();

  constructor(
    catalogue: Catalogue,
    links: LinkComponents,
    constraints: Constraints,
    fields: ReadonlyMap<string, PlannedField[]>,
  ) {
    this.#catalogue = catalogue;
    this.#links = links;
    this.#constraints = constraints;
    this.#fields = fields;
  }

  /** Returns the values of an owner by the names of its fields: of those of its model, or of some of them. */
  of(owner: Owner, context: Context, fields = this.#fields.get(owner.uid) ?? []): JsonObject {
    const values: JsonObject = {};
    for (const field of fields) {
      const value = this.#value(field, owner, context);
      const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
      if (!isEmpty) values[field.name] = value;
      if (field.urlName !== null) this.#setAddresses(values, field, field.urlName, owner);
      this.#constraints.see(field.key, value, owner.place, owner.record, owner.isPublished);
    }
    return values;
  }

  #setAddresses(values: JsonObject, { key, source }: PlannedField, name: string, owner: Owner): void {
    const files = this.#filesOf(owner, source).filter(({ isPicture }) => !isPicture);
    if (files.length === 0) return;
    this.withUrls.add(key);
    values[name] = files.map(({ address }) => address).join("\n");
  }

  #value(field: PlannedField, owner: Owner, context: Context): Json {
    const value = owner.data[field.source] ?? null;
    const place = `${owner.place} ${field.source}`;
    switch (field.kind) {
      case "media":
        return this.#media(field, owner, place, context);
      case "links":
        return this.#linked(field, owner, place, context);
      case "string":
      case "text":
        if (value === null || typeof value === "object") return null;
        return cleanText(String(value));
      case "markdown":
        return typeof value === "string" ? this.#richText(value, field, place, context) : null;
      case "blocks": {
        const picture = (src: string): FoundPicture => this.#picture(src, context);
        return richTextOfBlocks(value, { place, use: field.use, losses: context.losses, picture });
      }
      case "number":
        return numberFrom(value);
      case "boolean":
        return typeof value === "boolean" ? value : null;
      case "datetime":
        return datetimeFrom(value, place, context.losses);
      case "json":
        return value;
      case "component":
        return this.#components(field, value, owner, place, context);
      case "zone":
        return this.#zone(value, owner, place, context);
      default:
        return field.kind satisfies never;
    }
  }

  #component(uid: string, data: JsonObject, owner: Owner, place: string, context: Context): JsonObject {
    const ref = typeof data["id"] === "number" ? data["id"] : 0;
    const inner = { ...owner, uid, ref, data, place, record: `${owner.record} ${place}` };
    return { _key: keyOf(place), ...this.of(inner, context) };
  }

  #components(
    { attribute, isList }: PlannedField,
    value: Json,
    owner: Owner,
    place: string,
    context: Context,
  ): Json {
    const uid = attribute.component ?? "";
    const items = (Array.isArray(value) ? value : [value]).filter((item) => item !== null);
    const objects = items.map((item, at) => {
      const own = isList ? `${place}.${at}` : place;
      return this.#component(uid, item as JsonObject, owner, own, context);
    });
    return isList ? objects : (objects[0] ?? null);
  }

  #zone(value: Json, owner: Owner, place: string, context: Context): Json {
    const items = Array.isArray(value) ? (value as JsonObject[]) : [];
    return items.flatMap((item, at) => {
      const uid = item["__component"] as string;
      if (!this.#catalogue.schemas.has(uid)) {
        context.losses.add(
          `a block of the component ${uid} is left out: the export has no schema of it`,
          place,
        );
        return [];
      }
      const object = this.#component(uid, item, owner, `${place}.${at}`, context);
      return [{ _type: this.#catalogue.modelOf(uid), ...object }];
    });
  }

  #targets({ uid, ref }: Owner, field: string): readonly Target[] {
    return this.#catalogue.links.get(linkKey(uid, ref, field)) ?? [];
  }

  #filesOf(owner: Owner, field: string): SiteAsset[] {
    return this.#targets(owner, field).flatMap(({ ref }) => this.#catalogue.assets.get(ref) ?? []);
  }

  #media({ source, isList }: PlannedField, owner: Owner, place: string, { missing, losses }: Context): Json {
    const ids = this.#filesOf(owner, source).flatMap(({ id, isPicture, address }) => {
      const reason = isPicture ? missing.get(id) : undefined;
      if (isPicture && reason === undefined) return [id];
      if (!isPicture) losses.add("a file that is no picture becomes its address", `${place}: ${address}`);
      else losses.add(`a picture is left out: ${reason ?? ""}`, `${place}: ${address}`);
      return [];
    });
    return isList ? [...new Set(ids)] : (ids[0] ?? null);
  }

  #linked({ source, targets, isList }: PlannedField, owner: Owner, place: string, { losses }: Context): Json {
    const references = this.#targets(owner, source).flatMap(({ type, ref }, at) => {
      const documentId = this.#catalogue.documentOf.get(`${type}:${ref}`);
      if (documentId === undefined || !targets.includes(this.#catalogue.modelOf(type))) {
        losses.add(
          "a relation to an entry that the export does not hold is left out",
          `${place}: ${type} ${ref}`,
        );
        return [];
      }
      const id = this.#catalogue.idOfDocument(type, documentId);
      return [{ model: this.#catalogue.modelOf(type), id, key: keyOf(place, at) }];
    });
    return this.#links.value(targets, isList, references);
  }

  #picture(src: string, { missing }: Context): FoundPicture {
    const asset = this.#catalogue.paths.get(pathIn(src));
    if (!asset) return { missing: "the export does not hold it" };
    const reason = asset.isPicture ? missing.get(asset.id) : "it is no picture";
    if (reason !== undefined) return { missing: reason };
    const alt = asset.alt[""] ?? asset.alt[this.#catalogue.defaultLocale];
    return { media: asset.id, ...(alt !== undefined && { alt }) };
  }

  #richText(value: string, { use, attribute }: PlannedField, place: string, context: Context): Json {
    const source: TextSource = {
      ...{ place, use, losses: context.losses },
      picture: (src) => this.#picture(src, context),
      record: () => null,
    };
    // Editors of plugins, such as CKEditor, keep HTML in the type of Markdown.
    const isHtml = attribute.customField !== undefined && /^\s*</.test(value);
    return isHtml ? richTextFromHtml(value, source) : richTextFromMarkdown(value, source);
  }
}

/** Returns a number. Decimals come as text from some databases. */
function numberFrom(value: Json): Json {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

function datetimeFrom(value: Json, place: string, losses: Losses): Json {
  if (typeof value !== "string" && typeof value !== "number") return null;
  // A timestamp is a number of milliseconds, which comes as text from some databases.
  const isCount = /^-?\d+$/.test(String(value));
  const date = new Date(isCount ? Number(value) : value);
  if (Number.isNaN(date.getTime())) {
    return (losses.add("a value that is no date is left out", `${place}: ${value}`), null);
  }
  if (!isCount && !String(value).includes("T")) {
    losses.add("a day without a time becomes the beginning of that day in UTC", place);
  }
  return date.toISOString();
}
