import { beforeAll, expect, it } from "vitest";
import { CONTENTFUL } from "../../../support/exports/contentful.ts";
import { linesOfText, readExport, writeFixture, type ReadSite } from "../../../support/exports/read-site.ts";

let read: ReadSite;
const path = writeFixture("export.json", JSON.stringify(CONTENTFUL, null, 2));
beforeAll(async () => {
  read = await readExport("contentful", path);
});

const mediaOf = (sourceId: string): string =>
  read.site.assets.find((asset) => asset.sourceId === sourceId)!.id;

it("makes a model of each content type, with its fields in two languages", () => {
  expect(read.site.locales).toEqual([{ code: "en-US" }, { code: "de", fallback: "en-US" }]);
  expect(read.model("blog-post")).toMatchObject({ label: "Blog post", titleField: "title", drafts: true });
  expect(read.model("blog-post").fields).toEqual([
    { name: "sourceId", type: "string", unique: true, label: "ID in Contentful" },
    { name: "title", type: "string", label: "Title", localized: true, required: true, searchable: true },
    {
      name: "slug",
      type: "string",
      label: "Slug",
      required: true,
      searchable: true,
      unique: true,
      pattern: "^[a-z-]+$",
    },
    { name: "kind", type: "enum", label: "Kind", values: ["news", "story"] },
    expect.objectContaining({ name: "body", type: "richtext", localized: true, image: true }),
    { name: "intro", type: "text", label: "Intro", searchable: true },
    { name: "author", type: "relation", to: "person", label: "Author" },
    { name: "parts", type: "blocks", components: ["link-to-person", "link-to-quote"], label: "Parts" },
    { name: "cover", type: "media", label: "Cover" },
    { name: "files", type: "media", multiple: true, label: "Files" },
    { name: "filesUrl", type: "text", label: "Addresses of files in files that are no pictures" },
    { name: "tags", type: "json", label: "Tags" },
    { name: "day", type: "datetime", label: "Day" },
    { name: "stars", type: "number", label: "Stars", integer: true, min: 1, max: 5 },
    { name: "where", type: "component", component: "location", label: "Where" },
    { name: "version_2", type: "boolean", label: "Version" },
    { name: "extra", type: "json", label: "Extra" },
    { name: "archived", type: "boolean" },
  ]);
  expect(read.field("blog-post", "body")).toMatchObject({
    annotations: ["link", { name: "internalLink", to: "person" }],
    components: ["divider", "link-to-quote", "table"],
  });
});

it("rewires references, and leaves out those to entries that are gone", () => {
  const { draft } = read.record("post1");
  expect(draft["author"]).toBe(read.record("ada").id);
  expect(draft["parts"]).toMatchObject([
    { _type: "link-to-quote", record: read.record("quote1").id },
    { _type: "link-to-person", record: read.record("ada").id },
  ]);
  expect(draft).toMatchObject({ cover: mediaOf("beach"), files: [mediaOf("beach")] });
  expect(draft["filesUrl"]).toBe("https://assets.ctfassets.net/paper.pdf");
  expect(read.reasons()).toContain("a link to an entry that the export does not hold is left out");
});

it("keeps values of both languages, dates and numbers", () => {
  expect(read.record("post1").draft).toMatchObject({
    ...{ title: { "en-US": "First", de: "Erster" }, day: "2024-03-04T00:00:00.000Z", stars: 4 },
    ...{
      where: { lat: 1.5, lon: 2.5 },
      version_2: true,
      tags: ["a", "b"],
      extra: { a: [1] },
      archived: false,
    },
  });
  expect(read.record("post1")).toMatchObject({
    createdAt: "2024-01-02T03:04:05.000Z",
    updatedAt: "2024-02-02T03:04:05.000Z",
  });
});

it("publishes what was published, and nothing else", () => {
  const time = { publishedAt: "2024-02-01T00:00:00.000Z" };
  expect(read.record("post1").editions).toEqual({ "en-US": time, de: time });
  expect(["post2", "post3", "post4"].map((id) => read.record(id).editions)).toEqual([
    { "en-US": {} },
    { "en-US": {} },
    { "en-US": {} },
  ]);
  expect(read.record("post4").draft["archived"]).toBe(true);
  expect(read.reasons().some((reason) => reason.startsWith("an entry with unpublished changes"))).toBe(true);
});

it("converts rich text, with pictures, entries, links and lists", () => {
  const { body } = read.record("post1").draft as { body: Record<string, unknown> };
  expect(linesOfText(body["en-US"])).toEqual([
    "h2: Hello",
    `normal: See [a page](strong https://example.com/) and [Ada](record:${read.record("ada").id}) or ` +
      `[a paper](https://assets.ctfassets.net/paper.pdf) by [Ada \u{1F9EE}](record:${read.record("ada").id}).`,
    ...["normal number1: One", "normal bullet2: [Inner](em)"],
    `image {"media":"${mediaOf("beach")}","alt":"At low tide"}`,
    `link-to-quote {"record":"${read.record("quote1").id}"}`,
    ...[
      "blockquote: Quoted",
      'divider {"kind":"line"}',
      'table {"rows":[["Head"],["Cell"]],"hasHeader":true}',
    ],
  ]);
});

it("drops a validation that some value breaks, and lists it", () => {
  expect(read.field("blog-post", "intro")).not.toHaveProperty("maxLength");
  expect(read.field("blog-post", "cover")).not.toHaveProperty("required");
  const broken = read.losses.list().filter(({ reason }) => reason.startsWith("a field need no longer be"));
  expect(broken.map(({ places }) => places.map((place) => place.split(" ")[0]))).toEqual([
    ["blogPost.intro"],
    ["blogPost.cover"],
  ]);
});

it("gives pictures the alt text of each language", () => {
  expect(read.site.assets.map(({ sourceId, alt, isPicture }) => ({ sourceId, alt, isPicture }))).toEqual([
    { sourceId: "beach", alt: { "en-US": "At low tide", de: "Strand" }, isPicture: true },
    { sourceId: "paper", alt: { "en-US": "Paper" }, isPicture: false },
  ]);
});

it("leaves out a picture that could not be had, wherever it stands", async () => {
  const again = await readExport("contentful", path, new Map([[mediaOf("beach"), "gone"]]));
  const { cover, files, body } = again.record("post1").draft as {
    cover?: string;
    files?: string[];
    body: Record<string, unknown>;
  };
  expect([cover, files]).toEqual([undefined, undefined]);
  expect(linesOfText(body["en-US"])).toContain(
    "normal: [At low tide](https://images.ctfassets.net/beach.jpg)",
  );
});

it("reads a site with one language without locales", async () => {
  const one = { ...CONTENTFUL, locales: [{ code: "en-US", default: true }] };
  const again = await readExport("contentful", writeFixture("one.json", JSON.stringify(one)));
  expect(again.site.locales).toEqual([]);
  expect(again.record("post1").draft["title"]).toBe("First");
  expect(again.record("post1").editions).toEqual({ "": { publishedAt: "2024-02-01T00:00:00.000Z" } });
});

it("refuses JSON that is no export", async () => {
  const other = writeFixture("other.json", '{"posts": [{"title": "x"}]}');
  await expect(readExport("contentful", other)).rejects.toThrow("no content types");
  const broken = writeFixture("broken.json", JSON.stringify(CONTENTFUL).slice(0, -200));
  await expect(readExport("contentful", broken)).rejects.toThrow("ends in the middle");
});
