/** Reads the export of a Sanity dataset: documents, drafts and files. Models follow from the documents. */
import { LinkComponents } from "../links.ts";
import type { Losses } from "../losses.ts";
import type { Reading } from "../reading.ts";
import type { Json, JsonObject, MissingAssets, Site, SiteField, SiteModel, SiteRecord } from "../site.ts";
import { Catalogue, EPOCH, type DocumentPlaces } from "./catalogue.ts";
import { isCode, localizedIn, type SanityDocument } from "./export.ts";
import { siteFields } from "./fields.ts";
import { Plan, type PlannedModel } from "./plan.ts";
import { Shapes } from "./shapes.ts";
import { Values, type Context } from "./values.ts";

const SOURCE_ID: SiteField = { name: "sourceId", type: "string", unique: true, label: "ID in Sanity" };
/** Fields that title a record, the best first. */
const TITLES: readonly string[] = ["title", "name", "heading", "label", "question"];
const LOCALES_MAX = 50;

class SanitySite {
  readonly catalogue: Catalogue;
  readonly locales: string[];
  readonly #links = new LinkComponents();
  readonly #plan: Plan;
  readonly #values: Values;

  constructor(catalogue: Catalogue, losses: Losses) {
    this.catalogue = catalogue;
    const shapes = new Shapes((id) => catalogue.documents.get(id)?.type);
    for (const { document } of catalogue.contents()) shapes.seeDocument(document);
    const codes = [...shapes.codes].filter(([code]) => isCode(code));
    // The language with the most values is the default one.
    const sorted = codes.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([code]) => code);
    this.locales = sorted.slice(0, LOCALES_MAX);
    const pages = pagesOf(catalogue);
    this.#plan = new Plan(shapes, losses, (type) => pages.has(type));
    this.#values = new Values(catalogue, this.#links, this.#plan);
  }

  get hasLocales(): boolean {
    return this.locales.length > 1;
  }

  models(): SiteModel[] {
    const components = this.#plan.components().map((model) => this.#model(model, "components"));
    const documents = [...this.#plan.documents.values()].map((model) =>
      this.#model(model, model.isPage ? "pages" : "collections"),
    );
    return [...this.#links.models(), ...components, ...documents];
  }

  #model(model: PlannedModel, typeModel: SiteModel["typeModel"]): SiteModel {
    const isComponent = typeModel === "components";
    const definitions = { plan: this.#plan, links: this.#links, hasLocales: this.hasLocales, isComponent };
    const fields = model.fields.flatMap((field) => siteFields(field, definitions));
    const title = TITLES.find((name) =>
      fields.some((field) => field.name === name && field.type === "string"),
    );
    return {
      ...{
        typeModel,
        name: model.name,
        ...(model.label !== model.name && { label: model.label.slice(0, 200) }),
      },
      ...(!isComponent && { drafts: true, ...(title !== undefined && { titleField: title }) }),
      fields: isComponent ? fields : [SOURCE_ID, ...fields],
    };
  }

  async *records(missing: MissingAssets, losses: Losses): AsyncIterable<SiteRecord> {
    for (const [id, places] of this.catalogue.documents) {
      const model = this.#plan.documents.get(places.type);
      if (model) yield await Promise.resolve(this.#record(id, places, model, { missing, losses }));
    }
  }

  #record(id: string, places: DocumentPlaces, model: PlannedModel, context: Context): SiteRecord {
    const shown = places.published && this.catalogue.read(places.published);
    const draft = places.draft && this.catalogue.read(places.draft);
    const present = draft ?? shown!;
    const content = this.#content(id, present, model, context);
    const published = draft && shown ? this.#content(id, shown, model, context) : undefined;
    const isChanged = published !== undefined && JSON.stringify(published) !== JSON.stringify(content);
    const created = [shown, draft].flatMap((one) => timeOf(one, "_createdAt") ?? []).sort()[0] ?? EPOCH;
    const changes = [shown, draft].flatMap((one) => timeOf(one, "_updatedAt") ?? []).sort();
    const updated = changes[changes.length - 1] ?? created;
    // Sanity does not say when a document was published. Its published content was written then.
    const publishedAt = shown && (timeOf(shown, "_updatedAt") ?? created);
    const codes = this.hasLocales ? this.#codesOf(shown ?? present) : [""];
    return {
      typeModel: model.isPage ? "pages" : "collections",
      ...{ model: model.name, sourceId: id, draft: content, createdAt: created, updatedAt: updated },
      id: model.isPage ? model.name : this.catalogue.idOfDocument(id),
      ...(isChanged && { published }),
      editions: Object.fromEntries(
        codes.map((code) => [code, publishedAt === undefined ? {} : { publishedAt }]),
      ),
    };
  }

  /** Returns the locales that a document has values in, the default one among them. */
  #codesOf(document: SanityDocument): string[] {
    const found = new Set([this.locales[0]!]);
    for (const value of Object.values(document)) {
      for (const [code, one] of localizedIn(value) ?? [])
        if (one !== null && this.locales.includes(code)) found.add(code);
    }
    return this.locales.filter((code) => found.has(code));
  }

  #content(id: string, document: SanityDocument, model: PlannedModel, context: Context): JsonObject {
    const content: JsonObject = { sourceId: id };
    for (const field of model.fields) {
      const value = document[field.source] ?? null;
      if (value === null) continue;
      const place = `${model.name} ${id} ${field.name}`;
      const byCode = field.isLocalized ? localizedIn(value) : null;
      const given: [string, Json][] = byCode ? [...byCode] : [["", value]];
      for (const [code, one] of given) {
        if (code !== "" && !this.locales.includes(code)) {
          context.losses.add(
            "a value in a language with no code that the service takes is left out",
            `${place}: ${code}`,
          );
          continue;
        }
        const converted = this.#values.convert(
          one,
          field,
          code === "" ? place : `${place} (${code})`,
          context,
        );
        const urls = field.urlName === null || one === null ? null : this.#values.addresses(one);
        this.#set(content, field.name, converted, code);
        if (field.urlName !== null) this.#set(content, field.urlName, urls, code);
      }
    }
    return content;
  }

  #set(content: JsonObject, name: string, value: Json, code: string): void {
    if (value === null || (Array.isArray(value) && value.length === 0)) return;
    if (code === "" || !this.hasLocales) content[name] = value;
    else content[name] = { ...(content[name] as JsonObject | undefined), [code]: value };
  }
}

