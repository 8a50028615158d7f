import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestRatio, parseRatio, reducedRatio } from "../../../../src/image/geometry/aspect-ratio.ts";
import { CROP } from "../../../../src/limits.ts";

describe("an aspect ratio (RULES 5.8)", () => {
  it("is two whole numbers from 1 to 9999", () => {
    expect(parseRatio("16:9")).toEqual({ width: 16, height: 9 });
    expect(parseRatio("9999:1")).toEqual({ width: CROP.aspectRatioSideMax, height: 1 });
    for (const text of [
      "0:0",
      "10000:1",
      "1:1000000",
      "016:9",
      "16:9 ",
      "16/9",
      "1.91:1",
      "16:-9",
      "٣:1",
      "",
    ])
      expect(parseRatio(text), text).toBeNull();
  });

  it("has one form in lowest terms", () => {
    expect(reducedRatio({ width: 32, height: 18 })).toEqual({ width: 16, height: 9 });
    expect(reducedRatio({ width: 21, height: 9 })).toEqual({ width: 7, height: 3 });
    expect(reducedRatio({ width: 7, height: 1 })).toEqual({ width: 7, height: 1 });
  });
});

describe("the nearest ratio (RULES 5.7)", () => {
  const listed = CROP.aspectRatiosDefault;
  const nearest = (width: number, height: number) => nearestRatio(listed, { width, height });

  it("is found for boxes that are rounded to whole pixels", () => {
    expect(nearest(1600, 900)).toBe("16:9");
    expect(nearest(500, 333)).toBe("3:2");
    expect(nearest(1, 1)).toBe("1:1");
    expect(nearest(8192, 4096)).toBe("2:1");
  });

  it("is within 1 % of the box, and one past that is none", () => {
    expect(nearest(100, 101)).toBe("1:1");
    expect(nearest(101, 100)).toBe("1:1");
    expect(nearest(8000, 7920)).toBe("1:1");
    expect(nearest(8000, 7919)).toBeNull();
    expect(nearest(8000, 8080)).toBe("1:1");
    expect(nearest(8000, 8081)).toBeNull();
    expect(nearest(10, 1)).toBeNull();
    expect(nearest(8192, 1)).toBeNull();
  });

  it("is the first of two that are the same", () => {
    expect(nearestRatio(["4:3", "2:2", "1:1"], { width: 5, height: 5 })).toBe("2:2");
  });

  it("is what a search through the list finds", () => {
    const side = fc.integer({ min: 1, max: 8192 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        const box = width / height;
        const off = (text: string): number => {
          const { width: w, height: h } = parseRatio(text)!;
          return Math.abs(w / h - box) / box;
        };
        const best = Math.min(...listed.map(off));
        const found = nearest(width, height);
        if (best < 0.00999) expect(off(found!)).toBe(best);
        if (best > 0.01001) expect(found).toBeNull();
      }),
    );
  });
});
