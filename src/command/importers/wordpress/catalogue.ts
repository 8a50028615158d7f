/** The contents of a WXR file, as far as memory keeps them: terms, authors, and where each post and picture is. */
import { idOf } from "../ids.ts";
import { Names } from "../names.ts";
import type { SiteAsset } from "../site.ts";
import { Spool, type Place } from "../files/spool.ts";
import { openExport } from "../files/open.ts";
import type { Reading } from "../reading.ts";
import { cleanText } from "../text/portable-text.ts";
import {
  absolute,
  filenameIn,
  isPictureAddress,
  linkKey,
  originalKey,
  pictureKey,
  remoteKey,
} from "./addresses.ts";
import { CustomFields } from "./custom-fields.ts";
import { ItemIds } from "./item-ids.ts";
import { Terms, type Term } from "./terms.ts";
import { timeOf } from "./times.ts";
import { wxrParts, type WxrEntry, type WxrItem } from "./wxr.ts";

export interface Author {
  login: string;
  displayName: string;
  firstName: string;
  lastName: string;
}

/** A type of posts, with the places of its posts in the spool. */
export interface PostType {
  model: string;
  places: Place[];
  custom: CustomFields;
  /** Whether some post of it has a parent of the same type. */
  isNested: boolean;
  taxonomies: Set<string>;
}

/** Types of items that WordPress itself keeps, with the reason why they do not come along. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  nav_menu_item: "entries of menus are left out",
  revision: "earlier versions of posts are left out",
  customize_changeset: "settings of a theme are left out",
  custom_css: "settings of a theme are left out",
  oembed_cache: "cached embeds are left out",
  user_request: "requests of users are left out",
  wp_global_styles: "settings of a theme are left out",
  wp_navigation: "entries of menus are left out",
  wp_template: "templates of a theme are left out",
  wp_template_part: "templates of a theme are left out",
  wp_block: "patterns (reusable blocks) are left out",
  wp_font_family: "fonts of a theme are left out",
  wp_font_face: "fonts of a theme are left out",
};

/** The names of the fields that every post has, so that no custom field takes one. */
export const POST_FIELDS = [
  ...[
    "title",
    "slug",
    "body",
    "excerpt",
    "author",
    "categories",
    "tags",
    "featuredImage",
    "featuredImageUrl",
  ],
  ...["sticky", "parent", "menuOrder", "template", "link", "format", "wpStatus"],
];

export const isCustomMeta = ([key]: readonly [string, string]): boolean => key !== "" && !key.startsWith("_");

export class Catalogue {
  readonly spool: Spool;
  readonly authors = new Map<string, Author>();
  readonly #terms = new Terms();
  readonly terms: ReadonlyMap<string, Term> = this.#terms.all;
  readonly types = new Map<string, PostType>();
  /** The model of each post by its id, to which references lead. */
  readonly posts = new Map<string, string>();
  readonly links = new Map<string, string>();
  readonly assets = new Map<string, SiteAsset>();
  readonly attachments = new Map<string, SiteAsset>();
  readonly pictures = new Map<string, SiteAsset>();
  /** Pictures of texts that are no attachments. */
  readonly #remote = new Map<string, SiteAsset>();
  readonly #ids = new ItemIds();
  readonly picturesOfPost = new Map<string, string[]>();
  readonly models = Names.ofModels([
    "authors",
    "categories",
    "tags",
    "code",
    "table",
    "embed",
    "divider",
    "html",
  ]);
  /** The address of the site, which keeps the ids of two sites apart. */
  site = "";
  /** The same address as it is written, to which the addresses in texts are relative. */
  #base = "";

  private constructor(spool: Spool) {
    this.spool = spool;
  }

