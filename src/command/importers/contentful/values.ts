/** Converts the values of entries. */
import { keyOf } from "../ids.ts";
import type { LinkComponents } from "../links.ts";
import type { Losses } from "../losses.ts";
import type { Json, JsonObject, MissingAssets, SiteAsset } from "../site.ts";
import { cleanText } from "../text/portable-text.ts";
import type { Catalogue } from "./catalogue.ts";
import { linkedId } from "./export.ts";
import type { PlannedField } from "./fields.ts";
import { richTextOfDocument, type NamedEntry } from "./rich-text.ts";

/** The place of a value while it is converted. */
export interface At {
  place: string;
  field: PlannedField;
  missing: MissingAssets;
  losses: Losses;
  /** The locale of the alt texts of pictures; empty in a site without locales. */
  altCode: string;
}

export class Values {
  readonly #catalogue: Catalogue;
  readonly #links: LinkComponents;

  constructor(catalogue: Catalogue, links: LinkComponents) {
    this.#catalogue = catalogue;
    this.#links = links;
  }

  convert(value: Json, at: At): Json {
    const { field, losses, place } = at;
    switch (field.kind) {
      case "string":
      case "text":
        return typeof value === "string" ? cleanText(value) : null;
      case "richtext":
        return this.#richText(value, at);
      case "number":
        return typeof value === "number" ? value : null;
      case "boolean":
        return typeof value === "boolean" ? value : null;
      case "datetime":
        return datetimeFrom(value, place, losses);
      case "json":
        return value;
      case "location": {
        const { lat = null, lon = null } = value as JsonObject;
        return { lat, lon };
      }
      case "media":
        return this.#media(value, at);
      case "links":
        return this.#linked(value, at);
      default:
        return field.kind satisfies never;
    }
  }

  /** Returns the addresses of the files in a value that are no pictures; null for none. */
  addresses(value: Json): string | null {
    const files = this.#assetsIn(value).filter((asset) => typeof asset === "object" && !asset.isPicture);
    return files.length > 0 ? (files as SiteAsset[]).map(({ address }) => address).join("\n") : null;
  }

  #linked(value: Json, { field, place, losses }: At): Json {
    const ids = (Array.isArray(value) ? value : [value]).map((one) => linkedId(one, "Entry") ?? "");
    const references = ids.flatMap((id, index) => {
      const target = this.#catalogue.entries.get(id);
      if (!target || !this.#catalogue.types.has(target.type)) {
        losses.add("a link to an entry that the export does not hold is left out", `${place}: ${id}`);
        return [];
      }
      const model = this.#catalogue.models.of(target.type);
      return [{ model, id: this.#catalogue.id("record", id), key: keyOf(place, index) }];
    });
    return this.#links.value(field.targets, field.isList, references);
  }

  /** Returns the assets in a value; the id alone of one that the export does not hold. */
  #assetsIn(value: Json): (SiteAsset | string)[] {
    return (Array.isArray(value) ? value : [value]).map((one) => {
      const id = linkedId(one, "Asset") ?? "";
      return this.#catalogue.assets.get(id) ?? id;
    });
  }

  #media(value: Json, { field, place, losses, missing }: At): Json {
    const ids = this.#assetsIn(value).flatMap((asset) => {
      if (typeof asset === "string") {
        losses.add("a link to an asset that the export does not hold is left out", `${place}: ${asset}`);
        return [];
      }
      const reason = asset.isPicture ? missing.get(asset.id) : undefined;
      if (asset.isPicture && reason === undefined) return [asset.id];
      if (!asset.isPicture) losses.add("a file that is no picture becomes its address", place);
      else losses.add(`a picture is left out: ${reason ?? ""}`, `${place}: ${asset.address}`);
      return [];
    });
    return field.isList ? [...new Set(ids)] : (ids[0] ?? null);
  }

  #richText(value: Json, { field, place, losses, missing, altCode }: At): Json {
    return richTextOfDocument(value, {
      ...{ place, losses, use: field.use, linkTo: field.linkTo },
      entry: (id) => this.#named(id),
      asset: (id) => {
        const asset = this.#catalogue.assets.get(id);
        if (!asset) return null;
        const about = { address: asset.address, title: asset.alt[altCode] ?? "" };
        const reason = asset.isPicture ? missing.get(asset.id) : "it is no picture";
        return reason === undefined ? { ...about, media: asset.id } : { ...about, missing: reason };
      },
      linkComponent: (model) => this.#links.nameFor(model),
    });
  }

  /** Returns an entry by its id, with the title that editors see. */
  #named(id: string): NamedEntry | null {
    const place = this.#catalogue.entries.get(id);
    const type = place && this.#catalogue.types.get(place.type);
    if (!place || !type) return null;
    const { fields = {} } = this.#catalogue.read(place);
    const titles = fields[type.displayField ?? ""] ?? {};
    const title = titles[this.#catalogue.defaultLocale] ?? Object.values(titles)[0];
    return {
      ...{ id: this.#catalogue.id("record", id), model: this.#catalogue.models.of(place.type) },
      title: typeof title === "string" ? cleanText(title) : "",
    };
  }
}

/** Returns a date of Contentful as a time. A day alone is its beginning in UTC. */
function datetimeFrom(value: Json, place: string, losses: Losses): Json {
  if (typeof value !== "string") return null;
  const hasTime = value.includes("T");
  const hasZone = /T.*(?:Z|[+-]\d{2}:?\d{2})$/.test(value);
  const ms = Date.parse(hasTime && !hasZone ? `${value}Z` : value);
  if (Number.isNaN(ms)) {
    losses.add("a value that is no date is left out", `${place}: ${value}`);
    return null;
  }
  if (!hasTime) losses.add("a day without a time becomes the beginning of that day in UTC", place);
  else if (!hasZone) losses.add("a time without a zone becomes a time in UTC", place);
  return new Date(ms).toISOString();
}
