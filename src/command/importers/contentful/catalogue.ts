/** The contents of an export of Contentful, as far as memory keeps them: content types, locales, and where each entry is. */
import { Failure } from "../../base/failure.ts";
import { listedItems } from "../files/json-lists.ts";
import { openExport } from "../files/open.ts";
import { Spool, type Place } from "../files/spool.ts";
import { idOf } from "../ids.ts";
import { Names } from "../names.ts";
import type { Reading } from "../reading.ts";
import type { SiteAsset } from "../site.ts";
import { cleanText } from "../text/portable-text.ts";
import { linkedId, type Asset, type ContentfulLocale, type ContentType, type Entry } from "./export.ts";
import { linkedEntries } from "./rich-text.ts";

/** The place of an entry in the spool, with its content type. */
interface EntryPlace extends Place {
  type: string;
}

export const EPOCH = "1970-01-01T00:00:00.000Z";
const ALT_MAX_CHARACTERS = 2000;
const FILENAME_MAX_CHARACTERS = 255;
const LISTS_LEFT_OUT: Readonly<Record<string, string>> = {
  webhooks: "webhooks are left out",
  roles: "roles are left out",
  tags: "tags are left out",
};

export class Catalogue {
  readonly spool: Spool;
  readonly types = new Map<string, ContentType>();
  readonly locales: ContentfulLocale[] = [];
  readonly entries = new Map<string, EntryPlace>();
  readonly assets = new Map<string, SiteAsset>();
  readonly models = Names.ofModels(["table", "divider", "location"]);
  /** The content types that entries link to, by `type.field`. */
  readonly targets = new Map<string, Set<string>>();
  /** The content type that most links of a rich text lead to, by `type.field`. */
  readonly linkTo = new Map<string, string>();
  readonly archivedTypes = new Set<string>();
  /** The id of the Contentful space, which keeps the ids of two sites apart. */
  space = "";

  private constructor(spool: Spool) {
    this.spool = spool;
  }

  static async read(reading: Reading): Promise<Catalogue> {
    const { path, folder, losses, progress } = reading;
    const catalogue = new Catalogue(new Spool(`${folder}/entries.ndjson`));
    const assets: Asset[] = [];
    let count = 0;
    for await (const { list, value } of listedItems(await openExport(path, progress), path)) {
      if (list === "contentTypes") catalogue.#addType(value as ContentType);
      else if (list === "locales") catalogue.locales.push(value as ContentfulLocale);
      else if (list === "entries") catalogue.#addEntry(value as Entry);
      else if (list === "assets") assets.push(slim(value as Asset));
      else if (LISTS_LEFT_OUT[list] !== undefined) losses.add(LISTS_LEFT_OUT[list], list);
      progress?.(0, `${(count += 1)} items read`);
    }
    if (catalogue.types.size === 0) {
      throw new Failure("The file holds no content types, so it is no export of a Contentful space.", {
        next: "Make one with 'contentful space export --include-drafts'.",
      });
    }
    catalogue.locales.sort((a, b) => Number(b.default === true) - Number(a.default === true));
    // Names follow the ids, whatever the order of the file.
    for (const id of [...catalogue.types.keys()].sort()) catalogue.models.of(id);
    for (const asset of assets) catalogue.#addAsset(asset, reading);
    catalogue.#findTargets();
    return catalogue;
  }

  get defaultLocale(): string {
    return this.locales[0]?.code ?? "en-US";
  }

  /** Whether the site has locales: one language alone needs none. */
  get hasLocales(): boolean {
    return this.locales.length > 1;
  }

  id(kind: "record" | "media", sourceId: string): string {
    return idOf("contentful", this.space, kind, sourceId);
  }

  read(place: Place): Entry {
    return this.spool.read(place) as Entry;
  }

