import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { CHANNELS_OF } from "../../../../../src/image/memory/rows.ts";
import { type Picture, psnr, newMemory } from "../../../../../scripts/harness/png-rows.ts";
import { ssim } from "../../../../../scripts/harness/ssim.ts";
import {
  byLibwebp,
  decoded,
  encode,
  KINDS,
  picture,
} from "../../../../../scripts/samples/webp-rows-pictures.ts";
import { chunksOf, frameHeader } from "../../../../support/pictures/webp-rows-reader.ts";

const likeness = (a: Picture, data: Uint8Array): number => {
  const { width, height } = a;
  const channels = CHANNELS_OF[a.layout];
  return ssim({ width, height, channels, data: a.data }, { width, height, channels, data });
};

/** Returns about the light of each square of 16 x 16 pixels, 320 pixels wide: the root of a mean of squares. */
function brightness(data: Uint8Array): Uint8Array {
  const sums = new Float64Array(20 * 15);
  for (let i = 0; i < data.length; i += 3) {
    const [r = 0, g = 0, b = 0] = data.subarray(i, i + 3);
    const square = 20 * Math.floor(i / 960 / 16) + Math.floor((i % 960) / 48);
    sums[square] = (sums[square] ?? 0) + (0.2126 * r * r + 0.7152 * g * g + 0.0722 * b * b) / 256;
  }
  return Uint8Array.from(sums, Math.sqrt);
}

/** The encoder gives up fine noise for coarse noise. */
const SMOOTH_KINDS = KINDS.filter((kind) => kind !== "noise");

describe("a WebP variant against libwebp's at the same quality", () => {
  it.each(SMOOTH_KINDS.flatMap((kind) => [60, 80, 90, 95].map((quality) => ({ kind, quality }))))(
    "$kind at $quality is as good, and no larger by more than a fifth",
    async ({ kind, quality }) => {
      const source = picture(kind, 320, 240);
      const [ours, theirs] = [await encode(source, quality), await byLibwebp(source, quality)];
      const [own, usual] = [await decoded(ours, source), await decoded(theirs, source)];
      expect(psnr(own, source.data)).toBeGreaterThan(Math.min(44, psnr(usual, source.data) - 0.7));
      expect(likeness(source, own)).toBeGreaterThan(likeness(source, usual) - 0.01);
      expect(ours.length).toBeLessThan(1.2 * theirs.length + 300);
    },
  );

  it.each([60, 80, 90, 95])("keeps the brightness of noise at %d, in fewer bytes", async (quality) => {
    const source = picture("noise", 320, 240);
    const [ours, theirs] = [await encode(source, quality), await byLibwebp(source, quality)];
    expect(ours.length).toBeLessThan(theirs.length);
    const [own, usual] = [await decoded(ours, source), await decoded(theirs, source)];
    const wanted = brightness(source.data);
    expect(psnr(brightness(own), wanted)).toBeGreaterThan(psnr(brightness(usual), wanted) + 3);
  });

  it("is as good at odd and even sizes", async () => {
    for (const width of [1, 2, 3, 8, 15, 16, 17, 31, 33, 48, 67]) {
      for (const height of [1, 2, 7, 16, 17, 32, 49]) {
        const source = picture("photo", width, height);
        const ours = await decoded(await encode(source, 85), source);
        const theirs = await decoded(await byLibwebp(source, 85), source);
        const [own, usual] = [psnr(ours, source.data), psnr(theirs, source.data)];
        expect(own, `${width} x ${height}`).toBeGreaterThan(Math.min(usual - 1, 38));
      }
    }
  });

  it("is as good in gray", async () => {
    const source = picture("photo", 123, 77, "gray");
    const [ours, theirs] = [await encode(source, 80), await byLibwebp(source, 80)];
    const own = psnr(await decoded(ours, source), source.data);
    expect(own).toBeGreaterThan(psnr(await decoded(theirs, source), source.data) - 0.5);
    expect(ours.length).toBeLessThan(1.15 * theirs.length);
    const { data } = await sharp(ours).raw().toBuffer({ resolveWithObject: true });
    for (let i = 0; i < data.length; i += 3) {
      expect(Math.abs((data[i] ?? 0) - (data[i + 1] ?? 0))).toBeLessThanOrEqual(1);
    }
  });

  it("has libwebp's colours where they are flat", async () => {
    for (const colour of [
      [255, 0, 0],
      [0, 255, 0],
      [0, 0, 255],
      [255, 255, 255],
      [0, 0, 0],
      [18, 120, 201],
    ]) {
      const data = Uint8Array.from({ length: 40 * 40 * 3 }, (_, i) => colour[i % 3] ?? 0);
      const source: Picture = { width: 40, height: 40, layout: "rgb", data };
      const ours = await decoded(await encode(source, 95), source);
      const theirs = await decoded(await byLibwebp(source, 95), source);
      const most = ours.reduce((worst, value, i) => Math.max(worst, Math.abs(value - (theirs[i] ?? 0))), 0);
      expect(most, colour.join()).toBeLessThanOrEqual(3);
    }
  });
});

