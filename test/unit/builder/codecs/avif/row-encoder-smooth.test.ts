/** Smooth pictures in AVIF, which have blocks of 64 x 64. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { encodeAvifRows } from "../../../../../src/builder/codecs/avif/row-encoder.ts";
import { newMemory, type Picture, rowsOf, workspaceIn } from "../../../../../scripts/harness/png-rows.ts";
import { reconstruct } from "../../../../../scripts/harness/av1-reconstruction.ts";

/** Draws slopes and waves in each channel, with noise of so many levels. */
function smooth(
  width: number,
  height: number,
  layout: "gray" | "rgb",
  noise: number,
  slope: number,
): Picture {
  const channels = layout === "gray" ? 1 : 3;
  let state = 7;
  const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32 - 0.5;
  const data = Uint8Array.from({ length: width * height * channels }, (_, i) => {
    const [pixel, channel] = [Math.floor(i / channels), i % channels];
    const [x, y] = [(pixel % width) - width / 2, Math.floor(pixel / width) - height / 2];
    const wave = 20 * Math.sin((x + channel * y) * 0.02);
    return Math.max(0, Math.min(255, 128 + slope * x * (1 + channel / 3) + 0.4 * y + wave + noise * next()));
  });
  return { width, height, layout, data };
}

const encode = async (source: Picture, options: object): Promise<Buffer> =>
  Buffer.concat(
    await encodeAvifRows(workspaceIn(newMemory(64)), rowsOf(source, 7), {
      ...{ baseIndex: 68, chroma: "420", alphaIndex: 40, isFiltered: false },
      ...options,
    }),
  );

const CASES = [0, 3, 12].flatMap((noise) =>
  [12, 68, 160, 255].flatMap((baseIndex) =>
    [false, true].map((isDrawing) => ({ noise, baseIndex, isDrawing })),
  ),
);

describe("smooth pictures in AVIF", () => {
  it.each(CASES)(
    "noise of $noise at $baseIndex (drawing: $isDrawing) is decoded to the planes it was predicted from",
    async ({ noise, baseIndex, isDrawing }) => {
      for (const [width, height, slope] of [
        [128, 128, 0.3],
        [200, 136, -0.7],
        [64, 200, 0],
      ] as const) {
        const source = smooth(width, height, "gray", noise, slope);
        const seen = await sharp(await encode(source, { baseIndex, isDrawing }))
          .toColourspace("b-w")
          .raw()
          .toBuffer();
        expect(seen.equals(reconstruct(source, baseIndex, 1, isDrawing).planes[0]!)).toBe(true);
      }
    },
  );

  it.each(["420", "444"] as const)("has the colours of the picture in %s", async (chroma) => {
    for (const isDrawing of [false, true]) {
      const source = smooth(192, 128, "rgb", 0, 0.3);
      const seen = await sharp(await encode(source, { chroma, isDrawing }))
        .raw()
        .toBuffer();
      const apart = seen.reduce((most, value, i) => Math.max(most, Math.abs(value - source.data[i]!)), 0);
      expect(apart).toBeLessThanOrEqual(10);
    }
  });

  it("takes few bytes for a gradient, as blocks of 64 x 64 do", async () => {
    const [width, height] = [512, 384];
    const data = Uint8Array.from({ length: width * height }, (_, i) => {
      return 80 + 0.15 * (i % width) + 0.1 * Math.floor(i / width);
    });
    const file = await encode({ width, height, layout: "gray", data }, { baseIndex: 80 });
    expect(file.length).toBeLessThan(650);
  });

  it("takes few bytes for a steep gradient in a drawing, whose edge is not that of a block of 64 x 64", async () => {
    const [width, height] = [236, 177];
    const data = Uint8Array.from({ length: width * height }, (_, i) => {
      return 20 + 0.6 * (i % width) + 0.5 * Math.floor(i / width);
    });
    const options = { baseIndex: 80, isDrawing: true };
    const file = await encode({ width, height, layout: "gray", data }, options);
    expect(file.length).toBeLessThan(490);
  });
});
