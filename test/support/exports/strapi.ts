/**
 * A small export of Strapi 5 with two languages, drafts, components, a dynamic zone and both kinds of rich text. Its lines
 * have the forms of those that Strapi 5.54.0 writes.
 */
import { join } from "node:path";
import { ndjson, writeArchive } from "./archive.ts";
import { temporaryFolder } from "./read-site.ts";

const localized = { pluginOptions: { i18n: { localized: true } } };
const SYSTEM = {
  ...{ createdAt: { type: "datetime" }, updatedAt: { type: "datetime" }, publishedAt: { type: "datetime" } },
  ...{
    locale: { type: "string" },
    localizations: { type: "relation", relation: "oneToMany", target: "api::article.article" },
  },
};

const SCHEMAS = [
  {
    ...{ uid: "api::article.article", modelType: "contentType", kind: "collectionType" },
    info: { singularName: "article", pluralName: "articles", displayName: "Article" },
    options: { draftAndPublish: true },
    pluginOptions: { i18n: { localized: true } },
    attributes: {
      title: { type: "string", required: true, ...localized },
      slug: { type: "uid", targetField: "title" },
      secret: { type: "password" },
      content: { type: "richtext", ...localized },
      story: { type: "blocks" },
      cover: { type: "media", multiple: false, allowedTypes: ["images"] },
      gallery: { type: "media", multiple: true },
      author: {
        type: "relation",
        relation: "manyToOne",
        target: "api::author.author",
        inversedBy: "articles",
      },
      related: { type: "relation", relation: "oneToMany", target: "api::article.article" },
      home: { type: "relation", relation: "oneToOne", target: "api::home.home" },
      seo: { type: "component", repeatable: false, component: "shared.seo" },
      zone: { type: "dynamiczone", components: ["blocks.hero", "shared.seo"] },
      level: { type: "enumeration", enum: ["easy", "hard"] },
      price: { type: "decimal", min: 0 },
      day: { type: "date" },
      stamp: { type: "timestamp" },
      code: { type: "string", unique: true },
      ...SYSTEM,
    },
  },
  {
    ...{ uid: "api::author.author", modelType: "contentType", kind: "collectionType" },
    info: { singularName: "author", pluralName: "authors", displayName: "Author" },
    options: { draftAndPublish: false },
    attributes: {
      name: { type: "string", unique: true },
      articles: {
        type: "relation",
        relation: "oneToMany",
        target: "api::article.article",
        mappedBy: "author",
      },
      user: { type: "relation", relation: "oneToOne", target: "plugin::users-permissions.user" },
      pointers: {
        type: "relation",
        relation: "morphMany",
        target: "api::pointer.pointer",
        morphBy: "items",
      },
      ...SYSTEM,
    },
  },
  {
    ...{ uid: "api::pointer.pointer", modelType: "contentType", kind: "collectionType" },
    info: { singularName: "pointer", pluralName: "pointers", displayName: "Pointer" },
    options: { draftAndPublish: false },
    attributes: { items: { type: "relation", relation: "morphToMany" }, ...SYSTEM },
  },
  {
    ...{ uid: "api::home.home", modelType: "contentType", kind: "singleType" },
    info: { singularName: "home", pluralName: "homes", displayName: "Home" },
    options: { draftAndPublish: true },
    attributes: { heading: { type: "string" }, ...SYSTEM },
  },
  {
    ...{ uid: "blocks.hero", modelType: "component", info: { displayName: "Hero" } },
    attributes: {
      heading: { type: "string" },
      image: { type: "media", multiple: false },
      authors: { type: "relation", relation: "oneToMany", target: "api::author.author" },
      links: { type: "component", repeatable: true, component: "shared.link" },
    },
  },
  {
    uid: "shared.seo",
    modelType: "component",
    info: { displayName: "SEO" },
    attributes: { title: { type: "string" } },
  },
  {
    uid: "shared.link",
    modelType: "component",
    info: { displayName: "Link" },
    attributes: { href: { type: "string" } },
  },
  {
    uid: "shared.unused",
    modelType: "component",
    info: { displayName: "Unused" },
    attributes: { x: { type: "string" } },
  },
];

const times = (publishedAt: string | null): object => ({
  ...{ createdAt: "2024-01-01T00:00:00.000Z", updatedAt: "2024-02-02T00:00:00.000Z", publishedAt },
});
const PUBLISHED = "2024-02-01T00:00:00.000Z";

const MARKDOWN = `# Title

Some **bold** and [a link](https://example.com).

![Beach](/uploads/small_beach_1.jpg)

- one
- two

\`\`\`js
let a;
\`\`\`
`;

const STORY = [
  { type: "heading", level: 2, children: [{ type: "text", text: "Story" }] },
  {
    type: "paragraph",
    children: [
      { type: "text", text: "A " },
      { type: "link", url: "https://example.com", children: [{ type: "text", text: "link", bold: true }] },
    ],
  },
  {
    ...{ type: "list", format: "ordered" },
    children: [
      { type: "list-item", children: [{ type: "text", text: "One" }] },
      {
        type: "list",
        format: "unordered",
        children: [{ type: "list-item", children: [{ type: "text", text: "Inner" }] }],
      },
    ],
  },
  { type: "quote", children: [{ type: "text", text: "Quoted" }] },
  { type: "code", language: "js", children: [{ type: "text", text: "let a;" }] },
  { type: "image", image: { url: "/uploads/beach_1.jpg", alternativeText: "A beach" }, children: [] },
];

