/** The contents of an export of Strapi, as far as memory keeps them: schemas, locales, links, and where each row is. */
import { mkdirSync } from "node:fs";
import { Failure } from "../../base/failure.ts";
import { entriesOf, unpack, type ArchiveEntry } from "../files/archive.ts";
import { valuesOf } from "../files/ndjson.ts";
import { isArchive } from "../files/open.ts";
import { Spool, type Place } from "../files/spool.ts";
import { idOf } from "../ids.ts";
import { Names } from "../names.ts";
import type { Reading } from "../reading.ts";
import type { JsonObject, SiteAsset } from "../site.ts";
import { cleanText } from "../text/portable-text.ts";
import { TEXT_COMPONENT_NAMES } from "../text/options.ts";
import { DEFAULT_LOCALE_KEY, FILE, LOCALE, textOf, type Entity, type Link, type Schema } from "./export.ts";

/** A row of a document: its draft or its published content, in one locale. */
export interface Row extends Place {
  locale: string;
  isPublished: boolean;
}

/** The target of a link, in the order of its field. */
export interface Target {
  type: string;
  ref: number;
  order: number;
}

export const EPOCH = "1970-01-01T00:00:00.000Z";
const STRAPI_VERSION_MIN = 5;
const UPLOADS = "assets/uploads/";

const isContent = (uid: string): boolean => uid.startsWith("api::");

export class Catalogue {
  readonly spool: Spool;
  readonly schemas = new Map<string, Schema>();
  /** The rows of each document, by `type` and document id. */
  readonly documents = new Map<string, Map<string, Row[]>>();
  /** The document of each row, by `type:id`. */
  readonly documentOf = new Map<string, string>();
  readonly links = new Map<string, Target[]>();
  readonly assets = new Map<number, SiteAsset>();
  /** The asset at each path of Strapi, its smaller sizes included. */
  readonly paths = new Map<string, SiteAsset>();
  readonly models = Names.ofModels(TEXT_COMPONENT_NAMES);
  locales: string[] = [];
  defaultLocale = "";
  #order = 0;

  private constructor(spool: Spool) {
    this.spool = spool;
  }

  static async read(reading: Reading): Promise<Catalogue> {
    const { path, folder, losses, progress } = reading;
    await checkArchive(path);
    const catalogue = new Catalogue(new Spool(`${folder}/entities.ndjson`));
    const unpacked = new Map<string, string>();
    mkdirSync(`${folder}/assets`, { recursive: true });
    for await (const entry of entriesOf(path, progress)) {
      if (entry.name.startsWith(UPLOADS)) {
        unpacked.set(entry.name.slice(UPLOADS.length), await unpackAsset(entry, folder));
        progress?.(0, `${unpacked.size} files unpacked`);
      } else if (entry.name.endsWith(".jsonl")) await catalogue.#readLines(entry);
      else if (entry.name === "metadata.json") await checkVersion(entry);
    }
    if (catalogue.schemas.size === 0) {
      throw new Failure("The file holds no schemas, so it is no export of Strapi 5.", {
        next: UNENCRYPTED,
      });
    }
    catalogue.#settleLocales();
    for (const targets of catalogue.links.values()) targets.sort((a, b) => a.order - b.order);
    for (const [uid, { modelType, kind, info }] of [...catalogue.schemas].sort(([a], [b]) =>
      a < b ? -1 : 1,
    )) {
      const name = kind === "collectionType" ? (info?.pluralName ?? uid) : (info?.singularName ?? uid);
      if (modelType === "component") catalogue.models.of(uid);
      else if (isContent(uid)) catalogue.#nameModel(uid, name);
    }
    for (const asset of catalogue.assets.values()) catalogue.#settleAsset(asset, unpacked, losses);
    for (const [type, documents] of catalogue.documents) {
      if (!isContent(type))
        losses.add(`content of a plugin is left out: ${type}`, `${documents.size} entries`);
    }
    return catalogue;
  }

  get hasLocales(): boolean {
    return this.locales.length > 1;
  }

