/**
 * The plan's bytes against what builds really take, for variants of every kind and for large masters. `npm run bench ledger`
 * runs the whole matrix.
 */
import sharp from "sharp";
import { describe, it } from "vitest";
import { OUTPUT_FORMATS } from "../../../../src/image/formats/registry.ts";
import type { Quality } from "../../../../src/image/model/variant.ts";
import { type Content, MASTERS, weigh } from "../../../../scripts/samples/ledger-matrix.ts";
import { effortOf, expectTruth, MOST } from "../../../support/plans/planned-bytes.ts";

/**
 * A file of noise may be so much larger than planned that it cannot be read again, and its quantiser is not fitted
 * (src/builder/look). The memory of the comparison stays unused then.
 */
const UNREAD_OVER = 0.45;

describe("predicted bytes, of variants of every kind", () => {
  const check = async (name: string, content: Content, side: number, widths: readonly number[]) => {
    const file = await MASTERS[name]!(content, side, Math.round(side * 0.75));
    // The memory of AVIF follows its width, whatever its height: a large one is a strip.
    const strip = await MASTERS[name]!(content, side, Math.round(side * 0.25));
    for (const width of widths) {
      for (const format of OUTPUT_FORMATS) {
        // A large AVIF takes seconds: at its best quality noise takes most, and other pictures are compared below.
        const isLarge = format === "avif" && width > 500 && content !== "noise";
        for (const quality of format === "png" || isLarge ? [80] : [80, 100]) {
          const label = `${name} of ${content} to ${format} ${quality} of ${width}`;
          const ask = { width, format, quality: quality as Quality, ...effortOf(format, width) };
          const master = format === "avif" && width > 500 ? strip : file;
          const mostOver = content === "noise" && format === "webp" ? UNREAD_OVER : MOST.over;
          expectTruth(await weigh(label, master, ask), label, mostOver);
        }
      }
    }
  };

  for (const content of ["photo", "graphic", "noise"] as const) {
    it(`hold for an opaque ${content}`, () => check("jpeg", content, 1224, [64, 500, 1200]));
    it(`hold for a ${content} with alpha`, () => check("png alpha", content, 1000, [236, 1000]));
  }

  it("hold for AVIF of every quality", async () => {
    for (const [content, width, qualities] of [
      ["graphic", 1280, [90]],
      ["photo", 700, [100]],
      ["photo", 1280, [95]],
    ] as const) {
      const file = await MASTERS["jpeg"]!(content, 1632, 408);
      for (const quality of qualities) {
        const label = `${content} to AVIF ${quality} of ${width}`;
        expectTruth(await weigh(label, file, { width, format: "avif", quality }), label);
      }
    }
    const pierced = await MASTERS["png alpha"]!("photo", 750, 262);
    for (const quality of [80, 100] as const) {
      expectTruth(await weigh("alpha", pierced, { format: "avif", quality }), `AVIF ${quality} with alpha`);
    }
    const noise = { type: "gaussian", mean: 128, sigma: 120 } as const;
    const worst = sharp({ create: { width: 1280, height: 320, channels: 3, background: "#888", noise } });
    const file = await worst.png({ compressionLevel: 0 }).toBuffer();
    expectTruth(await weigh("worst", file, { format: "avif", quality: 100 }), "AVIF 100 of noise alone");
  });

  it("hold above what encoders take whole", async () => {
    const file = await MASTERS["jpeg"]!("photo", 3000, 2250);
    for (const format of ["jpeg", "webp", "png"] as const) {
      expectTruth(await weigh(format, file, { width: 2560, format, ...effortOf(format, 2560) }), format);
    }
    // AVIF of a photograph is made in rows at any size: 4:2:0 is compared above, 4:4:4 takes more.
    const strip = await MASTERS["jpeg"]!("photo", 3000, 750);
    expectTruth(await weigh("avif", strip, { width: 1600, format: "avif", quality: 90 }), "AVIF 90");
    const turned = await MASTERS["jpeg turned"]!("photo", 2000, 1500);
    for (const format of ["jpeg", "png"] as const) {
      expectTruth(await weigh(format, turned, { format, ...effortOf(format, 1500) }), `turned to ${format}`);
    }
  });

  // The smallest sizes at which the planes keep chroma at half its resolution, or a progressive file is read coarsely.
  it.each([
    ["jpeg turned", 4800, 6250, ["jpeg", "webp"]],
    ["jpeg progressive turned", 4800, 6250, ["jpeg"]],
    ["png alpha turned", 4200, 5100, ["png"]],
  ] as const)("hold for %s of %i x %i pixels", async (name, width, height, formats) => {
    const file = await MASTERS[name]!("graphic", width, height);
    for (const format of formats) {
      expectTruth(await weigh(format, file, { format, ...effortOf(format, width) }), `${name} to ${format}`);
    }
  });
});

describe("predicted bytes, of large masters", () => {
  const small = [1000, "webp"] as const;
  const large = [2560, "jpeg"] as const;
  it.each([
    ["jpeg", 5656, 4242, [large]],
    ["jpeg progressive", 5656, 4242, [large]],
    ["png", 5656, 4242, [small]],
    ["png interlaced", 4000, 3000, [small]],
    ["png interlaced alpha", 2600, 1950, [small, large]],
    ["jpeg", 10_320, 7740, [small, large]],
    ["jpeg progressive", 10_320, 7740, [small, large]],
  ] as const)("hold for %s of %i x %i", async (name, width, height, outputs) => {
    const file = await MASTERS[name]!("graphic", width, height);
    for (const [out, format] of outputs) {
      expectTruth(await weigh(name, file, { width: out, format }), `${name} to ${format} of ${out}`);
    }
  });
});
