/** Values of components and blocks: their check and their stored form (RULES 3.25). */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../../../src/content/field-types/field-type.ts";
import { lackingIn, referencesOf } from "../../../../../src/content/field-types/nested/references.ts";
import { withoutGone } from "../../../../../src/content/field-types/nested/prune.ts";
import { shownValue } from "../../../../../src/content/field-types/nested/show.ts";
import { meaningOf, type Field } from "../../../../../src/content/field-types/registry.ts";
import { checking, checkValue } from "../../../../../src/content/field-types/values.ts";
import { componentsOf, withComponents } from "../../../../../src/content/model/components.ts";
import { CONTENT } from "../../../../../src/limits.ts";

const COMPONENTS = componentsOf({
  cta: {
    id: 4,
    fields: [
      { name: "label", type: "string", required: true, maxLength: 5, no: 1, absent: null },
      { name: "href", type: "string", pattern: "^/", no: 2, absent: null },
      { name: "icon", type: "media", no: 3, absent: null },
    ],
  },
  hero: {
    id: 9,
    fields: [
      { name: "title", type: "string", default: "Hello", no: 1, absent: "Hello" },
      { name: "cta", type: "component", component: "cta", no: 3, absent: null },
      { name: "gallery", type: "media", multiple: true, no: 4, absent: [] },
      { name: "text", type: "richtext", image: true, no: 5, absent: [] },
      { name: "at", type: "datetime", no: 6, absent: null },
    ],
  },
});

const one: Field = withComponents({ name: "hero", type: "component", component: "hero" }, COMPONENTS);
const list: Field = withComponents({ ...one, multiple: true, max: 3 }, COMPONENTS);
const sections: Field = withComponents(
  { name: "s", type: "blocks", components: ["hero", "cta"] },
  COMPONENTS,
);

function stored(field: Field, value: unknown): Json {
  const checked = checkValue(field, value);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return checked.value;
}
const faultsOf = (field: Field, value: unknown, isWhole = true): string[] => {
  const checked = checkValue(field, value, checking(undefined, isWhole));
  return checked.ok ? [] : checked.faults.map(({ path, message }) => `${path} ${message}`);
};

