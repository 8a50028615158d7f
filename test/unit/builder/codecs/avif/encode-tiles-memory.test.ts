/** What an AVIF of several tiles takes, beside what is planned for it. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { MEMORY } from "../../../../../src/image/memory/isolate.ts";
import { planBuild } from "../../../../../src/image/plan/plan.ts";
import { pictureOf } from "../../../../../scripts/samples/avif-pictures.ts";
import { bitmap, build, specFor } from "../../../../../scripts/harness/builds.ts";
import { cutout, image, photo } from "../../../../../scripts/samples/pictures.ts";
import { probe } from "../../../../../scripts/harness/probe-run.ts";
import { psnr, type Bitmap } from "../../../../../scripts/harness/ssim.ts";

describe("a build of more than one encode fits", () => {
  it("makes every orientation upright", async () => {
    const picture = await photo(2100, 1500);
    const upright = image(picture);
    for (const orientation of [2, 6, 7]) {
      const file = await upright.clone().jpeg({ quality: 95 }).withMetadata({ orientation }).toBuffer();
      const { bytes, spec, facts, predictedBytes } = await build(file, { format: "avif" });
      expect([spec.width, spec.height]).toEqual(orientation > 4 ? [1500, 2100] : [2100, 1500]);
      const wanted = await bitmap(sharp(await sharp(file).autoOrient().png().toBuffer()), 3);
      expect(psnr(await bitmap(sharp(bytes), 3), wanted)).toBeGreaterThan(34);
      expectTruth(predictedBytes, facts.peakBytes);
    }
  });

  it("takes gray, and alpha at full chroma", async () => {
    const gray = await image(await photo(2200, 1500))
      .greyscale()
      .jpeg()
      .toBuffer();
    const { bytes } = await build(gray, { format: "avif" });
    expect(psnr(await bitmap(sharp(bytes), 3), await bitmap(sharp(gray), 3))).toBeGreaterThan(34);
    const picture = await cutout(1600, 1300);
    const built = await build(await image(picture).png().toBuffer(), { format: "avif", quality: 90 });
    expect(probe(built.bytes)).toMatchObject({ hasAlpha: true, chroma: "444" });
    expect(psnr(shown(await bitmap(sharp(built.bytes), 4)), shown(picture))).toBeGreaterThan(38);
    expectTruth(built.predictedBytes, built.facts.peakBytes);
  });

  it("builds 16 megapixels within an isolate", async () => {
    const picture = await pictureOf("gradient", 4000, 3999);
    const file = await image(picture).removeAlpha().png({ compressionLevel: 1 }).toBuffer();
    const { bytes, facts, predictedBytes } = await build(file, { format: "avif" });
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 4000, height: 3999 });
    expect(facts.peakBytes).toBeLessThan(100_000_000);
    expectTruth(predictedBytes, facts.peakBytes);
  });

  it("is planned for every shape, with alpha and at every quality", () => {
    for (const [width, height] of [
      [4000, 4000],
      [8192, 1953],
      [500, 32_000],
    ] as const) {
      for (const hasAlpha of [false, true]) {
        for (const quality of [80, 90, 95, 100] as const) {
          const facts = { ...probe(TINY), width, height, codedWidth: width, codedHeight: height, hasAlpha };
          const plan = planBuild(facts, 1_000_000, specFor(facts, { format: "avif", quality }));
          expect(plan).toMatchObject({ ok: true, lane: "heavy" });
          expect(plan.ok && plan.memory.peak).toBeLessThan(MEMORY.arenaMaxBytes + 8_000_000);
        }
      }
    }
  });
});

/** The picture in front of black: what colours a fully transparent pixel has makes no difference. */
function shown(picture: Bitmap): Bitmap {
  const data = Uint8Array.from(picture.data);
  for (let i = 0; i < data.length; i += 4) {
    for (let c = 0; c < 3; c++) data[i + c] = Math.round((data[i + c]! * data[i + 3]!) / 255);
  }
  return { ...picture, data };
}

/** A PNG, for facts. */
const TINY = await sharp({ create: { width: 1, height: 1, channels: 3, background: "red" } })
  .png()
  .toBuffer();

function expectTruth(predicted: number, taken: number): void {
  expect(predicted).toBeGreaterThan(taken * 0.95);
  expect(predicted).toBeLessThan(taken * 1.15 + 1_048_576);
}
