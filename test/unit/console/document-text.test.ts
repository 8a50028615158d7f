/** Documents of models in the console: the losses of a plan, which an editor allows one by one, and the text itself. */
import { describe, expect, it } from "vitest";
import { lossesOf, readDocument } from "../../../src/console/api/document-text.ts";

describe("the losses of a plan", () => {
  it("are those of fields, of values in a language and of languages, each with the name that allows it", () => {
    const obstacle = { path: "posts.title", message: "cannot become a number; 3 records hold other values" };
    const { losses, obstacles } = lossesOf({
      conflicts: [
        {
          path: "posts.legacy",
          message:
            'would be removed, and 3 records hold values; lose them by "posts.legacy" in allowDrop, or keep them by ' +
            '"renamedFrom" of the field that takes its place',
          loss: { name: "posts.legacy", fact: "would be removed, and 3 records hold values" },
        },
        {
          path: "posts.words",
          message:
            'would lose its languages, and 1 record holds values; lose them by "posts.words@de" in allowDrop',
          loss: { name: "posts.words@de", fact: "would lose its languages, and 1 record holds values" },
        },
        {
          path: "settings.locales",
          message: 'would lose a locale, and de-AT holds values; allow it by "@de-AT" in allowDrop',
          loss: { name: "@de-AT", fact: "would lose a locale, and de-AT holds values" },
        },
        // Pages and collections may have the same name.
        {
          path: "home.legacy",
          message:
            'would be removed, and 1 record holds values; lose them by "pages/home.legacy" in allowDrop',
          loss: { name: "pages/home.legacy", fact: "would be removed, and 1 record holds values" },
        },
        obstacle,
      ],
    });
    expect(losses).toEqual([
      { name: "posts.legacy", message: "would be removed, and 3 records hold values" },
      { name: "posts.words@de", message: "would lose its languages, and 1 record holds values" },
      { name: "@de-AT", message: "would lose a locale, and de-AT holds values" },
      { name: "pages/home.legacy", message: "would be removed, and 1 record holds values" },
    ]);
    expect(obstacles).toEqual([obstacle]);
  });

  it("are asked for once by name", () => {
    const conflict = (fact: string) => ({
      path: "a",
      message: `${fact}; allow it by "@de" in allowDrop`,
      loss: { name: "@de", fact },
    });
    expect(lossesOf({ conflicts: [conflict("one"), conflict("two")] }).losses).toEqual([
      { name: "@de", message: "one; two" },
    ]);
  });
});

describe("the text of a document", () => {
  it("is parted from its schema and from the losses that it allows", () => {
    const text = JSON.stringify({ $schema: "./s.json", models: [], settings: {}, allowDrop: ["@de"] });
    expect(readDocument(text)).toEqual({ document: { models: [], settings: {} }, allowDrop: ["@de"] });
    expect(readDocument('{"models":[]}')).toEqual({ document: { models: [] }, allowDrop: [] });
  });

  it.each([
    ["{", /JSON/],
    ["[]", /It has no "models"/],
    ["null", /It has no "models"/],
    ['{"models":[],"allowDrop":"@de"}', /"allowDrop" must be a list of names/],
    ['{"models":[],"allowDrop":[1]}', /"allowDrop" must be a list of names/],
  ])("is refused with the reason: %s", (text, reason) => {
    expect(() => readDocument(text)).toThrow(reason);
  });
});
