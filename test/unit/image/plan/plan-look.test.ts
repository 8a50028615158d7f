/** The trials of a picture: of all of it, or of strips from top to bottom. */
import { describe, expect, it } from "vitest";
import { partsOf } from "../../../../src/image/plan/plan-look.ts";

describe("the parts of a picture that are tried", () => {
  it.each([
    [64, 64],
    [1000, 750],
    [2560, 1920],
    [2560, 2048],
  ])("are all of %i x %i", (width, height) => {
    expect(partsOf({ width, height })).toEqual([{ left: 0, top: 0, width, height }]);
  });

  it.each([
    [2560, 2049],
    [4000, 3000],
    [8192, 6144],
    [5000, 1200],
    [8192, 700],
    [700, 8192],
  ])("are strips of %i x %i, within it, in order and about 5 megapixels", (width, height) => {
    const parts = partsOf({ width, height });
    const [first] = parts;
    let end = 0;
    for (const part of parts) {
      expect(part).toMatchObject({ width: first!.width, height: first!.height });
      expect(part.top).toBeGreaterThanOrEqual(end);
      expect(part.left).toBeGreaterThanOrEqual(0);
      expect(part.left + part.width).toBeLessThanOrEqual(width);
      end = part.top + part.height;
    }
    expect(end).toBeLessThanOrEqual(height);
    expect(parts.length * first!.width * first!.height).toBeLessThanOrEqual(5 << 20);
    expect(parts.length * first!.width * first!.height).toBeGreaterThan(
      Math.min(1 << 21, 0.3 * width * height) - 1,
    );
  });

  it("go from side to side where the picture is wider than a strip", () => {
    const lefts = new Set(partsOf({ width: 8192, height: 6144 }).map(({ left }) => left));
    expect(lefts.size).toBeGreaterThan(1);
  });
});
