import { describe, expect, test } from "vitest";
import { jpegDecoderPeakBytes } from "../../../../../src/image/formats/jpeg/decoder-memory.ts";
import { decode, factsOf } from "../../../../../scripts/harness/jpeg-decoding.ts";
import { makePicture } from "../../../../../scripts/samples/jpeg-picture.ts";
import { progression, writeJpeg } from "../../../../../scripts/samples/jpeg-writer.ts";
import { ofRing } from "../../../../support/ring.ts";

const BUDGET = 90_000_000;
const SAMPLINGS = {
  "gray": [[1, 1]],
  "4:4:4": [[1, 1], [1, 1], [1, 1]],
  "4:2:0": [[2, 2], [1, 1], [1, 1]],
  "4:1:1": [[4, 1], [1, 1], [1, 1]],
  "YCCK": [[2, 2], [1, 1], [1, 1], [2, 2]],
} as const; // prettier-ignore

/** The prediction is at most this much above what is used, and never below. */
const MARGIN = 1.05;

describe("predicted arena bytes against the module's own count", () => {
  for (const [name, sampling] of Object.entries(SAMPLINGS)) {
    test(name, async () => {
      const all = sampling.map((_, index) => index);
      const adobe = sampling.length === 4 ? { adobe: 2 } : {};
      for (const [width, height] of [
        [1, 1],
        [97, 300],
        [1000, 640],
      ] as const) {
        const picture = makePicture(width, height, sampling);
        const files = [writeJpeg(picture, adobe)];
        files.push(writeJpeg(picture, { ...adobe, frameMarker: 0xc2, scans: progression(sampling.length) }));
        files.push(writeJpeg(picture, { ...adobe, scans: all.map((index) => ({ components: [index] })) }));
        for (const file of files) {
          for (const times of ofRing([1, 0.9, 0.5, 0.3, 0.12, 0.01], 3)) {
            const out = { width: Math.ceil(width * times), height: Math.ceil(height * times) };
            const { peakBytes } = await decode(file, { out, memoryBudgetBytes: BUDGET });
            const { bytes } = jpegDecoderPeakBytes(factsOf(file), out, BUDGET);
            expect(bytes).toBeGreaterThanOrEqual(peakBytes);
            expect(bytes).toBeLessThanOrEqual(peakBytes * MARGIN);
          }
        }
      }
    });
  }

  test("80 MP fit 110 MB: a few megabytes in sequence, a coarser scale when progressive", () => {
    const file = writeJpeg(makePicture(16, 16, SAMPLINGS["4:2:0"]));
    const facts = { ...factsOf(file), width: 10328, height: 7746, codedWidth: 10328, codedHeight: 7746 };
    const out = { width: 2560, height: 1920 };
    const sequential = jpegDecoderPeakBytes(facts, out, BUDGET);
    expect(sequential.sizes).toEqual([4, 8, 8]);
    expect(sequential.bytes).toBeLessThan(3e6);
    const progressive = jpegDecoderPeakBytes({ ...facts, process: "progressive" }, out, BUDGET);
    expect(progressive.sizes).toEqual([4, 4, 4]);
    expect(progressive.bytes).toBeLessThan(BUDGET);
    const largest = { width: 6532, height: 4899 };
    for (const sampling of [[2, 2], [1, 1]] as [number, number][]) {
      const worst = jpegDecoderPeakBytes({ ...facts, process: "progressive", sampling }, largest, BUDGET);
      expect(worst.bytes).toBeLessThan(BUDGET);
    }
  }); // prettier-ignore

  test("a master of 3840 pixels is read at half its size for 1000, and at a quarter for 500", () => {
    const facts = factsOf(writeJpeg(makePicture(16, 16, SAMPLINGS["4:4:4"])));
    const master = { ...facts, width: 3840, height: 2160, codedWidth: 3840, codedHeight: 2160 };
    const sizesFor = (width: number): number[] =>
      jpegDecoderPeakBytes(master, { width, height: Math.round((width * 9) / 16) }, BUDGET).sizes;
    expect(sizesFor(1000)).toEqual([4, 4, 4]);
    expect(sizesFor(500)).toEqual([2, 2, 2]);
    expect(sizesFor(1100)).toEqual([8, 4, 4]);
  });

  test("dimensions at the format's limit do not overflow", () => {
    const facts = factsOf(writeJpeg(makePicture(16, 16, SAMPLINGS["4:4:4"])));
    const huge = { ...facts, codedWidth: 65535, codedHeight: 65535, process: "progressive" as const };
    expect(jpegDecoderPeakBytes(huge, { width: 65535, height: 65535 }, BUDGET).bytes).toBe(Infinity);
    expect(jpegDecoderPeakBytes(huge, { width: 65535, height: 65535 }, 1e12).bytes).toBeGreaterThan(4e9);
  });
});
