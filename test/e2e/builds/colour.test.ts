/** A photograph in Display P3 over HTTP: its variants show the same colours, in sRGB. */
import sharp, { type Sharp } from "sharp";
import { expect, inject, it } from "vitest";
import { newSpace, upload, variantOf } from "../../../scripts/harness/api.ts";
import { colourDistance } from "../../support/pictures/ciede2000.ts";
import { image, photo } from "../../../scripts/samples/pictures.ts";
import type { Bitmap } from "../../../scripts/harness/ssim.ts";

const space = await newSpace(inject("service"));

async function bitmap(picture: Sharp): Promise<Bitmap> {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: info.channels, data };
}

it("a Display P3 photograph keeps its colours in every format, and loses its profile (RULES 9.3)", async () => {
  const master = await image(await photo(1000, 750))
    .withIccProfile("p3")
    .jpeg({ quality: 95 })
    .toBuffer();
  const { id } = await upload(space, master, "p3.jpg");
  const wanted = await bitmap(sharp(master).resize(500));
  for (const [format, limit] of Object.entries({ png: 1, jpeg: 2, webp: 2, avif: 2 })) {
    const { bytes } = await variantOf(space, id, `w=500&fm=${format}&q=90`);
    expect((await sharp(bytes).metadata()).icc).toBeUndefined();
    expect(colourDistance(await bitmap(sharp(bytes)), wanted).mean).toBeLessThan(limit);
  }
});
