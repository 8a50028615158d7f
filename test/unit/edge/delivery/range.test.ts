import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesEtag, parseRange } from "../../../../src/edge/delivery/range.ts";

describe("byte ranges (RFC 9110 §14)", () => {
  it.each([
    ["bytes=0-99", { kind: "part", offset: 0, length: 100 }],
    ["bytes=990-", { kind: "part", offset: 990, length: 10 }],
    ["bytes=-10", { kind: "part", offset: 990, length: 10 }],
    ["bytes=-5000", { kind: "part", offset: 0, length: 1000 }],
    ["bytes=0-5000", { kind: "part", offset: 0, length: 1000 }],
    ["bytes=999-999", { kind: "part", offset: 999, length: 1 }],
    ["bytes=1000-", { kind: "unsatisfiable" }],
    ["bytes=-0", { kind: "unsatisfiable" }],
    ["bytes=5-1", { kind: "whole" }],
    ["bytes=0-1,5-6", { kind: "whole" }],
    ["items=0-1", { kind: "whole" }],
    ["bytes=-", { kind: "whole" }],
    ["nonsense", { kind: "whole" }],
    [null, { kind: "whole" }],
  ])("%s", (header, expected) => {
    expect(parseRange(header, 1000)).toEqual(expected);
  });

  it("never leaves the file", () => {
    fc.assert(
      fc.property(fc.nat(2000), fc.nat(2000), fc.integer({ min: 1, max: 1500 }), (first, last, size) => {
        const range = parseRange(`bytes=${first}-${last}`, size);
        if (range.kind !== "part") return;
        expect(range.length).toBeGreaterThan(0);
        expect(range.offset + range.length).toBeLessThanOrEqual(size);
      }),
    );
  });
});

describe("If-None-Match (RFC 9110 §13.1.2)", () => {
  it("compares weakly, in lists, and takes *", () => {
    expect(matchesEtag('"a"', '"a"')).toBe(true);
    expect(matchesEtag('"b", W/"a"', '"a"')).toBe(true);
    expect(matchesEtag("*", '"a"')).toBe(true);
    expect(matchesEtag('"b"', '"a"')).toBe(false);
    expect(matchesEtag(null, '"a"')).toBe(false);
  });
});
