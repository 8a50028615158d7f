/** The plan's bytes against what builds really took: never under by more than 5 %, never over by more than 15 %. */
import { describe, expect, it } from "vitest";
import { jpegEncoderPeakBytes } from "../../../src/builder/rows/jpeg-encoder.ts";
import { pngDecoderPeakBytes } from "../../../src/builder/rows/png-decoder.ts";
import { pngEncoderPeakBytes } from "../../../src/builder/rows/png-encoder.ts";
import { resamplerPeakBytes } from "../../../src/builder/rows/resampler.ts";
import { webpEncoderPeakBytes } from "../../../src/builder/rows/webp-encoder.ts";
import { MEMORY } from "../../../src/image/cost.ts";
import { decoderBytes } from "../../../src/image/cost-decode.ts";
import { encoderBytes, outputBytes, WEBP_TOKEN_BYTES } from "../../../src/image/cost-encode.ts";
import { planVariant } from "../../../src/image/plan.ts";
import { OUTPUT_FORMATS, type OutputFormat, type Quality } from "../../../src/image/variant.ts";
import { ISOLATE } from "../../../src/limits.ts";
import { build, specFor, type Variant } from "../../support/builds.ts";
import { jpegFacts, pngFacts } from "../../support/facts.ts";
import { cutout, image, photo, type Picture } from "../../support/pictures.ts";

const MEGABYTE = 1_048_576;
/** Pages, instances' own data, and files that compress otherwise than a photograph: small sums are not ratios. */
const SMALL_BYTES = MEGABYTE;

/** How long a file is follows from what it shows: the guess at it may add or lack what it is wrong by. */
function expectTruth(built: Variant, label: string): void {
  const predicted = built.predictedBytes;
  const weight = built.spec.format === "webp" && !built.masterFacts.hasAlpha ? 1 + WEBP_TOKEN_BYTES : 1;
  const wrong = weight * (outputBytes(built.masterFacts, built.spec) - built.bytes.length);
  const taken = built.facts.peakBytes;
  expect(predicted, `${label}: ${predicted} predicted, ${taken} taken`).toBeGreaterThan(
    taken * 0.95 - SMALL_BYTES / 4 + Math.min(0, wrong),
  );
  expect(predicted, `${label}: ${predicted} predicted, ${taken} taken`).toBeLessThan(
    taken * 1.15 + SMALL_BYTES + Math.max(0, wrong),
  );
}

const masters: [name: string, make: (picture: Picture) => Promise<Buffer>][] = [
  ["jpeg", (picture) => image(picture).jpeg({ quality: 85 }).toBuffer()],
  ["progressive jpeg", (picture) => image(picture).jpeg({ quality: 85, progressive: true }).toBuffer()],
  ["png", (picture) => image(picture).png({ compressionLevel: 1 }).toBuffer()],
  ["interlaced png", (picture) => image(picture).png({ progressive: true, compressionLevel: 1 }).toBuffer()],
  ["webp", (picture) => image(picture).webp({ effort: 0 }).toBuffer()],
  ["lossless webp", (picture) => image(picture).webp({ lossless: true, effort: 0 }).toBuffer()],
  ["avif", (picture) => image(picture).avif({ effort: 0, chromaSubsampling: "4:2:0" }).toBuffer()],
  ["full avif", (picture) => image(picture).avif({ effort: 0 }).toBuffer()],
];

const shapes: [width: number, height: number, out: number][] = [
  [700, 500, 500],
  [2000, 1500, 1000],
  [2400, 900, 2400],
];

describe("predicted bytes", () => {
  for (const [width, height, out] of shapes) {
    for (const [name, make] of masters) {
      it(`hold for ${name}, ${width} x ${height} to ${out}`, async () => {
        const file = await make(await photo(width, height));
        for (const format of OUTPUT_FORMATS) {
          for (const quality of format === "png" ? [80] : [80, 100]) {
            const built = await build(file, { width: out, format, quality: quality as Quality });
            expectTruth(built, `${name} to ${format} ${quality} of ${out}`);
          }
        }
      });
    }
  }

  for (const [name, make] of masters.filter(([name]) => !name.includes("jpeg"))) {
    it(`hold for ${name} with alpha`, async () => {
      const file = await make(await cutout(1200, 900));
      for (const format of OUTPUT_FORMATS) {
        const built = await build(file, { width: 1000, format });
        expectTruth(built, `${name} to ${format}`);
      }
    });
  }
});

