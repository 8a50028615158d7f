/** Orientation 1 to 8: from every master in which browsers follow it, to every format, against sharp's autoOrient. */
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { turned, uprightPath } from "../../../../src/image/model/orientation.ts";
import type { Orientation } from "../../../../src/image/model/facts.ts";
import { OUTPUT_FORMATS } from "../../../../src/image/formats/registry.ts";
import { bitmap, build, specFor } from "../../../../scripts/harness/builds.ts";
import { image, photo, type Picture } from "../../../../scripts/samples/pictures.ts";
import { probe } from "../../../../scripts/harness/probe-run.ts";
import { type Bitmap, psnr } from "../../../../scripts/harness/ssim.ts";
import { ofRing } from "../../../support/ring.ts";

const ORIENTATIONS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
let picture: Picture;
beforeAll(async () => {
  picture = await photo(321, 200);
});

describe("a path", () => {
  it("visits every pixel of the upright picture once", () => {
    for (const orientation of ORIENTATIONS) {
      const stored = { width: 5, height: 3 };
      const { start, across, down } = uprightPath(stored, orientation);
      const visited = Array.from(
        { length: 15 },
        (_, i) => start + (i % 5) * across + Math.floor(i / 5) * down,
      );
      expect([...visited].sort((a, b) => a - b)).toEqual(Array.from({ length: 15 }, (_, i) => i));
      expect(turned(turned(stored, orientation), orientation)).toEqual(stored);
    }
  });
});

/** Returns the file, upright and resized by sharp, for comparison with the build. */
async function theirsOf(file: Buffer, width: number, height: number): Promise<Bitmap> {
  const { data, ...raw } = await bitmap(sharp(file).autoOrient(), 3);
  return bitmap(sharp(data, { raw: { ...raw, channels: 3 } }).resize(width, height, { fit: "fill" }), 3);
}

for (const orientation of ORIENTATIONS) {
  it(`orientation ${orientation} is applied, and leaves no trace`, async () => {
    const files = [
      await image(picture).jpeg({ quality: 95 }).withMetadata({ orientation }).toBuffer(),
      await image(picture).jpeg({ progressive: true }).withMetadata({ orientation }).toBuffer(),
      await image(picture).png().withMetadata({ orientation }).toBuffer(),
    ];
    for (const file of files) {
      const facts = probe(file);
      expect(facts.orientation).toBe(orientation satisfies Orientation);
      const { height } = specFor(facts, { width: 150, format: "png" });
      const theirs = await theirsOf(file, 150, height);
      for (const format of ofRing(OUTPUT_FORMATS, 3)) {
        const { bytes } = await build(file, { width: 150, format, quality: 95 });
        const read = await sharp(bytes).metadata();
        expect([read.width, read.height, read.orientation ?? 1]).toEqual([150, height, 1]);
        expect(psnr(await bitmap(sharp(bytes), 3), theirs)).toBeGreaterThan(30);
      }
    }
  });
}

it("the EXIF orientation of WebP is ignored, as in browsers", async () => {
  const file = await image(picture).webp({ quality: 95 }).withMetadata({ orientation: 6 }).toBuffer();
  expect(probe(file)).toMatchObject({ orientation: 1, width: 321, height: 200 });
  const { bytes, spec } = await build(file, { width: 150, format: "png" });
  const unturned = sharp(await sharp(file).png().toBuffer()).resize(150, spec.height, { fit: "fill" });
  expect(psnr(await bitmap(sharp(bytes), 3), await bitmap(unturned, 3))).toBeGreaterThan(30);
});
