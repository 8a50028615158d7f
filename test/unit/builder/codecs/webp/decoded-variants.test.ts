/** Variants of lossy WebP masters: every format, every orientation. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { decodeVp8 } from "../../../../../src/builder/codecs/webp/decoder.ts";
import { build, streamOf } from "../../../../../scripts/harness/builds.ts";
import { image, photo } from "../../../../../scripts/samples/pictures.ts";
import { collectRows, newMemory, workspaceIn } from "../../../../../scripts/harness/png-rows.ts";
import { probe } from "../../../../../scripts/harness/probe-run.ts";
import { integersOf } from "../../../../../scripts/samples/random.ts";
import { anim, anmf, FLAGS, vp8x, webpOf } from "../../../../../scripts/samples/probe/webp.ts";

const chunkOf = (file: Uint8Array): { from: number; to: number } => {
  const at = Buffer.from(file).indexOf("VP8 ");
  return { from: at + 8, to: at + 8 + Buffer.from(file).readUInt32LE(at + 4) };
};

describe("a variant of a lossy WebP", () => {
  it("looks as sharp's decoding does, in every container", async () => {
    const picture = await photo(300, 200);
    const plain = await image(picture).webp({ quality: 80 }).toBuffer();
    const { from, to } = chunkOf(plain);
    const frame = plain.subarray(from - 8, to + (to & 1));
    const containers: [string, Uint8Array][] = [
      ["simple", plain],
      [
        "extended, with a profile",
        await image(picture).withIccProfile("srgb").webp({ quality: 80 }).toBuffer(),
      ],
      [
        "animation of one frame",
        webpOf(vp8x(FLAGS.animated, 300, 200), anim, anmf({ width: 300, height: 200, picture: frame })),
      ],
    ];
    const wanted = await sharp(plain).raw().toBuffer();
    for (const [name, file] of containers) {
      const { bytes, masterFacts } = await build(file, { format: "png", effort: "quick" });
      expect(masterFacts, name).toMatchObject({ hasAlpha: false, frames: 1 });
      expect(Buffer.compare(await sharp(bytes).raw().toBuffer(), wanted), name).toBe(0);
    }
  });
});

describe("turns", () => {
  async function turnsFor(file: Uint8Array): Promise<number> {
    let turns = 0;
    const count = (): Promise<void> => {
      turns++;
      return Promise.resolve();
    };
    await collectRows(
      await decodeVp8(workspaceIn(newMemory(), count), streamOf(file), file.length, probe(file), chunkOf),
    );
    return turns;
  }

  it("come often enough for the event loop", async () => {
    const file = await image(await photo(500, 375))
      .resize(2000, 1500)
      .webp({ effort: 0 })
      .toBuffer();
    expect(await turnsFor(file)).toBeGreaterThanOrEqual(4);
  });

  it("come more often where a picture has more bytes, as each takes its time", async () => {
    const [width, height] = [1600, 900];
    const random = integersOf(1);
    const noise = Buffer.alloc(3 * width * height);
    for (let i = 0; i < noise.length; i++) noise[i] = random(256);
    const file = await sharp(noise, { raw: { width, height, channels: 3 } })
      .webp({ effort: 0, quality: 100 })
      .toBuffer();
    const flat = await sharp({ create: { width, height, channels: 3, background: "#36c" } })
      .webp({ effort: 0, quality: 1 })
      .toBuffer();
    expect(await turnsFor(file)).toBeGreaterThanOrEqual(2 * (await turnsFor(flat)));
  });
});
