import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { isCode } from "../../../../src/command/importers/sanity/export.ts";
import { linesOfText, readExport, writeFixture, type ReadSite } from "../../../support/exports/read-site.ts";
import { SANITY_NDJSON, writeSanityExport } from "../../../support/exports/sanity.ts";

let read: ReadSite;
beforeAll(async () => {
  read = await readExport("sanity", await writeSanityExport());
});

const picture = (): string => read.site.assets.find(({ isPicture }) => isPicture)!.id;

it("infers a model of each type of documents and of objects", () => {
  expect(read.models.map(({ typeModel, name }) => `${typeModel}/${name}`)).toEqual([
    ...["components/link-to-author", "components/link-to-post"],
    ...["components/code", "components/hero", "components/item", "components/post-seo", "components/quote"],
    ...["collections/author", "collections/post", "pages/settings"],
  ]);
  const fields = read.model("post").fields.map(({ name, type }) => `${name} ${type}`);
  expect(fields).toEqual([
    ...[
      "sourceId string",
      "title string",
      "slug string",
      "publishedOn datetime",
      "rating number",
      "isGood boolean",
    ],
    ...[
      "author relation",
      "tags json",
      "body richtext",
      "mainImage media",
      "related relation",
      "mixed blocks",
    ],
    ...["sections blocks", "seo component", "paperUrl string", "odd json", "name string", "intro string"],
    "menu component",
  ]);
  expect(read.field("post", "body")).toMatchObject({
    styles: ["normal", "h1", "h2", "h3", "h4", "blockquote", "lead"],
    annotations: ["link", { name: "internalLink", to: "author" }],
    components: ["code"],
    image: true,
  });
  expect(read.field("author", "bio")).toMatchObject({ type: "text" });
  expect(read.field("post", "related")).toMatchObject({ to: "post", multiple: true });
  expect(read.field("post", "mixed")).toMatchObject({ components: ["link-to-author", "link-to-post"] });
});

it("cuts an object that holds itself", () => {
  expect(read.field("item", "children")).toMatchObject({ type: "json" });
  expect(read.reasons()).toContain("an object that may hold itself becomes JSON");
});

it.each(["en", "de_AT", "zh-Hant-TW", "en-x-easy"])("takes %s as the code of a language", (code) => {
  expect(isCode(code)).toBe(true);
});

it("takes languages from both conventions", () => {
  expect(read.site.locales).toEqual([{ code: "en" }, { code: "de" }]);
  expect(read.field("post", "name")).toMatchObject({ localized: true });
  expect(read.record("post-1").published).toMatchObject({
    name: { en: "Name", de: "Name (de)" },
    intro: { en: "Intro", de: "Einleitung" },
  });
});

it("joins a document with its draft", () => {
  const time = { publishedAt: "2024-02-02T00:00:00.000Z" };
  expect(read.record("post-1").draft).toMatchObject({ title: "First, changed", odd: "text" });
  expect(read.record("post-1").published).toMatchObject({ title: "First", odd: 1 });
  expect(read.record("post-1").editions).toEqual({ en: time, de: time });
  expect(read.record("post-2").editions).toEqual({ en: {} });
  expect(read.record("post-2").published).toBeUndefined();
  expect(read.record("siteSettings")).toMatchObject({
    typeModel: "pages",
    id: "settings",
    model: "settings",
  });
});

it("rewires references and files", () => {
  const { published = {} } = read.record("post-1");
  const [author, second] = [read.record("author-ada").id, read.record("post-2").id];
  expect(published).toMatchObject({
    ...{ author, related: [second], mainImage: picture(), slug: "first" },
    ...{ paperUrl: "./files/fedcba9876543210fedcba9876543210fedcba98.pdf".replace("./", "") },
    mixed: [
      { _type: "link-to-post", _key: "m1", record: second },
      { _type: "link-to-author", _key: "m2", record: author },
    ],
    sections: [
      { _type: "hero", _key: "h1", heading: "Hello", picture: picture() },
      { _type: "quote", _key: "q1", words: "Hm", by: author },
    ],
    seo: { title: "Seo", description: "Words" },
  });
  expect(read.reasons()).toContain("a reference to a document that the export does not hold is left out");
});

it("keeps Portable Text, but for what a field cannot hold", () => {
  expect(linesOfText(read.record("post-1").published?.["body"])).toEqual([
    `lead: A [link](strong https://example.com) to [Ada](record:${read.record("author-ada").id}) and `,
    "normal bullet2: One",
    `image {"media":"${picture()}","alt":"A beach","caption":"At low tide"}`,
    'code {"language":"js","code":"let a;\\nlet b;"}',
  ]);
  expect(read.reasons()).toEqual(
    expect.arrayContaining([
      "a link or mark that no text may have becomes its text",
      "an object inside a line is left out",
      "members of a link beside its address are left out",
      "the crop of an image is left out, its hotspot is not",
    ]),
  );
});

it("takes pictures out of the archive, with alt text, focal point and file name", () => {
  const asset = read.site.assets.find(({ isPicture }) => isPicture)!;
  expect(asset).toMatchObject({
    ...{ filename: "beach.png", alt: { en: "A beach" }, focalPoint: { x: 0.25, y: 0.5 } },
    createdAt: "2023-01-01T00:00:00Z",
  });
  expect(readFileSync(asset.path!, "utf8")).toBe("a picture");
});

it("reads no file of this machine outside the folder of the export", async () => {
  const dataset = [
    { _id: "a", _type: "page", picture: { _type: "image", _sanityAsset: "image@file://./../secret/id.png" } },
    { _id: "b", _type: "page", picture: { _type: "image", _sanityAsset: "image@file:///etc/id.png" } },
    { _id: "c", _type: "page", picture: { _type: "image", _sanityAsset: "image@file://./images/id.png" } },
  ];
  const path = writeFixture("data.ndjson", dataset.map((document) => JSON.stringify(document)).join("\n"));
  const { site } = await readExport("sanity", path);
  expect(site.assets.map((asset) => asset.path)).toEqual([
    undefined,
    undefined,
    join(dirname(path), "images", "id.png"),
  ]);
});

it("leaves out releases and the documents of Sanity itself", () => {
  expect(read.records.map(({ sourceId }) => sourceId)).toEqual([
    "post-1",
    "post-2",
    "author-ada",
    "siteSettings",
  ]);
  expect(JSON.stringify(read.records)).not.toContain("hush");
});

it("reads NDJSON without an archive, with the same records", async () => {
  const again = await readExport("sanity", writeFixture("data.ndjson", SANITY_NDJSON));
  expect(again.records).toEqual(read.records);
});

it("infers the same models whatever the order of the documents", async () => {
  const turned = `${SANITY_NDJSON.trim().split("\n").reverse().join("\n")}\n`;
  const again = await readExport("sanity", writeFixture("data.ndjson", turned));
  const sorted = (site: ReadSite): unknown =>
    site.models.map(({ fields, ...model }) => ({
      ...model,
      fields: [...fields].sort((a, b) => (a.name < b.name ? -1 : 1)),
    }));
  expect(sorted(again)).toEqual(sorted(read));
});