  #addType(type: ContentType): void {
    this.types.set(type.sys.id, type);
    this.space ||= type.sys.space?.sys.id ?? "";
  }

  #addEntry(entry: Entry): void {
    const type = entry.sys.contentType?.sys.id ?? "";
    this.entries.set(entry.sys.id, { ...this.spool.add(entry), type });
    if (isArchived(entry)) this.archivedTypes.add(type);
  }

  #addAsset({ sys, fields = {} }: Asset, { losses }: Reading): void {
    const files = Object.entries(fields.file ?? {}).map(([code, file]) => ({
      ...{ code, ...file },
      address: addressOf(file.url ?? file.upload ?? ""),
    }));
    const own = files.find(({ code }) => code === this.defaultLocale) ?? files[0];
    if (!own || own.address === "") {
      losses.add("an asset without a file is left out", sys.id);
      return;
    }
    if (files.some(({ address }) => address !== own.address)) {
      losses.add("the file of an asset in other languages is left out", sys.id);
    }
    const isPicture = (own.contentType ?? "").startsWith("image/");
    if (!isPicture) losses.add("a file that is no picture stays where it is", own.address);
    this.assets.set(sys.id, {
      ...{ id: this.id("media", sys.id), sourceId: sys.id, address: own.address, isPicture },
      filename: cleanText(own.fileName ?? "").slice(0, FILENAME_MAX_CHARACTERS) || "file",
      alt: this.#altOf(fields),
      createdAt: sys.createdAt ?? EPOCH,
      updatedAt: sys.updatedAt ?? sys.createdAt ?? EPOCH,
    });
  }

  #altOf({ title = {}, description = {} }: NonNullable<Asset["fields"]>): Record<string, string> {
    const codes = this.hasLocales ? this.locales.map(({ code }) => code) : [this.defaultLocale];
    const alts = codes.flatMap((code): [string, string][] => {
      const text = cleanText(description[code] ?? title[code] ?? "").trim();
      return text === ""
        ? []
        : [[this.hasLocales ? code : "", text.slice(0, ALT_MAX_CHARACTERS).toWellFormed()]];
    });
    return Object.fromEntries(alts);
  }

  /** Finds where the links of each field lead, in a second pass over the entries. */
  #findTargets(): void {
    const counts = new Map<string, Map<string, number>>();
    for (const place of this.entries.values()) {
      const { fields = {} } = this.read(place);
      for (const { id, type } of this.types.get(place.type)?.fields ?? []) {
        const key = `${place.type}.${id}`;
        for (const value of Object.values(fields[id] ?? {})) {
          if (type === "RichText") linkedEntries(value, (to) => this.#count(counts, key, to));
          for (const one of Array.isArray(value) ? value : [value]) this.#see(key, linkedId(one, "Entry"));
        }
      }
    }
    for (const [key, byType] of counts) {
      const [first] = [...byType].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
      if (first) this.linkTo.set(key, first[0]);
    }
  }

  #count(counts: Map<string, Map<string, number>>, key: string, id: string): void {
    const type = this.entries.get(id)?.type;
    if (type === undefined) return;
    const byType = counts.get(key) ?? new Map<string, number>();
    counts.set(key, byType.set(type, (byType.get(type) ?? 0) + 1));
  }

  #see(key: string, id: string | null): void {
    const type = id === null ? undefined : this.entries.get(id)?.type;
    if (type !== undefined) this.targets.set(key, (this.targets.get(key) ?? new Set<string>()).add(type));
  }
}

export const isArchived = ({ sys }: Entry): boolean =>
  sys.archivedAt !== undefined || sys.archivedVersion !== undefined;

const addressOf = (url: string): string => (url.startsWith("//") ? `https:${url}` : url);

/** Returns the parts of an asset that are read: memory holds all assets. */
const slim = ({ sys: { id, createdAt, updatedAt }, fields }: Asset): Asset => ({
  sys: { id, ...(createdAt !== undefined && { createdAt }), ...(updatedAt !== undefined && { updatedAt }) },
  ...(fields && { fields }),
});
