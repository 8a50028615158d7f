/** Exports of WordPress that lack ids and slugs: those of old versions, and those that were written by hand. */
import { expect, it } from "vitest";
import { readExport, writeFixture, type ReadSite } from "../../../support/exports/read-site.ts";
import { wordPressXml } from "../../../support/exports/wordpress.ts";

const item = (title: string, inside: string, type = "post"): string =>
  `<item><title>${title}</title>${inside}<wp:post_type>${type}</wp:post_type><wp:status>publish</wp:status></item>`;

const reading = (...parts: string[]): Promise<ReadSite> =>
  readExport(
    "wordpress",
    writeFixture(
      "by-hand.xml",
      wordPressXml([]).replace("</channel>", () => `${parts.join("")}</channel>`),
    ),
  );

const titles = ({ records }: ReadSite, model = "posts"): [string, unknown][] =>
  records
    .filter((record) => record.model === model)
    .map(({ sourceId, draft }): [string, unknown] => [sourceId, draft["title"]])
    .sort(([a], [b]) => (a < b ? -1 : 1));

const SHARED = "the id of an item without wp:post_id is another item's, so it gets one of its own";

it("keeps items apart that share an address, and lists them", async () => {
  const link = "<link>https://blog.test/one/</link>";
  const named = "<link>https://blog.test/?p=36</link>";
  const found = await reading(
    ...[item("One", link), item("Two", link), item("Three", link)],
    ...[item("Four", named), item("Five", named), item("Six", named)],
  );
  expect(titles(found)).toEqual([
    ["36", "Four"],
    ["https://blog.test/?p=36", "Five"],
    ["https://blog.test/?p=36#2", "Six"],
    ["https://blog.test/one/", "One"],
    ["https://blog.test/one/#2", "Two"],
    ["https://blog.test/one/#3", "Three"],
  ]);
  expect(new Set(found.records.map(({ id }) => id)).size).toBe(found.records.length);
  expect(found.losses.list().find(({ reason }) => reason === SHARED)).toMatchObject({
    count: 4,
    places: expect.arrayContaining(["36 becomes https://blog.test/?p=36#2"]) as string[],
  });
});

it("leaves an id to the item that has it as its own, wherever it stands", async () => {
  const [nineteen, twenty] = ["?p=19", "?attachment_id=20"].map((query) => `https://blog.test/${query}`);
  const found = await reading(
    item("By address", `<link>${nineteen}</link>`),
    item("Picture's", `<link>${twenty}</link>`),
    item("Own", `<link>https://blog.test/own/</link><wp:post_id>19</wp:post_id>`),
    item("", `<wp:post_id>20</wp:post_id><guid>https://blog.test/files/a.jpg</guid>`, "attachment"),
    item("Menu", "<wp:post_id>21</wp:post_id>", "nav_menu_item"),
    item("Page", "<link>https://blog.test/?page_id=21</link>", "page"),
  );
  expect(titles(found)).toEqual([
    ["19", "Own"],
    [twenty, "Picture's"],
    [nineteen, "By address"],
  ]);
  expect(titles(found, "pages")).toEqual([["https://blog.test/?page_id=21", "Page"]]);
  expect(found.site.assets.map(({ sourceId }) => sourceId)).toEqual(["20"]);
  expect(found.losses.list().find(({ reason }) => reason === SHARED)?.count).toBe(3);
});

it("gives an item with neither id nor address the same id when items are added above it", async () => {
  const dated = item("Told", "<wp:post_date_gmt>2024-05-06 07:08:07</wp:post_date_gmt>");
  const before = await reading(item("Plain", ""), dated, item("", ""));
  const after = await reading(item("New", ""), dated, item("", ""), item("Plain", ""));
  for (const sourceId of ["item Plain", "item 2024-05-06 07:08:07 Told", "item"]) {
    expect(after.record(sourceId).id).toBe(before.record(sourceId).id);
  }
  const twice = await reading(dated, dated);
  expect(titles(twice).map(([id]) => id)).toEqual([
    "item 2024-05-06 07:08:07 Told",
    "item 2024-05-06 07:08:07 Told#2",
  ]);
});

