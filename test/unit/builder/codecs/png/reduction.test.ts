import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { newMemory, rowsOf, workspaceIn, type Picture } from "../../../../../scripts/harness/png-rows.ts";
import { encodePng } from "../../../../../src/builder/codecs/png/encoder.ts";
import { PNG_MOST_HELD_PIXELS, pngEncoderPeakBytes } from "../../../../../src/image/formats/png/memory.ts";
import { CHANNELS_OF, type RowLayout } from "../../../../../src/image/memory/rows.ts";

type Colour = readonly [red: number, green: number, blue: number, alpha: number];

async function encode(picture: Picture, memory = newMemory(), batch = 5): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of encodePng(workspaceIn(memory), rowsOf(picture, batch), "thorough"))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}

function paint(
  width: number,
  height: number,
  layout: RowLayout,
  colourAt: (i: number, x: number, y: number) => Colour,
): Picture {
  const channels = CHANNELS_OF[layout];
  const samples = layout.startsWith("gray") ? [0, 3] : [0, 1, 2, 3];
  const data = new Uint8Array(width * height * channels);
  for (let i = 0; i < width * height; i++) {
    const colour = colourAt(i, i % width, Math.floor(i / width));
    for (let c = 0; c < channels; c++) data[i * channels + c] = colour[samples[c]!]!;
  }
  return { width, height, layout, data };
}

/** Decodes by libpng, as RGBA, and returns the form that IHDR names too. */
async function read(png: Buffer): Promise<{ pixels: Buffer; depth: number; type: number }> {
  const pixels = await sharp(png).toColourspace("srgb").ensureAlpha().raw().toBuffer();
  return { pixels, depth: png[24]!, type: png[25]! };
}

function rgba(picture: Picture): Buffer {
  const channels = CHANNELS_OF[picture.layout];
  const out = Buffer.alloc(picture.width * picture.height * 4, 255);
  for (let i = 0; i < picture.width * picture.height; i++) {
    const pixel = picture.data.subarray(i * channels, (i + 1) * channels);
    const isGrey = channels < 3;
    out[4 * i] = pixel[0]!;
    out[4 * i + 1] = pixel[isGrey ? 0 : 1]!;
    out[4 * i + 2] = pixel[isGrey ? 0 : 2]!;
    if (channels % 2 === 0) out[4 * i + 3] = pixel[channels - 1]!;
  }
  return out;
}

const grey = (level: number): Colour => [level, level, level, 255];
/** Returns the colour of number `n` among 16 million, none of them grey but the first. */
const distinct = (n: number): Colour => [n & 255, (n >> 8) & 255, n === 0 ? 0 : 77, 255];
const GREY = 0;
const TRUECOLOUR = 2;
const PALETTE = 3;
const WITH_ALPHA = 6;

