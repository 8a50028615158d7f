/** Embedded profiles in every format that can carry one, against the conversion of libvips and Little CMS. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bitmap, build } from "../../../../scripts/harness/builds.ts";
import { colourDistance } from "../../../support/pictures/ciede2000.ts";
import { cutout, image, photo, type Picture } from "../../../../scripts/samples/pictures.ts";
import {
  adobeRgb,
  grayDots,
  grayGamma,
  intoJpeg,
  intoPng,
  proPhoto,
  TABLES,
} from "../../../../scripts/samples/colour/profiles.ts";
import { encodeLibaom } from "../../../../scripts/samples/avif/libaom.ts";
import { box, codedPicture, heif, property } from "../../../../scripts/samples/probe/avif.ts";
import { probe } from "../../../../scripts/harness/probe-run.ts";
import { ofRing } from "../../../support/ring.ts";

const folder = mkdtempSync(join(tmpdir(), "profiles-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function onDisk(name: string, icc: Buffer): string {
  const path = join(folder, `${name}.icc`);
  writeFileSync(path, icc);
  return path;
}

/** Returns sharp's picture of `file` at this size, in sRGB. */
const reference = (file: Buffer, width: number, height: number, channels: 3 | 4) =>
  bitmap(sharp(file).resize(width, height, { fit: "fill" }), channels);

/** Builds a PNG of the master, and holds its colours to sharp's. */
async function expectColours(master: Buffer, width: number, channels: 3 | 4 = 3, limit = 1) {
  const { bytes, spec, masterFacts } = await build(master, { width, format: "png", effort: "quick" });
  expect(masterFacts.profile).toBe("icc");
  expect((await sharp(bytes).metadata()).icc).toBeUndefined();
  const mine = await bitmap(sharp(bytes), channels);
  const { mean } = colourDistance(mine, await reference(master, spec.width, spec.height, channels));
  expect(mean).toBeLessThan(limit);
  return mean;
}

const SPACES = {
  "Display P3": "p3",
  "Adobe RGB": onDisk("adobe", adobeRgb),
  ProPhoto: onDisk("prophoto", proPhoto),
};

const TABLES_OF_RGB = Object.entries(TABLES).filter(([name]) => !name.includes("CMYK"));

const ENCODE: Record<string, (picture: Sharp) => Sharp> = {
  jpeg: (picture) => picture.jpeg({ quality: 95, chromaSubsampling: "4:4:4" }),
  "progressive jpeg": (picture) => picture.jpeg({ quality: 95, progressive: true }),
  png: (picture) => picture.png(),
  "interlaced png": (picture) => picture.png({ progressive: true }),
  "palette png": (picture) => picture.png({ palette: true, dither: 0, effort: 1 }),
  webp: (picture) => picture.webp({ quality: 95 }),
  "lossless webp": (picture) => picture.webp({ lossless: true, effort: 0 }),
  avif: (picture) => picture.avif({ quality: 90, effort: 1 }),
};