it("finds the id in an address whose & is written as WordPress writes it", async () => {
  const found = await reading(
    item("One", "<guid><![CDATA[https://blog.test/?post_type=recipe&#038;p=12]]></guid>"),
    item("Two", "<guid><![CDATA[https://blog.test/?lang=en&amp;p=13]]></guid>"),
  );
  expect(titles(found)).toEqual([
    ["12", "One"],
    ["13", "Two"],
  ]);
});

const slugsOf = (found: ReadSite, model = "categories"): unknown[] =>
  found.records.filter((record) => record.model === model).map(({ draft }) => [draft["name"], draft["slug"]]);

it("makes the slug of a term as WordPress does, and keeps terms apart whose slugs would be one", async () => {
  const names = [
    ...[
      "Café",
      "a_b",
      "Children's",
      "Node.js",
      "Straße",
      "हिन्दी",
      "Москва",
      "C++",
      "C#",
      "c#",
      "♥",
      "!!!",
      "Cafe",
    ],
  ];
  const found = await reading(
    ...names.map((name, n) => item(`Post ${n}`, `<category><![CDATA[${name}]]></category>`)),
    item(
      "Both",
      "<category>C++</category><category>C#</category><category>F+</category><category>F#</category>",
    ),
    item("None", "<category> </category>"),
  );
  expect(slugsOf(found).slice(2)).toEqual([
    ...[
      ["Café", "cafe"],
      ["a_b", "a_b"],
      ["Children's", "childrens"],
      ["Node.js", "node-js"],
      ["Straße", "strase"],
      ["हिन्दी", "हिन्दी"],
      ["Москва", "москва"],
    ],
    ...[
      ["C++", "c"],
      ["C#", "c#"],
      ["♥", "♥"],
      ["!!!", "!!!"],
      ["Cafe", "cafe-2"],
    ],
    ...[
      ["F+", "f"],
      ["F#", "f#"],
    ],
  ]);
  const both = found.records.find(({ draft }) => draft["title"] === "Both");
  expect(both?.draft["categories"]).toHaveLength(4);
  expect(found.reasons()).toContain("a term without a name is left out");
});

it("finds the term that the file lists by its name", async () => {
  const listed = `<wp:category><wp:category_nicename>dev-c</wp:category_nicename><wp:cat_name>C++</wp:cat_name></wp:category>
    <wp:tag><wp:tag_slug>sea-2</wp:tag_slug><wp:tag_name>At sea</wp:tag_name></wp:tag>`;
  const found = await reading(
    listed,
    item("One", `<category>c++</category><category domain="post_tag">At sea</category>`),
  );
  const one = found.records.find(({ draft }) => draft["title"] === "One");
  expect(one?.draft).toMatchObject({
    categories: [found.record("category:dev-c").id],
    tags: [found.record("post_tag:sea-2").id],
  });
  expect(slugsOf(found)).toHaveLength(3);
});

it("reads a term once that WordPress before 3.1 writes twice", async () => {
  const found = await reading(
    item(
      "One",
      `<category><![CDATA[Children's]]></category>
       <category domain="category" nicename="kids"><![CDATA[Children's]]></category>
       <category domain="tag"><![CDATA[Sand]]></category>
       <category domain="tag" nicename="sand-2"><![CDATA[Sand]]></category>`,
    ),
  );
  const one = found.records.find(({ draft }) => draft["title"] === "One");
  expect(one?.draft).toMatchObject({
    categories: [found.record("category:kids").id],
    tags: [found.record("post_tag:sand-2").id],
  });
  expect(slugsOf(found)).toContainEqual(["Children's", "kids"]);
  expect(slugsOf(found)).toHaveLength(3);
});
