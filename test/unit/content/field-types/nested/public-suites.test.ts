/** The values of the public suites of Portable Text, in and out of a field (RULES 3.27). */
import { describe, expect, it } from "vitest";
import type { Field } from "../../../../../src/content/field-types/registry.ts";
import { shownValue } from "../../../../../src/content/field-types/nested/show.ts";
import { checkValue } from "../../../../../src/content/field-types/values.ts";
import toHtml from "../../../../fixtures/portable-text/to-html.json" with { type: "json" };
import toolkit from "../../../../fixtures/portable-text/toolkit.json" with { type: "json" };

/** The styles and lists of the suites beside those of every field. */
const FIELD: Field = {
  name: "body",
  type: "richtext",
  image: true,
  styles: ["normal", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"],
  lists: ["bullet", "number", "square"],
};

/** Values with something that no field takes: pictures of Sanity, objects among spans, marks without a definition. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  "012-image-support": ["1.asset", "1.media"],
  "013-materialized-image-support": ["1.asset", "1.media"],
  "018-marks-all-the-way-down": ["0.markDefs.0._type", "0.markDefs.1._type"],
  "022-inline-nodes": ["0.children.1._type"],
  "024-inline-images": ["0.children.1._type", "1.children.1._type", "2.children.1._type"],
  "025-image-with-hotspot": ["1.asset", "1.crop", "1.hotspot", "1.media"],
  "026-inline-block-with-text": ["0.children.1._type"],
  "028-custom-list-item-type": ["3._key", "2.listItem"],
  "040-injection-link-href": ["0.markDefs.0.href", "0.markDefs.2.href", "0.markDefs.3.href"],
  "050-custom-block-type": ["0._type"],
  "051-override-defaults": ["0.asset", "0.media"],
  "052-custom-marks": ["0.markDefs.0._type"],
  "061-missing-mark-serializer": ["0.children.0.marks.0", "0.children.1.marks.0"],
  "buildMarksTree: includes inline objects in tree": ["0.children.1._type"],
  "buildMarksTree: handles leading inline objects in tree": ["0.children.0._type"],
  "buildMarksTree: handles trailing inline objects in tree": ["0.children.2._type"],
  "buildMarksTree: includes inline objects in tree, with surrounding marks": ["0.children.1._type"],
  "nestLists: ends lists when non-list item occurs": ["2._type"],
  "toPlainText: ignores non-blocks, non-spans": ["0.children.1._type", "1._type"],
  "toPlainText: does not add unnecessary whitespace on non-spans": ["0.children.1._type"],
  "toPlainText: adds whitespace on span-hugging non-spans": ["0.children.1._type"],
  "toPlainText: does not add leading whitespace on span-hugging non-span": ["0.children.0._type"],
  "toPlainText: does not add leading whitespace on span-hugging non-span (trailing)": ["0.children.1._type"],
};

const SUITES = Object.entries({ ...toHtml, ...toolkit } as Record<string, object[]>);
const isTaken = ([name]: [string, object[]]): boolean => !(name in REFUSED);

/** Returns the value with the members that the service adds where they are missing. */
const filled = (block: Record<string, unknown>): object => {
  if (block["_type"] !== "block") return block;
  const children = (block["children"] ?? []) as object[];
  return {
    style: "normal",
    markDefs: [],
    ...block,
    children:
      children.length === 0
        ? [{ _type: "span", text: "", marks: [] }]
        : children.map((span) => ({ marks: [], ...span })),
  };
};

describe("the values of @portabletext/to-html and @portabletext/toolkit", () => {
  it("are those of whole suites", () => {
    expect(Object.keys(toHtml)).toHaveLength(38);
    expect(Object.keys(toolkit).length).toBeGreaterThan(25);
    expect(SUITES.filter((suite) => !isTaken(suite))).toHaveLength(Object.keys(REFUSED).length);
  });

  it.each(SUITES.filter(isTaken))("come out as they went in: %s", (_, value) => {
    const first = checkValue(FIELD, value);
    const shown = first.ok ? (shownValue(FIELD, first.value) as Record<string, unknown>[]) : null;
    expect(shown).toMatchObject(value.map((block) => filled(block as Record<string, unknown>)));
    // With the keys that it was given, a value is exactly the same from then on.
    const again = checkValue(FIELD, shown);
    expect(again.ok && shownValue(FIELD, again.value)).toEqual(shown);
  });

  it.each(SUITES.filter((suite) => !isTaken(suite)))(
    "are refused at the place of the fault: %s",
    (name, value) => {
      const checked = checkValue(FIELD, value);
      expect(checked.ok ? [] : checked.faults.map(({ path }) => path)).toEqual(REFUSED[name]);
    },
  );
});
