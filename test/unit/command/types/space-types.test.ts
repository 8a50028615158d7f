/** The types that `silverprint types` writes: of models with drafts, and of components and rich text. */
import { readFileSync } from "node:fs";
import { format, resolveConfig } from "prettier";
import { describe, expect, it } from "vitest";
import type { ModelDescription } from "../../../../src/command/types/model-description.ts";
import { spaceTypes } from "../../../../src/command/types/space-types.ts";

const fields = [{ name: "title", type: "string", required: true }] as const;

describe("a model with drafts", () => {
  it("may lack required fields, when it is written and when it is read", () => {
    const text = spaceTypes("s", [
      { typeModel: "collections", name: "posts", fields: [...fields], drafts: true },
      { typeModel: "collections", name: "plain", fields: [...fields] },
    ]);
    expect(text).toContain('"title"?: string | null;');
    expect(text.split("drafts: true;")).toHaveLength(2);
    expect(text.slice(text.indexOf('"plain"'))).toContain('"title": string;');
    expect(text.slice(text.indexOf('"plain"'))).not.toContain("null");
  });
});

const COMPONENTS: ModelDescription[] = [
  {
    typeModel: "components",
    name: "cta",
    fields: [
      { name: "label", type: "string", required: true },
      { name: "icon", type: "media" },
    ],
  },
  {
    typeModel: "components",
    name: "quote",
    fields: [
      { name: "author", type: "relation", to: "people" },
      { name: "cta", type: "component", component: "cta" },
      { name: "icon", type: "media", multiple: true },
    ],
  },
  { typeModel: "collections", name: "people", fields: [{ name: "photo", type: "media" }] },
  { typeModel: "pages", name: "home", fields: [{ name: "title", type: "string" }] },
  {
    typeModel: "collections",
    name: "posts",
    fields: [
      { name: "cta", type: "component", component: "cta" },
      { name: "sections", type: "blocks", components: ["cta", "quote"] },
      {
        name: "body",
        type: "richtext",
        image: true,
        lists: ["bullet"],
        components: ["quote"],
        annotations: ["link", { name: "internalLink", to: "people" }],
      },
    ],
  },
];

describe("components and rich text", () => {
  it("are written as the file of the types in test/support has them", async () => {
    const text = spaceTypes("sections", COMPONENTS);
    const file = "test/support/section-types.ts";
    const formatted = await format(text, { ...(await resolveConfig(file)), parser: "typescript" });
    expect(readFileSync(file, "utf8")).toBe(formatted);
  });

  it("name references inside by the paths of populate", () => {
    const text = spaceTypes("sections", COMPONENTS);
    const posts = text.slice(text.indexOf('"posts"'));
    const names = [...posts.matchAll(/"([a-z.A-Z]+)": \{ to: (.*?); many: (.*?) \}/g)].map(([, ...one]) =>
      one.join(" "),
    );
    expect(names).toEqual([
      "cta.icon null false",
      "sections.cta.icon null false",
      'sections.author "people" false',
      "sections.quote.icon null true",
      "body.image null false",
      'body.internalLink "people" false',
      'body.quote.author "people" false',
      "body.quote.cta.icon null false",
      "body.quote.icon null true",
    ]);
  });
});
