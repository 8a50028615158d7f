import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { encodeJpeg, type JpegOptions } from "../../../../../src/builder/codecs/jpeg/encoder.ts";
import { jpegEncoderPeakBytes } from "../../../../../src/image/formats/jpeg/encoder-memory.ts";
import { CHANNELS_OF } from "../../../../../src/image/memory/rows.ts";
import { newMemory, type Picture, psnr, rowsOf, turn } from "../../../../../scripts/harness/png-rows.ts";

/** Smooth slopes, hard edges and grain. */
function somePicture(width: number, height: number, layout: Picture["layout"], grain = 12): Picture {
  const channels = CHANNELS_OF[layout];
  const data = new Uint8Array(width * height * channels);
  let state = 99;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const x = Math.floor(i / channels) % width;
    const y = Math.floor(i / (channels * width));
    const edge = ((x >> 5) + (y >> 5)) & 1 ? 50 : 0;
    const slope = 60 + edge + 50 * Math.sin(x / 40 + (i % channels)) + 40 * Math.cos(y / 30);
    data[i] = Math.max(0, Math.min(255, slope + grain * (state / 2 ** 32 - 0.5)));
  }
  return { width, height, layout, data };
}

async function encode(
  picture: Picture,
  options: JpegOptions,
  memory = newMemory(4096),
  batch = 7,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of encodeJpeg(memory, rowsOf(picture, batch), options, turn)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** libjpeg-turbo's file of the same picture with the same settings. */
async function theirs(picture: Picture, { quality, chroma }: JpegOptions): Promise<Buffer> {
  const { width, height, layout, data } = picture;
  const image = sharp(data, { raw: { width, height, channels: CHANNELS_OF[layout] as 1 | 3 } });
  const chromaSubsampling = chroma === "420" ? "4:2:0" : "4:4:4";
  if (layout === "gray") image.toColourspace("b-w");
  return image.jpeg({ quality, chromaSubsampling }).toBuffer();
}

const decode = (jpeg: Uint8Array): Promise<Buffer> => sharp(jpeg).raw().toBuffer();

describe("a JPEG variant against libjpeg-turbo's", () => {
  const settings: JpegOptions[] = [
    { quality: 10, chroma: "420" },
    { quality: 50, chroma: "420" },
    { quality: 80, chroma: "420" },
    { quality: 90, chroma: "444" },
    { quality: 100, chroma: "444" },
  ];
  it.each(settings)(
    "at quality $quality, $chroma, has the same samples in as many bytes",
    async (options) => {
      const picture = somePicture(320, 240, "rgb");
      const [ours, other] = [await encode(picture, options), await theirs(picture, options)];
      expect(Buffer.compare(await decode(ours), await decode(other))).toBe(0);
      // Ours has a JFIF segment of 18 bytes, theirs has none.
      expect(Math.abs(ours.length - 18 - other.length) / other.length).toBeLessThan(0.005);
    },
  );

  it("is the same in gray", async () => {
    const picture = somePicture(123, 77, "gray");
    const options = { quality: 75, chroma: "420" } as const;
    const [ours, other] = [await encode(picture, options), await theirs(picture, options)];
    expect((await sharp(ours).metadata()).channels).toBe(1);
    expect(Buffer.compare(await decode(ours), await decode(other))).toBe(0);
  });

  it("is as good at odd sizes", async () => {
    for (let width = 1; width <= 33; width += 4) {
      for (let height = 1; height <= 47; height += 5) {
        for (const chroma of ["420", "444"] as const) {
          const picture = somePicture(width, height, "rgb");
          const ours = await decode(await encode(picture, { quality: 85, chroma }));
          const other = await decode(await theirs(picture, { quality: 85, chroma }));
          expect(ours.length).toBe(other.length);
          const [own, usual] = [psnr(ours, picture.data), psnr(other, picture.data)];
          expect(own, `${width} x ${height} ${chroma}`).toBeGreaterThan(usual - 0.5);
        }
      }
    }
  });
});

describe("what is encoded", () => {
  it.each([
    ["rgba", 4],
    ["gray-alpha", 2],
  ] as const)("is flattened on white from %s", async (layout, channels) => {
    const picture = somePicture(64, 48, layout, 0);
    const opaque: number[] = [];
    for (let i = 0; i < picture.data.length; i += channels) {
      const alpha = picture.data[i + channels - 1] ?? 0;
      for (let c = 0; c < channels - 1; c++) {
        opaque.push(((picture.data[i + c] ?? 0) * alpha + 255 * (255 - alpha)) / 255);
      }
    }
    const jpeg = await encode(picture, { quality: 95, chroma: "444" });
    const image = channels === 2 ? sharp(jpeg).toColourspace("b-w") : sharp(jpeg);
    expect(psnr(await image.raw().toBuffer(), Uint8Array.from(opaque, Math.round))).toBeGreaterThan(40);
  });

  it("is the same however its rows arrive", async () => {
    const picture = somePicture(70, 90, "rgb");
    const jpeg = await encode(picture, { quality: 80, chroma: "420" });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 90 }), async (batch) => {
        const again = await encode(picture, { quality: 80, chroma: "420" }, newMemory(), batch);
        expect(Buffer.compare(again, jpeg)).toBe(0);
      }),
      { numRuns: 20 },
    );
  });

  it("may be noise of any quality", async () => {
    const data = Uint8Array.from(
      { length: 48 * 40 * 3 },
      (_, i) => (Math.imul(i + 1, 2654435761) >>> 13) & 255,
    );
    const picture: Picture = { width: 48, height: 40, layout: "rgb", data };
    for (let quality = 1; quality <= 100; quality += 3) {
      for (const chroma of ["420", "444"] as const) {
        const ours = await decode(await encode(picture, { quality, chroma }));
        const other = await decode(await theirs(picture, { quality, chroma }));
        expect(psnr(ours, picture.data)).toBeGreaterThan(psnr(other, picture.data) - 0.5);
      }
    }
  });

  it("carries JFIF and nothing else", async () => {
    const jpeg = await encode(somePicture(20, 20, "rgb"), { quality: 80, chroma: "420" });
    const markers: number[] = [];
    for (let at = 2; jpeg[at + 1] !== 0xda; at += 2 + jpeg.readUInt16BE(at + 2))
      markers.push(jpeg[at + 1] ?? 0);
    expect(markers).toEqual([0xe0, 0xdb, 0xdb, 0xc0, 0xc4, 0xc4, 0xc4, 0xc4]);
    expect(jpeg.subarray(-2)).toEqual(Buffer.of(0xff, 0xd9));
  });
});

