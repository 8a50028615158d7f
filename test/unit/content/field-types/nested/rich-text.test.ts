/** Rich text: its values, their stored form, and its faults (RULES 3.27). */
import { describe, expect, it, vi } from "vitest";
import type { Field } from "../../../../../src/content/field-types/registry.ts";
import { shownValue } from "../../../../../src/content/field-types/nested/show.ts";
import { checking, checkValue } from "../../../../../src/content/field-types/values.ts";
import { meaningOf } from "../../../../../src/content/field-types/registry.ts";
import { RICH_TEXT } from "../../../../../src/limits.ts";

const plain: Field = { name: "body", type: "richtext" };
const rich: Field = {
  name: "body",
  type: "richtext",
  image: true,
  annotations: ["link", { name: "internalLink", to: "articles" }],
};

const span = (text: string, marks: string[] = []) => ({ _type: "span", _key: text || "e", text, marks });
const block = (over: object = {}) => ({
  _type: "block",
  _key: "b",
  style: "normal",
  children: [span("a")],
  markDefs: [],
  ...over,
});

function faultsOf(field: Field, value: unknown): Record<string, string> {
  const checked = checkValue(field, value);
  return checked.ok ? {} : Object.fromEntries(checked.faults.map(({ path, message }) => [path, message]));
}

function stored(field: Field, value: unknown): unknown {
  const checked = checkValue(field, value);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return shownValue(field, checked.value);
}

