/** Profiles in pieces, profiles that say nothing new, and profiles that are not for their picture. */
import { beforeAll, describe, expect, it } from "vitest";
import { conversionFor } from "../../../../src/builder/colour/conversion.ts";
import { readProfile } from "../../../../src/image/colour/icc-profile.ts";
import { build } from "../../../../scripts/harness/builds.ts";
import { profile } from "../../../../scripts/samples/colour/icc-writer.ts";
import { image, photo } from "../../../../scripts/samples/pictures.ts";
import {
  adobeRgb,
  grayGamma,
  intoJpeg,
  intoPng,
  proPhoto,
  srgbV2,
  srgbV4,
  TABLES,
} from "../../../../scripts/samples/colour/profiles.ts";

let jpeg: Buffer;
let png: Buffer;
beforeAll(async () => {
  const picture = image(await photo(96, 72));
  jpeg = await picture.jpeg({ quality: 90 }).toBuffer();
  png = await picture.png().toBuffer();
});

const built = async (file: Buffer) => (await build(file, { format: "png" })).bytes;
const meant = (icc: Buffer) => readProfile(Uint8Array.from(icc), 3);

describe("the parts of a JPEG's profile", () => {
  it("are put together by their numbers", async () => {
    const whole = await built(intoJpeg(jpeg, adobeRgb));
    expect(whole).not.toEqual(await built(jpeg));
    expect(await built(intoJpeg(jpeg, adobeRgb, 100))).toEqual(whole);
    expect(await built(intoJpeg(jpeg, adobeRgb, 100, (parts) => parts.reverse()))).toEqual(whole);
  });

  it("are nothing when one is missing, or comes twice", async () => {
    const none = await built(jpeg);
    expect(await built(intoJpeg(jpeg, adobeRgb, 100, (parts) => parts.slice(1)))).toEqual(none);
    expect(
      await built(intoJpeg(jpeg, adobeRgb, 100, ([first, ...rest]) => [first!, first!, ...rest])),
    ).toEqual(none);
  });

  it("are nothing beyond 4 MB", async () => {
    const large = (bytes: number): Buffer => Buffer.concat([adobeRgb, Buffer.alloc(bytes - adobeRgb.length)]);
    const fits = 4 * 1024 * 1024;
    expect(await built(intoJpeg(jpeg, large(fits)))).toEqual(await built(intoJpeg(jpeg, adobeRgb)));
    expect(await built(intoJpeg(jpeg, large(fits + 1)))).toEqual(await built(jpeg));
  });
});

describe("a profile of sRGB", () => {
  for (const [name, icc] of Object.entries({ srgbV2, srgbV4 })) {
    it(`costs nothing: ${name}`, async () => {
      expect(conversionFor(meant(icc)!, "rgb")).toBeNull();
      expect(await built(intoJpeg(jpeg, icc))).toEqual(await built(jpeg));
    });
  }

  it("is not mistaken", () => {
    for (const icc of [adobeRgb, proPhoto]) expect(conversionFor(meant(icc)!, "rgb")).not.toBeNull();
  });
});

describe("an unsuitable profile", () => {
  const relabelled = (at: number, text: string): Buffer => {
    const copy = Buffer.from(adobeRgb);
    copy.write(text, at, "latin1");
    return copy;
  };
  const UNSUITABLE: Record<string, Buffer> = {
    gray: grayGamma,
    CMYK: TABLES["lut8, CMYK"],
    "a device link": relabelled(12, "link"),
    "named colours": relabelled(12, "nmcl"),
    "no profile": relabelled(36, "none"),
    "no curves": profile({ space: "RGB " }, {}),
    "too many tags": Buffer.concat([adobeRgb.subarray(0, 128), Buffer.alloc(4, 255), adobeRgb.subarray(132)]),
    "half of one": adobeRgb.subarray(0, 300),
    nothing: Buffer.alloc(0),
  };
  for (const [name, icc] of Object.entries(UNSUITABLE)) {
    it(`is taken for sRGB: ${name}`, async () => {
      expect(await built(intoPng(png, icc))).toEqual(await built(png));
    });
  }

  it("of RGB leaves a gray picture alone", async () => {
    const gray = await image(await photo(96, 72))
      .toColourspace("b-w")
      .png()
      .toBuffer();
    expect(await built(intoPng(gray, adobeRgb))).toEqual(await built(gray));
  });

  it("leaves CMYK to the default", async () => {
    const press = await image(await photo(96, 72))
      .toColourspace("cmyk")
      .jpeg()
      .toBuffer();
    expect(await built(intoJpeg(press, adobeRgb))).toEqual(await built(press));
  });
});
