/** The plan for every kind of master, size, format and width, as text that shows what a change of the planning changes. */
import { expect, it } from "vitest";
import { cellsOf } from "../../../support/plan-cells.ts";
import { SIZES, type Megapixels } from "../../../../scripts/bench/masters/photographs.ts";
import { MASTERS } from "../../../../scripts/bench/masters/kinds.ts";
import { specFor } from "../../../../scripts/harness/builds.ts";
import {
  avifFacts,
  gifFacts,
  jpegFacts,
  pngFacts,
  svgFacts,
  webpFacts,
} from "../../../../scripts/samples/facts.ts";
import type { MasterFacts } from "../../../../src/image/model/facts.ts";
import { planBuild } from "../../../../src/image/plan/plan.ts";
import { planPlaceholder } from "../../../../src/image/plan/plan-placeholder.ts";
import { MEMORY_HEAD, planLine } from "../../../support/plans/plan-lines.ts";

const GRID_TILE = 512;

/** The facts that the probe finds of each master of the matrix, and about how long its file is, in bytes per pixel. */
const KINDS: Record<string, { bytes: number; facts: (width: number, height: number) => MasterFacts }> = {
  jpeg: { bytes: 0.4, facts: jpegFacts },
  progressive: { bytes: 0.4, facts: (w, h) => ({ ...jpegFacts(w, h), process: "progressive", scans: 10 }) },
  turned: {
    bytes: 0.4,
    facts: (w, h) => ({ ...jpegFacts(h, w), width: w, height: h, orientation: 6 }),
  },
  png: { bytes: 2, facts: pngFacts },
  "png-alpha": { bytes: 0.1, facts: (w, h) => pngFacts(w, h, { hasAlpha: true }) },
  interlaced: { bytes: 0.15, facts: (w, h) => ({ ...pngFacts(w, h, { hasAlpha: true }), interlaced: true }) },
  webp: { bytes: 0.25, facts: webpFacts },
  "webp-lossless": { bytes: 0.1, facts: (w, h) => ({ ...webpFacts(w, h), lossless: true, hasAlpha: true }) },
  avif: { bytes: 0.15, facts: avifFacts },
  "avif-grid": {
    bytes: 0.15,
    facts: (w, h) => ({
      ...avifFacts(w, h),
      grid: {
        rows: Math.ceil(h / GRID_TILE),
        columns: Math.ceil(w / GRID_TILE),
        tileWidth: GRID_TILE,
        tileHeight: GRID_TILE,
      },
    }),
  },
  gif: { bytes: 0.1, facts: gifFacts },
  svg: { bytes: 0.001, facts: svgFacts },
};

function masterOf(name: string, megapixels: Megapixels): { facts: MasterFacts; sourceBytes: number } {
  const kind = KINDS[name]!;
  const [width, height] = SIZES[megapixels];
  return { facts: kind.facts(width, height), sourceBytes: Math.round(kind.bytes * width * height) };
}

it("every row of the matrix has the plan that is written down", async () => {
  const lines = [`Size | lane | decoder | resampling | ... | ${MEMORY_HEAD}`];
  for (const kind of MASTERS) {
    for (const megapixels of kind.megapixels) {
      const { facts, sourceBytes } = masterOf(kind.name, megapixels);
      lines.push("", `## ${kind.label}, ${megapixels} megapixels`);
      for (const { format, width } of cellsOf(kind, megapixels)) {
        const spec = specFor(facts, { width: Math.min(width, facts.width), format });
        const plan = planBuild(facts, sourceBytes, spec);
        lines.push(`${format}: ${plan.ok ? planLine(plan) : `${plan.refusal}, ${plan.reason}`}`);
      }
      const placeholder = planPlaceholder(facts, sourceBytes);
      lines.push(`placeholder: ${placeholder.ok ? planLine(placeholder) : placeholder.reason}`);
    }
  }
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("matrix-plans.txt");
});

it("a plan is plain data: it is unchanged after being sent as JSON", () => {
  for (const kind of MASTERS) {
    for (const megapixels of kind.megapixels) {
      const { facts, sourceBytes } = masterOf(kind.name, megapixels);
      for (const { format, width } of cellsOf(kind, megapixels)) {
        const spec = specFor(facts, { width: Math.min(width, facts.width), format, quality: 95 });
        const plan = planBuild(facts, sourceBytes, spec);
        expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
      }
      const placeholder = planPlaceholder(facts, sourceBytes);
      expect(JSON.parse(JSON.stringify(placeholder))).toEqual(placeholder);
    }
  }
});

it("animations are planned by frames", async () => {
  const lines = [gifFacts(600, 400, 20), webpFacts(600, 400, 20), pngFacts(600, 400, { frames: 20 })].flatMap(
    (facts) =>
      (facts.format === "gif" ? (["gif", "webp"] as const) : (["webp"] as const)).flatMap((format) =>
        [600, 300].map((width) => {
          const height = Math.round((width * 2) / 3);
          const quality = format === "webp" ? 80 : null;
          const plan = planBuild(facts, 400_000, { width, height, format, quality, animated: true });
          return `${facts.format} to ${format}: ${plan.ok ? planLine(plan) : plan.reason}`;
        }),
      ),
  );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("animation-plans.txt");
});