  static async read({ path, folder, losses, progress }: Reading): Promise<Catalogue> {
    const catalogue = new Catalogue(new Spool(`${folder}/posts.ndjson`));
    const faulty = (fault: string): void => losses.add(`the XML of the export has a fault: ${fault}`, path);
    const withoutIds: Place[] = [];
    let count = 0;
    for await (const part of wxrParts(await openExport(path, progress), faulty)) {
      if (part.kind === "fact") {
        if (part.name === "wp:base_blog_url" || (part.name === "link" && catalogue.site === "")) {
          catalogue.#base = part.text.trim();
          catalogue.site = linkKey(catalogue.#base);
        }
      } else if (part.kind === "item") {
        part.values["wp:post_id"] = (part.values["wp:post_id"] ?? "").trim();
        if (part.values["wp:post_id"] === "") withoutIds.push(catalogue.spool.add(part));
        else catalogue.#addItem(part, losses);
        progress?.(0, `${(count += 1)} items read`);
      } else catalogue.#addEntry(part);
    }
    catalogue.#addItemsWithoutIds(withoutIds, losses);
    return catalogue;
  }

  idOfPost(postId: string): string {
    return this.id("record", `post:${postId}`);
  }

  idOfTerm({ taxonomy, slug }: Pick<Term, "taxonomy" | "slug">): string {
    return this.id("record", `${taxonomy}:${slug}`);
  }

  idOfAuthor(login: string): string {
    return this.id("record", `author:${login}`);
  }

  id(kind: "record" | "media", sourceId: string): string {
    return idOf("wordpress", this.site, kind, sourceId);
  }

  modelOfTaxonomy(taxonomy: string): string {
    return taxonomy === "category"
      ? "categories"
      : taxonomy === "post_tag"
        ? "tags"
        : this.models.of(taxonomy);
  }

  taxonomies(): string[] {
    return [...new Set([...this.terms.values()].map(({ taxonomy }) => taxonomy))].sort();
  }

  /** Returns the picture at an address of a text. One that is no attachment becomes an asset of its own. */
  pictureAt(src: string, attachmentId: string | null): SiteAsset | null {
    const attached = attachmentId === null ? undefined : this.attachments.get(attachmentId);
    const address = absolute(src, this.#base);
    const attachment = pictureKey(address);
    const key = remoteKey(address);
    const known =
      this.pictures.get(attachment) ??
      attached ??
      this.pictures.get(originalKey(attachment)) ??
      this.#remote.get(key);
    if (known) return known;
    if (!/^https?:/i.test(address) || !URL.canParse(address)) return null;
    const asset: SiteAsset = {
      ...{ id: this.id("media", `url:${key}`), sourceId: address, filename: filenameIn(address), address },
      ...{ alt: {}, createdAt: EPOCH, updatedAt: EPOCH, isPicture: true },
    };
    this.#remote.set(key, asset);
    this.assets.set(asset.id, asset);
    return asset;
  }

  #addEntry({ kind, values }: WxrEntry): void {
    const text = (name: string): string => cleanText((values[name] ?? "").trim());
    if (kind === "wp:author") {
      this.#author(text("wp:author_login"), text("wp:author_display_name"), [
        text("wp:author_first_name"),
        text("wp:author_last_name"),
      ]);
      return;
    }
    this.#terms.addEntry(kind, values);
  }

  #author(login: string, displayName: string, [firstName, lastName]: [string, string]): void {
    if (login !== "")
      this.authors.set(login, { login, displayName: displayName || login, firstName, lastName });
  }

  /**
   * Adds the items without ids, as exports have them that were written by hand. They come last, so that none of them takes
   * the id of an item that has one.
   */
  #addItemsWithoutIds(places: readonly Place[], losses: Reading["losses"]): void {
    for (const place of places) {
      const item = this.spool.read(place) as WxrItem;
      item.values["wp:post_id"] = this.#ids.of(item, losses);
      this.#addItem(item, losses);
    }
  }

  #addItem(item: WxrItem, losses: Reading["losses"]): void {
    const type = item.values["wp:post_type"] ?? "post";
    const id = item.values["wp:post_id"] ?? "";
    this.#ids.take(id);
    const place = `${type} ${id}`;
    const reason = LEFT_OUT[type];
    if (reason !== undefined) {
      losses.add(reason, `${place} ${item.values["title"] ?? ""}`);
      return;
    }
    if (type === "attachment") {
      this.#addAttachment(item, id);
      return;
    }
    if (item.comments > 0) losses.add("comments are left out", `${place}: ${item.comments}`);
    const login = (item.values["dc:creator"] ?? "").trim();
    if (login !== "" && !this.authors.has(login)) this.#author(login, login, ["", ""]);
    const own = this.#typeOf(type);
    item.categories = item.categories.map((one) => {
      const category = this.#terms.withSlug(one);
      if (this.#terms.addCategory(category)) own.taxonomies.add(category.domain);
      else if (category.nicename === "") losses.add("a term without a name is left out", place);
      return category;
    });
    own.custom.add(item.meta.filter(isCustomMeta));
    own.isNested ||= !["", "0"].includes(item.values["wp:post_parent"] ?? "0");
    own.places.push(this.spool.add(item));
    this.posts.set(id, own.model);
    const link = (item.values["link"] ?? "").trim();
    if (link !== "" && !this.links.has(linkKey(link))) this.links.set(linkKey(link), id);
  }

  #typeOf(type: string): PostType {
    let own = this.types.get(type);
    if (!own) {
      const model = this.models.of(type === "post" ? "posts" : type === "page" ? "pages" : type);
      own = {
        model,
        places: [],
        custom: new CustomFields(POST_FIELDS),
        isNested: false,
        taxonomies: new Set(),
      };
      this.types.set(type, own);
    }
    return own;
  }

  #addAttachment({ values, meta }: WxrItem, id: string): void {
    const address = (values["wp:attachment_url"] ?? values["guid"] ?? "").trim();
    const alt = cleanText((meta.find(([key]) => key === "_wp_attachment_image_alt")?.[1] ?? "").trim());
    const asset: SiteAsset = {
      ...{ id: this.id("media", `post:${id}`), sourceId: id, filename: filenameIn(address), address },
      ...{ alt: alt === "" ? {} : { "": alt }, isPicture: isPictureAddress(address) },
      createdAt: timeOf(values["wp:post_date_gmt"], values["wp:post_date"]) ?? EPOCH,
      updatedAt:
        timeOf(values["wp:post_modified_gmt"], values["wp:post_date_gmt"], values["wp:post_date"]) ?? EPOCH,
    };
    this.attachments.set(id, asset);
    this.assets.set(asset.id, asset);
    const key = pictureKey(address);
    // WordPress keeps a large upload as beach.jpg beside the beach-scaled.jpg that it names.
    for (const one of [key, key.replace(/-scaled(?=\.\w+$)/, "")]) {
      if (!this.pictures.has(one)) this.pictures.set(one, asset);
    }
    const parent = values["wp:post_parent"] ?? "0";
    if (asset.isPicture && parent !== "0") {
      this.picturesOfPost.set(parent, [...(this.picturesOfPost.get(parent) ?? []), id]);
    }
  }
}

/** The time of what has none. */
export const EPOCH = "1970-01-01T00:00:00.000Z";
