/** Reads the export of WordPress (WXR): posts, pages, other types, terms, authors and attachments. */
import type { Losses } from "../losses.ts";
import type { Reading } from "../reading.ts";
import type { Json, JsonObject, MissingAssets, Site, SiteAsset, SiteModel, SiteRecord } from "../site.ts";
import type { FoundPicture } from "../text/html.ts";
import { cleanText, hrefFrom, TextUse } from "../text/portable-text.ts";
import { CUSTOM_FIELDS_MAX } from "./custom-fields.ts";
import { idInAddress, linkKey } from "./addresses.ts";
import { Catalogue, EPOCH, isCustomMeta, type PostType } from "./catalogue.ts";
import { plainText, richTextOfPost } from "./content.ts";
import { LINKED_MODEL, modelsOf, termField } from "./models.ts";
import { timeOf } from "./times.ts";
import type { WxrItem } from "./wxr.ts";

class WordPressSite {
  readonly catalogue: Catalogue;
  readonly uses = new Map<string, TextUse>();
  readonly #now: number;

  constructor(catalogue: Catalogue, now: number) {
    this.catalogue = catalogue;
    this.#now = now;
    for (const { model } of catalogue.types.values()) this.uses.set(model, new TextUse());
  }

  models(): SiteModel[] {
    return modelsOf(this.catalogue, this.uses);
  }

  async *records(missing: MissingAssets, losses: Losses): AsyncIterable<SiteRecord> {
    yield* this.#authors();
    yield* this.#terms();
    for (const own of this.catalogue.types.values()) {
      for (const place of own.places) {
        const item = this.catalogue.spool.read(place) as WxrItem;
        yield await Promise.resolve(this.#post(item, own, missing, losses));
      }
    }
  }

  *#authors(): Iterable<SiteRecord> {
    for (const author of this.catalogue.authors.values()) {
      const id = this.catalogue.idOfAuthor(author.login);
      yield plainRecord("authors", id, { ...author, sourceId: author.login });
    }
  }

  *#terms(): Iterable<SiteRecord> {
    const { terms } = this.catalogue;
    for (const term of terms.values()) {
      const { taxonomy, slug, name, description, parent } = term;
      const above = terms.get(`${taxonomy}:${parent}`);
      yield plainRecord(this.catalogue.modelOfTaxonomy(taxonomy), this.catalogue.idOfTerm(term), {
        ...{ sourceId: `${taxonomy}:${slug}`, name, slug: decoded(slug), description },
        ...(above && above !== term && { parent: this.catalogue.idOfTerm(above) }),
      });
    }
  }

  #post(item: WxrItem, own: PostType, missing: MissingAssets, losses: Losses): SiteRecord {
    const { values } = item;
    const postId = values["wp:post_id"] ?? "";
    const place = `${own.model} ${postId} “${values["title"] ?? ""}”`;
    const date = timeOf(values["wp:post_date_gmt"], values["wp:post_date"]);
    const modified = timeOf(values["wp:post_modified_gmt"], values["wp:post_modified"]);
    const createdAt = date ?? modified ?? EPOCH;
    const updatedAt = modified !== null && modified > createdAt ? modified : createdAt;
    return {
      ...{
        typeModel: "collections",
        model: own.model,
        id: this.catalogue.idOfPost(postId),
        sourceId: postId,
      },
      ...{ createdAt, updatedAt },
      draft: {
        ...this.#postData(item, place, losses),
        body: this.#body(item, own, place, missing, losses),
        ...this.#featured(item, place, missing, losses),
        ...this.#references(item, own, place, losses),
        ...own.custom.values(item.meta.filter(isCustomMeta)),
      },
      editions: { "": this.#edition(values, createdAt, place, losses) },
    };
  }

  #postData({ values, meta, categories }: WxrItem, place: string, losses: Losses): JsonObject {
    const format = categories.find(({ domain }) => domain === "post_format")?.nicename ?? "";
    const template = meta.find(([key]) => key === "_wp_page_template")?.[1] ?? "";
    if ((values["wp:post_password"] ?? "") !== "") {
      losses.add("the password of a post is left out, and the post is kept as a draft", place);
    }
    return {
      sourceId: values["wp:post_id"] ?? "",
      title: shortText(plainText(values["title"] ?? ""), "title", place, losses),
      slug: decoded(values["wp:post_name"] ?? ""),
      excerpt: plainText(values["excerpt:encoded"] ?? ""),
      ...(values["wp:post_type"] === "post" && { sticky: values["wp:is_sticky"] === "1" }),
      ...(format !== "" && { format: format.replace(/^post-format-/, "") }),
      menuOrder: Number.parseInt(values["wp:menu_order"] ?? "0", 10) || 0,
      template: template === "default" ? "" : cleanText(template),
      link: hrefFrom((values["link"] ?? "").slice(0, 2000)) ?? "",
      wpStatus: values["wp:status"] ?? "",
    };
  }

  #body(item: WxrItem, own: PostType, place: string, missing: MissingAssets, losses: Losses): Json {
    const postId = item.values["wp:post_id"] ?? "";
    return richTextOfPost(item.values["content:encoded"] ?? "", {
      ...{ place, losses, use: this.uses.get(own.model)! },
      picture: (src, attachmentId) => this.#picture(src, attachmentId, missing),
      record: (href) => this.#linked(href, place, losses),
      attachedPictures: () => this.catalogue.picturesOfPost.get(postId) ?? [],
    });
  }

  #picture(src: string, attachmentId: string | null, missing: MissingAssets): FoundPicture {
    const asset = this.catalogue.pictureAt(src, attachmentId);
    if (!asset) return { missing: "it has no address of the web" };
    const reason = reasonOf(asset, missing);
    if (reason !== null) return { missing: reason };
    const alt = asset.alt[""];
    return { media: asset.id, ...(alt !== undefined && { alt }) };
  }

  /** Returns the record that a link leads to, if it is a post. */
  #linked(href: string, place: string, losses: Losses): string | null {
    const { posts, links } = this.catalogue;
    const own = linkKey(href).startsWith(this.catalogue.site) ? idInAddress(href) : null;
    const postId = own ?? links.get(linkKey(href)) ?? links.get(linkKey(href).replace(/\?.*$/, ""));
    const model = postId === undefined ? undefined : posts.get(postId);
    if (postId === undefined || model === undefined) return null;
    if (model === LINKED_MODEL) return this.catalogue.idOfPost(postId);
    losses.add(
      `a link to a record of ${model} keeps its address: links of a text lead to records of one collection`,
      place,
    );
    return null;
  }

  #featured({ meta }: WxrItem, place: string, missing: MissingAssets, losses: Losses): JsonObject {
    const id = meta.find(([key]) => key === "_thumbnail_id")?.[1] ?? "";
    if (id === "") return {};
    const asset = this.catalogue.attachments.get(id);
    if (!asset) return (losses.add("the featured picture is not in the export", `${place}: ${id}`), {});
    const reason = reasonOf(asset, missing);
    if (reason === null) return { featuredImage: asset.id };
    losses.add(`a featured picture is left out: ${reason}`, `${place}: ${asset.address}`);
    return asset.isPicture ? {} : { featuredImageUrl: asset.address };
  }

  #references({ values, categories }: WxrItem, own: PostType, place: string, losses: Losses): JsonObject {
    const login = (values["dc:creator"] ?? "").trim();
    const terms: Record<string, Json[]> = {};
    for (const { domain, nicename } of categories) {
      if (!own.taxonomies.has(domain) || !this.catalogue.terms.has(`${domain}:${nicename}`)) continue;
      const ids = (terms[termField(domain)] ??= []);
      const id = this.catalogue.idOfTerm({ taxonomy: domain, slug: nicename });
      if (!ids.includes(id)) ids.push(id);
    }
    const parent = values["wp:post_parent"] ?? "0";
    const hasParent = own.isNested && parent !== "0" && parent !== "";
    const isKnown = this.catalogue.posts.get(parent) === own.model;
    if (hasParent && !isKnown) losses.add("the post above is not in the export", `${place}: ${parent}`);
    return {
      ...(this.catalogue.authors.has(login) && { author: this.catalogue.idOfAuthor(login) }),
      ...terms,
      ...(hasParent && isKnown && { parent: this.catalogue.idOfPost(parent) }),
    };
  }

  #edition(
    values: WxrItem["values"],
    date: string,
    place: string,
    losses: Losses,
  ): SiteRecord["editions"][string] {
    const status = values["wp:status"] ?? "publish";
    const isOpen = (values["wp:post_password"] ?? "") === "";
    if (status === "publish" && isOpen) return { publishedAt: date };
    if (status === "future" && Date.parse(date) > this.#now) return { publishAt: date };
    if (status === "future")
      losses.add("the time of a scheduled post has passed: it is kept as a draft", place);
    if (status === "private") losses.add("a private post is kept as a draft", place);
    if (status === "trash") losses.add("a post in the trash is kept as a draft", place);
    return {};
  }
}

