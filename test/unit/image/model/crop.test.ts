import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRatio } from "../../../../src/image/geometry/aspect-ratio.ts";
import { cropOf } from "../../../../src/image/geometry/crop.ts";
import { CENTRE } from "../../../../src/image/geometry/focal-point.ts";
import { CROP } from "../../../../src/limits.ts";

const crop = (width: number, height: number, ratio: string, x = 50, y = 50) =>
  cropOf({ width, height }, parseRatio(ratio)!, { x, y });
const rect = (left: number, top: number, width: number, height: number) => ({ left, top, width, height });

describe("a crop (RULES 5.9)", () => {
  it("is the largest rectangle of the ratio, its sides rounded down", () => {
    expect(crop(4000, 3000, "1:1")?.rect).toEqual(rect(500, 0, 3000, 3000));
    expect(crop(4000, 3000, "16:9")?.rect).toEqual(rect(0, 375, 4000, 2250));
    expect(crop(101, 100, "16:9")?.rect).toEqual(rect(0, 22, 101, 56));
    expect(crop(100, 1000, "1:2")?.rect).toEqual(rect(0, 400, 100, 200));
  });

  it("has at least one pixel per side", () => {
    expect(crop(1, 1, "16:9")).toBeNull();
    expect(crop(1, 100, "9999:1")?.rect).toEqual(rect(0, 50, 1, 1));
    expect(crop(100, 1, "1:9999")?.rect).toEqual(rect(50, 0, 1, 1));
  });

  it("is centred on the focal point and pushed back inside", () => {
    const left = (x: number) => crop(4000, 3000, "1:1", x, 0)?.rect.left;
    expect([0, 37, 38, 50, 62, 63, 100].map(left)).toEqual([0, 0, 20, 500, 980, 1000, 1000]);
    const top = (y: number) => crop(1000, 2000, "1:1", 0, y)?.rect.top;
    expect([0, 30, 50, 90].map(top)).toEqual([0, 100, 500, 1000]);
  });

  it("that covers the whole master is none", () => {
    expect(crop(4032, 3024, "4:3")).toBeNull();
    expect(crop(4032, 3024, "8:6", 0, 0)).toBeNull();
    expect(crop(4032, 3025, "4:3")).not.toBeNull();
  });

  it("has one identity for focal points that lead to the same border, and for every spelling of a ratio", () => {
    const identity = (ratio: string, x: number, y: number) => {
      const { ratio: reduced, focus } = crop(4000, 3000, ratio, x, y)!;
      return [reduced, focus];
    };
    expect(identity("1:1", 5, 80)).toEqual(identity("2:2", 0, 20));
    expect(identity("1:1", 95, 80)).toEqual(identity("1:1", 100, 80));
    expect(identity("1:1", 45, 0)).toEqual([{ width: 1, height: 1 }, 45]);
  });

  it("lies inside the master, fills one axis, and has the ratio to within a pixel", () => {
    const side = fc.integer({ min: 1, max: 20_000 });
    const percent = fc.integer({ min: 0, max: 100 });
    const ratio = fc.constantFrom(...CROP.aspectRatiosDefault, "9999:1", "1:9999", "191:100");
    fc.assert(
      fc.property(side, side, ratio, percent, percent, (width, height, text, x, y) => {
        const made = crop(width, height, text, x, y);
        if (!made) return;
        const { left, top, width: w, height: h } = made.rect;
        expect(left).toBeGreaterThanOrEqual(0);
        expect(top).toBeGreaterThanOrEqual(0);
        expect(left + w).toBeLessThanOrEqual(width);
        expect(top + h).toBeLessThanOrEqual(height);
        expect(w === width || h === height).toBe(true);
        const { width: across, height: down } = parseRatio(text)!;
        if (h === height) expect(w).toBe(Math.max(1, Math.floor((height * across) / down)));
        else expect(h).toBe(Math.max(1, Math.floor((width * down) / across)));
        expect(cropOf({ width, height }, made.ratio, { x: made.focus, y: made.focus })?.rect).toEqual(
          made.rect,
        );
      }),
    );
    expect(cropOf({ width: 3, height: 2 }, { width: 1, height: 1 }, CENTRE)?.rect).toEqual(rect(1, 0, 2, 2));
  });
});
