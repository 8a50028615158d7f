/** The blurred picture against an independent reader of ThumbHash, and an independent decoder of PNG. */
import sharp from "sharp";
import { rgbaToThumbHash } from "thumbhash";
import { describe, expect, it } from "vitest";
import { blurDataURL, imageProps } from "../../../src/client/next.ts";
import type { FileOptions, Picture } from "../../../src/client/html.ts";
import { photo } from "../../support/pictures/client-pictures.ts";
import { patterns } from "../../support/placeholders/thumb-hash-patterns.ts";
import { renderThumbHash } from "../../support/placeholders/thumb-hash.ts";

/** The waves of a ThumbHash that are left in a picture of half the size. */
const MEAN_DIFFERENCE_MAX = 6;

async function decoded(picture: Picture, options: FileOptions = {}) {
  const bytes = Buffer.from(blurDataURL(picture, options)!.split(",")[1]!, "base64");
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data, bytes: bytes.length };
}

const hashOf = ({ width, height, rgba }: { width: number; height: number; rgba: Uint8Array }): string =>
  Buffer.from(rgbaToThumbHash(width, height, rgba)).toString("base64");

function picture(name: keyof typeof patterns): Picture {
  const { width, height } = patterns[name];
  const placeholder = { thumbHash: hashOf(patterns[name]), dominantColor: "#000000" };
  return photo({ width: width * 30, height: height * 30, placeholder });
}

function meanDifference(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length;
}

describe("the blurred picture", () => {
  const names = Object.keys(patterns) as (keyof typeof patterns)[];
  // Pictures of one row or column have waves across that one pixel, which no other size can show.
  it.each(names.filter((name) => !name.startsWith("one ")))("is that of the ThumbHash: %s", async (name) => {
    const shown = picture(name);
    const { width, height, data } = await decoded(shown);
    expect(Math.max(width, height)).toBe(16);
    expect(Math.min(width, height)).toBe(
      Math.round((16 * Math.min(shown.width, shown.height)) / Math.max(shown.width, shown.height)),
    );
    const reference = renderThumbHash(shown.placeholder!.thumbHash, width, height);
    expect(meanDifference(data, reference.rgba)).toBeLessThan(MEAN_DIFFERENCE_MAX);
  });

  it("is a line of one pixel for a picture that is one", async () => {
    expect(await decoded(picture("one row"))).toMatchObject({ width: 16, height: 1 });
    expect(await decoded(picture("one column"))).toMatchObject({ width: 1, height: 16 });
  });

  it("is cropped as the picture is", async () => {
    // Blue on the left, red on the right.
    const halves = new Uint8Array(80 * 40 * 4).map((_, i) => {
      const isRight = (i >> 2) % 80 >= 40;
      return [isRight ? 255 : 0, 0, isRight ? 0 : 255, 255][i & 3]!;
    });
    const thumbHash = hashOf({ width: 80, height: 40, rgba: halves });
    const shown = photo({ width: 800, height: 400, placeholder: { thumbHash, dominantColor: "#000000" } });
    const middleOf = async (x: number): Promise<number[]> => {
      const square = await decoded(shown, { ratio: "1:2", focalPoint: { x, y: 0.5 } });
      expect([square.width, square.height]).toEqual([8, 16]);
      const middle = 4 * (8 * square.width + 4);
      return [...square.data.subarray(middle, middle + 3)];
    };
    const [left, right] = [await middleOf(0), await middleOf(1)];
    expect(left[2]! - left[0]!).toBeGreaterThan(150);
    expect(right[0]! - right[2]!).toBeGreaterThan(150);
  });

  it("is small enough to stand in a page", async () => {
    expect((await decoded(photo())).bytes).toBeLessThan(1200);
  });

  it("is absent while there is no placeholder", () => {
    expect(blurDataURL(photo({ placeholder: null }))).toBeUndefined();
    expect(imageProps(photo({ placeholder: null }))).not.toHaveProperty("placeholder");
  });
});
