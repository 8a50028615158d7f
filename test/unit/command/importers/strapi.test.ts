import { readFileSync, writeFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { linesOfText, readExport, writeFixture, type ReadSite } from "../../../support/exports/read-site.ts";
import { writeStrapiExport } from "../../../support/exports/strapi.ts";

let read: ReadSite;
let path: string;
beforeAll(async () => {
  path = await writeStrapiExport();
  read = await readExport("strapi", path);
});

const mediaOf = (sourceId: string): string =>
  read.site.assets.find((asset) => asset.sourceId === sourceId)!.id;

it("makes models of content types and of the components that they hold", () => {
  expect(read.site.locales).toEqual([{ code: "en" }, { code: "de" }]);
  expect(read.models.map(({ typeModel, name }) => `${typeModel}/${name}`)).toEqual([
    ...["components/code", "components/link-to-articles", "components/link-to-authors"],
    ...["components/blocks-hero", "components/shared-link", "components/shared-seo"],
    ...["collections/articles", "collections/authors", "pages/home", "collections/pointers"],
  ]);
  expect(read.model("articles").fields).toEqual(
    [
      { name: "sourceId", type: "string", unique: true, label: "Document ID in Strapi" },
      { name: "title", type: "string", localized: true, searchable: true },
      { name: "slug", type: "string", localized: true, searchable: true },
      {
        name: "content",
        type: "richtext",
        localized: true,
        searchable: true,
        components: ["code"],
        image: true,
      },
      { name: "story", type: "richtext", searchable: true, components: ["code"], image: true },
      { name: "cover", type: "media" },
      { name: "gallery", type: "media", multiple: true },
      { name: "galleryUrl", type: "text", label: "Addresses of files in gallery that are no pictures" },
      { name: "author", type: "relation", to: "authors", localized: true },
      { name: "related", type: "relation", to: "articles", multiple: true, localized: true },
      { name: "seo", type: "component", component: "shared-seo" },
      { name: "zone", type: "blocks", components: ["blocks-hero", "shared-seo"] },
      { name: "level", type: "enum", values: ["easy", "hard"] },
      { name: "price", type: "number", min: 0 },
      { name: "day", type: "datetime" },
      { name: "stamp", type: "datetime" },
      { name: "code", type: "string", unique: true, searchable: true },
    ].map((field) => (field.name === "title" ? { ...field, required: true } : field)),
  );
});

it("joins the rows of a document: languages, draft and published content", () => {
  const { draft, published, editions, id, createdAt, updatedAt } = read.record("doc1");
  expect(draft["title"]).toEqual({ en: "First, changed", de: "Erster" });
  expect(published?.["title"]).toEqual({ en: "First" });
  expect(editions).toEqual({ en: { publishedAt: "2024-02-01T00:00:00.000Z" }, de: {} });
  expect([createdAt, updatedAt]).toEqual(["2024-01-01T00:00:00.000Z", "2024-02-02T00:00:00.000Z"]);
  expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(read.record("home")).toMatchObject({
    typeModel: "pages",
    id: "home",
    draft: { heading: "Welcome" },
  });
  expect(read.record("home").published).toBeUndefined();
});

it("rewires relations and media, in components too", () => {
  const { draft } = read.record("doc1");
  expect(draft).toMatchObject({
    ...{ author: { en: read.record("ada").id, de: read.record("ada").id }, cover: mediaOf("1") },
    ...{
      gallery: [mediaOf("1")],
      galleryUrl: "/uploads/paper_2.pdf",
      price: 9.5,
      day: "2024-03-04T00:00:00.000Z",
    },
    seo: { title: "Seo" },
    zone: [
      {
        ...{ _type: "blocks-hero", heading: "Hero", image: mediaOf("1"), authors: [read.record("ada").id] },
        links: [{ href: "/a" }, { href: "/b" }],
      },
      { _type: "shared-seo", title: "In zone" },
    ],
  });
});

it("keeps relations and UIDs of a localized type by language, as Strapi does without an option", () => {
  const { slug, related } = read.record("doc1").draft;
  expect(slug).toEqual({ en: "first", de: "erster" });
  expect(related).toEqual({ en: [read.record("doc2").id] });
});

it("keeps the order of a relation to anything", () => {
  const { items } = read.record("pointer").draft;
  expect(items).toMatchObject([
    { _type: "link-to-articles", record: read.record("doc2").id },
    { _type: "link-to-authors", record: read.record("ada").id },
  ]);
  expect(read.field("authors", "pointers")).toBeUndefined();
});

it("reads a timestamp, which is milliseconds in text", () => {
  expect(read.record("doc1").draft["stamp"]).toBe("2024-03-04T05:06:07.000Z");
});

it("gives objects the same keys in draft and published content", () => {
  const { draft, published } = read.record("doc1");
  expect(published?.["zone"]).toEqual(draft["zone"]);
  expect(published?.["story"]).toEqual(draft["story"]);
  // The shared content stands in the English draft, and in the German published content.
  const third = read.record("doc3");
  expect(third.published).toMatchObject({ story: third.draft["story"], seo: third.draft["seo"] });
});

it("converts Markdown and the JSON of the blocks editor", () => {
  const { content, story } = read.record("doc1").draft as {
    content: Record<string, unknown>;
    story: unknown;
  };
  expect(linesOfText(content["en"])).toEqual([
    ...["h1: Title", "normal: Some [bold](strong) and [a link](https://example.com)."],
    `image {"media":"${mediaOf("1")}","alt":"Beach"}`,
    ...["normal bullet1: one", "normal bullet1: two", 'code {"code":"let a;","language":"js"}'],
  ]);
  expect(linesOfText(story)).toEqual([
    ...[
      "h2: Story",
      "normal: A [link](strong https://example.com)",
      "normal number1: One",
      "normal bullet2: Inner",
    ],
    ...["blockquote: Quoted", 'code {"code":"let a;","language":"js"}'],
    `image {"media":"${mediaOf("1")}","alt":"A beach"}`,
  ]);
});

it("takes the files out of the archive", () => {
  const [beach, paper] = read.site.assets;
  expect(beach).toMatchObject({ filename: "beach_1.jpg", alt: { en: "Sand" }, isPicture: true });
  expect(readFileSync(beach!.path!, "utf8")).toBe("a picture");
  expect(paper).toMatchObject({ isPicture: false });
});

it("lists everything that is left out, and brings no secret along", () => {
  expect(read.reasons()).toEqual([
    "a day without a time becomes the beginning of that day in UTC",
    "a file that is no picture becomes its address",
    "a file that is no picture stays where it is",
    "a password is left out",
    "a relation to a single type is left out: relations lead to collections",
    "a relation to plugin::users-permissions.user is left out",
    "content of a plugin is left out: plugin::users-permissions.user",
    "the other side of a relation is left out: a filter on the first side finds the same",
    "the other side of a relation to anything is left out: the first side has it",
  ]);
  expect(JSON.stringify(read.records)).not.toContain("hash");
});

it("says so when an archive was cut off", async () => {
  const cut = `${path}.cut.tar.gz`;
  writeFileSync(cut, readFileSync(path).subarray(0, -300));
  await expect(readExport("strapi", cut)).rejects.toThrow("ends in the middle");
});

it.each([
  ["export.tar.gz.enc", "The export is encrypted"],
  ["export.bin", "An export of Strapi that is encrypted is none"],
])("says so when an export is encrypted: %s", async (name, fault) => {
  const encrypted = writeFixture(name, "no form at all");
  const reading = readExport("strapi", encrypted);
  await expect(reading).rejects.toThrow(fault);
  await expect(reading).rejects.toMatchObject({
    next: "Make one with 'strapi export --no-encrypt'.",
  });
});

it.each([
  ["4.25.1", "is an export of Strapi 4.25.1"],
  ["5.0.0", null],
  ["10.0.0", null],
])("takes no export of a version before 5: %s", async (version, fault) => {
  const metadata = JSON.stringify({ createdAt: "2024-01-01", strapi: { version, plugins: [] } }, null, 2);
  const reading = readExport("strapi", await writeStrapiExport(undefined, metadata));
  if (fault === null) await reading;
  else await expect(reading).rejects.toThrow(fault);
});
