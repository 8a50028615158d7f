/** Builds of large WebP variants. */
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { random } from "../../../../../scripts/samples/avif-pictures.ts";
import { bitmap, build } from "../../../../../scripts/harness/builds.ts";
import { cutout, image, photo, type Picture } from "../../../../../scripts/samples/pictures.ts";
import { psnr, ssim } from "../../../../../scripts/harness/ssim.ts";
import { chunksOf } from "../../../../support/pictures/webp-rows-reader.ts";
import { ofRing } from "../../../../support/ring.ts";

describe("a large WebP variant", () => {
  let picture: Picture;
  beforeAll(async () => {
    picture = await photo(3001, 1103);
  });

  it.each(ofRing([80, 95] as const, 2))(
    "at q %d is what sharp makes of the master, in the bytes planned",
    async (quality) => {
      const master = await image(picture).jpeg({ quality: 95 }).toBuffer();
      const built = await build(master, { format: "webp", quality });
      const file = Buffer.from(built.bytes);
      expect([...chunksOf(file).keys()]).toEqual(["VP8 "]);
      // Ours spends its bits where the eye looks: at the same look its PSNR is that of a lower quality of libwebp's.
      const usual = await sharp(master)
        .webp({ quality: quality === 80 ? 82 : 93, effort: 4 })
        .toBuffer();
      const [own, theirs] = [await bitmap(sharp(file), 3), await bitmap(sharp(usual), 3)];
      const source = await bitmap(sharp(master), 3);
      expect(psnr(own, source)).toBeGreaterThan(psnr(theirs, source) - 0.7);
      expect(ssim(own, source)).toBeGreaterThan(ssim(theirs, source) - 0.002);
      expect(file.length).toBeLessThan(1.15 * usual.length);
      expect(built.facts.peakBytes).toBeLessThan(built.predictedBytes * 1.05);
    },
  );

  it("keeps alpha, and is turned upright", async () => {
    const pierced = await cutout(1601, 1403);
    const png = await image(pierced).png({ compressionLevel: 1 }).toBuffer();
    const file = Buffer.from((await build(png, { format: "webp", quality: 90 })).bytes);
    expect([...chunksOf(file).keys()]).toEqual(["VP8X", "ALPH", "VP8 "]);
    const { data } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
    let wrong = 0;
    for (let i = 3; i < data.length; i += 4) if (data[i] !== pierced.data[i]) wrong++;
    expect(wrong).toBe(0);

    const master = await image(picture).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const turned = Buffer.from((await build(master, { format: "webp" })).bytes);
    expect(await sharp(turned).metadata()).toMatchObject({ width: 1103, height: 3001 });
    const upright = await bitmap(sharp(master).rotate(), 3);
    expect(psnr(await bitmap(sharp(turned), 3), upright)).toBeGreaterThan(33);
  });
});

it("keeps an alpha whose tokens do not fit their room", async () => {
  // Faint noise in which much repeats, over one colour.
  const [width, height] = [1920, 1200];
  const next = random(3);
  const data = Buffer.alloc(width * height * 4, 128);
  for (let i = 3; i < data.length; i += 4) data[i] = next(100) < 70 ? 1 + next(3) : next(256);
  const png = await sharp(data, { raw: { width, height, channels: 4 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
  const file = Buffer.from((await build(png, { format: "webp" })).bytes);
  const read = await sharp(file).raw().toBuffer();
  let wrong = 0;
  for (let i = 3; i < data.length; i += 4) if (data[i] !== read[i]) wrong++;
  expect(wrong).toBe(0);
});
