/** The resampler as a source of rows: in which order they are asked for and given, and in how much memory. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resampleRows } from "../../../../src/builder/pixels/resampler.ts";
import { resamplerPeakBytes } from "../../../../src/image/memory/resampler.ts";
import { CHANNELS_OF } from "../../../../src/image/memory/rows.ts";
import { collectRows, newMemory, rowsOf, workspaceIn } from "../../../../scripts/harness/png-rows.ts";
import { type Layout, somePicture } from "../../../support/pictures/textured-pictures.ts";

describe("rows", () => {
  it("of the same size are the source's own", () => {
    const source = rowsOf(somePicture(9, 9, "rgb"));
    expect(resampleRows(workspaceIn(), source, { width: 9, height: 9 })).toBe(source);
  });

  it("of one colour keep it at every size", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          width: fc.integer({ min: 1, max: 300 }),
          height: fc.integer({ min: 1, max: 300 }),
          outWidth: fc.integer({ min: 1, max: 300 }),
          outHeight: fc.integer({ min: 1, max: 300 }),
          layout: fc.constantFrom<Layout>("gray", "gray-alpha", "rgb", "rgba"),
          batch: fc.integer({ min: 1, max: 40 }),
        }),
        async ({ width, height, outWidth, outHeight, layout, batch }) => {
          const channels = CHANNELS_OF[layout];
          const pixel = [200, 255, 90, 255].slice(0, channels);
          const data = Uint8Array.from(
            { length: width * height * channels },
            (_, i) => pixel[i % channels] ?? 0,
          );
          const source = rowsOf({ width, height, layout, data }, batch);
          const out = resampleRows(workspaceIn(), source, { width: outWidth, height: outHeight });
          const picture = await collectRows(out);
          expect(picture.data.length).toBe(outWidth * outHeight * channels);
          expect(picture.data.every((value, i) => value === pixel[i % channels])).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("of a source that ends early are an error", async () => {
    const source = rowsOf({ ...somePicture(20, 20, "rgb"), height: 21 });
    const reading = collectRows(resampleRows(workspaceIn(), source, { width: 10, height: 10 }));
    await expect(reading).rejects.toMatchObject({ code: "TRUNCATED" });
  });
});

describe("memory", () => {
  it.each([
    [8192, 60, 4096, 30, "rgba"],
    [8192, 800, 20, 2, "rgb"],
    [4032, 90, 1000, 22, "rgb"],
    [3000, 40, 3000, 20, "gray"],
    [500, 400, 1000, 800, "gray-alpha"],
    [20_000, 12, 30, 1, "rgb"],
  ] as const)(
    "from %i x %i to %i x %i is as predicted",
    async (width, height, outWidth, outHeight, layout) => {
      const memory = newMemory();
      const source = rowsOf({
        width,
        height,
        layout,
        data: new Uint8Array(width * height * CHANNELS_OF[layout]),
      });
      const out = { width: outWidth, height: outHeight };
      await collectRows(resampleRows(workspaceIn(memory), source, out));
      const predicted = resamplerPeakBytes({ width, height, layout }, out);
      expect(memory.buffer.byteLength).toBeLessThanOrEqual(predicted);
      expect(predicted - memory.buffer.byteLength).toBeLessThanOrEqual(65_536);
      expect(predicted).toBeLessThan(4 * 1024 * 1024);
    },
  );

  it("has a named error when it cannot grow", () => {
    const source = rowsOf(somePicture(3000, 10, "rgba"));
    expect(() => resampleRows(workspaceIn(newMemory(2)), source, { width: 1500, height: 5 })).toThrow(
      expect.objectContaining({ code: "OUT_OF_MEMORY" }) as Error,
    );
  });
});