describe("a rich text", () => {
  it("comes back as it was, whatever of the format it uses", () => {
    const value = [
      block({ style: "h2" }),
      block({ _key: "l", listItem: "bullet", level: 10 }),
      block({
        _key: "m",
        markDefs: [
          { _type: "link", _key: "x", href: "/about" },
          { _type: "internalLink", _key: "y", record: "01J" },
          { _type: "link", _key: "unused", href: "#top" },
        ],
        children: [
          span("one", ["strong", "x"]),
          span("two", ["y", "em", "underline", "strike-through", "code"]),
        ],
      }),
      { _type: "image", _key: "i", media: "01M", alt: "A", caption: "" },
    ];
    expect(stored(rich, value)).toEqual(value);
  });

  it("fills in style, marks, definitions, an empty span, and keys that are the same each time", () => {
    const once = stored(plain, [{ _type: "block" }, { _type: "block" }]) as { _key: string }[];
    expect(once).toEqual(stored(plain, [{ _type: "block" }, { _type: "block" }]));
    expect(once[0]?._key).not.toBe(once[1]?._key);
    expect(once[0]).toEqual({
      _type: "block",
      _key: expect.stringMatching(/^[0-9a-f]{12}$/) as unknown,
      style: "normal",
      markDefs: [],
      children: [{ _type: "span", _key: expect.any(String) as unknown, text: "", marks: [] }],
    });
    expect(stored(plain, once)).toEqual(once);
  });

  it("gives equal blocks their keys in work that grows with their number, not with its square", () => {
    const steps = vi.spyOn(Math, "imul");
    stored(plain, [{ _type: "block" }]);
    const ofOne = steps.mock.calls.length;
    const keys = (stored(plain, Array(100).fill({ _type: "block" })) as { _key: string }[]).map(
      ({ _key }) => _key,
    );
    const ofAll = steps.mock.calls.length - ofOne;
    steps.mockRestore();
    expect(new Set(keys).size).toBe(100);
    expect(ofAll).toBe(100 * ofOne);
  });

  it("names the place of each fault", () => {
    const value = [
      block({ style: "h9", level: 11 }),
      block({
        _key: "c",
        listItem: "check",
        children: [span("a", ["nope", "x"]), { _type: "inline" }, { _type: "span", text: 1, size: 2 }],
        markDefs: [
          { _type: "link", _key: "x", href: "javascript:alert(1)", target: "_blank" },
          { _type: "comment", _key: "z" },
          { _type: "link", _key: "strong", href: "https://a.example" },
        ],
      }),
      { _type: "image", media: "01M" },
      7,
    ];
    expect(faultsOf(plain, value)).toEqual({
      "0.style": "must be one of normal, h1, h2, h3, h4, blockquote",
      "0.level": "needs listItem",
      "1.listItem": "must be one of bullet, number",
      "1.children.0.marks.0": expect.stringContaining('"nope" is neither a decorator') as unknown,
      "1.children.1._type": "must be one of span",
      "1.children.2.text": "must be a string",
      "1.children.2.size": "is no member of a span",
      "1.markDefs.0.href": "must be relative, or begin with http:, https:, mailto:, tel:",
      "1.markDefs.0.target": "is no member of a link",
      "1.markDefs.1._type": "must be one of link",
      "1.markDefs.2._key": expect.stringContaining("the name of a decorator") as unknown,
      "2._type": "must be one of block",
      "3": "must be an object",
    });
  });

  it("refuses a key that is there twice, in every list", () => {
    const twice = [
      block({ markDefs: [1, 2].map(() => ({ _type: "link", _key: "k", href: "/" })) }),
      block({ children: [span("a"), span("a")] }),
    ];
    expect(Object.keys(faultsOf(plain, twice)).sort()).toEqual([
      "0.markDefs.1._key",
      "1._key",
      "1.children.1._key",
    ]);
  });

  it("takes as many spans as it may have, and one more is a fault", () => {
    const of = (count: number) => [
      block({ children: Array.from({ length: count }, (_, n) => span(`s${n}`)) }),
    ];
    expect(checkValue(plain, of(RICH_TEXT.spansMax)).ok).toBe(true);
    const message = `must have at most ${RICH_TEXT.spansMax} spans`;
    expect(faultsOf(plain, of(RICH_TEXT.spansMax + 1))).toEqual({ "": message });
    const blocks = Array.from({ length: 2 * RICH_TEXT.spansMax }, () => ({ _type: "block" }));
    expect(faultsOf(plain, blocks)).toEqual({ "": `must have at most ${RICH_TEXT.blocksMax} blocks` });
  });

  it("refuses what nests where nothing may nest, however deep", () => {
    let deep: unknown = "a";
    for (let depth = 0; depth < 10_000; depth++) deep = [{ _type: "span", children: deep }];
    expect(faultsOf(plain, [block({ children: deep })])).toEqual({
      "0.children.0.children": "is no member of a span",
      "0.children.0.text": "must be a string",
    });
    expect(Object.keys(faultsOf(plain, deep))).toEqual(["0._type"]);
  });

  it("takes only addresses that lead nowhere by themselves", () => {
    const good = [
      "https://a.example/?q=1",
      "HTTP://a.example",
      "mailto:a@b.example",
      "tel:+491",
      "/a",
      "a/b",
      "#x",
      "?q",
      ".",
    ];
    const bad = [
      ...[
        "",
        " ",
        "//host",
        "/\\host",
        "\\\\host",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\nscript:alert(1)",
      ],
      ...[
        " javascript:alert(1)",
        "\u0001javascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc",
        "https://",
      ],
      ...["https:// a", "a\u0000", 7, null, {}],
    ];
    const of = (href: unknown) =>
      faultsOf(plain, [block({ markDefs: [{ _type: "link", _key: "k", href }] })]);
    for (const href of good) expect([href, of(href)]).toEqual([href, {}]);
    for (const href of bad) expect([href, Object.keys(of(href))]).toEqual([href, ["0.markDefs.0.href"]]);
  });

  it("names the targets inside, of a value with faults too", () => {
    const found = checking();
    checkValue(
      rich,
      [
        { _type: "image", media: "01M" },
        block({ style: "h9", markDefs: [{ _type: "internalLink", _key: "k", record: "01J" }] }),
      ],
      found,
    );
    expect(found.references).toEqual([
      { path: "0.media", collection: null, id: "01M" },
      { path: "1.markDefs.0.record", collection: "articles", id: "01J" },
    ]);
  });

  it("is searched block by block, alt texts and captions too", () => {
    const value = [
      block({ children: [span("wo"), { ...span("rd", ["strong"]), _key: "2" }] }),
      { _type: "image", _key: "i", media: "01M", alt: "An alt", caption: "A caption" },
    ];
    const checked = checkValue(rich, value);
    expect(checked.ok && meaningOf(rich).textsOf(checked.value, rich)).toEqual([
      "word",
      "An alt",
      "A caption",
    ]);
  });

  it("is as loose as before only if it allows all that it allowed", () => {
    const { isLooser } = meaningOf(plain);
    const more: Field = {
      name: "body",
      type: "richtext",
      styles: ["normal", "h1", "h2", "h3", "h4", "blockquote", "h5"],
    };
    expect(isLooser(plain, more)).toBe(true);
    expect(isLooser(more, plain)).toBe(false);
    expect(isLooser(plain, rich)).toBe(true);
    expect(isLooser(rich, plain)).toBe(false);
    expect(isLooser(plain, { ...plain, decorators: ["strong"] })).toBe(false);
  });
});
