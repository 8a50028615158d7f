import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { thumbHash } from "../../../../src/builder/placeholder/thumb-hash.ts";
import { cutout, image, photo, type Picture } from "../../../../scripts/samples/pictures.ts";
import { renderThumbHash } from "../../../support/placeholders/thumb-hash.ts";
import { patterns } from "../../../support/placeholders/thumb-hash-patterns.ts";

/** The hashes that the reference implementation, the npm package thumbhash 0.1.1, makes of the patterns. */
const REFERENCE: Record<keyof typeof patterns, string> = {
  "a landscape gradient": "4NUFVJiDh4eAiHiHiIeAgRf4eA==",
  "a portrait of two colours": "FyUCcxR+T2ammId4gbAZCJs=",
  "a square with soft alpha": "XUeGFQo3s4ewh3h3eLOwOPuEcHeIiIiIeA==",
  "a disc on nothing": "qD6CA4A1+FeIh334d4mPxweYh3iDimg=",
  "nothing that is seen": "AAiCA4AAAAAAAAAAAAAAAAAAAAAAAAA=",
  "one row": "WZUxoZiHh4eIiAh4cYe/ePg=",
  "one column": "mMowsU4IiIiIiIiICId4b3g=",
};

const base64 = (hash: Uint8Array): string => Buffer.from(hash).toString("base64");

async function small(picture: Picture): Promise<{ width: number; height: number; rgba: Uint8Array }> {
  const { data, info } = await image(picture)
    .resize(100, 100, { fit: "inside" })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgba: data };
}

describe("a ThumbHash", () => {
  for (const [name, pattern] of Object.entries(patterns)) {
    it(`has the bytes of the reference implementation: ${name}`, () => {
      expect(base64(thumbHash(pattern))).toBe(REFERENCE[name as keyof typeof patterns]);
    });
  }

  it("has the light, dark and coloured areas of a photograph", async () => {
    const picture = await photo(400, 300);
    const { width, height, rgba } = renderThumbHash(base64(thumbHash(await small(picture))), 32, 24);
    const raw = { width, height, channels: 4 as const };
    const blurred = await image(picture).resize(width, height).blur(4).ensureAlpha().raw().toBuffer();
    const rendered = await sharp(rgba, { raw }).blur(4).raw().toBuffer();
    const { channels } = await sharp(blurred, { raw }).stats();
    const means = channels.map(({ mean }) => mean);
    const distance = (valueAt: (i: number) => number): number =>
      blurred.reduce((sum, value, i) => sum + Math.abs(value - valueAt(i)), 0) / blurred.length;
    const ofOneColour = distance((i) => means[i % 4] as number);
    expect(ofOneColour).toBeGreaterThan(20);
    expect(distance((i) => rendered[i] as number)).toBeLessThan(ofOneColour / 2);
  });

  it("is transparent where the picture is", async () => {
    const hash = base64(thumbHash(await small(await cutout(300, 300))));
    const { rgba } = renderThumbHash(hash, 10, 10);
    const alphaAt = (x: number, y: number): number => rgba[(y * 10 + x) * 4 + 3] as number;
    expect(alphaAt(9, 8)).toBeLessThan(60);
    expect(alphaAt(1, 1)).toBeGreaterThan(200);
  });

  it("refuses a larger picture", () => {
    expect(() => thumbHash({ width: 101, height: 1, rgba: new Uint8Array(404) })).toThrow(RangeError);
  });
});
