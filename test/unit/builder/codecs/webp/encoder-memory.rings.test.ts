import { describe, expect, it } from "vitest";
import type { RowSource } from "../../../../../src/builder/pixels/row-source.ts";
import { RowMemoryError, RowShortageError } from "../../../../../src/builder/scheduling/row-errors.ts";
import { encodeWebp } from "../../../../../src/builder/codecs/webp/encoder.ts";
import { webpEncoderPeakBytes } from "../../../../../src/image/formats/webp/encoder-memory.ts";
import { newMemory, psnr, rowsOf, workspaceIn } from "../../../../../scripts/harness/png-rows.ts";
import {
  decoded,
  encode,
  encodeSource,
  grain,
  picture,
} from "../../../../../scripts/samples/webp-rows-pictures.ts";
import { repeated } from "../../../../support/repeated-rows.ts";
import { chunksOf } from "../../../../support/pictures/webp-rows-reader.ts";
import { rounds } from "../../../../support/ring.ts";

describe("memory of the WebP encoder", () => {
  it.each([
    [1, 1, 80, "rgb"],
    [640, 480, 80, "rgb"],
    [640, 480, 80, "gray"],
    [333, 1001, 95, "rgba"],
    [2000, 700, 100, "gray-alpha"],
    [16_383, 40, 80, "rgb"],
    [16_383, 40, 80, "rgba"],
  ] as const)("of %d x %d at %d in %s is what was predicted", async (width, height, quality, layout) => {
    const hasAlpha = layout === "rgba" || layout === "gray-alpha";
    const predicted = webpEncoderPeakBytes(width, height, quality, hasAlpha, layout);
    const memory = newMemory(predicted / 65_536);
    await encodeSource(repeated(picture("photo", width, 20, layout), height), quality, memory);
    expect(memory.buffer.byteLength).toBeGreaterThanOrEqual(predicted - 65_536);
  });

  it("stays below 13 MB, and with alpha below 18, for every variant there may be", () => {
    for (const [width, height] of [
      [8192, 3906],
      [3906, 8192],
      [16_383, 1953],
      [1953, 16_383],
    ] as const) {
      for (const quality of [80, 100]) {
        expect(webpEncoderPeakBytes(width, height, quality, false)).toBeLessThan(13 * 1_048_576);
        expect(webpEncoderPeakBytes(width, height / 2, quality, true)).toBeLessThan(18 * 1_048_576);
      }
    }
  });

  it(`holds ${rounds(4, 16)} megapixels of detail`, async () => {
    const [width, height] = [8000, rounds(500, 2000)];
    const predicted = webpEncoderPeakBytes(width, height, 90, false);
    const band = picture("photo", width, 100);
    const file = await encodeSource(repeated(band, height), 90, newMemory(predicted / 65_536));
    const whole = { ...band, height, data: new Uint8Array(width * height * 3) };
    for (let y = 0; y < height; y += 100) whole.data.set(band.data, y * width * 3);
    expect(psnr(await decoded(file, whole), whole.data)).toBeGreaterThan(30);
  });

  it("is enough for noise: what has no room is coded by what was counted before", async () => {
    const source = picture("noise", 900, 900, "rgba");
    for (let i = 3; i < source.data.length; i += 4) source.data[i] = 128 + 127 * grain(i, 0, 0);
    const file = await encode(source, 95, newMemory(webpEncoderPeakBytes(900, 900, 95, true) / 65_536));
    const read = await decoded(file, source);
    expect(chunksOf(file).get("ALPH")?.length).toBeGreaterThan(800_000);
    for (let i = 3; i < read.length; i += 4)
      if (read[i] !== source.data[i]) expect(read[i]).toBe(source.data[i]);
    expect(file.length).toBeGreaterThan(1_500_000);
  });

  it("that is missing is told", async () => {
    await expect(encode(picture("photo", 640, 480), 80, newMemory(2))).rejects.toThrow(RowMemoryError);
  });
});

describe("what cannot be encoded", () => {
  const none = (width: number, height: number, layout: RowSource["layout"]): RowSource => ({
    width,
    height,
    layout,
    next: () => Promise.resolve(null),
  });
  it.each([
    ["too wide", none(16_384, 1, "rgb"), RangeError],
    ["too high", none(1, 16_384, "rgb"), RangeError],
    ["CMYK", none(10, 10, "cmyk"), RangeError],
    ["ended early", none(10, 10, "rgb"), RowShortageError],
  ])("%s", async (_, source, error) => {
    await expect(encodeWebp(workspaceIn(), source, { quality: 80 })).rejects.toThrow(error);
  });
});

describe("turns", () => {
  it("come often enough for the event loop", async () => {
    let turns = 0;
    const source = rowsOf(picture("photo", 1000, 600), 16);
    const counted = (): Promise<void> => {
      turns++;
      return Promise.resolve();
    };
    await encodeWebp(workspaceIn(newMemory(), counted), source, { quality: 90 });
    expect(turns).toBeGreaterThan(3);
  });
});