  /** Returns the schemas of content that becomes records. */
  contentTypes(): Schema[] {
    return [...this.schemas.values()]
      .filter(({ uid, modelType }) => modelType === "contentType" && isContent(uid))
      .sort((a, b) => (a.uid < b.uid ? -1 : 1));
  }

  components(): Schema[] {
    return [...this.schemas.values()]
      .filter(({ modelType }) => modelType === "component")
      .sort((a, b) => (a.uid < b.uid ? -1 : 1));
  }

  modelOf(uid: string): string {
    return this.#modelNames.get(uid) ?? this.models.of(uid);
  }

  /** Returns the id of the record of a document. A document of a single type is a page, whose id is its model's name. */
  idOfDocument(uid: string, documentId: string): string {
    if (this.schemas.get(uid)?.kind === "singleType") return this.modelOf(uid);
    return idOf("strapi", "", "record", documentId);
  }

  read(place: Place): Entity {
    return this.spool.read(place) as Entity;
  }

  readonly #modelNames = new Map<string, string>();

  #nameModel(uid: string, name: string): void {
    this.#modelNames.set(uid, this.models.of(name));
  }

  async #readLines({ name, bytes }: ArchiveEntry): Promise<void> {
    const [folder] = name.split("/");
    for await (const value of valuesOf(bytes, name)) {
      if (folder === "schemas") this.schemas.set((value as Schema).uid, value as Schema);
      else if (folder === "entities") this.#addEntity(value as Entity);
      else if (folder === "links") this.#addLink(value as Link);
      else if (folder === "configuration") this.#addSetting(value as { type: string; value: JsonObject });
    }
  }

  #addEntity(entity: Entity): void {
    const { type, id, data } = entity;
    if (type === FILE) {
      this.#addFile(id, data);
      return;
    }
    if (type === LOCALE) return void this.locales.push(textOf(data, "code"));
    if (!isContent(type)) {
      if (type.startsWith("plugin::") && !NO_CONTENT.some((name) => type.startsWith(name)))
        this.#count(type, id);
      return;
    }
    const documentId = textOf(data, "documentId") || String(id);
    const documents = this.documents.get(type) ?? new Map<string, Row[]>();
    const rows = documents.get(documentId) ?? [];
    const isPublished = textOf(data, "publishedAt") !== "";
    rows.push({ ...this.spool.add(entity), locale: textOf(data, "locale"), isPublished });
    documents.set(documentId, rows);
    this.documents.set(type, documents);
    this.documentOf.set(`${type}:${id}`, documentId);
  }

  #count(type: string, id: number): void {
    const documents = this.documents.get(type) ?? new Map<string, Row[]>();
    this.documents.set(type, documents.set(String(id), []));
  }

  #addFile(id: number, data: JsonObject): void {
    const alt = cleanText(textOf(data, "alternativeText") || textOf(data, "caption"))
      .trim()
      .slice(0, 2000);
    const address = textOf(data, "url");
    const createdAt = textOf(data, "createdAt") || EPOCH;
    const point = data["focalPoint"] as { x?: number; y?: number } | null | undefined;
    const asset: SiteAsset = {
      ...{
        id: idOf("strapi", "", "media", textOf(data, "documentId") || `file:${id}`),
        sourceId: String(id),
      },
      filename: cleanText(textOf(data, "name")).slice(0, 255) || "file",
      ...{ address, alt: alt === "" ? {} : { "": alt }, createdAt },
      updatedAt: textOf(data, "updatedAt") || createdAt,
      isPicture: textOf(data, "mime").startsWith("image/"),
      ...(typeof point?.x === "number" &&
        typeof point.y === "number" && { focalPoint: hundredths(point.x, point.y) }),
    };
    this.assets.set(id, asset);
    this.#filesOf.set(asset, `${textOf(data, "hash")}${textOf(data, "ext")}`);
    const formats = (data["formats"] ?? {}) as Record<string, JsonObject | null>;
    const sizes = Object.values(formats).map((format) => textOf(format ?? {}, "url"));
    for (const one of [address, ...sizes]) if (one !== "") this.paths.set(pathIn(one), asset);
  }

  readonly #filesOf = new Map<SiteAsset, string>();

  #settleAsset(asset: SiteAsset, unpacked: ReadonlyMap<string, string>, losses: Reading["losses"]): void {
    if (!asset.isPicture) losses.add("a file that is no picture stays where it is", asset.address);
    const path = unpacked.get(this.#filesOf.get(asset) ?? "");
    if (path !== undefined) asset.path = path;
    if (this.hasLocales && asset.alt[""] !== undefined) asset.alt = { [this.defaultLocale]: asset.alt[""] };
  }

  #addLink({ kind, left, right }: Link): void {
    if (left.field === "localizations" || typeof right.ref !== "number" || typeof left.ref !== "number")
      return;
    const isFile = left.type === FILE && left.field === "related";
    // The link of a file stands on the side of the file, but the field is the other side's.
    const owner = isFile ? right : left;
    const target = isFile ? left : right;
    if (owner.field === undefined) return;
    const key = linkKey(owner.type, owner.ref as number, owner.field);
    const targets = this.links.get(key) ?? [];
    this.#order += 1;
    // A relation to anything has its order on the side of the target.
    const pos = owner.pos ?? (kind === "relation.morph" ? target.pos : null) ?? 0;
    targets.push({
      type: target.type,
      ref: target.ref as number,
      order: pos + this.#order / 2 ** 32,
    });
    this.links.set(key, targets);
  }

  #addSetting({ value }: { value: JsonObject }): void {
    if (value["key"] === DEFAULT_LOCALE_KEY) this.defaultLocale = textOf(value, "value").replaceAll('"', "");
  }

  #settleLocales(): void {
    const codes = [...new Set(this.locales.filter((code) => code !== ""))].sort();
    this.defaultLocale ||= codes[0] ?? "";
    this.locales = [this.defaultLocale, ...codes.filter((code) => code !== this.defaultLocale)];
  }
}

