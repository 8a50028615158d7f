import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { linesOfText, readExport, writeFixture, type ReadSite } from "../../../support/exports/read-site.ts";
import { CUSTOM_FIELDS_MAX } from "../../../../src/command/importers/wordpress/custom-fields.ts";
import { WORDPRESS_XML, wordPressXml } from "../../../support/exports/wordpress.ts";

let read: ReadSite;
const path = writeFixture("site.xml", WORDPRESS_XML);
beforeAll(async () => {
  read = await readExport("wordpress", path);
});

const mediaOf = (sourceId: string): string =>
  read.site.assets.find((asset) => asset.sourceId === sourceId)!.id;

it("makes a model of each type of posts, of the terms and of the authors", () => {
  expect(read.models.map(({ typeModel, name }) => `${typeModel}/${name}`)).toEqual([
    ...["components/code", "components/table", "components/embed", "components/divider", "components/html"],
    ...["collections/authors", "collections/categories", "collections/tags"],
    ...["collections/posts", "collections/pages", "collections/recipe"],
  ]);
  expect(read.field("posts", "body")).toMatchObject({
    styles: ["normal", "h1", "h2", "h3", "h4", "blockquote", "h5"],
    annotations: ["link", { name: "internalLink", to: "posts" }],
    image: true,
  });
  expect(read.field("pages", "parent")).toEqual({ name: "parent", type: "relation", to: "pages" });
});

it("keeps status, dates, terms, author, format and stickiness", () => {
  const { draft, createdAt, updatedAt, editions } = read.record("1");
  expect(createdAt).toBe("2024-05-06T07:08:07.000Z");
  expect(updatedAt).toBe("2024-05-07T07:08:07.000Z");
  expect(editions).toEqual({ "": { publishedAt: "2024-05-06T07:08:07.000Z" } });
  expect(draft).toMatchObject({
    ...{
      title: "With blocks & more",
      excerpt: "Short & sweet",
      sticky: true,
      format: "gallery",
      menuOrder: 3,
    },
    ...{ wpStatus: "publish", link: "https://blog.test/post-1/", mood: "calm", featuredImage: mediaOf("11") },
    author: read.record("ada").id,
    categories: [read.record("category:local").id],
    tags: [read.record("post_tag:sea").id],
  });
  expect(read.record("category:local").draft).toMatchObject({
    ...{ name: "Local & near", parent: read.record("category:news").id },
  });
  expect(read.record("4").draft["parent"]).toBe(read.record("3").id);
});

it("publishes nothing that WordPress did not show to everybody", () => {
  const editions = ["5", "6", "7", "8", "9"].map((id) => read.record(id).editions[""]);
  expect(editions).toEqual([{}, { publishAt: "2030-01-01T08:00:00.000Z" }, {}, {}, {}]);
  expect(JSON.stringify(read.records)).not.toContain("swordfish");
  expect(read.record("5").createdAt).toBe("2024-07-01T10:00:00.000Z");
});

