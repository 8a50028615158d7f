/** A small export of a Sanity dataset, with a value of each kind that the importer knows. */
import { join } from "node:path";
import { ndjson, writeArchive } from "./archive.ts";
import { temporaryFolder } from "./read-site.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const document = (_id: string, _type: string, members: object): object => ({
  ...{ _id, _type, _rev: "r", _createdAt: "2024-01-01T00:00:00Z", _updatedAt: "2024-02-02T00:00:00Z" },
  ...members,
});
const reference = (_ref: string, _key?: string): object => ({
  _type: "reference",
  _ref,
  ...(_key && { _key }),
});
const image = (more: object = {}): object => ({
  _type: "image",
  _sanityAsset: `image@file://./images/${SHA}-100x50.png`,
  ...more,
});
const span = (text: string, ...marks: string[]): object => ({
  _type: "span",
  _key: `s-${text}`,
  text,
  marks,
});

const BODY = [
  {
    ...{ _type: "block", _key: "b1", style: "lead" },
    markDefs: [
      { _type: "link", _key: "l1", href: "https://example.com", blank: true },
      { _type: "internalLink", _key: "l2", reference: reference("author-ada") },
      { _type: "comment", _key: "l3", text: "hm" },
    ],
    children: [
      span("A "),
      span("link", "strong", "l1"),
      span(" to "),
      span("Ada", "l2"),
      span(" and ", "l3"),
      { _type: "icon", _key: "i" },
    ],
  },
  { _type: "block", _key: "b2", listItem: "bullet", level: 2, children: [span("One")] },
  image({
    _key: "b3",
    alt: "A beach",
    caption: "At low tide",
    hotspot: { _type: "sanity.imageHotspot", x: 0.251, y: 0.5 },
    crop: { top: 0.1, left: 0, right: 0, bottom: 0 },
  }),
  { _type: "code", _key: "b4", language: "js", code: "let a;\nlet b;" },
];

const DOCUMENTS = [
  document("post-1", "post", {
    ...{
      title: "First",
      slug: { _type: "slug", current: "first" },
      publishedOn: "2024-03-04T05:06:07Z",
      rating: 4,
      isGood: true,
    },
    ...{ author: reference("author-ada"), tags: ["a", "b"], body: BODY, mainImage: image({ alt: "Sand" }) },
    ...{
      related: [reference("post-2", "r1"), reference("gone", "r2")],
      mixed: [reference("post-2", "m1"), reference("author-ada", "m2")],
    },
    sections: [
      { _type: "hero", _key: "h1", heading: "Hello", picture: image() },
      { _type: "quote", _key: "q1", words: "Hm", by: reference("author-ada") },
    ],
    seo: { title: "Seo", description: "Words" },
    paper: {
      _type: "file",
      _sanityAsset: "file@file://./files/fedcba9876543210fedcba9876543210fedcba98.pdf",
    },
    odd: 1,
    name: { _type: "localeString", en: "Name", de: "Name (de)" },
    intro: [
      { _key: "en", _type: "internationalizedArrayStringValue", value: "Intro" },
      { _key: "de", _type: "internationalizedArrayStringValue", value: "Einleitung" },
    ],
    menu: [
      { _type: "item", _key: "x", title: "Top", children: [{ _type: "item", _key: "y", title: "Inner" }] },
    ],
  }),
  document("drafts.post-1", "post", {
    title: "First, changed",
    odd: "text",
    name: { _type: "localeString", en: "Name" },
  }),
  document("drafts.post-2", "post", { title: "Second" }),
  document("author-ada", "author", { name: "Ada", bio: "A line\nand another" }),
  document("siteSettings", "settings", { title: "The site" }),
  document("versions.r1.post-1", "post", { title: "In a release" }),
  document("sanity.preview", "sanity.previewUrlSecret", { secret: "hush" }),
];

const FACTS = {
  [`image-${SHA}`]: {
    originalFilename: "beach.png",
    _createdAt: "2023-01-01T00:00:00Z",
    _updatedAt: "2023-01-02T00:00:00Z",
  },
};

export const SANITY_NDJSON = ndjson(...DOCUMENTS);

/** Writes the archive. @param beach the bytes of its picture */
export const writeSanityExport = (beach = Buffer.from("a picture")): Promise<string> =>
  writeArchive(join(temporaryFolder(), "production.tar.gz"), [
    ["production-export-2024/data.ndjson", SANITY_NDJSON],
    ["production-export-2024/assets.json", JSON.stringify(FACTS)],
    [`production-export-2024/images/${SHA}-100x50.png`, beach],
    ["production-export-2024/files/fedcba9876543210fedcba9876543210fedcba98.pdf", Buffer.from("%PDF-")],
  ]);
