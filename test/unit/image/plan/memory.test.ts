/** Which masters an isolate can hold, as the README states it: the plan refuses others, with a reason. */
import { describe, expect, it } from "vitest";
import { AVIF_SAMPLE, type Kind, KINDS, LIMITS, OUTPUTS } from "../../../support/plans/plan-limits.ts";
import { planBuild } from "../../../../src/image/plan/plan.ts";
import { specFor } from "../../../../scripts/harness/builds.ts";
import { avifFacts, gifFacts, pngFacts } from "../../../../scripts/samples/facts.ts";
import { LEAST_NEEDS } from "../../../../src/image/formats/avif/av1/frame-header.ts";

/** Bytes a pixel of the files, as cameras and browsers write them. */
const FILE = { jpeg: 0.4, png: 0.5, webp: 0.2, avif: AVIF_SAMPLE, gif: 0.5, svg: 0 } as const;
const MOST_FILE_BYTES = 40_000_000;
/** The list may be this much too modest. */
const MODESTY = 1.25;

function planOf(kind: Kind, megapixels: number, output: keyof typeof OUTPUTS) {
  const width = Math.floor(Math.sqrt((megapixels * 1e6 * 4) / 3));
  const facts = KINDS[kind](width, Math.floor((width * 3) / 4));
  const { format, most } = OUTPUTS[output];
  const bytes = Math.min(MOST_FILE_BYTES, FILE[facts.format] * width * width * 0.75);
  const widest = Math.min(width, Math.floor(Math.sqrt((most(facts) * 4) / 3)));
  return planBuild(facts, Math.round(bytes), specFor(facts, { width: widest, format }));
}

/** Returns the tiles of a picture with the fewest that AV1 allows: 4096 wide, and of 4096 x 2304 samples. */
function fewestTiles(width: number, height: number, superblock: number) {
  const [columns, rows] = [Math.ceil(width / superblock), Math.ceil(height / superblock)];
  const log2 = (parts: number): number => Math.max(0, Math.ceil(Math.log2(parts)));
  const columnsLog2 = log2(width / 4096);
  const most = (4096 * 2304) / superblock ** 2;
  const rowsLog2 = Math.max(0, log2((columns * rows) / most) - columnsLog2);
  return { tileColumns: 2 ** columnsLog2, copiedRows: Math.ceil(rows / 2 ** rowsLog2) * superblock };
}

describe("masters that fit an isolate", () => {
  for (const [kind, limits] of Object.entries(LIMITS) as [Kind, (typeof LIMITS)[Kind]][]) {
    for (const [output, limit] of Object.entries(limits) as [keyof typeof OUTPUTS, number][]) {
      it(`${kind} to ${output}: ${limit} megapixels, and hardly more`, () => {
        expect(planOf(kind, limit, output)).toMatchObject({ ok: true });
        if (limit * MODESTY > 80) return;
        expect(planOf(kind, limit * MODESTY, output)).toMatchObject({
          ok: false,
          refusal: "too-large-for-isolate",
        });
      });
    }
  }

  it("keeps a still GIF of 80 megapixels a GIF, up to 20 megapixels, or 10 where it is interlaced", () => {
    for (const [interlaced, megapixels] of [
      [false, 20],
      [true, 10],
    ] as const) {
      const facts = { ...gifFacts(10_320, 7740), interlaced };
      const planned = (most: number) => {
        const width = Math.floor(Math.sqrt((most * 1e6 * 4) / 3));
        const spec = specFor(facts, { width, format: "png" });
        return planBuild(facts, MOST_FILE_BYTES, { ...spec, format: "gif" });
      };
      expect(planned(megapixels)).toMatchObject({ ok: true, reader: { name: "gif-still" } });
      expect(planned(megapixels * MODESTY)).toMatchObject({ refusal: "too-large-for-isolate" });
      expect(planned(2560 ** 2 * 0.75e-6)).toMatchObject({ ok: true });
    }
  });

  it.each([
    ["4:2:0", { chroma: "420" }, 50, 50.5],
    ["4:4:4", { chroma: "444" }, 12.5, 12.7],
    ["4:2:0 with alpha", { chroma: "420", hasAlpha: true }, 13.8, 14],
    ["4:4:4 with alpha", { chroma: "444", hasAlpha: true }, 8.7, 8.8],
  ] as const)(
    "decodes AVIF with intra block copy in %s up to %o to every format",
    (_, kind, limit, above) => {
      const refusalAt = (megapixels: number): (string | null)[] =>
        Object.values(OUTPUTS).flatMap(({ format, most }) =>
          ([64, 128] as const).map((superblock) => {
            const width = Math.floor(Math.sqrt((megapixels * 1e6 * 4) / 3));
            const height = Math.floor((width * 3) / 4);
            const needs = { ...LEAST_NEEDS, ...fewestTiles(width, height, superblock) };
            const facts = {
              ...avifFacts(width, height),
              ...kind,
              superblock,
              needs: { colour: needs, alpha: needs },
            };
            const widest = Math.min(width, Math.floor(Math.sqrt((most(facts) * 4) / 3)));
            const bytes = Math.round(AVIF_SAMPLE * megapixels * 1e6);
            const plan = planBuild(facts, bytes, specFor(facts, { width: widest, format }));
            return plan.ok ? null : plan.refusal;
          }),
        );
      for (let at = limit; at > 1; at -= 0.7)
        expect(new Set(refusalAt(at)), `${at}`).toEqual(new Set([null]));
      expect(refusalAt(above)).toContain("too-large-for-isolate");
    },
  );

  it("counts what the decoder of an animated PNG's frames takes", () => {
    const size = [2000, 1500] as const;
    const spec = (width: number) =>
      ({ width, height: width * 0.75, format: "webp", quality: 80, animated: true }) as const;
    const plain = pngFacts(...size, { frames: 3, hasAlpha: true });
    expect(planBuild(plain, 4e6, spec(500))).toMatchObject({ ok: true });
    const interlaced = { ...pngFacts(2300, 1725, { frames: 3, hasAlpha: true }), interlaced: true };
    expect(planBuild({ ...interlaced, interlaced: false }, 4e6, spec(500))).toMatchObject({ ok: true });
    expect(planBuild(interlaced, 4e6, spec(500))).toMatchObject({ refusal: "too-large-for-isolate" });
  });
});