it("converts the blocks of the editor", () => {
  expect(linesOfText(read.record("1").draft["body"])).toEqual([
    `normal: A [bold](strong) start with a [post](record:${read.record("2").id}) and a [page](https://blog.test/page-3/).`,
    "h5: Small heading",
    `image {"media":"${mediaOf("10")}","alt":"The beach","caption":"At low tide"}`,
    ...["normal bullet1: One", "normal bullet2: Inner", "normal bullet1: Two"],
    'code {"code":"let a = 1;\\nlet b;","language":"js"}',
    expect.stringMatching(/^table \{"rows":\[\["Name","Age"\],\["Ada","36"\]\],"hasHeader":true/),
    ...['embed {"url":"https://video.test/watch?v=1"}', "normal: The video"],
    'divider {"kind":"line"}',
    ...["blockquote: Stay hungry.", "blockquote: [Steve](em)", 'html {"html":"<!-- wp:latest-posts / -->"}'],
    "normal: First line\nsecond line",
  ]);
});

it("converts classic texts, with their line breaks and shortcodes", () => {
  expect(linesOfText(read.record("2").draft["body"])).toEqual([
    "normal: A first paragraph with [words](em)\nand a second line.",
    `image {"media":"${mediaOf("10")}","alt":"Sand","caption":"The caption"}`,
    expect.stringMatching(/^embed \{"url":"https:\/\/video\.test\/watch\?v=2"/),
    'divider {"kind":"more"}',
    ...[`image {"media":"${mediaOf("10")}","alt":"Sand"}`, `image {"media":"${mediaOf("11")}"}`],
    'normal: The end of it. [sic] [slider id="4"]',
  ]);
  expect(read.reasons()).toContain("the shortcode [slider] of a plugin stays in the text as it is written");
  expect(read.reasons()).toContain("a link that no text may have becomes its text");
});

it("keeps the address of a featured file that is no picture, and lists it", () => {
  expect(read.record("2").draft).toMatchObject({ featuredImageUrl: "https://blog.test/files/paper.pdf" });
  expect(read.record("2").draft["featuredImage"]).toBeUndefined();
  expect(read.reasons()).toContain("a file that is no picture stays where it is");
});

it("makes a link of a picture that could not be had", async () => {
  const missing = new Map([[mediaOf("10"), "its server answered 404"]]);
  const again = await readExport("wordpress", path, missing);
  expect(linesOfText(again.record("1").draft["body"])).toContain(
    "normal: [At low tide](https://blog.test/files/beach-300x200.jpg)",
  );
});

it("infers custom fields, and leaves out hidden ones", () => {
  expect(read.model("recipe").fields.slice(-2)).toEqual([
    { name: "minutes", type: "string" },
    { name: "step", type: "json" },
  ]);
  expect(read.record("14").draft).toMatchObject({ minutes: "20", step: ["Boil", "Eat"] });
  expect(JSON.stringify(read.records)).not.toContain("_hidden");
});

it("gives the same ids whenever it reads a file, and others to another site", async () => {
  const again = await readExport("wordpress", path);
  expect(again.records).toEqual(read.records);
  const other = writeFixture("other.xml", readFileSync(path, "utf8").replaceAll("blog.test", "other.test"));
  expect((await readExport("wordpress", other)).record("1").id).not.toBe(read.record("1").id);
});

it("reads on behind a character that XML cannot have, and lists it", async () => {
  const faulty = writeFixture("faulty.xml", WORDPRESS_XML.replace("A blog", "A \u0003blog"));
  const again = await readExport("wordpress", faulty);
  expect(again.records).toHaveLength(read.records.length);
  expect(again.reasons().some((reason) => reason.startsWith("the XML of the export has a fault"))).toBe(true);
});

it("refuses an export that was cut off, wherever that is", async () => {
  for (const share of [0.4, 0.7, 0.95]) {
    const cut = writeFixture("cut.xml", WORDPRESS_XML.slice(0, Math.floor(WORDPRESS_XML.length * share)));
    await expect(readExport("wordpress", cut)).rejects.toThrow("ends in the middle of its XML");
  }
});

it("refuses a file that is no WXR, and says how to make one", async () => {
  const html = writeFixture("page.html", "<html><body>Hello</body></html>");
  await expect(readExport("wordpress", html)).rejects.toThrow("no export of WordPress");
});

describe("pictures of a text", () => {
  const pictures = async (...sources: string[]): Promise<ReadSite> =>
    readExport(
      "wordpress",
      writeFixture(
        "pictures.xml",
        wordPressXml([
          { id: 9, title: "beach", type: "attachment", attachmentUrl: "https://blog.test/files/beach.jpg" },
          { id: 1, title: "post", content: sources.map((src) => `<img src="${src}" alt="A">`).join("\n") },
        ]),
      ),
    );

  it("are told apart by their queries, unless they are attachments", async () => {
    const { site } = await pictures(
      ...["https://cdn.test/thumb.php?src=a.jpg", "https://cdn.test/thumb.php?src=b.jpg"],
      "https://blog.test/files/beach.jpg?w=300",
    );
    expect(site.assets.map(({ address }) => address)).toEqual([
      "https://blog.test/files/beach.jpg",
      ...["https://cdn.test/thumb.php?src=a.jpg", "https://cdn.test/thumb.php?src=b.jpg"],
    ]);
  });

  it("may have addresses that are relative to the site", async () => {
    const found = await pictures(
      "/files/beach.jpg",
      "files/beach-300x200.jpg",
      "//www.blog.test/files/beach.jpg",
    );
    expect(found.site.assets.map(({ sourceId }) => sourceId)).toEqual(["9"]);
    expect(JSON.stringify(found.record("1").draft["body"])).toContain(found.site.assets[0]!.id);
  });

  it("leave their alt text where they are written into the text", async () => {
    const found = await pictures("data:image/png;base64,iVBORw0KGgo=");
    expect(linesOfText(found.record("1").draft["body"])).toEqual(["normal: A"]);
    expect(found.reasons()).toContain("a picture that is written into a text (data:) is left out");
  });
});

it("puts the custom fields that few posts have together, since a model takes 100 fields", async () => {
  const keys = Array.from({ length: CUSTOM_FIELDS_MAX + 5 }, (_, index) => `field-${index}`);
  const meta = (some: string[]): [string, string][] => some.map((key) => [key, `value of ${key}`]);
  const xml = (most: number): string =>
    wordPressXml([
      { id: 1, title: "rare", meta: meta(keys.slice(0, most)) },
      { id: 2, title: "often", meta: meta(keys.slice(5, most)) },
    ]);
  const at = await readExport("wordpress", writeFixture("at.xml", xml(CUSTOM_FIELDS_MAX)));
  expect(at.field("posts", "otherCustomFields")).toBeUndefined();
  const past = await readExport("wordpress", writeFixture("past.xml", xml(keys.length)));
  expect(past.field("posts", "otherCustomFields")).toEqual({ name: "otherCustomFields", type: "json" });
  expect(past.model("posts").fields.length).toBeLessThanOrEqual(100);
  expect(past.record("1").draft).toMatchObject({
    field74: "value of field-74",
    otherCustomFields: { "field-0": "value of field-0", "field-4": "value of field-4" },
  });
  expect(past.record("2").draft).not.toHaveProperty("otherCustomFields");
});

it("reads a text whose elements are nested thousands deep, and one of many brackets", async () => {
  const deep = `${"<div>".repeat(6000)}deep${"</div>".repeat(6000)}`;
  const brackets = "[abc] [audio] [caption ".repeat(20_000);
  const found = await readExport(
    "wordpress",
    writeFixture(
      "deep.xml",
      wordPressXml([
        { id: 1, title: "deep", content: deep },
        { id: 2, title: "brackets", content: brackets },
        {
          id: 3,
          title: "pairs",
          content: "[audio] [caption]<img src='x'>Words[/caption] [sic] [box]in[/box]",
        },
      ]),
    ),
  );
  expect(linesOfText(found.record("1").draft["body"])).toEqual(["normal: deep"]);
  expect(JSON.stringify(found.record("2").draft["body"])).toContain("[abc]");
  expect(JSON.stringify(found.record("3").draft["body"])).toContain("Words");
  expect(found.reasons()).toContain("the shortcode [box] of a plugin stays in the text as it is written");
});

it("reads items without ids, as the preview data of WordPress' own themes has them", async () => {
  const item = (title: string, inside: string): string =>
    `<item><title>${title}</title>${inside}<wp:post_type>post</wp:post_type><wp:status>publish</wp:status></item>`;
  const items = [
    item(
      "One",
      `<link>https://blog.test/?p=19</link><category>At sea &amp; ashore</category>
        <content:encoded><![CDATA[<p>To <a href="https://blog.test/?p=36">two</a></p>]]></content:encoded>`,
    ),
    item("Two", "<guid>https://blog.test/?p=36</guid><category>At sea &amp; ashore</category>"),
    item("Three", "<link>https://blog.test/three/</link>"),
    item("Four", ""),
    item("Five", ""),
  ];
  const xml = wordPressXml([]).replace("</channel>", `${items.join("")}</channel>`);
  const found = await readExport("wordpress", writeFixture("preview.xml", xml));
  const posts = found.records.filter(({ model }) => model === "posts");
  expect(posts.map(({ sourceId, draft }) => [sourceId, draft["title"]])).toEqual([
    ["19", "One"],
    ["36", "Two"],
    ["https://blog.test/three/", "Three"],
    ["item Four", "Four"],
    ["item Five", "Five"],
  ]);
  expect(new Set(posts.map(({ id }) => id)).size).toBe(5);
  const { id } = found.record("category:at-sea-ashore");
  expect(found.record("36").draft["categories"]).toEqual([id]);
  expect(found.record("category:at-sea-ashore").draft["name"]).toBe("At sea & ashore");
  expect(JSON.stringify(found.record("19").draft["body"])).toContain(found.record("36").id);
});
