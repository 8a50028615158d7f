import { describe, expect, it } from "vitest";
import { gifFacts, jpegFacts, pngFacts, webpFacts } from "../../../../scripts/samples/facts.ts";
import type { MasterFacts } from "../../../../src/image/model/facts.ts";
import { type StillEncoderPlan, stillEncodingOf } from "../../../../src/image/formats/encodings.ts";
import type { VariantSpec } from "../../../../src/image/model/variant.ts";
import { pictureToEncode } from "../../../../src/image/plan/picture-to-encode.ts";

const WIDTH = 1000;
const HEIGHT = 800;
const PIXELS = WIDTH * HEIGHT;

const SPEC = { width: 500, height: 400, format: "avif", quality: 80, animated: false } as const;

const encoderOf = (facts: MasterFacts, sourceBytes: number, spec: VariantSpec): StillEncoderPlan =>
  stillEncodingOf(spec.format)!.plan(pictureToEncode(facts, sourceBytes, spec), "thorough");

function avifOf(facts: MasterFacts, sourceBytes: number, spec: VariantSpec = SPEC) {
  const encoder = encoderOf(facts, sourceBytes, spec);
  if (encoder.name !== "avif-rows") throw new Error(`The encoder is ${encoder.name}`);
  return encoder;
}

/** Returns the encoder of an AVIF variant, and the kind of picture that it takes the variant for. */
function pathOf(facts: MasterFacts, sourceBytes: number): string {
  const { name, options } = avifOf(facts, sourceBytes);
  return `${name}, ${options.isDrawing ? "drawing" : "photograph"}, ${options.chroma}`;
}

const PHOTOGRAPH = "avif-rows, photograph, 444";
const DRAWING = "avif-rows, drawing, 444";

describe("an AVIF variant is made in rows, as a photograph if the master probably shows one", () => {
  it.each<[string, MasterFacts, number]>([
    ["a PNG in colour", pngFacts(WIDTH, HEIGHT), 0.9 * PIXELS],
    ["a gray PNG", { ...pngFacts(WIDTH, HEIGHT), colour: "gray", colourType: 0 }, 0.3 * PIXELS],
    ["a PNG of 16 bits", { ...pngFacts(WIDTH, HEIGHT), bitDepth: 16 }, 1.8 * PIXELS],
    ["a WebP without loss", { ...webpFacts(WIDTH, HEIGHT), lossless: true }, 0.66 * PIXELS],
    ["a WebP with loss", webpFacts(WIDTH, HEIGHT), 0.08 * PIXELS],
  ])("%s from so many bytes on, and of no smaller file", (_name, facts, bytes) => {
    expect(pathOf(facts, Math.ceil(bytes))).toBe(PHOTOGRAPH);
    expect(pathOf(facts, Math.ceil(bytes) - 1)).toBe(DRAWING);
  });

  it("a JPEG as a photograph always; a palette and a GIF as a drawing", () => {
    expect(pathOf(jpegFacts(WIDTH, HEIGHT), 1)).toBe(PHOTOGRAPH);
    expect(pathOf({ ...pngFacts(WIDTH, HEIGHT), colourType: 3 }, PIXELS)).toBe(DRAWING);
    expect(pathOf(gifFacts(WIDTH, HEIGHT), PIXELS)).toBe(DRAWING);
  });

  it("with alpha too, and where one tile cannot hold it", () => {
    const transparent = pngFacts(WIDTH, HEIGHT, { hasAlpha: true });
    expect(pathOf(transparent, 4 * PIXELS)).toBe(PHOTOGRAPH);
    expect(pathOf(transparent, 1)).toBe(DRAWING);
    const wide = { ...SPEC, width: 8192, height: 1953 };
    expect(encoderOf(pngFacts(8192, 1953), PIXELS, wide).name).toBe("avif-rows");
  });

  it("JPEG and PNG know no drawings", () => {
    const drawing = gifFacts(WIDTH, HEIGHT);
    for (const format of ["jpeg", "png"] as const) {
      const asPhotograph = encoderOf(jpegFacts(WIDTH, HEIGHT), PIXELS, { ...SPEC, format });
      expect(encoderOf(drawing, PIXELS, { ...SPEC, format })).toEqual(asPhotograph);
    }
    expect(avifOf(drawing, PIXELS, { ...SPEC, quality: 90 }).options.isDrawing).toBe(true);
  });
});

describe("a WebP variant is tried without loss", () => {
  const isTried = (facts: MasterFacts, sourceBytes: number, size = { width: 500, height: 400 }): boolean => {
    const encoder = encoderOf(facts, sourceBytes, { ...SPEC, ...size, format: "webp" });
    return encoder.name === "webp-rows" && encoder.options.mayBeLossless === true;
  };

  it("where the master was stored without loss and is small for its size", () => {
    expect(isTried(pngFacts(WIDTH, HEIGHT), 0.1 * PIXELS)).toBe(true);
    expect(isTried({ ...webpFacts(WIDTH, HEIGHT), lossless: true }, 0.1 * PIXELS)).toBe(true);
    expect(isTried(gifFacts(WIDTH, HEIGHT), PIXELS)).toBe(true);
    expect(isTried(pngFacts(WIDTH, HEIGHT), 2 * PIXELS)).toBe(false);
    expect(isTried(webpFacts(WIDTH, HEIGHT), 0.01 * PIXELS)).toBe(false);
    expect(isTried(jpegFacts(WIDTH, HEIGHT), 1)).toBe(false);
  });

  it("up to two megapixels and a width of 4096", () => {
    expect(isTried(pngFacts(8192, 8192), PIXELS, { width: 2048, height: 1024 })).toBe(true);
    expect(isTried(pngFacts(8192, 8192), PIXELS, { width: 2048, height: 1025 })).toBe(false);
    expect(isTried(pngFacts(8192, 8192), PIXELS, { width: 4097, height: 100 })).toBe(false);
  });
});
