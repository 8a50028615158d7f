import { describe, expect, it } from "vitest";
import { planBuild } from "../../../../src/image/plan/plan.ts";
import type { VariantSpec } from "../../../../src/image/model/variant.ts";
import type { VariantFormat } from "../../../../src/image/formats/registry.ts";
import { TRANSFORM } from "../../../../src/limits.ts";
import { gifFacts, jpegFacts, pngFacts } from "../../../../scripts/samples/facts.ts";

const spec = (width: number, height: number, format: VariantFormat): VariantSpec => ({
  width,
  height,
  format,
  quality: format === "png" || format === "gif" ? null : 80,
  animated: false,
});
const MB = 1_048_576;
const refusal = (...args: Parameters<typeof planBuild>) => {
  const plan = planBuild(...args);
  return plan.ok ? "ok" : plan.refusal;
};

describe("the limits (RULES 9.4, 9.5), at the limit and one past it", () => {
  it("source bytes", () => {
    const facts = jpegFacts(1000, 750);
    expect(refusal(facts, 40 * MB, spec(64, 48, "jpeg"))).not.toBe("over-limit");
    expect(refusal(facts, 40 * MB + 1, spec(64, 48, "jpeg"))).toBe("over-limit");
  });

  it("source pixels across all frames", () => {
    expect(refusal(jpegFacts(10_000, 8000), MB, spec(64, 51, "jpeg"))).not.toBe("over-limit");
    expect(refusal(jpegFacts(10_000, 8001), MB, spec(64, 51, "jpeg"))).toBe("over-limit");
    expect(refusal(gifFacts(1000, 1000, 80), MB, spec(64, 64, "gif"))).not.toBe("over-limit");
    expect(refusal(gifFacts(1000, 1000, 81), MB, spec(64, 64, "gif"))).toBe("over-limit");
  });

  it("frames", () => {
    expect(refusal(gifFacts(10, 10, 100), MB, spec(10, 10, "gif"))).not.toBe("over-limit");
    expect(refusal(gifFacts(10, 10, 101), MB, spec(10, 10, "gif"))).toBe("over-limit");
  });

  it("output pixels", () => {
    const facts = jpegFacts(8192, 8192);
    expect(refusal(facts, MB, spec(8000, 4000, "jpeg"))).not.toBe("over-limit");
    expect(refusal(facts, MB, spec(8001, 4000, "jpeg"))).toBe("over-limit");
    expect(refusal(facts, MB, spec(4000, 4000, "avif"))).not.toBe("over-limit");
    expect(refusal(facts, MB, spec(4001, 4000, "avif"))).toBe("over-limit");
    expect(refusal(facts, MB, spec(4001, 4000, "webp"))).not.toBe("over-limit");
    const alpha = pngFacts(8192, 8192, { hasAlpha: true });
    expect(refusal(alpha, MB, spec(4000, 4000, "webp"))).not.toBe("over-limit");
    expect(refusal(alpha, MB, spec(4001, 4000, "webp"))).toBe("over-limit");
    expect(refusal(alpha, MB, spec(4001, 4000, "png"))).not.toBe("over-limit");
  });

  it.each([
    ["jpeg", 65_500],
    ["webp", 16_383],
    ["avif", 32_768],
  ] as const)("sides that decoders of %s take", (format, sidePixels) => {
    for (const [width, height] of [
      [1, sidePixels],
      [sidePixels, 1],
    ] as const) {
      const atLimit = refusal(pngFacts(width, height), MB, spec(width, height, format));
      expect(atLimit).not.toBe("not-supported");
      const [wider, taller] = width > height ? [width + 1, 1] : [1, height + 1];
      expect(refusal(pngFacts(wider, taller), MB, spec(wider, taller, format))).toBe("not-supported");
      expect(refusal(pngFacts(wider, taller), MB, spec(wider, taller, "png"))).not.toBe("not-supported");
    }
  });

  it("counts a megapixel as a million and a megabyte as 1,048,576", () => {
    expect(TRANSFORM.sourceMaxPixelsAllFrames).toBe(80_000_000);
    expect(TRANSFORM.sourceMaxBytes).toBe(41_943_040);
  });
});