const article = (
  id: number,
  locale: string,
  publishedAt: string | null,
  title: string,
  documentId = "doc1",
): object => ({
  type: "api::article.article",
  id,
  data: {
    ...{ documentId, ...times(publishedAt), locale, title, secret: "hash" },
    ...{ slug: locale === "de" ? "erster" : "first", stamp: "1709528767000", code: documentId },
    ...{ content: MARKDOWN, story: STORY, level: "hard", price: "9.50", day: "2024-03-04" },
    seo: { id: id * 10, title: "Seo" },
    zone: [
      {
        __component: "blocks.hero",
        id: id * 10,
        heading: "Hero",
        links: [
          { id: id * 10, href: "/a" },
          { id: id * 10 + 1, href: "/b" },
        ],
      },
      { __component: "shared.seo", id: id * 10 + 1, title: "In zone" },
    ],
  },
});

const file = (id: number, hash: string, ext: string, mime: string): object => ({
  type: "plugin::upload.file",
  id,
  data: {
    ...{
      documentId: `file${id}`,
      ...times(null),
      name: `${hash}${ext}`,
      hash,
      ext,
      mime,
      url: `/uploads/${hash}${ext}`,
    },
    ...{ alternativeText: "Sand", formats: { small: { url: `/uploads/small_${hash}${ext}` } } },
  },
});

const ENTITIES = [
  file(1, "beach_1", ".jpg", "image/jpeg"),
  file(2, "paper_2", ".pdf", "application/pdf"),
  { type: "plugin::i18n.locale", id: 1, data: { code: "de", name: "German" } },
  { type: "plugin::i18n.locale", id: 2, data: { code: "en", name: "English" } },
  { type: "plugin::users-permissions.user", id: 1, data: { username: "ada", password: "hash" } },
  { type: "admin::session", id: 1, data: {} },
  article(1, "en", null, "First, changed"),
  { type: "api::author.author", id: 1, data: { documentId: "ada", ...times(PUBLISHED), name: "Ada" } },
  article(2, "en", PUBLISHED, "First"),
  article(3, "de", null, "Erster"),
  {
    type: "api::article.article",
    id: 5,
    data: { documentId: "doc2", ...times(null), locale: "en", title: "Second" },
  },
  // Published in German alone, and not changed since.
  article(6, "en", null, "Third", "doc3"),
  article(7, "de", null, "Dritter", "doc3"),
  article(8, "de", PUBLISHED, "Dritter", "doc3"),
  { type: "api::pointer.pointer", id: 1, data: { documentId: "pointer", ...times(PUBLISHED) } },
  { type: "api::home.home", id: 1, data: { documentId: "home", ...times(null), heading: "Welcome" } },
  { type: "api::home.home", id: 2, data: { documentId: "home", ...times(PUBLISHED), heading: "Welcome" } },
];

const morph = (ref: number, to: object): object => ({
  ...{
    kind: "relation.morph",
    relation: "morphToMany",
    left: { type: "plugin::upload.file", field: "related", ref },
    right: to,
  },
});
const basic = (
  field: string,
  ref: number,
  target: number,
  pos = 1,
  type = "api::article.article",
): object => ({
  kind: "relation.basic",
  relation: "manyToOne",
  left: { type, field, ref, pos },
  right: { type: field === "related" ? "api::article.article" : "api::author.author", ref: target },
});

/** Returns a link of a relation to anything, whose order stands on the side of the target. */
const toAnything = (type: string, ref: number, pos: number): object => ({
  ...{ kind: "relation.morph", relation: "morphToMany" },
  left: { type: "api::pointer.pointer", field: "items", ref: 1 },
  right: { ref, pos, type, field: null },
});

const LINKS = [
  ...[1, 2, 3].flatMap((row) => [
    morph(1, { type: "api::article.article", ref: row, field: "cover", pos: 1 }),
    morph(2, { type: "api::article.article", ref: row, field: "gallery", pos: 2 }),
    morph(1, { type: "api::article.article", ref: row, field: "gallery", pos: 1 }),
    morph(1, { type: "blocks.hero", ref: row * 10, field: "image", pos: 1 }),
    basic("author", row, 1),
    // The German content is related to nothing.
    ...(row === 3 ? [] : [basic("related", row, 5)]),
    basic("authors", row * 10, 1, 1, "blocks.hero"),
  ]),
  toAnything("api::author.author", 1, 2),
  toAnything("api::article.article", 5, 1),
  {
    kind: "relation.circular",
    relation: "oneToMany",
    left: { type: "api::article.article", ref: 1, field: "localizations" },
    right: { type: "api::article.article", ref: "doc1" },
  },
];

const CONFIGURATION = [
  { type: "core-store", value: { id: 1, key: "plugin_i18n_default_locale", value: "en", type: "string" } },
];

/** Writes the archive. @param beach the bytes of its picture */
export const writeStrapiExport = (
  beach = Buffer.from("a picture"),
  metadata = '{"strapi": {"version": "5.30.0"}}',
): Promise<string> =>
  writeArchive(join(temporaryFolder(), "export.tar.gz"), [
    ["schemas/schemas_00001.jsonl", ndjson(...SCHEMAS)],
    ["entities/entities_00001.jsonl", ndjson(...ENTITIES)],
    ["assets/metadata/beach_1.jpg.json", "{}"],
    ["assets/uploads/beach_1.jpg", beach],
    ["assets/uploads/small_beach_1.jpg", Buffer.from("smaller")],
    ["assets/uploads/paper_2.pdf", Buffer.from("%PDF-")],
    ["links/links_00001.jsonl", ndjson(...LINKS)],
    ["configuration/configuration_00001.jsonl", ndjson(...CONFIGURATION)],
    ["metadata.json", metadata],
  ]);