/** Content of plugins that is no content of a site. */
const NO_CONTENT: readonly string[] = [
  ...["plugin::users-permissions.permission", "plugin::users-permissions.role", "plugin::upload.folder"],
  ...["plugin::content-releases.", "plugin::review-workflows.", "plugin::i18n."],
];

export const linkKey = (type: string, ref: number, field: string): string => `${type}:${ref}:${field}`;

/** Returns the path in an address of a file: `/uploads/beach.jpg`. */
export const pathIn = (address: string): string =>
  address.replace(/^https?:\/\/[^/]*/i, "").replace(/[?#].*$/, "");

const hundredths = (x: number, y: number): { x: number; y: number } => {
  const share = (percent: number): number => Math.round(Math.min(100, Math.max(0, percent))) / 100;
  return { x: share(x), y: share(y) };
};

const UNENCRYPTED = "Make one with 'strapi export --no-encrypt'.";

/** @throws Failure for an encrypted export, which is bytes without any form, and for another file that is no archive */
async function checkArchive(path: string): Promise<void> {
  if (await isArchive(path)) return;
  const message = path.endsWith(".enc")
    ? "The export is encrypted, so it cannot be read."
    : "The file is no tar archive. An export of Strapi that is encrypted is none, either.";
  throw new Failure(message, { next: UNENCRYPTED });
}

/** @throws Failure for an export of Strapi 4, whose documents have no ids of their own */
async function checkVersion({ bytes }: ArchiveEntry): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  const metadata = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { strapi?: { version?: string } };
  const version = metadata.strapi?.version ?? "";
  if (version === "" || Number.parseInt(version, 10) >= STRAPI_VERSION_MIN) return;
  throw new Failure(`The file is an export of Strapi ${version}, and exports of Strapi 5 are read.`, {
    next: "Upgrade a copy of the site to Strapi 5 ('npx @strapi/upgrade major'), and export that.",
  });
}

async function unpackAsset(entry: ArchiveEntry, folder: string): Promise<string> {
  const name = entry.name.slice(UPLOADS.length).replaceAll(/[^\w.-]/g, "_");
  const path = `${folder}/assets/${name}`;
  await unpack(entry, path);
  return path;
}