function timeOf(document: SanityDocument | undefined, name: string): string | null {
  const time = document?.[name];
  const ms = typeof time === "string" ? Date.parse(time) : Number.NaN;
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/**
 * Returns the types of single pages: those with one document, whose id was given by hand, such as `siteSettings`, and
 * which no reference leads to, since relations lead to collections.
 */
function pagesOf(catalogue: Catalogue): Set<string> {
  const counts = new Map<string, string[]>();
  for (const [id, { type }] of catalogue.documents)
    counts.set(type, [...(counts.get(type) ?? []).slice(0, 1), id]);
  const single = new Map(
    [...counts].flatMap(([type, [id, other]]): [string, string][] =>
      id !== undefined && other === undefined && /^[A-Za-z][A-Za-z_.-]*$/.test(id) ? [[id, type]] : [],
    ),
  );
  const visit = (value: Json): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (typeof value === "object" && value !== null) {
      if (typeof value["_ref"] === "string") single.delete(value["_ref"].replace(/^drafts\./, ""));
      for (const member of Object.values(value)) visit(member);
    }
  };
  if (single.size > 0) for (const { document } of catalogue.contents()) visit(document);
  return new Set(single.values());
}

export async function readSanity(reading: Reading): Promise<Site> {
  const catalogue = await Catalogue.read(reading);
  const site = new SanitySite(catalogue, reading.losses);
  if (site.hasLocales) {
    for (const asset of catalogue.assets.values()) {
      if (asset.alt[""] !== undefined) asset.alt = { [site.locales[0]!]: asset.alt[""] };
    }
  }
  return {
    system: "sanity",
    locales: site.hasLocales ? site.locales.map((code) => ({ code })) : [],
    models: () => site.models(),
    assets: [...catalogue.assets.values()],
    recordCount: catalogue.documents.size,
    records: (missing, losses) => site.records(missing, losses),
    close: () => catalogue.spool.close(),
  };
}
