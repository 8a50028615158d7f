/** The plan's bytes where colours are converted, against what builds took. */
import type { Sharp } from "sharp";
import { expect, it } from "vitest";
import { estimate } from "../../../../src/image/cost.ts";
import type { JpegFacts } from "../../../../src/image/master.ts";
import { build, specFor } from "../../../support/builds.ts";
import { jpegFacts } from "../../../support/facts.ts";
import { image, photo } from "../../../support/pictures.ts";
import { intoJpeg, TABLES } from "../../../support/profiles.ts";

const MEGABYTE = 1_048_576;

const MASTERS: Record<string, (picture: Sharp) => Promise<Buffer>> = {
  "Display P3": (picture) => picture.withIccProfile("p3").jpeg().toBuffer(),
  "an RGB table": async (picture) => intoJpeg(await picture.jpeg().toBuffer(), TABLES["lut16, RGB"]),
  "a press's profile": (picture) => picture.toColourspace("cmyk").withIccProfile("cmyk").jpeg().toBuffer(),
  "CMYK without a profile": (picture) => picture.toColourspace("cmyk").jpeg().toBuffer(),
};

for (const [name, make] of Object.entries(MASTERS)) {
  it(`holds for ${name}`, async () => {
    const master = await make(image(await photo(1200, 900)));
    for (const format of ["jpeg", "png", "webp"] as const) {
      const { predictedBytes, facts } = await build(master, { width: 800, format });
      expect(predictedBytes).toBeGreaterThan(0.95 * facts.peakBytes - MEGABYTE / 4);
      expect(predictedBytes).toBeLessThan(1.15 * facts.peakBytes + 2 * MEGABYTE);
    }
  });
}

it("leaves a light build of Display P3 light", () => {
  const lane = (facts: JpegFacts) =>
    estimate(facts, 4_000_000, specFor(facts, { width: 750, format: "jpeg" }));
  const plain = jpegFacts(4000, 3000);
  expect([lane(plain), lane({ ...plain, profile: "icc" })]).toMatchObject([
    { lane: "light" },
    { lane: "light" },
  ]);
});