describe("a PNG variant of few colours", () => {
  it.each<[string, RowLayout, (i: number) => Colour, number, number]>([
    ["black and white", "rgb", (i) => grey(i % 3 ? 0 : 255), GREY, 1],
    ["black and white as grey", "gray", (i) => grey(i % 3 ? 0 : 255), GREY, 1],
    ["four even grey levels", "rgba", (i) => grey(85 * (i % 4)), GREY, 2],
    ["sixteen even grey levels", "gray", (i) => grey(17 * (i % 16)), GREY, 4],
    ["all grey levels", "rgb", (i) => grey(i % 256), GREY, 8],
    ["three uneven grey levels", "rgb", (i) => grey(50 * (i % 3)), PALETTE, 2],
    ["two colours", "rgb", (i) => distinct(1 + (i % 2)), PALETTE, 1],
    ["four colours", "rgb", (i) => distinct(i % 4), PALETTE, 2],
    ["five colours", "rgb", (i) => distinct(i % 5), PALETTE, 4],
    ["sixteen colours", "rgba", (i) => distinct(i % 16), PALETTE, 4],
    ["seventeen colours", "rgb", (i) => distinct(i % 17), PALETTE, 8],
    ["256 colours", "rgb", (i) => distinct(i % 256), PALETTE, 8],
    ["257 colours", "rgb", (i) => distinct(i % 257), TRUECOLOUR, 8],
    ["a soft edge", "rgba", (i) => [200, 10, 30, i % 256], PALETTE, 8],
    ["a soft grey edge", "gray-alpha", (i) => [90, 90, 90, i % 9], PALETTE, 4],
    ["a soft edge of two colours", "rgba", (i) => [200, (i >> 8) & 1, 30, i % 256], WITH_ALPHA, 8],
  ])("%s (%s)", async (_name, layout, colourAt, type, depth) => {
    // So large that a palette is short beside the pixels.
    for (const [width, height] of [
      [337, 629],
      [3001, 71],
    ] as const) {
      const picture = paint(width, height, layout, colourAt);
      const found = await read(await encode(picture));
      expect([found.type, found.depth]).toEqual([type, depth]);
      expect(Buffer.compare(found.pixels, rgba(picture))).toBe(0);
    }
  });

  it("keeps its pixels wherever the colour that exceeds the palette comes, and however its rows arrive", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 400 }),
        fc.constantFrom<RowLayout>("gray", "gray-alpha", "rgb", "rgba"),
        fc.integer({ min: 1, max: 40 }),
        async (width, height, colours, layout, batch) => {
          const picture = paint(width, height, layout, (i) => {
            const n = Math.floor((i * colours) / (width * height));
            return [n & 255, (n * 7) & 255, n >> 8, layout === "rgba" ? 255 - (n & 3) : 255 - (n >> 8)];
          });
          const { pixels } = await read(await encode(picture, newMemory(), batch));
          expect(Buffer.compare(pixels, rgba(picture))).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("lists the colours with alpha first, so that tRNS is short", async () => {
    const picture = paint(500, 400, "rgba", (i) => (i === 399 ? [1, 2, 3, 0] : distinct(i % 20)));
    const png = await encode(picture);
    const at = png.indexOf("tRNS");
    expect(png.readUInt32BE(at - 4)).toBe(1);
    expect(Buffer.compare((await read(png)).pixels, rgba(picture))).toBe(0);
  });

  it.each<[string, RowLayout, (i: number, x: number, y: number) => Colour, number]>([
    [
      "no palette where filtered rows take less than its entries",
      "rgb",
      (_i, x) => [x, 255 - x, 100, 255],
      TRUECOLOUR,
    ],
    ["no palette where its alpha takes more", "rgba", (_i, x, y) => [x, x, x, 255 - (y & 1)], WITH_ALPHA],
    ["a palette where matches are few", "rgb", (i) => distinct(((i * i * 31 + i * 7) >> 3) % 97), PALETTE],
  ])("of few pixels gets %s", async (_name, layout, colourAt, type) => {
    const picture = paint(201, 101, layout, colourAt);
    const png = await encode(picture, newMemory(), 9);
    const found = await read(png);
    expect(found.type).toBe(type);
    expect(Buffer.compare(found.pixels, rgba(picture))).toBe(0);
    if (type !== PALETTE) expect(png.length).toBeLessThan(600);
  });

  it("lists dark colours first, and filters their places where that makes fewer bytes", async () => {
    const picture = paint(400, 300, "rgb", (_i, x, y) => {
      const level = Math.min(254, Math.floor((x * x + y * 91) / 750));
      return [level, level, level ^ 1, 255];
    });
    const png = await encode(picture);
    const found = await read(png);
    expect([found.type, found.depth]).toEqual([PALETTE, 8]);
    expect(Buffer.compare(found.pixels, rgba(picture))).toBe(0);
    const entries = png.subarray(png.indexOf("PLTE") + 4);
    for (let i = 1; i < 200; i++) expect(entries[3 * i]!).toBeGreaterThanOrEqual(entries[3 * i - 3]!);
    const raw = { width: 400, height: 300, channels: 3 as const };
    const unfiltered = sharp(picture.data, { raw }).png({ palette: true, effort: 10, compressionLevel: 9 });
    expect(png.length).toBeLessThan(0.8 * (await unfiltered.toBuffer()).length);
  });

  it("gets a palette up to the largest size that is held, and none with one more row", async () => {
    const width = 2048;
    const height = PNG_MOST_HELD_PIXELS / width;
    const held = paint(width, height, "rgb", () => [1, 2, 3, 255]);
    expect((await read(await encode(held, newMemory(), 64))).type).toBe(PALETTE);
    const more = paint(width, height + 1, "rgb", () => [1, 2, 3, 255]);
    expect((await read(await encode(more, newMemory(), 64))).type).toBe(TRUECOLOUR);
  });

  it("takes the memory that was planned", async () => {
    const memory = newMemory();
    const picture = paint(1000, 700, "rgb", (i) => distinct(i % 9));
    let counted = 0;
    const workspace = { ...workspaceIn(memory), counted: (bytes: number) => (counted = bytes) };
    let fileBytes = 0;
    for await (const chunk of encodePng(workspace, rowsOf(picture, 9), "thorough")) fileBytes += chunk.length;
    expect(fileBytes).toBeGreaterThan(0);
    expect(counted).toBe(pngEncoderPeakBytes(picture));
  });
});
