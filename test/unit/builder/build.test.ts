/** Every pair of formats, against sharp's own resize of the same master. */
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { OUTPUT_FORMATS, type OutputFormat } from "../../../src/image/formats/registry.ts";
import { bitmap, build } from "../../../scripts/harness/builds.ts";
import { cutout, image, photo, type Picture } from "../../../scripts/samples/pictures.ts";
import { psnr, ssim } from "../../../scripts/harness/ssim.ts";

const encode: Record<OutputFormat, (picture: Picture) => Promise<Buffer>> = {
  jpeg: (picture) => image(picture).jpeg({ quality: 95, chromaSubsampling: "4:4:4" }).toBuffer(),
  png: (picture) => image(picture).png().toBuffer(),
  webp: (picture) => image(picture).webp({ quality: 95 }).toBuffer(),
  avif: (picture) => image(picture).avif({ quality: 85, effort: 2 }).toBuffer(),
};

/** The likeness to sharp's resize that q 80 must keep. PNG loses nothing: only the filters differ. */
const LEAST: Record<OutputFormat, { ssim: number; psnr: number }> = {
  jpeg: { ssim: 0.93, psnr: 31 },
  png: { ssim: 0.99, psnr: 38 },
  webp: { ssim: 0.93, psnr: 31 },
  avif: { ssim: 0.93, psnr: 31 },
};

describe("a photograph", () => {
  const masters = {} as Record<OutputFormat, Buffer>;
  beforeAll(async () => {
    const picture = await photo(801, 603);
    for (const format of OUTPUT_FORMATS) masters[format] = await encode[format](picture);
  });

  for (const from of OUTPUT_FORMATS) {
    for (const to of OUTPUT_FORMATS) {
      it(`becomes smaller from ${from} to ${to}`, async () => {
        const { bytes, spec } = await build(masters[from], { width: 500, format: to });
        const read = await sharp(bytes).metadata();
        expect(read).toMatchObject({ width: 500, height: spec.height, hasAlpha: false });
        expect(read.format).toBe(to === "avif" ? "heif" : to);
        expect([read.exif, read.icc, read.xmp]).toEqual([undefined, undefined, undefined]);
        const mine = await bitmap(sharp(bytes), 3);
        const theirs = await bitmap(sharp(masters[from]).resize(500, spec.height, { fit: "fill" }), 3);
        expect(ssim(mine, theirs)).toBeGreaterThan(LEAST[to].ssim);
        expect(psnr(mine, theirs)).toBeGreaterThan(LEAST[to].psnr);
      });
    }

    it(`keeps its size from ${from}`, async () => {
      const { bytes } = await build(masters[from], { format: "png", effort: "quick" });
      const mine = await bitmap(sharp(bytes), 3);
      const theirs = await bitmap(sharp(masters[from]), 3);
      expect(psnr(mine, theirs)).toBeGreaterThan(45);
    });
  }
});

describe("a picture with holes", () => {
  const masters = {} as Record<"png" | "webp" | "avif", Buffer>;
  beforeAll(async () => {
    const picture = await cutout(640, 480);
    for (const format of ["png", "webp", "avif"] as const) masters[format] = await encode[format](picture);
  });

  for (const from of ["png", "webp", "avif"] as const) {
    for (const to of ["png", "webp", "avif"] as const) {
      it(`keeps them from ${from} to ${to}`, async () => {
        const { bytes, spec } = await build(masters[from], { width: 250, format: to });
        expect((await sharp(bytes).metadata()).hasAlpha).toBe(true);
        const mine = await bitmap(sharp(bytes).flatten({ background: "#0f0" }), 3);
        const theirs = await bitmap(
          sharp(masters[from]).resize(250, spec.height, { fit: "fill" }).flatten({ background: "#0f0" }),
          3,
        );
        expect(psnr(mine, theirs)).toBeGreaterThan(29);
      });
    }

    it(`fills them with white from ${from} to JPEG`, async () => {
      const { bytes, spec } = await build(masters[from], { width: 250, format: "jpeg" });
      const mine = await bitmap(sharp(bytes), 3);
      const theirs = await bitmap(
        sharp(masters[from]).resize(250, spec.height, { fit: "fill" }).flatten({ background: "#fff" }),
        3,
      );
      expect(psnr(mine, theirs)).toBeGreaterThan(29);
      const corner = (Math.floor(spec.height * 0.9) * 250 + 240) * 3;
      for (const sample of mine.data.subarray(corner, corner + 3)) expect(sample).toBeGreaterThan(250);
    });
  }
});

describe("odd sizes", () => {
  const sizes: [number, number][] = [
    [1, 1],
    [1, 97],
    [97, 1],
    [3, 5],
    [17, 9],
  ];
  for (const [width, height] of sizes) {
    for (const from of OUTPUT_FORMATS) {
      it(`${width} x ${height} from ${from}`, async () => {
        const data = Buffer.alloc(width * height * 3, 0).fill(Buffer.from([200, 120, 40]));
        const master = await encode[from]({ width, height, channels: 3, data });
        for (const to of OUTPUT_FORMATS) {
          const { bytes } = await build(master, { format: to });
          const mine = await bitmap(sharp(bytes), 3);
          expect([mine.width, mine.height]).toEqual([width, height]);
          const [red, green, blue] = mine.data as unknown as [number, number, number];
          expect(Math.max(Math.abs(red - 200), Math.abs(green - 120), Math.abs(blue - 40))).toBeLessThan(12);
        }
      });
    }
  }
});
