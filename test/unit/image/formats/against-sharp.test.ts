import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { MasterFacts } from "../../../../src/image/model/facts.ts";
import { probe } from "../../../../scripts/harness/probe-run.ts";
import { picture, samples } from "../../../../scripts/samples/probe/samples.ts";

const files = Object.entries(await samples());

describe("probe, against sharp's own reading of files that sharp wrote", () => {
  it.each(files)("%s", async (_, file) => {
    const facts = probe(file);
    const said = await sharp(file, { animated: true }).metadata();
    expect(said.format === "heif" ? "avif" : said.format).toBe(facts.format);
    // libheif turns AVIF pictures before sharp sees them; elsewhere sharp gives the coded size.
    const isAvif = facts.format === "avif";
    const size = isAvif ? [facts.width, facts.height] : [facts.codedWidth, facts.codedHeight];
    expect([said.width, said.pageHeight ?? said.height]).toEqual(size);
    expect(facts.frames).toBe(said.pages ?? 1);
    expect(facts.animated).toBe((said.pages ?? 1) > 1);
    expect(facts.hasAlpha).toBe(said.hasAlpha);
    expect(facts.profile).toBe(said.icc === undefined ? "none" : "icc");
    // Browsers ignore the EXIF of a WebP, and sharp does not.
    if (facts.format === "webp") expect(facts.orientation).toBe(1);
    else if (!isAvif) expect(facts.orientation).toBe(said.orientation ?? 1);
    if (facts.format === "png" || isAvif) expect(facts.bitDepth).toBe(said.bitsPerSample ?? 8);
    if (facts.format === "jpeg") expect(facts.components).toBe(said.channels);
  });

  it.each(["jpeg", "png", "avif"] as const)("orientations of %s", async (format) => {
    for (let orientation = 1; orientation <= 8; orientation += 1) {
      const turned = picture(40, 24).withMetadata({ orientation }).toFormat(format);
      const facts = probe(await turned.toBuffer());
      expect(facts).toMatchObject({ orientation, codedWidth: 40, codedHeight: 24 });
      expect([facts.width, facts.height]).toEqual(orientation >= 5 ? [24, 40] : [40, 24]);
    }
  });
});

describe("probe, on particular kinds of file", () => {
  const expected: Record<string, Partial<MasterFacts>> = {
    jpeg: {
      process: "baseline",
      unsupported: null,
      components: 3,
      sampling: [2, 2],
      scans: 1,
      colour: "rgb",
    },
    "jpeg 4:4:4": { sampling: [1, 1] },
    "jpeg progressive": { process: "progressive", scans: 10 },
    "jpeg gray": { colour: "gray", components: 1, sampling: [1, 1] },
    "jpeg cmyk": { colour: "cmyk", components: 4 },
    "png interlaced": { interlaced: true },
    "png palette": { colour: "palette", colourType: 3, hasAlpha: true },
    "png gray 16": { colour: "gray", colourType: 0, bitDepth: 16 },
    "gif animated": { frames: 3, animated: true, colour: "palette" },
    webp: { lossless: false },
    "webp lossless": { lossless: true, hasAlpha: false },
    "webp lossless alpha": { lossless: true, hasAlpha: true },
    "avif 4:2:0": { chroma: "420", bitDepth: 8, grid: null, crop: null },
    "avif 10 bit": { bitDepth: 10, chroma: "444" },
  };
  it.each(Object.entries(expected))("%s", (name, facts) => {
    expect(probe(files.find(([sample]) => sample === name)![1])).toMatchObject(facts);
  });
});
