/** JPEG files of our own encoder, as sharp reads them. */
import fc from "fast-check";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { type JpegOptions } from "../../../../../src/builder/codecs/jpeg/encoder.ts";
import { CHANNELS_OF } from "../../../../../src/image/memory/rows.ts";
import { newMemory, type Picture, psnr } from "../../../../../scripts/harness/png-rows.ts";
import {
  somePicture,
  encode,
  GOOD,
  decode,
  segmentsOf,
  markersOf,
} from "../../../../support/pictures/jpeg-encoding.ts";

const FINEST: JpegOptions = { scale: 0.01, chroma: "444" };

const imageOf = ({ width, height, layout, data }: Picture): Sharp =>
  sharp(data, { raw: { width, height, channels: CHANNELS_OF[layout] as 1 | 3 } });

const isHalved = (jpeg: Buffer): boolean =>
  segmentsOf(jpeg).find(({ marker }) => marker === 0xc0 || marker === 0xc2)?.content[7] === 0x22;

describe("a JPEG variant", () => {
  it("is smaller than libjpeg-turbo's of the same noise, and than mozjpeg's", async () => {
    const picture = somePicture(640, 480, "rgb");
    const ours = await encode(picture, GOOD);
    const noise = psnr(await decode(ours), picture.data);
    for (const mozjpeg of [false, true]) {
      const at = async (quality: number) => imageOf(picture).jpeg({ quality, mozjpeg }).toBuffer();
      let quality = 100;
      while (psnr(await decode(await at(quality)), picture.data) > noise) quality--;
      expect(ours.length).toBeLessThan((await at(quality + 1)).length);
    }
  });

  it.each([
    [GOOD, 30],
    [{ scale: 0.5, chroma: "444" }, 30],
    [{ scale: 0.1, chroma: "444" }, 38],
    [FINEST, 45],
  ] as const)("at %o has the picture", async (options, least) => {
    for (const layout of ["rgb", "gray"] as const) {
      const picture = somePicture(320, 240, layout);
      const jpeg = await encode(picture, options);
      const image = layout === "gray" ? sharp(jpeg).toColourspace("b-w") : sharp(jpeg);
      expect(psnr(await image.raw().toBuffer(), picture.data)).toBeGreaterThan(least);
    }
  });

  it("is as good at odd sizes", async () => {
    for (let width = 1; width <= 33; width += 4) {
      for (let height = 1; height <= 47; height += 5) {
        for (const chroma of ["420", "444"] as const) {
          const picture = somePicture(width, height, "rgb");
          const ours = await decode(await encode(picture, { scale: 0.2, chroma }));
          expect(ours.length).toBe(picture.data.length);
          expect(psnr(ours, picture.data), `${width} x ${height} ${chroma}`).toBeGreaterThan(31);
        }
      }
    }
  });

  it("is the same picture progressive and sequential", async () => {
    for (const [width, height] of [
      [333, 271],
      [16, 16],
      [17, 40],
    ] as const) {
      for (const [layout, chroma] of [
        ["rgb", "420"],
        ["rgb", "444"],
        ["gray", "420"],
      ] as const) {
        const picture = somePicture(width, height, layout, 200);
        const progressive = await encode(picture, { scale: 0.4, chroma });
        const sequential = await encode(picture, { scale: 0.4, chroma, mostTokenBytes: 0 });
        expect(markersOf(progressive)).toContain(0xc2);
        if (width > 300) expect(markersOf(sequential)).toContain(0xc0);
        expect(psnr(await decode(progressive), await decode(sequential))).toBe(Infinity);
      }
    }
  });
});

