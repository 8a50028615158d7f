/** The masters that an isolate can hold, and the room that they leave for the variant. */
import { describe, expect, it } from "vitest";
import { planBuild } from "../../../../src/image/plan/plan.ts";
import { MEMORY } from "../../../../src/image/memory/isolate.ts";
import { type Quality, takesQuality } from "../../../../src/image/model/variant.ts";
import { OUTPUT_FORMATS, type OutputFormat } from "../../../../src/image/formats/registry.ts";
import { ISOLATE } from "../../../../src/limits.ts";
import { specFor } from "../../../../scripts/harness/builds.ts";
import { jpegFacts } from "../../../../scripts/samples/facts.ts";
import { MASTERS, weigh } from "../../../../scripts/samples/ledger-matrix.ts";
import { ofRing } from "../../../support/ring.ts";

const MEGABYTE = 1_048_576;

describe("room for what comes out", () => {
  // By format, so that each fourth case has each format. A PNG is the same at every quality.
  const asked = OUTPUT_FORMATS.flatMap((format) =>
    ([80, 90, 95, 100] as const)
      .filter((quality) => takesQuality(format) || quality === 80)
      .map((quality) => ({ format, quality })),
  );

  it.each(ofRing(asked, 4))(
    "is enough for a photograph full of grain as $format at $quality",
    async ({ format, quality }) => {
      const file = await MASTERS["png"]!("photo", 1000, 750);
      const entry = await weigh(format, file, { format, quality });
      expect(entry?.reserved).toBeGreaterThan((entry?.output ?? Infinity) * 0.95);
    },
  );
});

describe("what an isolate can hold", () => {
  const plan = (width: number, height: number, format: OutputFormat, out: number, quality: Quality = 80) => {
    const facts = jpegFacts(width, height);
    return planBuild(facts, 8 * MEGABYTE, specFor(facts, { width: out, format, quality }), true);
  };

  it("is divided whole", () => {
    const { arenaMaxBytes, resamplerMaxBytes, rowCodecMaxBytes, besideBytes } = MEMORY;
    expect(arenaMaxBytes + resamplerMaxBytes + rowCodecMaxBytes + besideBytes).toBe(ISOLATE.buildBytes);
  });

  it("is 80 megapixels in, and 32 out in JPEG, PNG and WebP, 16 in AVIF", () => {
    expect(plan(10_000, 8000, "jpeg", 6320)).toMatchObject({ ok: true, lane: "heavy" });
    expect(plan(10_000, 8000, "png", 6320)).toMatchObject({ ok: true, lane: "heavy" });
    for (const quality of [80, 90, 95, 100] as const) {
      expect(plan(10_000, 8000, "webp", 6320, quality)).toMatchObject({ ok: true });
      expect(plan(10_000, 8000, "avif", 4470, quality)).toMatchObject({ ok: true });
    }
  });

  it("leaves no size of AVIF out below", () => {
    for (const quality of [80, 90, 95, 100] as const) {
      for (let width = 1000; width <= 4470; width += 30) {
        expect(plan(10_000, 8000, "avif", width, quality), `${width}`).toMatchObject({ ok: true });
      }
    }
  });

  it("is refused beyond, and never said to fit", () => {
    expect(plan(10_000, 8000, "avif", 4480)).toMatchObject({ ok: false, refusal: "over-limit" });
  });

  it("makes a phone's photo light at the widths of a page for a visitor who waits", () => {
    for (const format of ["jpeg", "webp", "avif"] as const) {
      expect(plan(4032, 3024, format, 1000)).toMatchObject({ ok: true, lane: "light" });
    }
    expect(plan(4032, 3024, "jpeg", 1600)).toMatchObject({ ok: true, lane: "light" });
    expect(plan(8000, 6000, "webp", 1000)).toMatchObject({ ok: true, lane: "light" });
  });

  it("makes what takes longer heavy: AVIF of two megapixels, WebP of twelve, files of 30 MB", () => {
    expect(plan(4032, 3024, "avif", 1600)).toMatchObject({ ok: true, lane: "heavy" });
    expect(plan(4032, 3024, "webp", 1600)).toMatchObject({ ok: true, lane: "light", effort: "quick" });
    expect(plan(4032, 3024, "webp", 4032)).toMatchObject({ ok: true, lane: "heavy" });
    const facts = jpegFacts(10_000, 8000);
    const large = planBuild(facts, 30 * MEGABYTE, specFor(facts, { width: 1000, format: "webp" }));
    expect(large).toMatchObject({ ok: true, lane: "heavy" });
  });
});
