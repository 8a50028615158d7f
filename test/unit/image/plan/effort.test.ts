/** How hard a still is encoded, and in which lane. */
import { describe, expect, it } from "vitest";
import type { StillPlan } from "../../../../src/image/plan/build-plan.ts";
import { planBuild } from "../../../../src/image/plan/plan.ts";
import type { Quality } from "../../../../src/image/model/variant.ts";
import type { VariantFormat } from "../../../../src/image/formats/registry.ts";
import { jpegFacts, pngFacts } from "../../../../scripts/samples/facts.ts";

const MB = 1_048_576;

function planned(
  width: number,
  quality: Quality | null,
  format: VariantFormat,
  isAwaited: boolean,
): StillPlan {
  const spec = { width, height: (width * 3) / 4, format, quality, animated: false };
  const plan = planBuild(jpegFacts(4000, 3000), 4 * MB, spec, isAwaited);
  if (!plan.ok || plan.kind !== "still") throw new Error("There is no plan of a still");
  return plan;
}

describe("the effort of a still", () => {
  it.each([80, 90] as const)("makes an AVIF of 1000 pixels at q %d light for a visitor", (quality) => {
    expect(planned(1000, quality, "avif", true)).toMatchObject({
      lane: "light",
      effort: "quick",
      encoder: { options: { effort: "quick" } },
    });
    expect(planned(1000, quality, "avif", false)).toMatchObject({
      lane: "heavy",
      effort: "thorough",
      encoder: { options: { effort: "thorough" } },
    });
  });

  it("is thorough where that is light too", () => {
    expect(planned(236, 80, "avif", true)).toMatchObject({ lane: "light", effort: "thorough" });
  });

  it("is thorough where a quick one would be late as well", () => {
    expect(planned(4000, 80, "avif", true)).toMatchObject({ lane: "heavy", effort: "thorough" });
  });

  it.each([
    ["jpeg", 2560],
    ["webp", 1000],
  ] as const)(
    "makes a %s of %d pixels light for a visitor, and fits its look in idle time",
    (format, width) => {
      const quick = planned(width, 80, format, true);
      expect(quick).toMatchObject({ lane: "light", effort: "quick", canvas: { kind: "none" } });
      expect(quick.look).toBeUndefined();
      const thorough = planned(width, 80, format, false);
      expect(thorough).toMatchObject({
        effort: "thorough",
        canvas: { kind: "planes" },
        look: { promised: 75 },
      });
    },
  );

  it("is thorough for drawings, which have no quick effort in AVIF", () => {
    const spec = { width: 1000, height: 750, format: "avif", quality: 80, animated: false } as const;
    const plan = planBuild(pngFacts(4000, 3000), MB, spec, true);
    expect(plan).toMatchObject({ ok: true, effort: "thorough", encoder: { options: { isDrawing: true } } });
  });

  it("leaves a WebP without loss to the thorough effort where a visitor waits and it takes long", () => {
    const plan = (width: number, isAwaited: boolean): unknown => {
      const spec = { width, height: (width * 3) / 4, format: "webp", quality: 80, animated: false } as const;
      return planBuild(pngFacts(1200, 900), MB / 4, spec, isAwaited);
    };
    const quick = { lane: "light", effort: "quick", encoder: { options: { mayBeLossless: false } } };
    const thorough = { effort: "thorough", encoder: { options: { mayBeLossless: true } } };
    expect(plan(1000, true)).toMatchObject(quick);
    expect(plan(1000, false)).toMatchObject(thorough);
    expect(plan(236, true)).toMatchObject({ lane: "light", ...thorough });
  });
});
