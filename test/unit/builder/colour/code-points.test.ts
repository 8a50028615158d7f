/** Colours stated by code points of H.273: PNG's cICP and AVIF's nclx. */
import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { sourceColourSpaceOf } from "../../../../src/image/colour/code-points.ts";
import { conversionFor } from "../../../../src/builder/colour/conversion.ts";
import { bitmap, build } from "../../../../scripts/harness/builds.ts";
import { colourDistance } from "../../../support/pictures/ciede2000.ts";
import { gamma, matrixProfile } from "../../../../scripts/samples/colour/icc-writer.ts";
import { image, photo, type Picture } from "../../../../scripts/samples/pictures.ts";
import { codedPicture, heif, property } from "../../../../scripts/samples/probe/avif.ts";
import { intoPng, SRGB, withCodePoints, withGamma } from "../../../../scripts/samples/colour/profiles.ts";

/** Rec. ITU-R BT.2020 relative to D50. */
const BT2020: Parameters<typeof matrixProfile>[0] = [
  [0.67346, 0.27904, -0.00193],
  [0.16566, 0.67534, 0.02998],
  [0.1251, 0.04562, 0.79684],
];

let picture: Picture;
let plain: Buffer;
beforeAll(async () => {
  picture = await photo(320, 240);
  plain = await image(picture).png().toBuffer();
});

const inPng = async (file: Buffer) => (await build(file, { format: "png" })).bytes;
const pixelsOf = (file: Buffer) => bitmap(sharp(file), 3);

/** Returns the photograph's values for a screen of Display P3, without a word about it. */
async function silentP3(encode: (picture: Sharp) => Sharp): Promise<Buffer> {
  const stated = await image(picture).withIccProfile("p3").png().toBuffer();
  return encode(sharp(stated, { ignoreIcc: true })).toBuffer();
}

describe("cICP", () => {
  it("of Display P3 is converted", async () => {
    const master = withCodePoints(await silentP3((p3) => p3.png()), 12, 13);
    expect(colourDistance(await pixelsOf(await inPng(master)), await pixelsOf(plain)).mean).toBeLessThan(0.3);
  });

  const ALIKE: [name: string, primaries: number, transfer: number, icc: Buffer][] = [
    ["BT.2020, gamma 2.2", 9, 4, matrixProfile(BT2020, gamma(2.199_218_75))],
    ["BT.709, linear", 1, 8, matrixProfile(SRGB, gamma(1))],
    ["BT.709, gamma 2.8", 1, 5, matrixProfile(SRGB, gamma(2.8))],
  ];
  for (const [name, primaries, transfer, icc] of ALIKE) {
    it(`says the same as a profile: ${name}`, async () => {
      const stated = await pixelsOf(await inPng(withCodePoints(plain, primaries, transfer)));
      const theirs = await pixelsOf(intoPng(plain, icc));
      expect(colourDistance(stated, theirs).mean).toBeLessThan(0.3);
    });
  }

  it("goes before a profile, and sRGB's before both", async () => {
    const wrong = intoPng(plain, matrixProfile(BT2020, gamma(1)));
    expect(await inPng(withCodePoints(wrong, 1, 13))).toEqual(await inPng(plain));
    expect(await inPng(withCodePoints(wrong, 12, 13))).toEqual(await inPng(withCodePoints(plain, 12, 13)));
  });

  it("of a narrow range is widened", async () => {
    const narrow = Buffer.from(picture.data.map((code) => Math.round(16 + (code * 219) / 255)));
    const master = withCodePoints(
      await image({ ...picture, data: narrow })
        .png()
        .toBuffer(),
      1,
      13,
      false,
    );
    expect(colourDistance(await pixelsOf(await inPng(master)), await pixelsOf(plain)).mean).toBeLessThan(0.5);
  });

  it("that names no colour space says nothing", async () => {
    const profiled = intoPng(plain, matrixProfile(BT2020, gamma(1)));
    expect(await inPng(withCodePoints(profiled, 99, 13))).toEqual(await inPng(profiled));
    expect(await inPng(withCodePoints(plain, 2, 2))).toEqual(await inPng(plain));
  });
});

describe("gAMA", () => {
  it("says the same as a profile", async () => {
    const stated = await pixelsOf(await inPng(withGamma(plain, 1)));
    const theirs = await pixelsOf(intoPng(plain, matrixProfile(SRGB, gamma(1))));
    expect(colourDistance(stated, theirs).mean).toBeLessThan(0.3);
  });
});

describe("nclx", () => {
  const restated = (avif: Buffer, ...properties: Uint8Array[]): Buffer => {
    const { av1C, data } = codedPicture(avif);
    const own = [property.ispe(picture.width, picture.height), av1C, property.pixi(8, 8, 8)];
    return Buffer.from(heif([{ type: "av01", properties: [...own, ...properties], data }]));
  };

  it("of Display P3 is converted once", async () => {
    const avif = await silentP3((p3) => p3.avif({ quality: 95, effort: 1 }));
    const { bytes, masterFacts } = await build(restated(avif, property.nclx(12, 13)), { format: "png" });
    expect(masterFacts.profile).toBe("cicp");
    const { icc } = await sharp(await image(picture).withIccProfile("p3").png().toBuffer()).metadata();
    const theirs = intoPng(await sharp(avif).png().toBuffer(), icc!);
    expect(colourDistance(await pixelsOf(bytes), await pixelsOf(theirs)).mean).toBeLessThan(0.5);
  });

  it("of sRGB changes nothing", async () => {
    const avif = await image(picture).avif({ quality: 95, effort: 1 }).toBuffer();
    const master = restated(avif, property.nclx(1, 13));
    expect(await inPng(master)).toEqual(await inPng(avif));
  });
});

describe("light beyond white", () => {
  const shown = (transfer: number, code: number): number => {
    const rows = Uint8Array.of(code, code, code);
    conversionFor(sourceColourSpaceOf({ primaries: 9, transfer, fullRange: true }), "rgb")?.convert(rows);
    return rows[0] as number;
  };
  const [PQ, HLG] = [16, 18] as const;

  it("of PQ is bent below white, and what is darker stays as it is", () => {
    expect(shown(PQ, 0)).toBe(0);
    // 50 cd/m2, a quarter of diffuse white; diffuse white, 203 cd/m2; 10,000 cd/m2.
    expect(Math.abs(shown(PQ, Math.round(0.4403 * 255)) - 136)).toBeLessThanOrEqual(2);
    expect(Math.abs(shown(PQ, Math.round(0.5807 * 255)) - 225)).toBeLessThanOrEqual(2);
    expect(shown(PQ, 255)).toBeGreaterThanOrEqual(253);
  });

  it("of HLG has diffuse white at 75 %", () => {
    expect(shown(HLG, 0)).toBe(0);
    expect(Math.abs(shown(HLG, Math.round(0.75 * 255)) - 225)).toBeLessThanOrEqual(2);
  });

  for (const transfer of [PQ, HLG]) {
    it(`rises without end by transfer ${transfer}`, () => {
      const ramp = Array.from({ length: 256 }, (_, code) => shown(transfer, code));
      expect(ramp).toEqual([...ramp].sort((one, other) => one - other));
    });
  }
});
