import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { encodePng } from "../../../../../src/builder/codecs/png/encoder.ts";
import type { PngEffort } from "../../../../../src/image/formats/png/encoder-options.ts";
import { pngEncoderPeakBytes } from "../../../../../src/image/formats/png/memory.ts";
import { CHANNELS_OF } from "../../../../../src/image/memory/rows.ts";
import { madePicture } from "../../../../../scripts/bench/bytes/made-pictures.ts";
import {
  decodeWhole,
  newMemory,
  type Picture,
  rowsOf,
  workspaceIn,
} from "../../../../../scripts/harness/png-rows.ts";

const LAYOUTS = ["gray", "gray-alpha", "rgb", "rgba"] as const;

function somePicture(width: number, height: number, layout: Picture["layout"]): Picture {
  const channels = CHANNELS_OF[layout];
  const data = new Uint8Array(width * height * channels);
  let state = 7;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const y = Math.floor(i / (width * channels));
    // Flat, sloped and noisy parts: each filter is the best somewhere.
    data[i] = y % 8 < 3 ? y * 3 + (i % channels) * 40 : (i >> 2) + (state >>> 29);
  }
  return { width, height, layout, data };
}

async function encode(
  picture: Picture,
  memory = newMemory(),
  batch = 7,
  effort: PngEffort = "thorough",
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of encodePng(workspaceIn(memory), rowsOf(picture, batch), effort))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns the bytes of the smallest file that sharp makes of an opaque picture of more than 256 colours. */
async function smallestBySharp({ width, height, data }: Picture): Promise<number> {
  const theirs = [false, true].map((adaptiveFiltering) =>
    sharp(data, { raw: { width, height, channels: 3 } })
      .png({ compressionLevel: 9, adaptiveFiltering })
      .toBuffer(),
  );
  return Math.min(...(await Promise.all(theirs)).map(({ length }) => length));
}

describe("a PNG variant", () => {
  const cases = LAYOUTS.flatMap((layout) =>
    (["quick", "thorough"] as const).map((effort) => [layout, effort] as const),
  );
  it.each(cases)("of %s, %s, is read by libpng and by our own decoder as it was", async (layout, effort) => {
    for (const [width, height] of [
      [33, 47],
      [300, 200],
    ] as const) {
      const picture = somePicture(width, height, layout);
      const png = await encode(picture, newMemory(), 7, effort);
      const own = await decodeWhole(png);
      expect(own.layout).toBe(layout);
      expect(Buffer.compare(own.data, picture.data)).toBe(0);
      const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
      expect([info.width, info.height]).toEqual([width, height]);
      if (layout.startsWith("rgb")) expect(Buffer.compare(data, picture.data)).toBe(0);
    }
  });

  it("states sRGB and has no other metadata", async () => {
    const png = await encode(somePicture(40, 40, "rgb"));
    const types: string[] = [];
    for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
      types.push(png.toString("latin1", at + 4, at + 8));
    }
    expect(types).toEqual(["IHDR", "sRGB", "IDAT", "IEND"]);
  });

  it("is no larger than libpng makes it with the same choice of filters", async () => {
    const picture = somePicture(400, 300, "rgb");
    const raw = { width: 400, height: 300, channels: 3 as const };
    const theirs = await sharp(picture.data, { raw }).png({ adaptiveFiltering: true }).toBuffer();
    expect((await encode(picture)).length).toBeLessThan(theirs.length * 1.05);
  });

  it.each(["drawing", "screenshot", "gradient"] as const)(
    "is no larger than the smallest that sharp makes of a %s",
    async (kind) => {
      const master = await madePicture(kind);
      const { data, info } = await sharp(master).resize(500).raw().toBuffer({ resolveWithObject: true });
      const { width, height } = info;
      const png = await encode({ width, height, layout: "rgb", data }, newMemory(), 64);
      expect(Buffer.compare(await sharp(png).raw().toBuffer(), data)).toBe(0);
      const smallest = await smallestBySharp({ width, height, layout: "rgb", data });
      expect(png.length).toBeLessThanOrEqual(smallest);
      if (kind === "gradient") return;
      // In one pass, the chains find nearly as much; but not the matches of a gradient, whose bytes are all alike.
      const quick = await encode({ width, height, layout: "rgb", data }, newMemory(), 64, "quick");
      expect(quick.length).toBeLessThanOrEqual(smallest * 1.02);
    },
  );

  it.each([236, 500])(
    "is no larger than the smallest that sharp makes of a heat map %i wide",
    async (width) => {
      // Its first rows are white, and have few colours: how they are filtered says nothing of the others.
      const cells = Array.from(
        { length: 400 },
        (_, i) =>
          `<rect x="${20 + (i % 20) * 18}" y="${10 + Math.floor(i / 20) * 14}" width="17" height="13" fill="hsl(${(i * i * 53 + i * 29) % 240} 80% 50%)"/>`,
      );
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="3200" height="2400" viewBox="0 0 400 300"><rect width="400" height="300" fill="#fff"/>${cells.join("")}</svg>`;
      const drawn = sharp(Buffer.from(svg)).removeAlpha().resize(width);
      const { data, info } = await drawn.raw().toBuffer({ resolveWithObject: true });
      const picture: Picture = { width, height: info.height, layout: "rgb", data };
      const smallest = await smallestBySharp(picture);
      expect((await encode(picture, newMemory(), 64)).length).toBeLessThanOrEqual(smallest);
    },
  );

  it("is the same however its rows arrive", async () => {
    // The first rows have few colours, and are held; later ones change from flat to noisy.
    const picture = somePicture(150, 260, "rgba");
    picture.data.fill(200, 0, 20 * 150 * 4);
    const png = await encode(picture);
    expect(Buffer.compare((await decodeWhole(png)).data, picture.data)).toBe(0);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 260 }), async (batch) => {
        expect(Buffer.compare(await encode(picture, newMemory(), batch), png)).toBe(0);
      }),
      { numRuns: 15 },
    );
  });

  it("takes the memory that was predicted", async () => {
    for (const layout of LAYOUTS) {
      const memory = newMemory();
      const picture = somePicture(5000, 30, layout);
      await encode(picture, memory, 7, layout === "rgb" ? "quick" : "thorough");
      const predicted = pngEncoderPeakBytes(picture);
      expect(memory.buffer.byteLength).toBeLessThanOrEqual(predicted);
      expect(predicted - memory.buffer.byteLength).toBeLessThanOrEqual(65_536);
    }
  });

  it("fails by name without memory, without rows and for CMYK", async () => {
    const picture = somePicture(30_000, 4, "rgba");
    await expect(encode(picture, newMemory(2))).rejects.toMatchObject({ code: "OUT_OF_MEMORY" });
    const short = { ...somePicture(10, 10, "rgb"), height: 11 };
    await expect(encode(short)).rejects.toMatchObject({ code: "TRUNCATED" });
    await expect(encode(somePicture(4, 4, "cmyk"))).rejects.toThrow(RangeError);
  });
});
