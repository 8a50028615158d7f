/** Reads the export of a Contentful space: locales, content types, entries and assets. */
import { Constraints } from "../constraints.ts";
import { LinkComponents } from "../links.ts";
import type { Losses } from "../losses.ts";
import type { Reading } from "../reading.ts";
import type {
  Json,
  JsonObject,
  MissingAssets,
  Site,
  SiteEdition,
  SiteField,
  SiteModel,
  SiteRecord,
} from "../site.ts";
import { textComponents } from "../text/options.ts";
import { cleanText } from "../text/portable-text.ts";
import { Catalogue, EPOCH, isArchived } from "./catalogue.ts";
import type { ContentType, Entry } from "./export.ts";
import { plannedFields, siteFields, type PlannedField } from "./fields.ts";
import { Values, type At } from "./values.ts";

const SOURCE_ID: SiteField = { name: "sourceId", type: "string", unique: true, label: "ID in Contentful" };
const LOCATION: SiteModel = {
  ...{ typeModel: "components", name: "location", label: "Location" },
  fields: [
    { name: "lat", type: "number" },
    { name: "lon", type: "number" },
  ],
};

class ContentfulSite {
  readonly catalogue: Catalogue;
  readonly constraints = new Constraints();
  readonly #links = new LinkComponents();
  readonly #values: Values;
  readonly #fields = new Map<string, PlannedField[]>();
  /** The fields that some entry names a file in that is no picture. */
  readonly #withUrls = new Set<string>();

  constructor(catalogue: Catalogue, losses: Losses) {
    this.catalogue = catalogue;
    this.#values = new Values(catalogue, this.#links);
    for (const [id, type] of catalogue.types) {
      this.#fields.set(id, plannedFields(type, catalogue, this.constraints, losses));
      for (const { kind, key, targets } of this.#fields.get(id)!) {
        const isUnused = kind === "links" && targets.length === 0;
        if (isUnused) losses.add("a field of links that no entry uses is left out", key);
      }
    }
  }