describe("quality", () => {
  it("makes larger and better files the higher it is, also of noise", async () => {
    const source = picture("noise", 70, 50);
    let [bytes, ratio] = [0, 0];
    for (let quality = 0; quality <= 100; quality += 10) {
      const file = await encode(source, quality);
      const next = psnr(await decoded(file, source), source.data);
      expect(file.length).toBeGreaterThan(bytes);
      expect(next).toBeGreaterThan(ratio - 0.05);
      [bytes, ratio] = [file.length, next];
    }
  });

  it("sets quantisers around libwebp's, the finer the flatter", async () => {
    for (const [quality, usual] of [
      [50, 38],
      [80, 19],
      [95, 4],
      [100, 0],
    ] as const) {
      const frame = chunksOf(await encode(picture("photo", 20, 20), quality)).get("VP8 ");
      const { quantisers, filters } = frameHeader(frame as Buffer);
      expect(quantisers).toEqual(quantisers.toSorted((a, b) => a - b));
      expect(filters).toEqual(filters.toSorted((a, b) => a - b));
      expect(quantisers[0]).toBeLessThanOrEqual(usual);
      expect(quantisers[3]).toBeGreaterThanOrEqual(usual);
    }
  });
});

describe("what is encoded", () => {
  it("is the same however its rows arrive", async () => {
    const source = picture("photo", 70, 90, "rgba");
    const file = await encode(source, 80);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 90 }), async (batch) => {
        expect(Buffer.compare(await encode(source, 80, newMemory(), batch), file)).toBe(0);
      }),
      { numRuns: 15 },
    );
  });

  it("is a simple file of one chunk without alpha", async () => {
    const chunks = chunksOf(await encode(picture("photo", 33, 18), 80));
    expect([...chunks.keys()]).toEqual(["VP8 "]);
    const header = frameHeader(chunks.get("VP8 ") as Buffer);
    expect(header).toMatchObject({ width: 33, height: 18 });
    expect(header.firstPartitionBytes).toBeLessThan((chunks.get("VP8 ") as Buffer).length - 10);
  });

  it("may be any bytes at all", async () => {
    const layouts = fc.constantFrom<Picture["layout"]>("gray", "gray-alpha", "rgb", "rgba");
    const sides = fc.integer({ min: 1, max: 40 });
    await fc.assert(
      fc.asyncProperty(
        layouts,
        sides,
        sides,
        fc.integer({ min: 0, max: 100 }),
        fc.uint8Array({ minLength: 1, maxLength: 400 }),
        async (layout, width, height, quality, bytes) => {
          const length = width * height * CHANNELS_OF[layout];
          const data = Uint8Array.from({ length }, (_, i) => bytes[(i * 7 + (i >> 5)) % bytes.length] ?? 0);
          const source: Picture = { width, height, layout, data };
          await decoded(await encode(source, quality), source);
        },
      ),
      { numRuns: 150 },
    );
  });
});