describe("values of components", () => {
  it("are stored by the numbers of fields, and shown by their names, with defaults filled in", () => {
    const value = stored(sections, [{ _type: "cta", _key: "k", label: "Buy" }, { _type: "hero" }]);
    expect((value as Json[])[0]).toEqual({ _type: 4, _key: "k", "1": "Buy", "2": null, "3": null });
    expect(shownValue(sections, value)).toEqual([
      { _type: "cta", _key: "k", label: "Buy", href: null, icon: null },
      {
        _type: "hero",
        _key: expect.any(String) as unknown,
        title: "Hello",
        cta: null,
        gallery: [],
        text: [],
        at: null,
      },
    ]);
  });

  it("take a matching `_type` where the field says which component it is, and do not show it", () => {
    const value = stored(one, { _type: "hero", title: "A" });
    expect(Object.keys(shownValue(one, value) as object)[0]).toBe("_key");
    expect(shownValue(one, value)).not.toHaveProperty("_type");
    expect(faultsOf(one, { _type: "cta" })).toEqual(["_type must be hero"]);
  });

  it("keep their keys, and get the same ones for the same content", () => {
    expect(stored(one, { title: "A" })).toEqual(stored(one, { title: "A" }));
    expect(shownValue(one, stored(one, { _key: "mine" }))).toMatchObject({ _key: "mine" });
    const twins = stored(list, [{ title: "A" }, { title: "A" }]) as { _key: string }[];
    expect(new Set(twins.map(({ _key }) => _key)).size).toBe(2);
    expect(faultsOf(list, [{ _key: "a" }, { _key: "b" }, { _key: "a" }])).toEqual([
      "2._key is the key of item 0, too",
    ]);
    expect(faultsOf(one, { _key: "" })).toEqual([
      `_key must have 1 to ${CONTENT.keyMaxCharacters} characters`,
    ]);
    expect(faultsOf(one, { _key: "k".repeat(CONTENT.keyMaxCharacters) })).toEqual([]);
    expect(faultsOf(one, { _key: "k".repeat(CONTENT.keyMaxCharacters + 1) })).toHaveLength(1);
  });

  it("have faults with exact places", () => {
    expect(
      faultsOf(sections, [
        { _type: "hero", cta: { label: "too long", href: "x", extra: 1 }, gallery: "a", at: "now" },
        { _type: "cta", label: "a" },
        { _type: "other" },
        { title: "no type" },
        5,
      ]),
    ).toEqual([
      '0.cta.extra is not a field of the component "cta"',
      "0.cta.label must have at most 5 characters",
      "0.cta.href must match ^/",
      "0.gallery must be a list of ids",
      "0.at must be an ISO 8601 time with its zone",
      "2._type must be one of hero, cta",
      "3._type must be one of hero, cta",
      "4 must be an object",
    ]);
  });

  it("lack required values in a draft only", () => {
    const value = { cta: { href: "/" } };
    expect(faultsOf(one, value)).toEqual(["cta.label is required"]);
    expect(faultsOf(one, value, false)).toEqual([]);
    const checked = checkValue(one, value, checking(undefined, false));
    expect(checked.ok && lackingIn(one, checked.value)).toEqual(["cta.label"]);
  });

  it("are at most as many as the field allows", () => {
    const of = (count: number) => Array.from({ length: count }, () => ({}));
    expect(faultsOf(list, of(3))).toEqual([]);
    expect(faultsOf(list, of(4))).toEqual([" must have at most 3 items"]);
    expect(
      faultsOf(
        sections,
        Array.from({ length: CONTENT.blocksMax }, () => ({ _type: "hero" })),
      ),
    ).toEqual([]);
    expect(faultsOf(sections, of(CONTENT.blocksMax + 1))).toEqual([
      ` must have at most ${CONTENT.blocksMax} items`,
    ]);
  });

  it("list their faults up to the limit of an answer", () => {
    const checked = checkValue(
      sections,
      Array.from({ length: 200 }, () => ({ _type: "hero", a: 1, b: 2 })),
    );
    expect(checked.ok ? [] : checked.faults).toHaveLength(200);
  });

  it("take names such as `__proto__` for what they are", () => {
    expect(faultsOf(one, JSON.parse('{"__proto__": {"title": "x"}, "constructor": 1}'))).toEqual([
      '__proto__ is not a field of the component "hero"',
      'constructor is not a field of the component "hero"',
    ]);
  });

  it("name the targets inside, and the way to each", () => {
    const image = { _type: "image", media: "M3" };
    const value = stored(sections, [
      { _type: "cta", label: "a", icon: "M0" },
      { _type: "hero", cta: { label: "b", icon: "M1" }, gallery: ["M2"], text: [image] },
    ]);
    expect(referencesOf(sections, value)).toEqual([
      { path: "0.icon", collection: null, id: "M0", by: "4.3" },
      { path: "1.cta.icon", collection: null, id: "M1", by: "9.3,4.3" },
      { path: "1.gallery", collection: null, id: "M2", by: "9.4" },
      { path: "1.text.0.media", collection: null, id: "M3", by: "9.5" },
    ]);
  });

  it("are written without what is gone", () => {
    const text = [
      { _type: "image", _key: "i", media: "M3" },
      { _type: "image", _key: "j", media: "M4" },
    ];
    const value = stored(sections, [
      { _type: "hero", gallery: ["M1", "M2"], text, cta: { label: "a", icon: "M1" } },
    ]);
    const pruned = withoutGone(sections, value, ({ id }) => ["M1", "M3"].includes(id));
    expect(pruned).toMatchObject([{ gallery: ["M2"], cta: { icon: null }, text: [{ media: "M4" }] }]);
    expect(faultsOf(sections, pruned)).toEqual([]);
  });

  it("vanish with their component, even if another one takes its name", () => {
    const again = componentsOf({ hero: { id: 10, fields: [] }, cta: { id: 11, fields: [] } });
    const value = stored(sections, [{ _type: "hero", title: "A" }]);
    expect(shownValue(withComponents({ ...sections }, again), value)).toEqual([]);
    expect(shownValue(withComponents({ ...one }, again), stored(one, { title: "A" }))).toBeNull();
  });

  it("are searched in all their texts", () => {
    const value = stored(one, {
      title: "A",
      cta: { label: "Buy" },
      text: [{ _type: "image", media: "M", alt: "B" }],
    });
    expect(meaningOf(one).textsOf(value, one)).toEqual(expect.arrayContaining(["A", "Buy", "B"]));
  });

  it("are not stored with the definition of their field", () => {
    expect(JSON.parse(JSON.stringify(sections))).toEqual({
      name: "s",
      type: "blocks",
      components: ["hero", "cta"],
    });
  });
});
