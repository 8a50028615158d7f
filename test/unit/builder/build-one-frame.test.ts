/** Masters of one frame in formats of animations: they are stills. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { order as orderStill, build as buildStill } from "../../../scripts/harness/builds.ts";
import { buildAnimated, framesOf, likeness, sharpFrames } from "../../../scripts/harness/animation-frames.ts";
import { writeGif, writeWebpAnimation } from "../../../scripts/samples/animation/writers.ts";
import { pictureChunks } from "../../../src/builder/codecs/webp/chunks.ts";
import { probe } from "../../../scripts/harness/probe-run.ts";
import { anim, anmf, FLAGS, vp8x, webpOf } from "../../../scripts/samples/probe/webp.ts";

describe("a GIF of one frame", () => {
  it("becomes every format of stills, and GIF", async () => {
    const palette = [255, 0, 0, 0, 0, 255, 250, 250, 250, 20, 90, 20];
    const indices = Array.from({ length: 60 * 40 }, (_, i) => ((i % 60) >> 4) & 3);
    for (const interlaced of [false, true]) {
      const place = { left: 5, top: 3, width: 60, height: 40 };
      const master = writeGif({
        width: 70,
        height: 50,
        palette,
        frames: [{ ...place, indices, transparent: 2, interlaced }],
      });
      const wanted = (await framesOf(master)).frames[0] as Uint8Array;
      for (const format of ["png", "webp", "avif"] as const) {
        const { bytes } = await buildStill(master, { format });
        const { data } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
        expect(likeness(data, wanted), format).toBeGreaterThan(format === "png" ? 99 : 20);
      }
      const { bytes } = await buildAnimated(master, { format: "gif" });
      expect((await framesOf(bytes)).frames).toEqual([wanted]);
      expect((await sharp((await buildStill(master, { format: "jpeg" })).bytes).metadata()).width).toBe(70);
    }
  });
});

describe("a WebP of one frame, in the format of animations", () => {
  const place = { left: 6, top: 4, width: 50, height: 33 };
  const rgba = Uint8Array.from({ length: place.width * place.height * 4 }, (_, i) => {
    const [x, y] = [(i >> 2) % place.width, Math.floor((i >> 2) / place.width)];
    return [4 * x, 7 * y, 200 - 2 * x, [255, 255, 128, 0][x >> 4]!][i & 3]!;
  });

  it.each([
    ["whole", { ...place, left: 0, top: 0 }, place],
    ["at its place", place, { width: 70, height: 50 }],
    ["to the edge", place, { width: 56, height: 37 }],
  ] as const)("becomes every format of stills: %s", async (_, at, { width, height }) => {
    const still = sharp(rgba, { raw: { width: place.width, height: place.height, channels: 4 } });
    const chunks = {
      lossless: await still.clone().webp({ lossless: true, exact: true }).toBuffer(),
      "lossy, with ALPH": await still.clone().webp({ quality: 90 }).toBuffer(),
      lossy: await still.clone().removeAlpha().webp({ quality: 90 }).toBuffer(),
    };
    for (const [kind, file] of Object.entries(chunks)) {
      const frame = anmf({ ...at, picture: pictureChunks(file).map(({ bytes }) => bytes) });
      const master = webpOf(vp8x(FLAGS.animated | FLAGS.alpha, width, height), anim, frame);
      expect(probe(master)).toMatchObject({ frames: 1, animated: false, width, height });
      const wanted = (await framesOf(master)).frames[0] as Uint8Array;
      const theirs = (await sharpFrames(master)).frames[0] as Uint8Array;
      expect(likeness(wanted, theirs), kind).toBeGreaterThan(50);
      for (const format of ["png", "webp", "avif"] as const) {
        const { bytes } = await buildStill(master, { format, quality: 100 });
        const { data } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
        expect(likeness(data, theirs), `${kind} as ${format}`).toBeGreaterThan(format === "png" ? 50 : 24);
      }
      const { data, info } = await sharp((await buildStill(master, { format: "jpeg" })).bytes)
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(info).toMatchObject({ width, height });
      if (width > at.width) expect(Math.min(...data.subarray(0, 3)), `${kind} as jpeg`).toBeGreaterThan(235);
    }
  });

  it("is refused where its frame is damaged, or is not the only one", async () => {
    const rest = { ...place, rgba };
    const one = await writeWebpAnimation({ width: 70, height: 50, frames: [rest] });
    const two = await writeWebpAnimation({ width: 70, height: 50, frames: [rest, rest] });
    const lie = { ...probe(one), frames: 1, animated: false };
    expect(await orderStill(two, { format: "png" }, lie)).toMatchObject({
      reason: expect.stringMatching(/frames/) as string,
    });
    const headAt = Buffer.from(one).indexOf("ANMF") + 8;
    for (const [at, value] of [
      [headAt, 200],
      [headAt + 6, 20],
      [headAt + 20, 255],
    ] as const) {
      const damaged = one.slice();
      damaged[at] = value;
      expect(await orderStill(damaged, { format: "png" }, lie), `${at}`).toMatchObject({ code: "failed" });
    }
    expect((await buildStill(one, { format: "png" })).bytes.length).toBeGreaterThan(0);
  });
});
