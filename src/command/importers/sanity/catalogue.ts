/** The contents of an export of Sanity, as far as memory keeps them: where each document is, and the files. */
import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Failure } from "../../base/failure.ts";
import { entriesOf, unpack } from "../files/archive.ts";
import { valuesOf } from "../files/ndjson.ts";
import { isBelow } from "../files/below.ts";
import { isArchive, openExport } from "../files/open.ts";
import { Spool, type Place } from "../files/spool.ts";
import { idOf } from "../ids.ts";
import type { Losses } from "../losses.ts";
import type { Reading } from "../reading.ts";
import type { Json, JsonObject, SiteAsset } from "../site.ts";
import { cleanText } from "../text/portable-text.ts";
import { assetIn, isObject, type AssetFacts, type NamedAsset, type SanityDocument } from "./export.ts";

/** The places of a document: its published content and its draft. */
export interface DocumentPlaces {
  type: string;
  published?: Place;
  draft?: Place;
}

export const EPOCH = "1970-01-01T00:00:00.000Z";
const DRAFT = "drafts.";

export class Catalogue {
  readonly spool: Spool;
  readonly documents = new Map<string, DocumentPlaces>();
  readonly assets = new Map<string, SiteAsset>();
  readonly #facts = new Map<string, AssetFacts>();
  readonly #unpacked = new Map<string, string>();

  private constructor(spool: Spool) {
    this.spool = spool;
  }

  static async read(reading: Reading): Promise<Catalogue> {
    const { path, folder, losses } = reading;
    const catalogue = new Catalogue(new Spool(`${folder}/documents.ndjson`));
    mkdirSync(`${folder}/assets`, { recursive: true });
    if (await isArchive(path)) await catalogue.#readArchive(reading);
    else await catalogue.#readDocuments(await openExport(path, reading.progress), reading);
    if (catalogue.documents.size === 0) {
      throw new Failure("The file holds no documents, so it is no export of a Sanity dataset.", {
        next: "Make one with 'sanity dataset export production production.tar.gz'.",
      });
    }
    for (const asset of catalogue.assets.values()) catalogue.#settleAsset(asset, dirname(path), losses);
    return catalogue;
  }

  read(place: Place): SanityDocument {
    return this.spool.read(place) as SanityDocument;
  }

  /** Yields every content: the published ones and the drafts. */
  *contents(): Iterable<{ id: string; document: SanityDocument }> {
    for (const [id, { published, draft }] of this.documents) {
      for (const place of [published, draft]) if (place) yield { id, document: this.read(place) };
    }
  }

  idOfDocument(id: string): string {
    return idOf("sanity", "", "record", id);
  }

