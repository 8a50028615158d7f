/** The bytes that encoding AVIF in rows takes of its memory are those of the plan. */
import { describe, expect, it } from "vitest";
import { encodeAvifRows } from "../../../../../src/builder/codecs/avif/row-encoder.ts";
import { avifEncoderPeakBytes } from "../../../../../src/image/formats/avif/encoder-memory.ts";
import { QUALITIES } from "../../../../../src/image/model/variant.ts";
import { MEGABYTE_BYTES } from "../../../../../src/limits.ts";
import { planFor } from "../../../../../scripts/harness/builds.ts";
import { newMemory, rowsOf, workspaceIn } from "../../../../../scripts/harness/png-rows.ts";
import { jpegFacts, pngFacts } from "../../../../../scripts/samples/facts.ts";
import { picture } from "../../../../../scripts/samples/webp-rows-pictures.ts";

const PAGE_BYTES = 65_536;

describe("the memory of the AVIF row encoder", () => {
  it.each([
    [1, 1, "rgb"],
    [640, 70, "rgb"],
    [640, 70, "gray"],
    [333, 101, "rgba"],
    [4096, 9, "gray-alpha"],
    [4096, 9, "rgb"],
    [4097, 9, "rgb"],
    [8192, 9, "rgba"],
    // Their last page is almost full, so tables that grow show.
    [120, 9, "rgb"],
    [584, 9, "rgb"],
  ] as const)("of %d x %d in %s is what was predicted", async (width, height, layout) => {
    const predicted = avifEncoderPeakBytes(width, height, layout);
    let counted = 0;
    const workspace = {
      ...workspaceIn(newMemory(predicted / PAGE_BYTES)),
      counted(bytes: number) {
        counted = bytes;
      },
    };
    const options = { baseIndex: 120, chroma: "444", alphaIndex: 40 } as const;
    await encodeAvifRows(workspace, rowsOf(picture("photo", width, height, layout)), options);
    expect(counted).toBeGreaterThanOrEqual(predicted - PAGE_BYTES);
    expect(counted).toBeLessThanOrEqual(predicted);
  });

  it("stays below 6 MB for every variant that it makes", () => {
    expect(avifEncoderPeakBytes(8192, 1953, "rgba")).toBeLessThan(6 * MEGABYTE_BYTES);
  });

  it.each(QUALITIES)("leaves a build of 16 megapixels below 24 MB with its file, at q %d", (quality) => {
    for (const [width, height] of [
      [4000, 4000],
      [8192, 1953],
    ] as const) {
      for (const facts of [jpegFacts(width, height), pngFacts(width, height, { hasAlpha: true })]) {
        const spec = { width, height, format: "avif", quality, animated: false } as const;
        const plan = planFor(facts, width * height, spec);
        if (plan.kind !== "still") throw new Error("There is no plan of a still");
        // The picture that is held for trials, and the memory that reads their files again, are no part of encoding.
        const held = plan.look ? plan.canvas.bytes + plan.canvas.floorBytes : 0;
        expect(plan.memory.peak - held).toBeLessThan(24 * MEGABYTE_BYTES);
      }
    }
  });
});
