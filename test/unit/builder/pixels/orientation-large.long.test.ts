import sharp from "sharp";
import { expect, it } from "vitest";
import { planBuild } from "../../../../src/image/plan/plan.ts";
import { bitmap, build } from "../../../../scripts/harness/builds.ts";
import { image, photo } from "../../../../scripts/samples/pictures.ts";
import { psnr } from "../../../../scripts/harness/ssim.ts";

it("a picture too large to be turned with all of its colour keeps half of it", async () => {
  const large = image(await photo(321, 200)).resize(4800, 6001, { fit: "fill", kernel: "cubic" });
  const file = await large.jpeg({ quality: 90 }).withMetadata({ orientation: 8 }).toBuffer();
  const ask = { format: "jpeg", quality: 90 } as const;
  const { bytes, spec, masterFacts } = await build(file, ask);
  expect(planBuild(masterFacts, file.length, spec)).toMatchObject({ canvas: { kind: "planes-420" } });
  expect(spec).toMatchObject({ width: 6001, height: 4800 });
  const theirs = await bitmap(sharp(file).autoOrient(), 3);
  expect(psnr(await bitmap(sharp(bytes), 3), theirs)).toBeGreaterThan(44);
});