describe("a photograph", () => {
  let picture: Picture;
  beforeAll(async () => {
    picture = await photo(400, 300);
  });

  for (const [space, icc] of Object.entries(SPACES)) {
    for (const [format, encode] of ofRing(Object.entries(ENCODE), 4)) {
      it(`in ${space} is converted from ${format}`, async () => {
        const master = await encode(image(picture).withIccProfile(icc)).toBuffer();
        await expectColours(master, 188);
        await expectColours(master, 400);
      });
    }
  }

  it("would be off without the conversion", async () => {
    const master = await image(picture).withIccProfile("p3").png().toBuffer();
    const { data, info } = await sharp(master, { ignoreIcc: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const raw = { width: info.width, height: info.height, channels: 3 as const, data };
    expect(colourDistance(raw, await reference(master, 400, 300, 3)).mean).toBeGreaterThan(2);
  });

  // sharp leaves the profile of deep pictures unread: their sources are the measure.
  const DEEP: Record<string, (picture: Sharp) => Sharp> = {
    "16-bit png": (picture) => picture.toColourspace("rgb16").png(),
    "10-bit avif": (picture) => picture.avif({ quality: 90, effort: 1, bitdepth: 10 }),
    "12-bit avif": (picture) => picture.avif({ quality: 90, effort: 1, bitdepth: 12 }),
  };
  const deep = Object.entries(SPACES).flatMap(([space, icc]) =>
    Object.entries(DEEP).map(([format, encode]) => ({ space, icc, format, encode })),
  );
  for (const { space, icc, format, encode } of ofRing(deep, 4)) {
    it(`in ${space} is converted from ${format}`, async () => {
      const picture = await photo(640, 480);
      const master = await encode(image(picture).withIccProfile(icc)).toBuffer();
      const { bytes, spec, masterFacts } = await build(master, {
        width: 300,
        format: "png",
        effort: "quick",
      });
      expect(masterFacts).toMatchObject({ profile: "icc", bitDepth: Number(/\d+/.exec(format)?.[0]) });
      const theirs = await reference(await image(picture).png().toBuffer(), 300, spec.height, 3);
      expect(colourDistance(await bitmap(sharp(bytes), 3), theirs).mean).toBeLessThan(1);
    });
  }

  for (const format of ["jpeg", "webp", "avif"] as const) {
    it(`in Display P3 becomes ${format}`, async () => {
      const master = await image(picture).withIccProfile("p3").jpeg({ quality: 95 }).toBuffer();
      const { bytes, spec } = await build(master, { width: 250, format, quality: 90 });
      expect((await sharp(bytes).metadata()).icc).toBeUndefined();
      const mine = await bitmap(sharp(bytes), 3);
      expect(colourDistance(mine, await reference(master, 250, spec.height, 3)).mean).toBeLessThan(2);
    });
  }

  for (const [name, icc] of ofRing(TABLES_OF_RGB, 3)) {
    it(`with a table is converted: ${name}`, async () => {
      await expectColours(intoPng(await image(picture).png().toBuffer(), icc), 200);
    });
  }
});

describe("a picture with holes", () => {
  for (const format of ["png", "webp", "avif"]) {
    it(`keeps its alpha and has its colours converted from ${format}`, async () => {
      const encode = ENCODE[format] as (picture: Sharp) => Sharp;
      const master = await encode(image(await cutout(400, 300)).withIccProfile("p3")).toBuffer();
      const { bytes } = await build(master, { format: "png", effort: "quick" });
      const mine = await bitmap(sharp(bytes).flatten({ background: "#fff" }), 3);
      const theirs = await bitmap(sharp(master).flatten({ background: "#fff" }), 3);
      expect(colourDistance(mine, theirs).mean).toBeLessThan(1);
      const alpha = (file: Buffer) => sharp(file).extractChannel("alpha").raw().toBuffer();
      if (format !== "avif") expect(await alpha(bytes)).toEqual(await alpha(master));
    });
  }
});

describe("a gray photograph", () => {
  for (const [name, icc] of Object.entries({ gamma: grayGamma, dots: grayDots })) {
    for (const format of ["jpeg", "png"]) {
      it(`with a gray profile is converted from ${format}: ${name}`, async () => {
        const gray = image(await photo(400, 300)).toColourspace("b-w");
        const plain = await (format === "png" ? gray.png() : gray.jpeg({ quality: 95 })).toBuffer();
        const master = format === "png" ? intoPng(plain, icc) : intoJpeg(plain, icc);
        expect((await sharp(master).metadata()).channels).toBe(1);
        const mean = await expectColours(master, 200);
        const { bytes } = await build(plain, { width: 200, format: "png", effort: "quick" });
        const untouched = await bitmap(sharp(bytes), 3);
        expect(colourDistance(untouched, await reference(master, 200, 150, 3)).mean).toBeGreaterThan(
          3 + mean,
        );
      });
    }
  }

  /**
   * Returns the same gray in three channels, to which lcms applies the profile. libvips ignores it in the gray file.
   */
  const inColours = async (plain: Buffer, icc: Buffer): Promise<Buffer> => {
    const { data, info } = await sharp(plain)
      .toColourspace("srgb")
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    return intoPng(
      await sharp(data, { raw: { width, height, channels } }).removeAlpha().png().toBuffer(),
      icc,
    );
  };
  for (const [name, icc] of Object.entries({ proPhoto, "lut16, RGB": TABLES["lut16, RGB"] })) {
    it(`with a profile of RGB is converted from JPEG and AVIF, as in browsers: ${name}`, async () => {
      const gray = image(await photo(400, 300)).toColourspace("b-w");
      const jpeg = await gray.clone().jpeg({ quality: 95 }).toBuffer();
      const rgba = await sharp(jpeg).toColourspace("srgb").ensureAlpha().raw().toBuffer();
      const { av1C, data } = codedPicture(encodeLibaom(rgba, 400, 300, { quality: 90, subsample: 0 }));
      const properties = [property.ispe(400, 300), av1C, property.pixi(8)];
      const plainAvif = heif([{ type: "av01", properties, data }]);
      const avif = heif([{ type: "av01", properties: [...properties, box("colr", "prof", icc)], data }]);
      for (const [plain, master] of [
        [jpeg, intoJpeg(jpeg, icc)],
        [await sharp(plainAvif).png().toBuffer(), avif],
      ] as const) {
        expect(probe(master).colour).toBe("gray");
        const { bytes } = await build(master, { width: 400, format: "png", effort: "quick" });
        const expected = await bitmap(sharp(await inColours(plain, icc)).toColourspace("srgb"), 3);
        expect(colourDistance(await bitmap(sharp(bytes), 3), expected).mean).toBeLessThan(1);
        expect(colourDistance(await bitmap(sharp(plain), 3), expected).mean).toBeGreaterThan(1.5);
      }
    });
  }

  it("with alpha keeps it", async () => {
    const plain = await image(await cutout(400, 300))
      .toColourspace("b-w")
      .png()
      .toBuffer();
    expect((await sharp(plain).metadata()).channels).toBe(2);
    await expectColours(intoPng(plain, grayGamma), 200, 4);
  });
});

describe("CMYK", () => {
  const press = async () =>
    image(await photo(400, 300))
      .toColourspace("cmyk")
      .jpeg({ quality: 95 })
      .toBuffer();

  it("with the profile of libvips is converted", async () => {
    const ofPress = image(await photo(400, 300))
      .toColourspace("cmyk")
      .withIccProfile("cmyk");
    await expectColours(await ofPress.jpeg({ quality: 95 }).toBuffer(), 200);
  });

  for (const [name, icc] of Object.entries(TABLES).filter(([name]) => name.includes("CMYK"))) {
    it(`is converted: ${name}`, async () => {
      await expectColours(intoJpeg(await press(), icc), 200);
    });
  }

  it("without a profile is near what libvips takes it for", async () => {
    const master = await press();
    const { bytes, spec, masterFacts } = await build(master, { width: 200, format: "png", effort: "quick" });
    expect(masterFacts).toMatchObject({ colour: "cmyk", profile: "none" });
    const theirs = await reference(master, 200, spec.height, 3);
    expect(colourDistance(await bitmap(sharp(bytes), 3), theirs).mean).toBeLessThan(2);
  });
});
