import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDatetime } from "../../../../src/content/field-types/datetime.ts";
import type { Field } from "../../../../src/content/field-types/registry.ts";
import { checkValue } from "../../../../src/content/field-types/values.ts";
import { jsonFault } from "../../../../src/content/field-types/json-value.ts";
import { isModified, versionsOfIfMatch } from "../../../../src/edge/records/read/preconditions.ts";
import { ERRORS } from "../../../../src/limits.ts";

const datetime: Field = { name: "at", type: "datetime" };

describe("a datetime", () => {
  it("is any instant with its zone, kept in UTC", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date(253402300799999), noInvalidDate: true }),
        (date) => {
          expect(checkValue(datetime, date.toISOString())).toEqual({ ok: true, value: date.toISOString() });
        },
      ),
    );
    expect(checkValue(datetime, "2026-01-01T01:30+02:00")).toEqual({
      ok: true,
      value: "2025-12-31T23:30:00.000Z",
    });
  });

  it("is invalid without a zone, or with a day or time that does not exist", () => {
    const none = [
      "2026-01-01",
      "2026-01-01T00:00:00",
      "2026-02-29T00:00:00Z",
      "2026-13-01T00:00:00Z",
      "2026-01-01T24:00:00Z",
      "2026-01-01T00:60:00Z",
      "+012026-01-01T00:00:00Z",
      "9999-12-31T23:59:59-01:00",
      "0000-01-01T00:00:00+01:00",
      "now",
      "",
    ];
    for (const text of none) expect([text, parseDatetime(text)]).toEqual([text, null]);
  });
});

describe("a json value", () => {
  it("is any JSON, well-formed and not too deep", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => {
        expect(jsonFault(JSON.parse(JSON.stringify(value)))).toBeNull();
      }),
    );
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(jsonFault(deep)).toContain("64");
    expect(jsonFault({ "\ud800": 1 })).not.toBeNull();
  });
});

describe("entity tags", () => {
  it("of If-Match give versions, weak or strong, with or without what follows", () => {
    const model = { id: 7 };
    expect(versionsOfIfMatch(undefined, model)).toBeNull();
    expect(versionsOfIfMatch("*", model)).toBeNull();
    expect(versionsOfIfMatch('"3-1", W/"4-1-abc", "5"', model)).toEqual(new Set([3, 4, 5]));
    expect(versionsOfIfMatch('"3-7.1", "4-8.1", W/"5-7.2-abc"', model)).toEqual(new Set([3, 5]));
    expect(versionsOfIfMatch("nonsense", model)).toEqual(new Set());
  });

  it("of If-None-Match compare weakly", () => {
    expect(isModified(undefined, '"1-1"')).toBe(true);
    expect(isModified('"2-1"', '"1-1"')).toBe(true);
    expect(isModified('W/"1-1", "x"', '"1-1"')).toBe(false);
    expect(isModified("*", '"1-1"')).toBe(false);
  });
});

describe("an enum", () => {
  it("names its values in a fault, no more of them than a fault's message holds", () => {
    const of = (values: string[]) => checkValue({ type: "enum", name: "e", values }, "none");
    expect(of(["a", "b"])).toEqual({ ok: false, faults: [{ path: "", message: "must be one of a, b" }] });
    const long = of(Array.from({ length: 200 }, () => "x".repeat(200)));
    expect(long.ok ? "" : long.faults[0]?.message.length).toBeLessThan(ERRORS.detailMaxCharacters + 250);
  });
});