  async #readArchive(reading: Reading): Promise<void> {
    const { path, folder, progress } = reading;
    for await (const entry of entriesOf(path, progress)) {
      const [, kind, name] = /(?:^|\/)(images|files)\/([^/]+)$/.exec(entry.name) ?? [];
      if (kind !== undefined && name !== undefined) {
        const target = `${folder}/assets/${name.replaceAll(/[^\w.-]/g, "_")}`;
        await unpack(entry, target);
        this.#unpacked.set(`${kind}/${name}`, target);
        progress?.(0, `${this.#unpacked.size} files unpacked`);
      } else if (entry.name.endsWith(".ndjson")) await this.#readDocuments(entry.bytes, reading);
      else if (entry.name.endsWith("assets.json")) await this.#readFacts(entry.bytes);
    }
  }

  async #readFacts(bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of bytes) chunks.push(chunk);
    const facts = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, AssetFacts>;
    for (const [key, one] of Object.entries(facts)) this.#facts.set(key, slim(one));
  }

  async #readDocuments(bytes: AsyncIterable<Uint8Array>, { path, losses, progress }: Reading): Promise<void> {
    for await (const value of valuesOf(bytes, path)) {
      const document = value as SanityDocument;
      if (typeof document._id !== "string" || typeof document._type !== "string") {
        throw new Failure("A line of the export is no document of Sanity: it has no _id or no _type.");
      }
      this.#addDocument(document, losses);
      progress?.(0, `${this.documents.size} documents read`);
    }
  }

  #addDocument(document: SanityDocument, losses: Losses): void {
    const { _id: id, _type: type } = document;
    if (type === "sanity.imageAsset" || type === "sanity.fileAsset") {
      const kind = type === "sanity.imageAsset" ? "image" : "file";
      this.#facts.set(`${kind}-${id.split("-")[1] ?? ""}`, slim(document as AssetFacts));
      return;
    }
    if (type.startsWith("sanity.") || type.startsWith("system.") || id.startsWith("_.")) {
      losses.add(`documents that Sanity keeps for itself are left out: ${type}`, id);
      return;
    }
    if (id.startsWith("versions.")) {
      losses.add("versions of a release are left out", id);
      return;
    }
    const isDraft = id.startsWith(DRAFT);
    const own = isDraft ? id.slice(DRAFT.length) : id;
    const places: DocumentPlaces = this.documents.get(own) ?? { type };
    places[isDraft ? "draft" : "published"] = this.spool.add(document);
    this.documents.set(own, places);
    this.#findAssets(document);
  }

  #findAssets(value: Json): void {
    if (Array.isArray(value)) for (const item of value) this.#findAssets(item);
    if (!isObject(value)) return;
    const named = assetIn(value);
    if (named) this.#seeAsset(named, value);
    else for (const member of Object.values(value)) this.#findAssets(member);
  }

  /** Takes note of a file, with the focal point and the alt text that its first use gives it. */
  #seeAsset({ key, isImage, location }: NamedAsset, value: JsonObject): void {
    const asset: SiteAsset = this.assets.get(key) ?? {
      ...{ id: idOf("sanity", "", "media", key), sourceId: key, filename: "", address: location },
      ...{ alt: {}, createdAt: EPOCH, updatedAt: EPOCH, isPicture: isImage },
    };
    asset.address ||= location;
    const alt = value["alt"];
    if (typeof alt === "string" && alt.trim() !== "") asset.alt[""] ??= cleanText(alt).slice(0, 2000);
    const point = value["hotspot"];
    if (isObject(point) && typeof point["x"] === "number" && typeof point["y"] === "number") {
      asset.focalPoint ??= { x: share(point["x"]), y: share(point["y"]) };
    }
    this.assets.set(key, asset);
  }

  #settleAsset(asset: SiteAsset, beside: string, losses: Losses): void {
    const facts = this.#facts.get(asset.sourceId) ?? {};
    const isRemote = /^https?:/i.test(asset.address);
    const unpacked = isRemote ? undefined : this.#unpacked.get(asset.address);
    // An export that was unpacked by hand has its files beside the NDJSON.
    if (unpacked !== undefined) asset.path = unpacked;
    else if (!isRemote && asset.address !== "" && isBelow(beside, asset.address))
      asset.path = resolve(beside, asset.address);
    const last = /[^/]*$/.exec(asset.address)?.[0] ?? "";
    asset.filename = cleanText(facts.originalFilename ?? last).slice(0, 255) || "file";
    asset.address = facts.url ?? asset.address;
    const alt = cleanText(facts.altText ?? "")
      .trim()
      .slice(0, 2000);
    if (alt !== "") asset.alt = { "": alt };
    asset.createdAt = facts._createdAt ?? EPOCH;
    asset.updatedAt = facts._updatedAt ?? asset.createdAt;
    if (!asset.isPicture) losses.add("a file that is no picture stays where it is", asset.address);
  }
}

const share = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 100) / 100;

const slim = ({ originalFilename, altText, url, _createdAt, _updatedAt }: AssetFacts): AssetFacts => ({
  ...(originalFilename !== undefined && { originalFilename }),
  ...(altText !== undefined && { altText }),
  ...(url !== undefined && { url }),
  ...(_createdAt !== undefined && { _createdAt }),
  ...(_updatedAt !== undefined && { _updatedAt }),
});