describe("the sums of the row parts", () => {
  const size = { width: 4000, height: 3000 };
  const near = (mine: number, theirs: number): void => {
    expect(mine).toBeGreaterThan(theirs * 0.95 - SMALL_BYTES / 8);
    expect(mine).toBeLessThan(theirs * 1.15 + SMALL_BYTES / 2);
  };
  const widths = [64, 1000, 2560, 4000];

  it("are those of the resampler and the PNG decoder", () => {
    for (const width of widths) {
      const spec = specFor(pngFacts(size.width, size.height), { width, format: "png" });
      for (const hasAlpha of [false, true]) {
        const facts = pngFacts(size.width, size.height, { hasAlpha });
        const mine = decoderBytes(facts, 0, spec, MEMORY.arenaMaxBytes);
        near(mine.arena, pngDecoderPeakBytes(facts));
        near(mine.beside, resamplerPeakBytes({ ...size, layout: hasAlpha ? "rgba" : "rgb" }, spec));
      }
    }
  });

  it("are those of the JPEG and PNG encoders", () => {
    const facts = jpegFacts(8192, 3900);
    for (const width of [1600, 4096, 8192]) {
      for (const quality of [80, 90, 100] as const) {
        const spec = specFor(facts, { width, format: "jpeg", quality });
        const chroma = quality === 80 ? "420" : "444";
        const mine = encoderBytes(facts, spec, { encoder: "jpeg-rows", chroma, canvasChannels: 0 }, 0);
        near(mine.beside, jpegEncoderPeakBytes(width, spec.height, quality, chroma));
        const path = { encoder: "webp-rows", chroma: "420", canvasChannels: 0 } as const;
        for (const hasAlpha of [false, true]) {
          const webp = encoderBytes({ ...facts, hasAlpha }, { ...spec, format: "webp" }, path, 0);
          near(webp.beside, webpEncoderPeakBytes(width, spec.height, quality, hasAlpha));
        }
      }
      const spec = specFor(facts, { width, format: "png" });
      const mine = encoderBytes(facts, spec, { encoder: "png-rows", chroma: "420", canvasChannels: 0 }, 0);
      near(mine.beside, pngEncoderPeakBytes({ ...spec, layout: "rgb" }));
    }
  });
});

describe("what an isolate can hold", () => {
  const plan = (width: number, height: number, format: OutputFormat, out: number, quality: Quality = 80) => {
    const facts = jpegFacts(width, height);
    return planVariant(facts, 8 * MEGABYTE, specFor(facts, { width: out, format, quality }));
  };

  it("is divided whole", () => {
    const { arenaMaxBytes, resamplerMaxBytes, rowEncoderMaxBytes } = MEMORY;
    expect(arenaMaxBytes + resamplerMaxBytes + rowEncoderMaxBytes).toBe(ISOLATE.buildBytes);
  });

  it("is 80 megapixels in, and 32 out in JPEG, PNG and WebP, 16 in AVIF", () => {
    expect(plan(10_000, 8000, "jpeg", 6320)).toMatchObject({ ok: true, lane: "heavy" });
    expect(plan(10_000, 8000, "png", 6320)).toMatchObject({ ok: true, lane: "heavy" });
    for (const quality of [80, 90, 95, 100] as const) {
      expect(plan(10_000, 8000, "webp", 6320, quality)).toMatchObject({ ok: true });
      expect(plan(10_000, 8000, "avif", 4470, quality)).toMatchObject({ ok: true });
    }
  });

  it("is refused beyond, and never said to fit", () => {
    expect(plan(10_000, 8000, "avif", 4480)).toMatchObject({ ok: false, refusal: "over-limit" });
  });

  it("makes a phone's photo light at the widths of a page, and AVIF of two megapixels heavy", () => {
    for (const format of ["jpeg", "webp", "avif"] as const) {
      expect(plan(4032, 3024, format, 1000)).toMatchObject({ ok: true, lane: "light" });
    }
    expect(plan(4032, 3024, "avif", 1600)).toMatchObject({ ok: true, lane: "heavy" });
    expect(plan(10_000, 8000, "webp", 1000)).toMatchObject({ ok: true, lane: "heavy" });
  });
});
