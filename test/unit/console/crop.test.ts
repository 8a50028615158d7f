import { describe, expect, it } from "vitest";
import { cropOf, ratioOf } from "../../../src/console/lib/crop.ts";

describe("cropOf", () => {
  it("is the largest rectangle of the ratio, centred on the point", () => {
    expect(cropOf(3 / 2, 1, { x: 0.5, y: 0.5 })).toEqual({
      left: expect.closeTo(1 / 6, 9) as number,
      top: 0,
      width: 2 / 3,
      height: 1,
    });
    expect(cropOf(2 / 3, ratioOf("2:1"), { x: 0.5, y: 0.5 })).toMatchObject({
      left: 0,
      width: 1,
      height: 1 / 3,
    });
  });

  it("stays inside the picture", () => {
    for (const x of [0, 0.1, 0.9, 1]) {
      const { left, width } = cropOf(2, 1, { x, y: x });
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left + width).toBeLessThanOrEqual(1);
    }
    expect(cropOf(2, 1, { x: 1, y: 0 })).toMatchObject({ left: 0.5, top: 0 });
  });

  it("is the whole picture for its own ratio", () => {
    expect(cropOf(1.5, 1.5, { x: 0, y: 1 })).toEqual({ left: 0, top: 0, width: 1, height: 1 });
  });
});