const reasonOf = (asset: SiteAsset, missing: MissingAssets): string | null =>
  asset.isPicture ? (missing.get(asset.id) ?? null) : "the file is no picture";

const plainRecord = (model: string, id: string, draft: JsonObject & { sourceId: string }): SiteRecord => ({
  ...{ typeModel: "collections", model, id, sourceId: draft.sourceId },
  ...{ createdAt: EPOCH, updatedAt: EPOCH, draft, editions: { "": {} } },
});

const STRING_MAX_CHARACTERS = 2000;

function shortText(text: string, field: string, place: string, losses: Losses): string {
  if (text.length <= STRING_MAX_CHARACTERS) return text;
  losses.add(`${field} is cut off after ${STRING_MAX_CHARACTERS} characters`, place);
  return text.slice(0, STRING_MAX_CHARACTERS).toWellFormed();
}

/** Returns a slug in its letters: WordPress keeps those that are not ASCII as %XX. */
function decoded(slug: string): string {
  try {
    return cleanText(decodeURIComponent(slug));
  } catch {
    return cleanText(slug);
  }
}

export async function readWordPress(reading: Reading): Promise<Site> {
  const catalogue = await Catalogue.read(reading);
  const site = new WordPressSite(catalogue, reading.now);
  for (const asset of catalogue.attachments.values()) {
    if (!asset.isPicture) reading.losses.add("a file that is no picture stays where it is", asset.address);
  }
  for (const { model, custom } of catalogue.types.values()) {
    for (const key of custom.others())
      reading.losses.add(
        `custom fields beyond the ${CUSTOM_FIELDS_MAX} that most posts have stand together in one field`,
        `${model}: ${key}`,
      );
  }
  const posts = [...catalogue.types.values()].reduce((sum, { places }) => sum + places.length, 0);
  return {
    ...{ system: "wordpress", locales: [] },
    models: () => site.models(),
    get assets() {
      return [...catalogue.assets.values()];
    },
    recordCount: catalogue.authors.size + catalogue.terms.size + posts,
    records: (missing, losses) => site.records(missing, losses),
    close: () => catalogue.spool.close(),
  };
}
