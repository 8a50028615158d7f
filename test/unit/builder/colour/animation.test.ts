/** Animations with a profile: every frame is in sRGB, and no frame is converted twice. */
import sharp from "sharp";
import { expect, it } from "vitest";
import { buildAnimated, sharpFrames } from "../../../../scripts/harness/animation-frames.ts";
import { sample } from "../../../../scripts/samples/animation/samples.ts";
import { colourDistance } from "../../../support/pictures/ciede2000.ts";

for (const scale of [1, 2]) {
  it(`an animated WebP in Display P3 is converted frame by frame, at 1/${scale} of its size`, async () => {
    const { webp } = await sample("graphic", 4);
    const master = await sharp(webp, { animated: true })
      .withIccProfile("p3")
      .webp({ quality: 95 })
      .toBuffer();
    const { width: full, height: tall } = await sharpFrames(master);
    const { bytes, spec } = await buildAnimated(master, {
      width: full / scale,
      format: "webp",
      quality: 100,
    });
    expect((await sharp(bytes).metadata()).icc).toBeUndefined();
    const resized = await sharp(master, { animated: true })
      .resize(spec.width, Math.round(tall / scale), { fit: "fill" })
      .webp({ lossless: true, effort: 0 })
      .toBuffer();
    const [mine, theirs] = [await sharpFrames(bytes), await sharpFrames(resized)];
    expect(mine.frames.length).toBe(theirs.frames.length);
    mine.frames.forEach((frame, i) => {
      const bitmap = (data: Uint8Array) => ({ ...spec, channels: 4 as const, data: Buffer.from(data) });
      expect(colourDistance(bitmap(frame), bitmap(theirs.frames[i]!)).mean).toBeLessThan(1);
    });
  });
}
