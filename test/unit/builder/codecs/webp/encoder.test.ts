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

describe("chroma of half the resolution", () => {
  const SIDE = 64;
  const colours = (colourAt: (x: number, y: number) => readonly number[]): Picture => {
    const data = new Uint8Array(SIDE * SIDE * 3);
    for (let i = 0; i < SIDE * SIDE; i++) data.set(colourAt(i % SIDE, Math.floor(i / SIDE)), 3 * i);
    return { width: SIDE, height: SIDE, layout: "rgb", data };
  };
  /** Tells where a picture of two colours is red. */
  type Where = (x: number, y: number) => boolean;
  const RED = [200, 70, 60];
  const BLUE = [60, 110, 190];

  it.each<[string, number, Where]>([
    ["columns", 1.5, (x) => x % 4 < 2],
    ["rows", 1.5, (_, y) => y % 4 < 2],
    ["squares", 1.5, (x, y) => x % 4 < 2 === y % 4 < 2],
    ["dots", 0.3, (x, y) => x % 6 < 2 && y % 6 < 2],
  ])("keeps more of the colours of %s of two pixels than libwebp, by %d dB", async (_, by, isRed) => {
    const source = colours((x, y) => (isRed(x, y) ? RED : BLUE));
    const [ours, theirs] = [await encode(source, 95), await byLibwebp(source, 95)];
    const own = psnr(await decoded(ours, source), source.data);
    expect(own).toBeGreaterThan(psnr(await decoded(theirs, source), source.data) + by);
  });

  /** Tells which pixels are in the first of two columns of two pixels. */
  const isFirst: Where = (x) => x % 4 < 2;

  /** Returns how much redder and less blue the first columns are than the second ones, as a mean. */
  async function contrast(file: Buffer, source: Picture): Promise<number> {
    const pixels = await decoded(file, source);
    let sum = 0;
    for (let i = 0; i < SIDE * SIDE; i++) {
      const redder = (pixels[3 * i] ?? 0) - (pixels[3 * i + 2] ?? 0);
      sum += isFirst(i % SIDE, 0) ? redder : -redder;
    }
    return (2 * sum) / (SIDE * SIDE);
  }

  it("is sharpened where colours differ by more than noise", async () => {
    for (const { second, least, most } of [
      { second: [125, 124, 135], least: 0.85, most: 1.15 },
      { second: [105, 136, 165], least: 1.4, most: 2 },
    ]) {
      const source = colours((x, y) => (isFirst(x, y) ? [130, 120, 125] : second));
      const ours = await contrast(await encode(source, 100), source);
      const theirs = await contrast(await byLibwebp(source, 100), source);
      expect(ours / theirs, second.join()).toBeGreaterThan(least);
      expect(ours / theirs, second.join()).toBeLessThan(most);
    }
  });

  it("has no rim along an edge between even colours", async () => {
    const half = SIDE / 2;
    const wheres: Where[] = [(x) => x < half, (_, y) => y < half, (x, y) => x < half && y < half];
    for (const isRed of wheres) {
      const source = colours((x, y) => (isRed(x, y) ? RED : BLUE));
      const pixels = await decoded(await encode(source, 95), source);
      for (let i = 0; i < SIDE * SIDE; i++) {
        const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
        // Interpolation mixes the colours of pixels next to the edge.
        const others = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => isRed(x + dx, y + dy)));
        if (others.some((other) => other !== isRed(x, y))) continue;
        const wanted = isRed(x, y) ? RED : BLUE;
        for (let k = 0; k < 3; k++)
          expect(Math.abs((pixels[3 * i + k] ?? 0) - (wanted[k] ?? 0)), `${x}, ${y}`).toBeLessThanOrEqual(6);
      }
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
