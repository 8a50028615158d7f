import * as z from "zod";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/content/field-types/field-type.ts";
import { isList, isNested } from "../../../../src/content/field-types/fields.ts";
import { rowFormOf } from "../../../../src/content/field-types/index-rows.ts";
import {
  FIELD_TYPES,
  meaningOf,
  type Field,
  type FieldType,
} from "../../../../src/content/field-types/registry.ts";
import { shownValue } from "../../../../src/content/field-types/nested/show.ts";
import { checkValue } from "../../../../src/content/field-types/values.ts";
import { componentsOf, withComponents } from "../../../../src/content/model/components.ts";
import { CONTENT } from "../../../../src/limits.ts";

interface Sample {
  fields: Field[];
  /** Values that fit the first field, as they are stored. */
  good: Json[];
  /** Values that fit none of the fields. */
  bad: unknown[];
}

const CTA = componentsOf({
  cta: {
    id: 7,
    fields: [
      { name: "label", type: "string", no: 1, absent: null },
      { name: "href", type: "string", no: 2, absent: null },
    ],
  },
});

const SAMPLES: Record<FieldType, Sample> = {
  string: {
    fields: [
      { name: "a", type: "string", maxLength: 3, pattern: "^[a-é]*$" },
      { name: "a", type: "string" },
    ],
    good: ["", "abc", "é"],
    bad: [1, null, ["a"], "a".repeat(CONTENT.stringMaxCharacters + 1)],
  },
  text: { fields: [{ name: "a", type: "text", maxLength: 5 }], good: ["", "abcde"], bad: [1, "abcdef"] },
  number: {
    fields: [
      { name: "a", type: "number", min: -1, max: 5 },
      { name: "a", type: "number", integer: true, min: -1, max: 5 },
    ],
    good: [0, -1, 5],
    bad: ["1", 6, -2],
  },
  boolean: { fields: [{ name: "a", type: "boolean" }], good: [true, false], bad: [1, "true"] },
  datetime: {
    fields: [{ name: "a", type: "datetime" }],
    good: ["2026-01-31T09:00:00.000Z"],
    bad: ["2026-01-31", 5, "a"],
  },
  enum: { fields: [{ name: "a", type: "enum", values: ["x", "y"] }], good: ["x", "y"], bad: ["z", 1] },
  json: { fields: [{ name: "a", type: "json" }], good: [1, "a", true, [], { a: [null] }], bad: [NaN] },
  media: {
    fields: [
      { name: "a", type: "media" },
      { name: "a", type: "media", multiple: true },
    ],
    good: ["01J", "a_b-c"],
    bad: [1, {}, "a/b"],
  },
  relation: {
    fields: [
      { name: "a", type: "relation", to: "b" },
      { name: "a", type: "relation", to: "b", multiple: true },
    ],
    good: ["01J", "a_b-c"],
    bad: [1, {}, "a/b"],
  },
  component: {
    fields: [
      withComponents({ name: "a", type: "component", component: "cta" }, CTA),
      withComponents({ name: "a", type: "component", component: "cta", multiple: true, max: 2 }, CTA),
    ],
    good: [
      { _key: "k", label: "Buy", href: null },
      { _key: "l", label: null, href: "x" },
    ],
    bad: [1, "a", { _key: 1 }, { label: 1 }, { other: 1 }, [{ _type: "b" }]],
  },
  blocks: {
    fields: [withComponents({ name: "a", type: "blocks", components: ["cta"], max: 3 }, CTA)],
    good: [
      { _key: "k", _type: "cta", label: "Buy", href: null },
      { _key: "l", _type: "cta", label: null, href: "x" },
    ],
    bad: [1, {}, [{ label: "a" }], [{ _type: "b" }], [1], [null, {}, {}, {}]],
  },
  richtext: {
    fields: [withComponents({ name: "a", type: "richtext", components: ["cta"], image: true }, CTA)],
    good: [
      {
        _type: "block",
        _key: "k",
        style: "h1",
        children: [{ _type: "span", _key: "s", text: "a", marks: ["strong"] }],
        markDefs: [],
      },
      { _type: "image", _key: "l", media: "01J" },
      { _type: "cta", _key: "m", label: "Buy", href: null },
    ],
    bad: [1, {}, "a", [{ _type: "hero" }], [{ _type: "block", style: "h9" }]],
  },
};

describe.each(Object.entries(SAMPLES))("a field of type %s", (name, { fields, good, bad }) => {
  const type = name as FieldType;
  const values = (field: Field, all: Json[]): Json[] => (isList(field) ? [[], all] : all);

  it("stands under the name that its definitions have", () => {
    for (const field of fields) expect(FIELD_TYPES[type].schema.safeParse(field).success).toBe(true);
  });

  it("takes its values unchanged, and refuses others", () => {
    const [first] = fields as [Field];
    for (const value of values(first, good)) {
      const checked = checkValue(first, value);
      const shown = checked.ok && shownValue(first, checked.value);
      expect({ ...checked, value: shown }).toEqual({ ok: true, value });
      if (!isNested(first)) expect(checked).toEqual({ ok: true, value });
    }
    for (const field of fields) for (const value of bad) expect(checkValue(field, value).ok).toBe(false);
  });

  it("has values of its form, which its JSON Schema takes", () => {
    const [first] = fields as [Field];
    const { form, schemaOf } = meaningOf(first);
    // The pattern of a JSON Schema is a regular expression with the flag `u`, as patterns of fields are.
    const schema = z.fromJSONSchema(schemaOf(first) as z.core.JSONSchema.JSONSchema);
    for (const value of good) {
      if (form !== "any") expect(typeof value).toBe(form);
      expect(schema.safeParse(value).success).toBe(true);
    }
    if (form === "any") return;
    for (const value of [{}, [], null]) expect(schema.safeParse(value).success).toBe(false);
  });

  it("is surely as loose as itself", () => {
    for (const field of fields) expect(meaningOf(field).isLooser(field, field)).toBe(true);
  });

  it("has no long text in a key: index rows hold at most its first characters", () => {
    const long = "a".repeat(CONTENT.indexedCharacters + 1);
    for (const field of fields) {
      const form = rowFormOf(field);
      if (form === "whole") expect(checkValue(field, long).ok).toBe(false);
      if (form === "items") expect(checkValue(field, [long]).ok).toBe(false);
    }
  });

  it("is unique only if its values are bounded", () => {
    if (!("unique" in FIELD_TYPES[type].schema.shape)) return;
    for (const field of fields) {
      const long = "a".repeat(CONTENT.stringMaxCharacters + 1);
      expect(checkValue(field, isList(field) ? [long] : long).ok).toBe(false);
    }
  });
});
