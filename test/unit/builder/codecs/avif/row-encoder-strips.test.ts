/** Drawings in AVIF, which have blocks four times as long as wide. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { encodeAvifRows } from "../../../../../src/builder/codecs/avif/row-encoder.ts";
import { newMemory, type Picture, rowsOf, workspaceIn } from "../../../../../scripts/harness/png-rows.ts";
import { reconstruct } from "../../../../../scripts/harness/av1-reconstruction.ts";
import { strips } from "../../../../../scripts/samples/stripe-pictures.ts";

const encode = async (source: Picture, baseIndex: number): Promise<Buffer> =>
  Buffer.concat(
    await encodeAvifRows(workspaceIn(newMemory(64)), rowsOf(source, 7), {
      ...{ baseIndex, chroma: "444", alphaIndex: 40, isDrawing: true, isFiltered: false },
    }),
  );

const CASES = [4, 8].flatMap((thickness) => [true, false].map((areUpright) => ({ thickness, areUpright })));

describe.each(CASES)("strips of $thickness in AVIF (upright: $areUpright)", ({ thickness, areUpright }) => {
  it.each([10, 42, 80, 160, 255])("are decoded as they were predicted, at index %d", async (baseIndex) => {
    for (const [width, height] of [
      [160, 128],
      [133, 71],
    ] as const) {
      const source = strips(width, height, thickness, areUpright);
      const seen = await sharp(await encode(source, baseIndex))
        .toColourspace("b-w")
        .raw()
        .toBuffer();
      expect(seen.equals(reconstruct(source, baseIndex, 1, true).planes[0]!)).toBe(true);
    }
  });

  it("have the colours of the picture", async () => {
    const source = strips(96, 64, thickness, areUpright, "rgb");
    const seen = await sharp(await encode(source, 10))
      .removeAlpha()
      .raw()
      .toBuffer();
    const apart = seen.reduce((most, value, i) => Math.max(most, Math.abs(value - source.data[i]!)), 0);
    expect(apart).toBeLessThanOrEqual(8);
  });

  it("take fewer bytes than squares and their halves do", async () => {
    // Without strips, it takes 2,080 and 1,040 bytes.
    const file = await encode(strips(160, 128, thickness, areUpright), 80);
    expect(file.length).toBeLessThan(thickness === 4 ? 1850 : 980);
  });
});