describe("colour", () => {
  const chroma = { mostLost: 12 } as const;
  /** Red and blue in stripes of one pixel lose everything when chroma is halved. */
  const stripes: Picture = {
    width: 96,
    height: 80,
    layout: "rgb",
    data: Uint8Array.from({ length: 96 * 80 * 3 }, (_, i) =>
      (Math.floor(i / 3) & 1) * 2 === i % 3 ? 230 : 20,
    ),
  };

  it("is halved if that loses little, and kept if it loses much", async () => {
    expect(isHalved(await encode(somePicture(96, 80, "rgb", 4), { scale: 0.5, chroma }))).toBe(true);
    const jpeg = await encode(stripes, { scale: 0.2, chroma });
    expect(isHalved(jpeg)).toBe(false);
    expect(psnr(await decode(jpeg), stripes.data)).toBeGreaterThan(30);
  });

  it("that is halved leaves edges of saturated colours as bright as they were", async () => {
    const [width, height] = [96, 80];
    const isRed = (i: number): boolean => ((i % width) + Math.floor(i / width)) % 11 < 5;
    const data = Uint8Array.from({ length: width * height * 3 }, (_, i) =>
      isRed(Math.floor(i / 3)) ? [200, 30, 40][i % 3]! : 110,
    );
    const picture: Picture = { width, height, layout: "rgb", data };
    const brightness = (pixels: Uint8Array, i: number): number =>
      [0.2126, 0.7152, 0.0722].reduce((sum, share, c) => sum + share * (pixels[3 * i + c]! / 255) ** 2.2, 0);
    const lost = async (file: Uint8Array): Promise<number> => {
      const shown = await decode(file);
      let sum = 0;
      for (let i = 0; i < width * height; i++) sum += Math.abs(brightness(shown, i) - brightness(data, i));
      return sum / (width * height);
    };
    const ours = await lost(await encode(picture, { scale: 0.1, chroma: "420" }));
    const plain = await imageOf(picture).jpeg({ quality: 95, chromaSubsampling: "4:2:0" }).toBuffer();
    expect(ours).toBeLessThan(0.5 * (await lost(plain)));
  });

  it("gives the file that the choice itself would give", async () => {
    const kept = await encode(stripes, { scale: 0.5, chroma });
    expect(Buffer.compare(kept, await encode(stripes, { scale: 0.5, chroma: "444" }))).toBe(0);
    const picture = somePicture(96, 80, "rgb", 4);
    const halved = await encode(picture, { scale: 0.5, chroma });
    expect(Buffer.compare(halved, await encode(picture, GOOD))).toBe(0);
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
    const jpeg = await encode(picture, { scale: 0.1, chroma: "444" });
    const image = channels === 2 ? sharp(jpeg).toColourspace("b-w") : sharp(jpeg);
    expect(psnr(await image.raw().toBuffer(), Uint8Array.from(opaque, Math.round))).toBeGreaterThan(38);
  });

  it("is the same however its rows arrive", async () => {
    const picture = somePicture(70, 90, "rgb");
    const jpeg = await encode(picture, GOOD);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 90 }), async (batch) => {
        expect(Buffer.compare(await encode(picture, GOOD, newMemory(), batch), jpeg)).toBe(0);
      }),
      { numRuns: 20 },
    );
  });

  it("may be anything: noise, flat areas, lines of one pixel, saturated colours", async () => {
    const fill: Record<string, (x: number, y: number, c: number) => number> = {
      noise: (x, y, c) => (Math.imul(x + 61 * y + 7 * c + 1, 2654435761) >>> 13) & 255,
      extremes: (x, y, c) => (Math.imul(x + 61 * y + 7 * c + 1, 2654435761) & 4096 ? 255 : 0),
      black: () => 0,
      white: () => 255,
      lines: (x) => (x % 5 === 0 ? 255 : 0),
      "rows of lines": (_x, y) => (y % 2 === 0 ? 255 : 0),
      red: (_x, _y, c) => (c === 0 ? 255 : 0),
      blue: (x, _y, c) => (c === 2 ? (x < 20 ? 255 : 128) : 0),
    };
    for (const [name, value] of Object.entries(fill)) {
      const [width, height] = [45, 37];
      const data = Uint8Array.from({ length: width * height * 3 }, (_, i) => {
        const pixel = Math.floor(i / 3);
        return value(pixel % width, Math.floor(pixel / width), i % 3);
      });
      const picture: Picture = { width, height, layout: "rgb", data };
      for (const scale of [4, 1, 0.5, 0.1, 0.01]) {
        for (const chroma of ["420", "444"] as const) {
          const ours = await decode(await encode(picture, { scale, chroma }));
          expect(ours.length, name).toBe(data.length);
          if (scale === 0.01 && chroma === "444") expect(psnr(ours, data), name).toBeGreaterThan(40);
        }
      }
    }
  });

  it("has no metadata", async () => {
    const jpeg = await encode(somePicture(20, 20, "rgb"), GOOD);
    expect(new Set(markersOf(jpeg))).toEqual(new Set([0xdb, 0xc2, 0xc4, 0xda]));
    expect(jpeg.subarray(-2)).toEqual(Buffer.of(0xff, 0xd9));
  });
});
