/** A small export of a Contentful space with two languages, and a value of each kind that the importer knows. */

const sys = (id: string, type: string, more: object = {}): object => ({
  ...{ id, type, space: { sys: { type: "Link", linkType: "Space", id: "space1" } } },
  ...{ createdAt: "2024-01-02T03:04:05.000Z", updatedAt: "2024-02-02T03:04:05.000Z" },
  ...more,
});
const link = (linkType: "Entry" | "Asset", id: string): object => ({ sys: { type: "Link", linkType, id } });
const contentType = (id: string): object => ({
  contentType: { sys: { type: "Link", linkType: "ContentType", id } },
});
const published = { version: 4, publishedVersion: 3, publishedAt: "2024-02-01T00:00:00.000Z" };

const text = (value: string, ...marks: string[]): object => ({
  ...{ nodeType: "text", value, data: {}, marks: marks.map((type) => ({ type })) },
});
const node = (nodeType: string, content: object[], data: object = {}): object => ({
  nodeType,
  content,
  data,
});

const DOCUMENT = node("document", [
  node("heading-2", [text("Hello")]),
  node("paragraph", [
    text("See "),
    node("hyperlink", [text("a page", "bold")], { uri: "https://example.com/" }),
    text(" and "),
    node("entry-hyperlink", [text("Ada")], { target: link("Entry", "ada") }),
    text(" or "),
    node("asset-hyperlink", [text("a paper")], { target: link("Asset", "paper") }),
    text(" by "),
    node("embedded-entry-inline", [], { target: link("Entry", "ada") }),
    text("."),
  ]),
  node("ordered-list", [
    node("list-item", [
      node("paragraph", [text("One")]),
      node("unordered-list", [node("list-item", [node("paragraph", [text("Inner", "italic")])])]),
    ]),
  ]),
  node("embedded-asset-block", [], { target: link("Asset", "beach") }),
  node("embedded-entry-block", [], { target: link("Entry", "quote1") }),
  node("blockquote", [node("paragraph", [text("Quoted")])]),
  node("hr", []),
  node("table", [
    node("table-row", [node("table-header-cell", [node("paragraph", [text("Head")])])]),
    node("table-row", [node("table-cell", [node("paragraph", [text("Cell")])])]),
  ]),
]);

export const CONTENTFUL = {
  contentTypes: [
    {
      sys: sys("blogPost", "ContentType"),
      ...{ name: "Blog post", displayField: "title", description: "A post" },
      fields: [
        { id: "title", name: "Title", type: "Symbol", localized: true, required: true, validations: [] },
        {
          id: "slug",
          name: "Slug",
          type: "Symbol",
          required: true,
          validations: [{ unique: true }, { regexp: { pattern: "^[a-z-]+$", flags: null } }],
        },
        { id: "kind", name: "Kind", type: "Symbol", validations: [{ in: ["news", "story"] }] },
        { id: "body", name: "Body", type: "RichText", localized: true },
        { id: "intro", name: "Intro", type: "Text", validations: [{ size: { max: 3 } }] },
        {
          id: "author",
          name: "Author",
          type: "Link",
          linkType: "Entry",
          validations: [{ linkContentType: ["person"] }],
        },
        {
          id: "parts",
          name: "Parts",
          type: "Array",
          items: { type: "Link", linkType: "Entry", validations: [{ linkContentType: ["person", "quote"] }] },
        },
        { id: "cover", name: "Cover", type: "Link", linkType: "Asset", required: true },
        { id: "files", name: "Files", type: "Array", items: { type: "Link", linkType: "Asset" } },
        { id: "tags", name: "Tags", type: "Array", items: { type: "Symbol" } },
        { id: "day", name: "Day", type: "Date" },
        { id: "stars", name: "Stars", type: "Integer", validations: [{ range: { min: 1, max: 5 } }] },
        { id: "where", name: "Where", type: "Location" },
        { id: "version", name: "Version", type: "Boolean" },
        { id: "extra", name: "Extra", type: "Object" },
      ],
    },
    {
      sys: sys("person", "ContentType"),
      name: "Person",
      displayField: "name",
      fields: [{ id: "name", name: "Name", type: "Symbol" }],
    },
    {
      sys: sys("quote", "ContentType"),
      name: "Quote",
      displayField: "words",
      fields: [{ id: "words", name: "Words", type: "Text" }],
    },
  ],
  entries: [
    {
      sys: sys("post1", "Entry", { ...contentType("blogPost"), ...published }),
      metadata: { tags: [link("Entry", "tag")] },
      fields: {
        title: { "en-US": "First", de: "Erster" },
        slug: { "en-US": "first" },
        kind: { "en-US": "news" },
        body: { "en-US": DOCUMENT },
        intro: { "en-US": "longer than three" },
        author: { "en-US": link("Entry", "ada") },
        parts: { "en-US": [link("Entry", "quote1"), link("Entry", "gone"), link("Entry", "ada")] },
        cover: { "en-US": link("Asset", "beach") },
        files: { "en-US": [link("Asset", "beach"), link("Asset", "paper")] },
        tags: { "en-US": ["a", "b"] },
        day: { "en-US": "2024-03-04" },
        stars: { "en-US": 4 },
        where: { "en-US": { lat: 1.5, lon: 2.5 } },
        version: { "en-US": true },
        extra: { "en-US": { a: [1] } },
      },
    },
    {
      sys: sys("post2", "Entry", { ...contentType("blogPost"), ...published, version: 9 }),
      fields: { title: { "en-US": "Changed" }, slug: { "en-US": "changed" }, kind: { "en-US": "news" } },
    },
    {
      sys: sys("post3", "Entry", { ...contentType("blogPost"), version: 2 }),
      fields: { title: { "en-US": "Draft" }, slug: { "en-US": "draft" } },
    },
    {
      sys: sys("post4", "Entry", {
        ...contentType("blogPost"),
        version: 6,
        archivedVersion: 5,
        archivedAt: "2024-03-01T00:00:00.000Z",
      }),
      fields: { title: { "en-US": "Archived" }, slug: { "en-US": "archived" } },
    },
    {
      sys: sys("ada", "Entry", { ...contentType("person"), ...published }),
      fields: { name: { "en-US": "Ada \u{1F9EE}" } },
    },
    {
      sys: sys("quote1", "Entry", { ...contentType("quote"), ...published }),
      fields: { words: { "en-US": 'Say "hello" \\ {[' } },
    },
  ],
  assets: [
    {
      sys: sys("beach", "Asset", published),
      fields: {
        title: { "en-US": "Beach", de: "Strand" },
        description: { "en-US": "At low tide" },
        file: {
          "en-US": {
            url: "//images.ctfassets.net/beach.jpg",
            fileName: "beach.jpg",
            contentType: "image/jpeg",
          },
        },
      },
    },
    {
      sys: sys("paper", "Asset", published),
      fields: {
        title: { "en-US": "Paper" },
        file: {
          "en-US": {
            url: "//assets.ctfassets.net/paper.pdf",
            fileName: "paper.pdf",
            contentType: "application/pdf",
          },
        },
      },
    },
  ],
  locales: [
    { code: "de", default: false, fallbackCode: "en-US" },
    { code: "en-US", default: true, fallbackCode: null },
  ],
  roles: [{ name: "Editor" }],
};
