/** The bytes that the JPEG encoder takes, beside those of its plan. */
import { describe, expect, it } from "vitest";
import { jpegEncoderPeakBytes } from "../../../../../src/image/formats/jpeg/encoder-memory.ts";
import { newMemory, psnr } from "../../../../../scripts/harness/png-rows.ts";
import { somePicture, encode, GOOD, decode, markersOf } from "../../../../support/pictures/jpeg-encoding.ts";

describe("memory", () => {
  it.each([
    [1200, 400, { scale: 0.5, chroma: { mostLost: 20 } }, "rgb"],
    [1200, 400, { scale: 0.1, chroma: "444" }, "rgba"],
    [3000, 200, { scale: 0.5, chroma: "420" }, "gray"],
    [40, 4000, { scale: 0.25, chroma: { mostLost: 12 } }, "rgb"],
  ] as const)("for %i x %i at %o, %s is as predicted", async (width, height, options, layout) => {
    const memory = newMemory();
    await encode(somePicture(width, height, layout), options, memory);
    const predicted = jpegEncoderPeakBytes(width, height, options, layout);
    expect(memory.buffer.byteLength).toBeLessThanOrEqual(predicted);
    expect(predicted - memory.buffer.byteLength).toBeLessThanOrEqual(65_536);
  });

  it("stays within the plan for noise, which is coded sequentially and in parts", async () => {
    const picture = somePicture(900, 900, "rgb", 255);
    const options = { scale: 0.2, chroma: "444" } as const;
    const memory = newMemory();
    const jpeg = await encode(picture, options, memory);
    expect(memory.buffer.byteLength).toBeLessThanOrEqual(jpegEncoderPeakBytes(900, 900, options));
    expect(markersOf(jpeg)).toEqual([0xdb, 0xc0, 0xc4, 0xda]);
    expect(psnr(await decode(jpeg), picture.data)).toBeGreaterThan(30);
  });

  it("that may not grow, sides that JPEG lacks and CMYK are errors", async () => {
    const wide = somePicture(4000, 64, "rgb");
    await expect(encode(wide, GOOD, newMemory(2))).rejects.toMatchObject({ code: "OUT_OF_MEMORY" });
    await expect(encode({ ...wide, width: 70_000 }, GOOD)).rejects.toThrow(RangeError);
    await expect(encode(somePicture(8, 8, "cmyk"), GOOD)).rejects.toThrow(RangeError);
    await expect(encode({ ...somePicture(8, 8, "rgb"), height: 9 }, GOOD)).rejects.toMatchObject({
      code: "TRUNCATED",
    });
  });
});
