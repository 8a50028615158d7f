/** Reads the export of Strapi 5: schemas, entities, links, locales and assets out of one archive. */
import { Constraints } from "../constraints.ts";
import { LinkComponents } from "../links.ts";
import type { Losses } from "../losses.ts";
import type { Reading } from "../reading.ts";
import type {
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
import { Catalogue, EPOCH, type Row } from "./catalogue.ts";
import { textOf, type Entity, type Schema } from "./export.ts";
import { plannedFields, siteFields, type PlannedField } from "./fields.ts";
import { Values, type Context } from "./values.ts";

const SOURCE_ID: SiteField = {
  name: "sourceId",
  type: "string",
  unique: true,
  label: "Document ID in Strapi",
};

/** The rows of a document with their content. */
interface ReadRow extends Row {
  entity: Entity;
}

class StrapiSite {
  readonly catalogue: Catalogue;
  readonly constraints = new Constraints();
  readonly #links = new LinkComponents();
  readonly #fields = new Map<string, PlannedField[]>();
  readonly #values: Values;

  constructor(catalogue: Catalogue, losses: Losses) {
    this.catalogue = catalogue;
    for (const schema of [...catalogue.components(), ...catalogue.contentTypes()]) {
      this.#fields.set(schema.uid, plannedFields(schema, catalogue, this.constraints, losses));
    }
    this.#values = new Values(catalogue, this.#links, this.constraints, this.#fields);
  }

  models(): SiteModel[] {
    const types = this.catalogue.contentTypes().map((schema) => this.#model(schema));
    const reached = this.#componentsIn(this.catalogue.contentTypes());
    const components = this.catalogue
      .components()
      .filter(({ uid }) => reached.has(uid))
      .map((schema) => this.#model(schema));
    const used = [...this.#fields.values()].flat().flatMap(({ use }) => [...use.components]);
    return [...textComponents(new Set(used)), ...this.#links.models(), ...components, ...types];
  }

  /** Returns the components that content types hold, those in other components included. */
  #componentsIn(schemas: readonly Schema[], found = new Set<string>()): Set<string> {
    for (const { attributes } of schemas) {
      const uids = Object.values(attributes).flatMap(({ component, components = [] }) => [
        ...(component === undefined ? [] : [component]),
        ...components,
      ]);
      const further = uids
        .filter((uid) => !found.has(uid))
        .flatMap((uid) => this.catalogue.schemas.get(uid) ?? []);
      for (const { uid } of further) found.add(uid);
      this.#componentsIn(further, found);
    }
    return found;
  }

  #model({ uid, modelType, kind, info, options }: Schema): SiteModel {
    const fields = this.#fields.get(uid)!.flatMap((field) =>
      siteFields(field, {
        ...{ catalogue: this.catalogue, constraints: this.constraints, links: this.#links },
        hasUrls: this.#values.withUrls.has(field.key),
      }),
    );
    const label = cleanText(info?.displayName ?? "").slice(0, 200);
    const description = cleanText(info?.description ?? "").slice(0, 2000);
    const words = { ...(label !== "" && { label }), ...(description !== "" && { description }) };
    const name = this.catalogue.modelOf(uid);
    if (modelType === "component") return { typeModel: "components", name, ...words, fields };
    return {
      ...{ typeModel: kind === "singleType" ? "pages" : "collections", name, ...words },
      drafts: options?.draftAndPublish === true,
      fields: [SOURCE_ID, ...fields],
    };
  }

  async *records(missing: MissingAssets, losses: Losses): AsyncIterable<SiteRecord> {
    for (const schema of this.catalogue.contentTypes()) {
      const documents = this.catalogue.documents.get(schema.uid) ?? new Map<string, Row[]>();
      const isSingle = schema.kind === "singleType";
      for (const [at, [documentId, rows]] of [...documents].entries()) {
        if (isSingle && at > 0) {
          losses.add("a second document of a single type is left out", `${schema.uid} ${documentId}`);
          continue;
        }
        yield await Promise.resolve(this.#record(schema, documentId, rows, { missing, losses }));
      }
    }
  }

  #record(schema: Schema, documentId: string, places: readonly Row[], context: Context): SiteRecord {
    const rows = places.map((row): ReadRow => ({ ...row, entity: this.catalogue.read(row) }));
    const hasDrafts = schema.options?.draftAndPublish === true;
    const drafts = hasDrafts ? rows.filter(({ isPublished }) => !isPublished) : rows;
    const published = hasDrafts ? rows.filter(({ isPublished }) => isPublished) : [];
    const own = { schema, documentId };
    const draft = this.#content(own, drafts.length > 0 ? drafts : published, context);
    const shown = published.length > 0 ? this.#content(own, published, context) : undefined;
    const isChanged = shown !== undefined && JSON.stringify(shown) !== JSON.stringify(draft);
    const times = (name: string): string[] =>
      rows
        .map(({ entity }) => textOf(entity.data, name))
        .filter(Boolean)
        .sort();
    const createdAt = times("createdAt")[0] ?? EPOCH;
    return {
      typeModel: schema.kind === "singleType" ? "pages" : "collections",
      ...{ model: this.catalogue.modelOf(schema.uid), sourceId: documentId, draft, createdAt },
      id: this.catalogue.idOfDocument(schema.uid, documentId),
      updatedAt: times("updatedAt").reverse()[0] ?? createdAt,
      ...(isChanged && { published: shown }),
      editions: this.#editions(rows, published),
    };
  }

  #editions(rows: readonly ReadRow[], published: readonly ReadRow[]): Record<string, SiteEdition> {
    const { hasLocales, defaultLocale } = this.catalogue;
    const codeOf = ({ locale }: ReadRow): string => (hasLocales ? locale || defaultLocale : "");
    const codes = [...new Set([hasLocales ? defaultLocale : "", ...rows.map(codeOf)])];
    return Object.fromEntries(
      codes.map((code) => {
        const row = published.find((one) => codeOf(one) === code);
        return [code, row ? { publishedAt: textOf(row.entity.data, "publishedAt") } : {}];
      }),
    );
  }

  /** Returns the content of rows that are of one document, each in a locale. */
  #content(
    own: { schema: Schema; documentId: string },
    rows: readonly ReadRow[],
    context: Context,
  ): JsonObject {
    const { hasLocales, defaultLocale } = this.catalogue;
    const first = rows.find(({ locale }) => locale === defaultLocale) ?? rows[0];
    const content: JsonObject = { sourceId: own.documentId };
    if (!first) return content;
    Object.assign(content, this.#valuesOf(own, first, null, context));
    for (const row of hasLocales ? rows : []) {
      const code = row.locale || defaultLocale;
      for (const [name, value] of Object.entries(this.#valuesOf(own, row, code, context))) {
        content[name] = { ...(content[name] as JsonObject | undefined), [code]: value };
      }
    }
    return content;
  }

  /** Returns the values of a row: those of the localized fields in one locale, or without a locale those of the others. */
  #valuesOf(
    { schema: { uid }, documentId }: { schema: Schema; documentId: string },
    { entity, isPublished }: ReadRow,
    code: string | null,
    context: Context,
  ): JsonObject {
    const place = `${this.catalogue.modelOf(uid)} ${documentId}${code === null ? "" : ` (${code})`}`;
    const isDemanded = isPublished && (code === null || code === this.catalogue.defaultLocale);
    return this.#values.of(
      { uid, ref: entity.id, data: entity.data, place, record: documentId, isPublished: isDemanded },
      context,
      this.#fields.get(uid)!.filter(({ isLocalized }) => isLocalized === (code !== null)),
    );
  }
}

export async function readStrapi(reading: Reading): Promise<Site> {
  const catalogue = await Catalogue.read(reading);
  const site = new StrapiSite(catalogue, reading.losses);
  const types = catalogue.contentTypes();
  return {
    system: "strapi",
    locales: catalogue.hasLocales ? catalogue.locales.map((code) => ({ code })) : [],
    models: () => site.models(),
    assets: [...catalogue.assets.values()],
    recordCount: types.reduce((sum, { uid }) => sum + (catalogue.documents.get(uid)?.size ?? 0), 0),
    records: (missing, losses) => site.records(missing, losses),
    close: () => catalogue.spool.close(),
    settle: (losses) => site.constraints.list(losses),
  };
}
