/** The bytes that crops take: those of the plan, and no more than their whole pictures would take at their size. */
import { describe, expect, it } from "vitest";
import { specFor } from "../../../../scripts/harness/builds.ts";
import { jpegFacts, pngFacts, svgFacts, webpFacts } from "../../../../scripts/samples/facts.ts";
import { errorOf, MASTERS, weigh } from "../../../../scripts/samples/ledger-matrix.ts";
import { drawings, sanitize } from "../../../../scripts/samples/svg/svg.ts";
import type { MasterFacts } from "../../../../src/image/model/facts.ts";
import { OUTPUT_FORMATS } from "../../../../src/image/formats/registry.ts";
import { planBuild } from "../../../../src/image/plan/plan.ts";
import { CROP, DELIVERY } from "../../../../src/limits.ts";
import { ofRing } from "../../../support/ring.ts";

const CROPS = [
  { ratio: "21:9", focalPoint: { x: 50, y: 100 } },
  { ratio: "1:2", focalPoint: { x: 71, y: 0 } },
] as const;

/** A PNG takes the same memory by either effort, and the thorough one takes ten times as long. */
const PNG = { format: "png", effort: "quick" } as const;

describe("predicted bytes of crops", () => {
  it.each(ofRing(Object.entries(MASTERS), 6))("hold for %s", async (name, make) => {
    const file = await make("photo", 800, 600);
    for (const ask of CROPS) {
      const label = `${name} ${ask.ratio}`;
      const entry = await weigh(label, file, { ...ask, ...PNG, width: 250 });
      const { under, over } = errorOf(entry!);
      const figures = `${label}: ${entry!.predicted} predicted, ${entry!.taken} taken`;
      expect(under, figures).toBeLessThanOrEqual(0.05);
      expect(over, figures).toBeLessThanOrEqual(0.15);
    }
  });

  it.each(ofRing(drawings, 6))("are enough for %s", async (name, document) => {
    const file = Buffer.from(sanitize(document.toString()).document);
    for (const ask of CROPS) {
      const entry = await weigh(name, file, { ...ask, ...PNG, width: 500 });
      expect(errorOf(entry!).under, `${name} ${ask.ratio}`).toBeLessThanOrEqual(0.05);
    }
  });
});

/** As many as a photograph takes, of any format. */
const SOURCE_BYTES = 12_000_000;
const WIDE = { width: 4000, height: 3000, codedWidth: 4000, codedHeight: 3000 };

const peakOf = (facts: MasterFacts, ask: Parameters<typeof specFor>[1]): number | null => {
  const plan = planBuild(facts, SOURCE_BYTES, specFor(facts, ask));
  return plan.ok ? plan.memory.peak : null;
};

/** Yields the peaks of crops, each beside that of an uncropped variant. */
function* peaks(
  facts: MasterFacts,
  uncropped: (spec: ReturnType<typeof specFor>) => [MasterFacts, width: number],
): Generator<{ at: string; cropped: number; whole: number }> {
  for (const ratio of CROP.aspectRatiosDefault) {
    for (const width of DELIVERY.widthGridPixels) {
      for (const format of OUTPUT_FORMATS) {
        const spec = specFor(facts, { ratio, width, format });
        if (!spec.crop || width > spec.crop.rect.width) continue;
        const [other, otherWidth] = uncropped(spec);
        const cropped = peakOf(facts, { ratio, width, format });
        const whole = peakOf(other, { width: otherWidth, format });
        if (whole !== null) yield { at: `${ratio} ${width} ${format}`, cropped: cropped ?? Infinity, whole };
      }
    }
  }
}

describe("the plan of a crop", () => {
  const jpeg = jpegFacts(4000, 3000);
  const progressive = { ...jpeg, process: "progressive", scans: 10 } as const;

  /** Rows of the whole master pass by, and of a progressive file a bit per coefficient is kept. */
  const PAGE = 65_536;
  it.each<[string, MasterFacts, extraBytes: number]>([
    ["a JPEG", jpeg, 2 * PAGE],
    ["a JPEG with a scan per component", { ...jpeg, scans: 3 }, 4 * PAGE],
    ["a turned JPEG", { ...jpeg, ...WIDE, codedWidth: 3000, codedHeight: 4000, orientation: 6 }, 2 * PAGE],
    ["a progressive JPEG", progressive, 2_300_000],
    ["a PNG", pngFacts(4000, 3000), 8 * PAGE],
    ["a WebP", webpFacts(4000, 3000), 12 * PAGE],
    ["a drawing", svgFacts(4000, 3000), 20 * PAGE],
  ])("of %s takes what a master of the crop's size would take", (_, facts, extraBytes) => {
    const alone = ({ width, crop }: ReturnType<typeof specFor>): [MasterFacts, number] => {
      const { width: w, height: h } = crop!.rect;
      const coded = facts.orientation > 4 ? [h, w] : [w, h];
      const size = { width: w, height: h, codedWidth: coded[0]!, codedHeight: coded[1]! };
      return [{ ...facts, ...size }, width];
    };
    for (const { at, cropped, whole } of peaks(facts, alone)) {
      expect(cropped, at).toBeLessThanOrEqual(whole + extraBytes);
    }
  });

  it.each<[string, MasterFacts]>([
    ["a JPEG", jpeg],
    ["a progressive JPEG", progressive],
    ["a PNG", pngFacts(4000, 3000)],
    ["a WebP", webpFacts(4000, 3000)],
  ])("of %s takes about what the whole takes at as many pixels", (_, facts) => {
    const ratios: number[] = [];
    const asManyPixels = ({ width, height }: ReturnType<typeof specFor>): [MasterFacts, number] => [
      facts,
      Math.min(facts.width, Math.round(Math.sqrt((width * height * facts.width) / facts.height))),
    ];
    for (const { at, cropped, whole } of peaks(facts, asManyPixels)) {
      ratios.push(cropped / whole);
      // The shape of what comes out decides how it is cut into tiles, and a power of two at what scale a JPEG is read.
      expect(cropped, at).toBeLessThanOrEqual(1.25 * whole + 3_200_000);
    }
    expect(ratios.sort((a, b) => a - b)[ratios.length >> 1]).toBeLessThanOrEqual(1.005);
  });
});
