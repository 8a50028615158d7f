import { describe, expect, it } from "vitest";
import { dominantColour } from "../../../../src/builder/placeholder/dominant-colour.ts";
import { image, photo } from "../../../../scripts/samples/pictures.ts";

const flat = (pixels: number[][]): Uint8Array => Uint8Array.from(pixels.flat());
const levels = (r: number, g: number, b: number): number[] => [r, g, b].map((value) => value >> 4);
const levelsOf = (colour: string): number[] => {
  const value = parseInt(colour.slice(1), 16);
  return levels(value >> 16, (value >> 8) & 255, value & 255);
};

describe("the dominant colour", () => {
  it.each([1, 2, 3, 4, 5, 6])("has the bin that sharp finds: photograph %i", async (seed) => {
    const picture = image(await photo(100, 75, seed));
    const { dominant } = await picture.clone().stats();
    const rgba = await picture.ensureAlpha().raw().toBuffer();
    expect(levelsOf(dominantColour(rgba))).toEqual(levels(dominant.r, dominant.g, dominant.b));
  });

  it("of one colour is that colour", () => {
    for (const pixel of [
      [255, 255, 255, 255],
      [0, 0, 0, 255],
      [18, 52, 86, 255],
    ]) {
      const hex = Buffer.from(pixel.slice(0, 3)).toString("hex");
      expect(dominantColour(flat([pixel, pixel, pixel]))).toBe(`#${hex}`);
    }
  });

  it("ignores transparent pixels, and counts half-transparent ones by half", () => {
    const [red, clearBlue, halfGreen] = [
      [250, 10, 20, 255],
      [0, 0, 255, 0],
      [0, 200, 0, 120],
    ];
    expect(dominantColour(flat([red, clearBlue, clearBlue, halfGreen, halfGreen]))).toBe("#fa0a14");
    expect(dominantColour(flat([red, halfGreen, halfGreen, halfGreen]))).toBe("#00c800");
    expect(dominantColour(flat([clearBlue, clearBlue]))).toBe("#ffffff");
  });

  it("is the mean of its bin, weighted by alpha", () => {
    expect(
      dominantColour(
        flat([
          [16, 16, 16, 255],
          [18, 18, 20, 255],
          [200, 0, 0, 255],
        ]),
      ),
    ).toBe("#111112");
    expect(
      dominantColour(
        flat([
          [16, 16, 16, 200],
          [19, 19, 19, 100],
        ]),
      ),
    ).toBe("#111111");
  });
});
