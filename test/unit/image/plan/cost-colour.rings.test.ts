/** The plan's bytes where colours are converted, against what builds took. */
import type { Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { planUnbounded } from "../../../../src/image/plan/plan.ts";
import type { JpegFacts } from "../../../../src/image/model/facts.ts";
import { build, specFor } from "../../../../scripts/harness/builds.ts";
import { jpegFacts } from "../../../../scripts/samples/facts.ts";
import { image, photo } from "../../../../scripts/samples/pictures.ts";
import { lut16, profile } from "../../../../scripts/samples/colour/icc-writer.ts";
import { weigh } from "../../../../scripts/samples/ledger-matrix.ts";
import { adobeRgb, intoJpeg, intoPng, TABLES } from "../../../../scripts/samples/colour/profiles.ts";
import { ofRing } from "../../../support/ring.ts";

const MEGABYTE = 1_048_576;

const MASTERS: Record<string, (picture: Sharp) => Promise<Buffer>> = {
  "Display P3": (picture) => picture.withIccProfile("p3").jpeg().toBuffer(),
  "an RGB table": async (picture) => intoJpeg(await picture.jpeg().toBuffer(), TABLES["lut16, RGB"]),
  "a press's profile": (picture) => picture.toColourspace("cmyk").withIccProfile("cmyk").jpeg().toBuffer(),
  "CMYK without a profile": (picture) => picture.toColourspace("cmyk").jpeg().toBuffer(),
};

for (const [name, make] of ofRing(Object.entries(MASTERS), 3)) {
  it(`holds for ${name}`, async () => {
    const master = await make(image(await photo(1200, 900)));
    for (const format of ["jpeg", "png", "webp"] as const) {
      const { predictedBytes, facts } = await build(master, { width: 800, format });
      expect(predictedBytes).toBeGreaterThan(0.95 * facts.peakBytes - MEGABYTE / 4);
      expect(predictedBytes).toBeLessThan(1.15 * facts.peakBytes + 2 * MEGABYTE);
    }
  });
}

describe("room for profiles and tables", () => {
  const KILOBYTE = 1024;
  /**
   * The bytes that a build may keep in vain: for a profile of half a megabyte with tables, and for a press's of one and
   * a half.
   */
  const MOST_IDLE = { light: 720 * KILOBYTE, ink: 1536 * KILOBYTE } as const;
  /** A profile of 29^3 nodes, 150 KB. */
  const largeLight = profile(
    { version: 2, space: "RGB ", pcs: "Lab ", deviceClass: "scnr" },
    {
      A2B0: lut16(
        3,
        29,
        ([r = 0, g = 0, b = 0]) => [0.9 * g + 0.05 * r, 0.5 + 0.2 * (r - g), 0.5 + 0.2 * (g - b)],
        (x) => x,
      ),
    },
  );
  const rgb = { jpeg: intoJpeg, png: intoPng } as const;

  const expectRoom = async (label: string, file: Buffer, kind: keyof typeof MOST_IDLE) => {
    const { colour, colourReserved } = (await weigh(label, file, { width: 200, format: "png" }))!;
    expect(colour, label).toBeGreaterThan(0);
    expect(colour, label).toBeLessThanOrEqual(colourReserved);
    expect(colourReserved - colour, label).toBeLessThanOrEqual(MOST_IDLE[kind]);
  };

  it("is enough for matrices and tables of RGB, and not much too large", async () => {
    const picture = image(await photo(1200, 900));
    const profiles = { adobeRgb, largeLight, ...TABLES };
    for (const format of ["jpeg", "png"] as const) {
      const file = await picture.clone()[format]().toBuffer();
      for (const [name, icc] of ofRing(Object.entries(profiles), 3)) {
        if (name.includes("CMYK")) continue;
        await expectRoom(`${name} in ${format}`, rgb[format](file, icc), "light");
      }
    }
  });

  it("is enough for CMYK, with a profile of half a megabyte and without one", async () => {
    const picture = image(await photo(1200, 900)).toColourspace("cmyk");
    const plain = await picture.clone().jpeg().toBuffer();
    await expectRoom("none", plain, "ink");
    await expectRoom("press", await picture.clone().withIccProfile("cmyk").jpeg().toBuffer(), "ink");
    for (const name of ofRing(["lut8, CMYK", "lut16, CMYK", "lutAToB, CMYK"] as const, 3)) {
      await expectRoom(name, intoJpeg(plain, TABLES[name]), "ink");
    }
  });
});

it("leaves a light build of Display P3 light", () => {
  const lane = (facts: JpegFacts) =>
    planUnbounded(facts, 4_000_000, specFor(facts, { width: 750, format: "jpeg" }));
  const plain = jpegFacts(4000, 3000);
  expect([lane(plain), lane({ ...plain, profile: "icc" })]).toMatchObject([
    { lane: "light" },
    { lane: "light" },
  ]);
});
