/** The parts of suggested focal points: means of squares, and contrast with the border. */
import { describe, expect, it } from "vitest";
import { borderContrast } from "../../../../src/builder/placeholder/border-contrast.ts";
import { boxBlur, type Plane } from "../../../../src/builder/placeholder/box-blur.ts";
import { likenessToSkin, toOklab } from "../../../../src/builder/placeholder/oklab.ts";

const plane = (rows: number[][]): Plane => ({
  width: rows[0]?.length ?? 0,
  height: rows.length,
  values: Float64Array.from(rows.flat()),
});

const noise = (width: number, height: number): Plane =>
  plane(
    Array.from({ length: height }, (_y, y) =>
      Array.from({ length: width }, (_x, x) => ((x * 7919 + y * 104_729) % 97) / 97),
    ),
  );

describe("a box blur", () => {
  it.each([
    [9, 7, 2],
    [5, 1, 3],
    [1, 6, 1],
    [4, 4, 0],
    [3, 3, 9],
  ])("of %i x %i by %i gives the mean of what lies inside", (width, height, radius) => {
    const { values } = noise(width, height);
    const blurred = boxBlur({ width, height, values }, radius).values;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const around = [...values].filter(
          (_, at) => Math.abs((at % width) - x) <= radius && Math.abs(Math.floor(at / width) - y) <= radius,
        );
        const mean = around.reduce((a, b) => a + b, 0) / around.length;
        expect(blurred[y * width + x]).toBeCloseTo(mean, 9);
      }
    }
  });
});

describe("contrast with the border", () => {
  const contrast = (rows: number[][]): number[] => [...borderContrast(plane(rows))];

  it("is what must be crossed on the best way in", () => {
    expect(
      contrast([
        [1, 1, 1, 1, 1],
        [1, 5, 5, 5, 1],
        [1, 5, 9, 5, 1],
        [1, 5, 5, 5, 1],
        [1, 1, 1, 1, 1],
      ]),
    ).toEqual([0, 0, 0, 0, 0, 0, 4, 4, 4, 0, 0, 4, 8, 4, 0, 0, 4, 4, 4, 0, 0, 0, 0, 0, 0]);
  });

  it("takes the way around what stands between", () => {
    expect(
      contrast([
        [0, 0, 0, 0, 0],
        [0, 9, 9, 9, 0],
        [0, 9, 2, 2, 2],
        [0, 9, 9, 9, 0],
        [0, 0, 0, 0, 0],
      ]).slice(10, 15),
    ).toEqual([0, 7, 0, 0, 0]);
  });

  it("counts a gradient from side to side for nothing", () => {
    const rows = Array.from({ length: 6 }, () => [0, 1, 2, 3, 4, 5]);
    expect(Math.max(...contrast(rows))).toBe(0);
  });
});

describe("a colour", () => {
  it("is in Oklab what its author gives for it", () => {
    const near = (rgb: readonly [number, number, number], [l, a, b]: number[]): void => {
      const { lightness, greenRed, blueYellow } = toOklab(...rgb);
      expect(lightness).toBeCloseTo(l!, 3);
      expect(greenRed).toBeCloseTo(a!, 3);
      expect(blueYellow).toBeCloseTo(b!, 3);
    };
    near([255, 255, 255], [1, 0, 0]);
    near([0, 0, 0], [0, 0, 0]);
    near([255, 0, 0], [0.628, 0.2249, 0.1258]);
    near([0, 0, 255], [0.452, -0.0325, -0.3115]);
  });

  it.each<[rgb: [number, number, number], isLike: boolean]>([
    [[255, 224, 196], true],
    [[224, 172, 140], true],
    [[141, 85, 54], true],
    [[92, 58, 44], true],
    [[128, 128, 128], false],
    [[60, 140, 60], false],
    [[40, 80, 200], false],
    [[255, 60, 0], false],
  ])("%j is like skin: %s", (rgb, isLike) => {
    expect(likenessToSkin(toOklab(...rgb)) > 0).toBe(isLike);
  });
});
