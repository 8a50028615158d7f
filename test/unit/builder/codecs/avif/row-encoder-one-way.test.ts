/** Drawings in AVIF, whose blocks may be transformed in one direction alone. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { encodeAvifRows } from "../../../../../src/builder/codecs/avif/row-encoder.ts";
import { newMemory, type Picture, rowsOf, workspaceIn } from "../../../../../scripts/harness/png-rows.ts";
import { reconstruct } from "../../../../../scripts/harness/av1-reconstruction.ts";
import { bars } from "../../../../../scripts/samples/stripe-pictures.ts";

const encode = async (source: Picture, baseIndex: number): Promise<Buffer> =>
  Buffer.concat(
    await encodeAvifRows(workspaceIn(newMemory(64)), rowsOf(source, 7), {
      ...{ baseIndex, chroma: "444", alphaIndex: 40, isDrawing: true, isFiltered: false },
    }),
  );

describe.each([true, false])("bars in a drawing in AVIF (upright: %s)", (areUpright) => {
  it.each([10, 42, 80, 160, 255])("are decoded as they were predicted, at index %d", async (baseIndex) => {
    for (const [width, height] of [
      [160, 120],
      [133, 71],
      [12, 9],
    ] as const) {
      const source = bars(width, height, areUpright);
      const seen = await sharp(await encode(source, baseIndex))
        .toColourspace("b-w")
        .raw()
        .toBuffer();
      expect(seen.equals(reconstruct(source, baseIndex, 1, true).planes[0]!)).toBe(true);
    }
  });

  it("take fewer bytes than by transforms in both directions", async () => {
    // Without the types of transform, it takes 2,390 bytes.
    const file = await encode(bars(160, 120, areUpright), 80);
    expect(file.length).toBeLessThan(1400);
  });
});