  models(): SiteModel[] {
    const types = [...this.catalogue.types].sort(([a], [b]) => (a < b ? -1 : 1));
    const fields = [...this.#fields.values()].flat();
    const models = types.map(([id, type]) => this.#model(id, type));
    return [
      ...textComponents(new Set(fields.flatMap(({ use }) => [...use.components]))),
      ...this.#links.models(),
      ...(fields.some(({ kind }) => kind === "location") ? [LOCATION] : []),
      ...models,
    ];
  }

  #model(id: string, type: ContentType): SiteModel {
    const planned = this.#fields.get(id)!;
    const title = planned.find(({ source }) => source.id === type.displayField);
    const isTitle = title && (title.kind === "string" || title.kind === "text");
    const label = cleanText((type.name ?? "").trim()).slice(0, 200);
    const description = cleanText((type.description ?? "").trim()).slice(0, 2000);
    const definitions = { constraints: this.constraints, links: this.#links };
    return {
      ...{ typeModel: "collections", name: this.catalogue.models.of(id), drafts: true },
      ...(label !== "" && { label }),
      ...(description !== "" && { description }),
      ...(isTitle && { titleField: title.name }),
      fields: [
        SOURCE_ID,
        ...planned.flatMap((one) =>
          siteFields(one, { ...definitions, hasUrls: this.#withUrls.has(one.key) }),
        ),
        ...(this.catalogue.archivedTypes.has(id) ? [{ name: "archived", type: "boolean" }] : []),
      ],
    };
  }

  async *records(missing: MissingAssets, losses: Losses): AsyncIterable<SiteRecord> {
    for (const place of this.catalogue.entries.values()) {
      const entry = this.catalogue.read(place);
      if (this.catalogue.types.has(place.type)) {
        yield await Promise.resolve(this.#record(entry, place.type, missing, losses));
      } else losses.add("an entry whose content type is not in the export is left out", entry.sys.id);
    }
  }

  #record(entry: Entry, type: string, missing: MissingAssets, losses: Losses): SiteRecord {
    const { sys, metadata } = entry;
    const model = this.catalogue.models.of(type);
    const own = `${model} ${sys.id}`;
    const tags = (metadata?.tags?.length ?? 0) + (metadata?.concepts?.length ?? 0);
    if (tags > 0) losses.add("the tags of an entry are left out", own);
    const draft: JsonObject = { sourceId: sys.id };
    for (const field of this.#fields.get(type)!) {
      const at: At = { place: `${own} ${field.source.id}`, field, missing, losses, altCode: "" };
      this.#setField(draft, entry, at);
    }
    if (this.catalogue.archivedTypes.has(type)) draft["archived"] = isArchived(entry);
    return {
      ...{
        typeModel: "collections",
        model,
        id: this.catalogue.id("record", sys.id),
        sourceId: sys.id,
        draft,
      },
      createdAt: sys.createdAt ?? EPOCH,
      updatedAt: sys.updatedAt ?? sys.createdAt ?? EPOCH,
      editions: this.#editions(entry, own, losses),
    };
  }

  /** Sets the value of a field, and of the field of addresses that stands beside one of media. */
  #setField(draft: JsonObject, { sys, fields = {} }: Entry, at: At): void {
    const { hasLocales, defaultLocale, locales } = this.catalogue;
    const { source, key, name, urlName } = at.field;
    const isLocalized = hasLocales && source.localized === true;
    const given = fields[source.id] ?? {};
    for (const code of isLocalized ? locales.map((locale) => locale.code) : [defaultLocale]) {
      const value = given[code] ?? null;
      const set = (target: string, one: Json): void => {
        if (one === null || (Array.isArray(one) && one.length === 0)) return;
        draft[target] = isLocalized ? { ...(draft[target] as JsonObject | undefined), [code]: one } : one;
      };
      const place = isLocalized ? `${at.place} (${code})` : at.place;
      const altCode = hasLocales ? code : "";
      const converted = value === null ? null : this.#values.convert(value, { ...at, place, altCode });
      set(name, converted);
      const urls = urlName === null || value === null ? null : this.#values.addresses(value);
      if (urlName !== null && urls !== null) {
        this.#withUrls.add(key);
        set(urlName, urls);
      }
      const isDemanded = sys.publishedVersion !== undefined && code === defaultLocale;
      this.constraints.see(key, converted, place, `${sys.id} ${code}`, isDemanded);
    }
  }

  #editions(entry: Entry, own: string, losses: Losses): Record<string, SiteEdition> {
    const { sys, fields = {} } = entry;
    const { version = 0, publishedVersion, publishedAt = sys.updatedAt } = sys;
    const isPublished = publishedVersion !== undefined && !isArchived(entry);
    const isChanged = isPublished && version > publishedVersion + 1;
    if (isArchived(entry)) losses.add("an archived entry is kept as a draft with archived: true", own);
    if (isChanged) {
      const reason = "the export does not hold its published content";
      losses.add(`an entry with unpublished changes is kept as a draft: ${reason}`, own);
    }
    const time = isPublished && !isChanged && publishedAt !== undefined ? isoTime(publishedAt) : null;
    const statuses = sys.fieldStatus?.["*"];
    const { hasLocales, defaultLocale, locales } = this.catalogue;
    if (!hasLocales) return { "": time === null ? {} : { publishedAt: time } };
    const editions = locales.flatMap(({ code }): [string, SiteEdition][] => {
      const hasContent = Object.values(fields).some((values) => values[code] !== undefined);
      if (code !== defaultLocale && !hasContent) return [];
      const isOut = time !== null && (statuses?.[code] ?? "published") === "published";
      return [[code, isOut ? { publishedAt: time } : {}]];
    });
    return Object.fromEntries(editions);
  }
}

const isoTime = (text: string): string => new Date(text).toISOString();

export async function readContentful(reading: Reading): Promise<Site> {
  const catalogue = await Catalogue.read(reading);
  const site = new ContentfulSite(catalogue, reading.losses);
  const locales = catalogue.locales.map(({ code, fallbackCode }) => ({
    code,
    ...(typeof fallbackCode === "string" && fallbackCode !== "" && { fallback: fallbackCode }),
  }));
  return {
    ...{ system: "contentful", locales: catalogue.hasLocales ? locales : [] },
    models: () => site.models(),
    assets: [...catalogue.assets.values()],
    recordCount: catalogue.entries.size,
    records: (missing, losses) => site.records(missing, losses),
    close: () => catalogue.spool.close(),
    settle: (losses) => site.constraints.list(losses),
  };
}
