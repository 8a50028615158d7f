import { describe, expect, it } from "vitest";
import { gifFacts, jpegFacts, pngFacts, webpFacts } from "../../../../scripts/samples/facts.ts";
import type { MasterFacts } from "../../../../src/image/model/facts.ts";
import { codecPath } from "../../../../src/image/plan/choose-encoder.ts";

const WIDTH = 1000;
const HEIGHT = 800;
const PIXELS = WIDTH * HEIGHT;

const encoderOf = (facts: MasterFacts, sourceBytes: number): string =>
  codecPath(facts, sourceBytes, { width: 500, height: 400, format: "avif", quality: 80, animated: false })
    .encoder;

describe("an AVIF variant is made in rows if the master is probably a photograph", () => {
  it.each<[string, MasterFacts, number]>([
    ["a PNG in colour", pngFacts(WIDTH, HEIGHT), 0.9 * PIXELS],
    ["a gray PNG", { ...pngFacts(WIDTH, HEIGHT), colour: "gray", colourType: 0 }, 0.3 * PIXELS],
    ["a PNG of 16 bits", { ...pngFacts(WIDTH, HEIGHT), bitDepth: 16 }, 1.8 * PIXELS],
    ["a WebP without loss", { ...webpFacts(WIDTH, HEIGHT), lossless: true }, 0.66 * PIXELS],
    ["a WebP with loss", webpFacts(WIDTH, HEIGHT), 0.08 * PIXELS],
  ])("%s from so many bytes on, and of no smaller file", (_name, facts, bytes) => {
    expect(encoderOf(facts, Math.ceil(bytes))).toBe("avif-rows");
    expect(encoderOf(facts, Math.ceil(bytes) - 1)).toBe("libaom");
  });

  it("a JPEG always; alpha, a palette and a GIF never", () => {
    expect(encoderOf(jpegFacts(WIDTH, HEIGHT), 1)).toBe("avif-rows");
    expect(encoderOf(pngFacts(WIDTH, HEIGHT, { hasAlpha: true }), 4 * PIXELS)).toBe("libaom");
    expect(encoderOf({ ...pngFacts(WIDTH, HEIGHT), colourType: 3 }, PIXELS)).toBe("libaom");
    expect(encoderOf(gifFacts(WIDTH, HEIGHT), PIXELS)).toBe("libaom");
  });
});
