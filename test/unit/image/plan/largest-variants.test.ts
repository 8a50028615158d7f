/** The memory of the largest variants that there may be, from the largest masters. */
import { describe, expect, it } from "vitest";
import { planFor } from "../../../../scripts/harness/builds.ts";
import { jpegFacts, pngFacts } from "../../../../scripts/samples/facts.ts";
import { QUALITIES } from "../../../../src/image/model/variant.ts";
import { MEGABYTE_BYTES } from "../../../../src/limits.ts";

const MASTER = [10_320, 7740] as const;
const MASTER_BYTES = 30e6;
/** 32 megapixels, and 16 for what has alpha as WebP (RULES 9.5). */
const SIZES = [
  [6528, 4896],
  [8192, 3906],
] as const;
const MOST_BYTES = 20 * MEGABYTE_BYTES;

describe.each(QUALITIES)("at q %d, the largest variants", (quality) => {
  it.each(["jpeg", "webp", "png"] as const)("as %s take less than 20 MB beyond the decoder", (format) => {
    for (const [width, height] of SIZES) {
      for (const facts of [jpegFacts(...MASTER), pngFacts(...MASTER)]) {
        const spec = { width, height, format, quality: format === "png" ? null : quality, animated: false };
        const { memory } = planFor(facts, MASTER_BYTES, spec);
        expect(memory.peak - memory.arena, `${width} x ${height}`).toBeLessThan(MOST_BYTES);
      }
    }
  });

  it("with alpha as WebP do so too", () => {
    for (const [width, height] of [
      [4618, 3464],
      [8000, 2000],
    ] as const) {
      const spec = { width, height, format: "webp", quality, animated: false } as const;
      const { memory } = planFor(pngFacts(...MASTER, { hasAlpha: true }), MASTER_BYTES, spec);
      expect(memory.peak - memory.arena, `${width} x ${height}`).toBeLessThan(MOST_BYTES);
    }
  });
});
