/** The models of a site of WordPress: its authors, its terms and its types of posts. */
import type { SiteField, SiteModel } from "../site.ts";
import { richTextOptions, textComponents } from "../text/options.ts";
import type { TextUse } from "../text/portable-text.ts";
import type { Catalogue, PostType } from "./catalogue.ts";

/** The collection that links in texts lead to. Links to anything else keep their address. */
export const LINKED_MODEL = "posts";

const SOURCE_ID: SiteField = { name: "sourceId", type: "string", unique: true, label: "ID in WordPress" };

const AUTHORS: SiteModel = {
  ...{ typeModel: "collections", name: "authors", label: "Authors", titleField: "displayName" },
  fields: [
    SOURCE_ID,
    { name: "login", type: "string" },
    { name: "displayName", type: "string" },
    { name: "firstName", type: "string" },
    { name: "lastName", type: "string" },
  ],
};

const TERM_FIELDS: Readonly<Record<string, string>> = { category: "categories", post_tag: "tags" };

/** Returns the field of a post that holds its terms of a taxonomy. */
export function termField(taxonomy: string): string {
  const name = TERM_FIELDS[taxonomy];
  if (name !== undefined) return name;
  const camel = taxonomy.replaceAll(
    /[^A-Za-z0-9]+(.)?/g,
    (_all, next: string | undefined) => next?.toUpperCase() ?? "",
  );
  return `terms${camel.charAt(0).toUpperCase()}${camel.slice(1)}`.slice(0, 60);
}

/**
 * Returns the models of a site.
 * @param uses what the texts of each model use, which is known when all of them have been read
 */
export function modelsOf(catalogue: Catalogue, uses: ReadonlyMap<string, TextUse>): SiteModel[] {
  const used = new Set([...uses.values()].flatMap(({ components }) => [...components]));
  return [
    ...textComponents(used),
    ...(catalogue.authors.size > 0 ? [AUTHORS] : []),
    ...catalogue.taxonomies().map((taxonomy) => termModel(catalogue, taxonomy)),
    ...[...catalogue.types].map(([type, own]) => postModel(catalogue, uses, type, own)),
  ];
}

function termModel(catalogue: Catalogue, taxonomy: string): SiteModel {
  const name = catalogue.modelOfTaxonomy(taxonomy);
  return {
    ...{ typeModel: "collections", name, label: taxonomy, titleField: "name" },
    fields: [
      SOURCE_ID,
      { name: "name", type: "string", searchable: true },
      { name: "slug", type: "string" },
      { name: "description", type: "text" },
      { name: "parent", type: "relation", to: name },
    ],
  };
}

function postModel(
  catalogue: Catalogue,
  uses: ReadonlyMap<string, TextUse>,
  type: string,
  own: PostType,
): SiteModel {
  const { model, custom, isNested, taxonomies } = own;
  const terms = [...taxonomies].sort().map((taxonomy): SiteField => ({
    ...{ name: termField(taxonomy), type: "relation", multiple: true },
    to: catalogue.modelOfTaxonomy(taxonomy),
  }));
  return {
    ...{ typeModel: "collections", name: model, label: type, titleField: "title", drafts: true },
    fields: [
      SOURCE_ID,
      { name: "title", type: "string", searchable: true },
      { name: "slug", type: "string" },
      {
        name: "body",
        type: "richtext",
        searchable: true,
        ...richTextOptions(uses.get(model)!, LINKED_MODEL),
      },
      { name: "excerpt", type: "text" },
      ...(catalogue.authors.size > 0 ? [{ name: "author", type: "relation", to: "authors" }] : []),
      ...terms,
      { name: "featuredImage", type: "media" },
      { name: "featuredImageUrl", type: "string", label: "Address of a featured file that is no picture" },
      ...(type === "post"
        ? [
            { name: "sticky", type: "boolean" },
            { name: "format", type: "string" },
          ]
        : []),
      ...(isNested ? [{ name: "parent", type: "relation", to: model }] : []),
      { name: "menuOrder", type: "number", integer: true },
      { name: "template", type: "string" },
      { name: "link", type: "string", label: "Address in WordPress" },
      { name: "wpStatus", type: "string", label: "Status in WordPress" },
      ...custom.fields(),
    ],
  };
}
