import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  focalPointOf,
  parseFocalPoint,
  parseRequestedFocalPoint,
  sharesOf,
  storedFocalPoint,
} from "../../../../src/image/geometry/focal-point.ts";

describe("a focal point (RULES 4.8)", () => {
  it("is kept to two decimals", () => {
    expect(focalPointOf({ x: 0.333333, y: 0.666666 })).toEqual({ x: 33, y: 67 });
    expect(sharesOf({ x: 33, y: 67 })).toEqual({ x: 0.33, y: 0.67 });
  });

  it("is returned as it was given, for every pair of two decimals", () => {
    const percent = fc.integer({ min: 0, max: 100 });
    fc.assert(
      fc.property(percent, percent, (x, y) => {
        const shares = sharesOf({ x, y });
        expect(focalPointOf(shares)).toEqual({ x, y });
        expect(parseFocalPoint(`${shares.x},${shares.y}`)).toEqual({ x, y });
      }),
    );
  });

  it("is read from a header, more decimals rounded", () => {
    expect(parseFocalPoint("0.25,0.75")).toEqual({ x: 25, y: 75 });
    expect(parseFocalPoint("0.25, 0.75")).toEqual({ x: 25, y: 75 });
    expect(parseFocalPoint("0,1")).toEqual({ x: 0, y: 100 });
    expect(parseFocalPoint("0.3333333333,1.000")).toEqual({ x: 33, y: 100 });
  });

  it.each([
    "",
    "0.5",
    "0.5,",
    "0.5;0.5",
    "1.1,0",
    "-0,0",
    "NaN,2",
    "1e-1,0",
    ".5,.5",
    "0.5,0.5,0.5",
    "Infinity,0",
  ])("is not read from %j", (text) => expect(parseFocalPoint(text)).toBeNull());

  it("exists only if both of its columns are set", () => {
    expect(storedFocalPoint(0, 100)).toEqual({ x: 0, y: 100 });
    expect(storedFocalPoint(null, null)).toBeNull();
  });
});

describe("a focal point that a request names (RULES 5.10)", () => {
  it("goes in steps of 0.05", () => {
    for (let percent = 0; percent <= 100; percent++) {
      const point = parseRequestedFocalPoint(`${percent / 100},0.5`);
      expect(point, String(percent)).toEqual(percent % 5 === 0 ? { x: percent, y: 50 } : null);
    }
    expect(parseRequestedFocalPoint("0.50,1.0")).toEqual({ x: 50, y: 100 });
  });

  it.each([
    "NaN,2",
    "0.5",
    "0.50000,0.5",
    "0.251,0.5",
    "0.5, 0.5",
    "+0.5,0.5",
    "0.5,0.5 ",
    "00.5,0.5",
    "1.05,0",
  ])("is not %j", (text) => expect(parseRequestedFocalPoint(text)).toBeNull());
});