describe("memory", () => {
  it.each([
    [1200, 400, 80, "420", "rgb"],
    [1200, 400, 95, "444", "rgba"],
    [3000, 200, 60, "420", "gray"],
    [40, 4000, 90, "444", "rgb"],
  ] as const)("for %i x %i at %i, %s, %s is as predicted", async (width, height, quality, chroma, layout) => {
    const memory = newMemory();
    await encode(somePicture(width, height, layout), { quality, chroma }, memory);
    const predicted = jpegEncoderPeakBytes(width, height, quality, chroma, layout);
    expect(memory.buffer.byteLength).toBeLessThanOrEqual(predicted);
    expect(predicted - memory.buffer.byteLength).toBeLessThanOrEqual(65_536);
  });

  it("stays so for noise, which is coded in parts with few bytes more", async () => {
    const picture = somePicture(900, 900, "rgb", 255);
    const options = { quality: 75, chroma: "444" } as const;
    const memory = newMemory();
    const [ours, other] = [await encode(picture, options, memory), await theirs(picture, options)];
    expect(memory.buffer.byteLength).toBeLessThanOrEqual(jpegEncoderPeakBytes(900, 900, 75, "444"));
    expect(memory.buffer.byteLength).toBeLessThan(ours.length * 2);
    expect(ours.length).toBeLessThan(other.length * 1.02);
    expect(Buffer.compare(await decode(ours), await decode(other))).toBe(0);
  });

  it("that may not grow, sides that JPEG lacks and CMYK are errors", async () => {
    const options = { quality: 80, chroma: "420" } as const;
    const wide = somePicture(4000, 64, "rgb");
    await expect(encode(wide, options, newMemory(2))).rejects.toMatchObject({ code: "OUT_OF_MEMORY" });
    await expect(encode({ ...wide, width: 70_000 }, options)).rejects.toThrow(RangeError);
    await expect(encode(somePicture(8, 8, "cmyk"), options)).rejects.toThrow(RangeError);
    await expect(encode({ ...somePicture(8, 8, "rgb"), height: 9 }, options)).rejects.toMatchObject({
      code: "TRUNCATED",
    });
  });
});
