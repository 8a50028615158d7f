/**
 * Variants against sharp's own resize (Lanczos 3) of the same master, decoded by sharp. PSNR bounds a format:
 * PNG is lossless, so only the resampler differs; JPEG, WebP and AVIF add their own loss at q 90.
 */
import sharp from "sharp";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { newSpace, upload, variantOf } from "../../../scripts/harness/api.ts";
import { drawingPng, photo, photoJpeg, pixels, psnr } from "../../support/pictures/draw.ts";

const PSNR_MIN_DB = { png: 44, jpeg: 36, webp: 36, avif: 36 } as const;
const FORMATS = ["jpeg", "png", "webp", "avif"] as const;

interface Master {
  file: Buffer;
  id: string;
}

const service = inject("service");
const space = await newSpace(service);

/** Stored once: each is asked for in every format. */
const masters = {} as Record<(typeof FORMATS)[number], Master>;
beforeAll(async () => {
  const files = {
    jpeg: await photoJpeg(1400, 1050),
    png: await drawingPng(800, 600),
    webp: await photo(1000, 700).webp({ quality: 92 }).toBuffer(),
    avif: await photo(900, 700).avif({ quality: 80, effort: 1 }).toBuffer(),
  };
  for (const format of FORMATS)
    masters[format] = { file: files[format], id: (await upload(space, files[format])).id };
});

/** Returns the variant as it should look: upright, flattened on white where the format has no alpha. */
async function expected(master: Buffer, width: number, format: string): Promise<Buffer> {
  const resized = sharp(master).autoOrient().resize(width);
  const ready = format === "jpeg" ? resized.flatten({ background: "#fff" }) : resized;
  return ready.ensureAlpha().raw().toBuffer();
}

/** Returns the pixels as seen on white, because colours under full transparency say nothing. */
function onWhite(data: Buffer): Uint8Array {
  const out = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3]!;
    for (let c = 0; c < 3; c++) out[i + c] = Math.round((data[i + c]! * alpha + 255 * (255 - alpha)) / 255);
    out[i + 3] = alpha;
  }
  return out;
}

async function compare(
  master: Buffer,
  id: string,
  width: number,
  format: (typeof FORMATS)[number],
): Promise<void> {
  const { bytes, type } = await variantOf(space, id, `w=${width}&fm=${format}&q=90`);
  expect(type).toBe(`image/${format}`);
  const got = await pixels(bytes);
  const wanted = await expected(master, width, format);
  expect(got.width).toBe(width);
  expect(psnr(onWhite(got.data), onWhite(wanted))).toBeGreaterThan(PSNR_MIN_DB[format]);
  const metadata = await sharp(bytes).metadata();
  expect(metadata).toMatchObject({ format: format === "avif" ? "heif" : format });
  expect(metadata.exif ?? metadata.icc ?? metadata.xmp).toBeUndefined();
}

describe.each(FORMATS)("%s variants", (format) => {
  it("of a JPEG photo", async () => {
    const { file, id } = masters.jpeg;
    await compare(file, id, 500, format);
  });

  it("of a PNG drawing with transparency", async () => {
    const { file, id } = masters.png;
    await compare(file, id, 500, format);
    const { bytes } = await variantOf(space, id, `w=500&fm=${format}&q=90`);
    expect((await sharp(bytes).metadata()).hasAlpha).toBe(format !== "jpeg");
  });

  it("of a WebP and an AVIF photo", async () => {
    for (const { file, id } of [masters.webp, masters.avif]) await compare(file, id, 500, format);
  });
});

describe("orientation (RULES 9.3)", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("%i is applied", async (orientation) => {
    const master = await photo(700, 600).withMetadata({ orientation }).jpeg({ quality: 92 }).toBuffer();
    await compare(master, (await upload(space, master)).id, 500, "png");
  });
});

describe("quality", () => {
  it("100 is visually lossless in JPEG, WebP and AVIF", async () => {
    const master = await photo(500, 400).png().toBuffer();
    const { id } = await upload(space, master);
    for (const format of ["jpeg", "webp", "avif"] as const) {
      const { bytes } = await variantOf(space, id, `fm=${format}&q=100`);
      expect(psnr((await pixels(bytes)).data, (await pixels(master)).data), format).toBeGreaterThan(42);
    }
  });

  it("grows the file with q", async () => {
    const { id } = await upload(space, await photoJpeg(900, 600, { quality: 98 }));
    for (const format of ["jpeg", "webp", "avif"]) {
      const sizes = [];
      for (const q of [80, 90, 95, 100])
        sizes.push((await variantOf(space, id, `w=500&fm=${format}&q=${q}`)).bytes.length);
      expect(sizes, format).toEqual([...sizes].sort((a, b) => a - b));
      expect(new Set(sizes).size, format).toBe(4);
    }
  });
});
