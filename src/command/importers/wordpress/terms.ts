/** The terms of a WXR file: those that it lists, and those that only its items name. */
import { cleanText } from "../text/portable-text.ts";
import { slugOf } from "./slugs.ts";
import type { WxrCategory, WxrEntry } from "./wxr.ts";

export interface Term {
  taxonomy: string;
  slug: string;
  name: string;
  description: string;
  /** The slug of the term above; empty for none. */
  parent: string;
}

/** Taxonomies that are no terms of the site: a menu, and the format of a post. */
const NO_TERMS = new Set(["nav_menu", "post_format", "link_category", "wp_theme", "wp_template_part_area"]);

/** The elements that an entry of a term has its taxonomy, name and slug in. */
const ELEMENTS = {
  "wp:category": { prefix: "wp:category", name: "wp:cat_name", slug: "wp:category_nicename" },
  "wp:tag": { prefix: "wp:tag", name: "wp:tag_name", slug: "wp:tag_slug" },
  "wp:term": { prefix: "wp:term", name: "wp:term_name", slug: "wp:term_slug" },
} as const;

const taxonomyOf = (kind: keyof typeof ELEMENTS, text: (name: string) => string): string =>
  kind === "wp:category" ? "category" : kind === "wp:tag" ? "post_tag" : text("wp:term_taxonomy");

/** Returns a name without its capitals: WordPress takes two names for one if they differ in these alone. */
const folded = (name: string): string => cleanText(name).trim().toLowerCase();

const keyOf = (taxonomy: string, slug: string): string => `${taxonomy}:${slug}`;

export class Terms {
  /** The terms by `taxonomy:slug`. */
  readonly all = new Map<string, Term>();
  /** The slug of each term by its taxonomy and its folded name. */
  readonly #slugs = new Map<string, string>();

  /** Adds a term that the file lists. */
  addEntry(kind: keyof typeof ELEMENTS, values: WxrEntry["values"]): void {
    const text = (name: string): string => cleanText((values[name] ?? "").trim());
    const elements = ELEMENTS[kind];
    const taxonomy = taxonomyOf(kind, text);
    const name = text(elements.name);
    const slug = text(elements.slug) || this.#slugOf(taxonomy, name);
    if (NO_TERMS.has(taxonomy) || slug === "") return;
    const [description, parent] = [text(`${elements.prefix}_description`), text(`${elements.prefix}_parent`)];
    this.#add({ ...{ taxonomy, slug, name, description, parent } });
  }

  /** Returns a category of an item with its slug. Exports that were written by hand give its name alone. */
  withSlug(category: WxrCategory): WxrCategory {
    if (category.nicename !== "") return category;
    return { ...category, nicename: this.#slugOf(category.domain, category.name) };
  }

  /** Adds the term of a category that has its slug. @returns whether it is a term of the site */
  addCategory({ domain, nicename, name }: WxrCategory): boolean {
    if (NO_TERMS.has(domain) || nicename === "") return false;
    const isListed = this.all.has(keyOf(domain, nicename));
    if (!isListed) {
      this.#add({
        ...{ taxonomy: domain, slug: nicename, name: cleanText(name), description: "", parent: "" },
      });
    }
    return true;
  }

  #add(term: Term): void {
    this.all.set(keyOf(term.taxonomy, term.slug), term);
    const name = keyOf(term.taxonomy, folded(term.name));
    if (!this.#slugs.has(name)) this.#slugs.set(name, term.slug);
  }

  /**
   * Returns the slug of a term by its name: that of the term of this name in the file, else the one that WordPress makes
   * of it. The encoded name is taken if nothing is left in a slug (♥), or if another name has it: "C++" and "C#" are both
   * `c`. If another name has that too, it gets a number. It is empty only if the name is.
   */
  #slugOf(taxonomy: string, name: string): string {
    const own = folded(name);
    const known = this.#slugs.get(keyOf(taxonomy, own));
    if (known !== undefined) return known;
    const isFree = (slug: string): boolean => !this.all.has(keyOf(taxonomy, slug));
    const slug = slugOf(own);
    if (slug !== "" && isFree(slug)) return slug;
    const encoded = encodeURIComponent(own.toWellFormed());
    if (encoded === "" || isFree(encoded)) return encoded;
    let count = 2;
    while (!isFree(`${encoded}-${count}`)) count += 1;
    return `${encoded}-${count}`;
  }
}
