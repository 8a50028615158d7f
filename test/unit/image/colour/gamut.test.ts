/** Which colour spaces are wider than sRGB, and colours of sRGB in Display P3 (RULES 9.10). */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { colourIn, isWide } from "../../../../src/image/colour/gamut.ts";
import { sourceColourSpaceOf } from "../../../../src/image/colour/code-points.ts";
import { readProfile } from "../../../../src/image/colour/icc-profile.ts";
import {
  adobeRgb,
  intoJpeg,
  intoPng,
  linearRgb,
  P3,
  proPhoto,
  SRGB,
  srgbV2,
  srgbV4,
  tablesOf,
  withCodePoints,
  withGamma,
} from "../../../../scripts/samples/colour/profiles.ts";
import { probe } from "../../../../scripts/harness/probe-run.ts";

const wide = (profile: Uint8Array): boolean => isWide(readProfile(profile, 3)!, 3);
const tiny = () => sharp({ create: { width: 8, height: 8, channels: 3, background: "#a52" } });

describe("a colour space", () => {
  it("is wider than sRGB by its primaries, whatever its curve", () => {
    expect([adobeRgb, proPhoto].map(wide)).toEqual([true, true]);
    expect([srgbV2, srgbV4, linearRgb].map(wide)).toEqual([false, false, false]);
  });

  it.each([
    [[1, 13], false],
    [[1, 8], false],
    [[6, 6], false],
    [[9, 16], true],
    [[9, 18], true],
    [[12, 13], true],
    [[11, 17], true],
  ] as const)("of code points %j: %s", ([primaries, transfer], expected) => {
    expect(isWide(sourceColourSpaceOf({ primaries, transfer, fullRange: true }), 3)).toBe(expected);
  });
});

describe("the probe", () => {
  const wideIn = (file: Uint8Array): boolean => probe(file).wide === true;

  it("finds wide profiles in every format that has them, compressed ones of a PNG too", async () => {
    const [jpeg, png] = [await tiny().jpeg().toBuffer(), await tiny().png().toBuffer()];
    expect(
      [intoJpeg(jpeg, adobeRgb), intoJpeg(jpeg, adobeRgb, 200), intoPng(png, proPhoto)].map(wideIn),
    ).toEqual([...[true, true, true]]);
    for (const format of ["jpeg", "png", "webp", "avif"] as const)
      expect(wideIn(await tiny().toFormat(format).withIccProfile("p3").toBuffer()), format).toBe(true);
    expect(wideIn(withCodePoints(png, 12, 13))).toBe(true);
    expect(wideIn(await tiny().jpeg().withIccProfile("cmyk").toColourspace("cmyk").toBuffer())).toBe(true);
  });

  it("finds none in sRGB, under whatever name, in gray, and without a profile", async () => {
    const [jpeg, png] = [await tiny().jpeg().toBuffer(), await tiny().png().toBuffer()];
    const gray = await tiny().toColourspace("b-w").jpeg().toBuffer();
    const files = [jpeg, png, intoJpeg(jpeg, srgbV2), intoPng(png, srgbV4), withCodePoints(png, 1, 13)];
    expect([...files, withGamma(png, 1), intoJpeg(gray, adobeRgb)].map(wideIn)).toEqual(
      Array.from({ length: 7 }, () => false),
    );
  });

  it.each(["lut8", "lut16", "lutAToB"] as const)(
    "judges a %s by the colours that it leads to",
    async (type) => {
      const jpeg = await tiny().jpeg().toBuffer();
      const verdicts = [SRGB, P3].map((colorants) => wideIn(intoJpeg(jpeg, tablesOf(colorants)[type])));
      expect(verdicts).toEqual([false, true]);
    },
  );
});

describe("a colour of sRGB in Display P3", () => {
  it("is what lcms makes of it, and greys stay as they are", async () => {
    for (const colour of ["ff0000", "00ff00", "0000ff", "a35c2b"]) {
      const create = { width: 1, height: 1, channels: 3, background: `#${colour}` } as const;
      const p3 = await sharp({ create }).withIccProfile("p3").raw().toBuffer();
      const own = colourIn("p3", colour)
        .match(/../g)!
        .map((digits) => parseInt(digits, 16));
      own.forEach((sample, i) =>
        expect(Math.abs(sample - p3[i]!), `${colour} ${own.join()}`).toBeLessThanOrEqual(2),
      );
    }
    expect(["000000", "808080", "ffffff"].map((grey) => colourIn("p3", grey))).toEqual([
      "000000",
      "808080",
      "ffffff",
    ]);
    expect(colourIn("srgb", "ff0000")).toBe("ff0000");
  });
});
